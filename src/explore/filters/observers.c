/* observers: optimal DPOR in which a store is ordered against another of the same bytes only
 * where a step sees one of them (Aronis, Jonsson, Lång, Sagonas: Optimal Dynamic Partial Order
 * Reduction with Observers, TACAS 2018).
 *
 * When an execution E is over it is known which stores are unseen (unseen_stores.h), and
 * happens-before is computed anew: unseen stores of the same bytes are a group (hb.h), the one
 * that is seen in the end comes after all of them.  Races are those of this order.  Most are
 * reversed as by `optimal`: v is the events of E that do not happen after e, followed by the
 * late half.  For an unseen store m and the store L that hides it, the reversal must be seen:
 *
 *     v  =  what does not happen after m,  L,  m,  what happens after m and is not after an
 *           observer of L,  the first observer
 *
 * v is inserted into the wakeup tree at the node of e unless a thread asleep there begins
 * it; a thread whose next step is a store stays asleep after another's store of the same
 * bytes, unless its own is then seen.
 *
 * Deviations from the paper: the end of an execution sees everything (main may look at
 * memory when it is alone, without making steps); so does the solo part of a thread before
 * it creates others, and what conflicts with everything.  Stores that overlap in part are
 * seen by each other.  Data races of unseen stores, which have no order, are looked for in
 * the groups.  One worker. */
#include "core/dependence.h"
#include "core/enabled.h"
#include "explore/checks/races.h"
#include "explore/dpor/dpor.h"
#include "explore/dpor/unseen_stores.h"
#include "explore/dpor/wakeup.h"

#include <string.h>

struct observers {
    struct hd_dpor dpor; /* kept while the execution runs */
    struct hd_dpor fine; /* the same with another happens-before, made when it is over */
    struct hd_wakeup wakeup;
    bool *alone; /* by depth: no other thread exists; later: and all are joined */
    struct hd_sequence v;
    struct hd_sleepers sleepers;
};

static void *create(struct hd_explorer *ex)
{
    struct observers *o = hd_arena_take(&ex->arena, sizeof *o);
    if (!o || !hd_dpor_init(&o->dpor, ex) || !hd_dpor_init(&o->fine, ex) ||
        !hd_wakeup_init(&o->wakeup, &ex->arena))
        return NULL;
    o->alone = hd_arena_take(&ex->arena, sizeof *o->alone * (uint64_t)HD_MAX_STEPS);
    o->v.turns = hd_arena_take(&ex->arena, sizeof *o->v.turns * (uint64_t)(HD_MAX_STEPS + 2));
    o->fine.values = o->dpor.values;
    o->fine.sleep = o->dpor.sleep;
    ex->hb = &o->dpor.hb;
    return o->alone && o->v.turns ? o : NULL;
}

static struct hd_action *action_at(const struct hd_explorer *ex, uint32_t event)
{
    return &ex->path.nodes[event].action;
}

/* The one event whose store the blind store w hides, with nothing between them on the bytes. */
static uint32_t hides(const struct observers *o, const struct hd_explorer *ex, uint32_t w)
{
    const struct hd_hb *hb = &o->dpor.hb;
    uint64_t end = w + 1 < hb->depth ? hb->events[w + 1].undo : hb->n_undo;
    uint32_t hidden = HD_NO_EVENT;
    for (uint64_t i = hb->events[w].undo; i < end; i++) {
        const struct hd_hb_undo *u = &hb->undo[i];
        if (!u->len)
            continue;
        if (u->was.read != HD_NO_EVENT || (hidden != HD_NO_EVENT && u->was.write != hidden))
            return HD_NO_EVENT;
        hidden = u->was.write;
    }
    if (hidden == HD_NO_EVENT || !hd_unseen_stores_blind(action_at(ex, hidden)) ||
        !hd_unseen_stores_same_bytes(action_at(ex, hidden), action_at(ex, w)))
        return HD_NO_EVENT;
    uint32_t all = hb->events[w].all;
    if (all != HD_NO_EVENT && all > hidden)
        return HD_NO_EVENT;
    const struct hd_action *a = action_at(ex, w);
    for (uint64_t i = hb->n_ends; i > 0 && hb->ends[i - 1].event > hidden; i--)
        if (hb->ends[i - 1].event < w && hb->ends[i - 1].begin < a->object + a->size &&
            a->object < hb->ends[i - 1].end)
            return HD_NO_EVENT;
    return hidden;
}

/* Mark the unseen stores of the execution, and keep what they stored. */
static void mark(struct observers *o, struct hd_explorer *ex)
{
    const struct hd_hb *hb = &o->dpor.hb;
    uint32_t looked = 0; /* before this event a thread was alone, and may have read anything */
    for (uint32_t w = 0; w < hb->depth; w++) {
        o->alone[w] = o->alone[w] && hd_hb_knows_all(hb, w);
        if (o->alone[w])
            looked = w;
        if (!hd_unseen_stores_blind(action_at(ex, w)))
            continue;
        uint32_t m = hides(o, ex, w);
        if (m == HD_NO_EVENT || m < looked)
            continue;
        action_at(ex, m)->size2 = HD_COMMUTES_UNSEEN;
        memcpy(o->fine.values[m].expected, o->fine.values[w].before,
               sizeof o->fine.values[m].expected);
    }
}

static void unmark(struct observers *o, struct hd_explorer *ex)
{
    for (uint32_t w = 0; w < o->dpor.hb.depth; w++)
        if (hd_unseen_stores_blind(action_at(ex, w)))
            action_at(ex, w)->size2 = HD_COMMUTES_NOT;
}

static bool order_anew(struct observers *o, struct hd_explorer *ex)
{
    struct hd_hb *hb = &o->fine.hb;
    hd_hb_back(hb, 0);
    o->fine.ex = ex;
    for (uint32_t i = 0; i < o->dpor.hb.depth && !hb->full; i++) {
        const struct hd_hb_event *e = &o->dpor.hb.events[i];
        hd_hb_ran(hb, e->thread, action_at(ex, i), e->chosen, HD_STEP_CHOICE(ex->path.steps[i]),
                  e->state);
    }
    if (hb->full)
        hd_explorer_give_up(ex, "an execution has more races than the reduction can keep: bound "
                                "it with --depth, or use --strategy optimal");
    return !hb->full;
}

static void append(struct observers *o, uint32_t thread, uint32_t chosen,
                   const struct hd_action *action, bool alone)
{
    o->v.turns[o->v.n++] = (struct hd_turn){ *action, thread, chosen, alone, false };
}

static void append_event(struct observers *o, const struct hd_explorer *ex, uint32_t f)
{
    append(o, o->fine.hb.events[f].thread, o->dpor.hb.events[f].choice, action_at(ex, f),
           o->alone[f]);
}

/* Is the late half the store that hides the early one? */
static bool is_hidden_by(const struct hd_explorer *ex, uint32_t e, const struct hd_late *late)
{
    const struct hd_action *a = action_at(ex, e);
    return late->event != HD_NO_EVENT && hd_unseen_stores_blind(a) && a->size2 &&
           hd_unseen_stores_blind(&late->action) && hd_unseen_stores_same_bytes(a, &late->action);
}

/* Append the reversal of an unseen store m: m comes after the store `last`, and is seen by the
 * event that saw `last`. */
static void make_seen(struct observers *o, const struct hd_explorer *ex, uint32_t m,
                      uint32_t last)
{
    const struct hd_hb *hb = &o->fine.hb;
    uint32_t witness = HD_NO_EVENT;
    append_event(o, ex, last);
    append_event(o, ex, m);
    for (uint32_t f = m + 1; f < hb->depth; f++) {
        if (f == last || !hd_hb_before(hb, m, f))
            continue;
        if (witness != HD_NO_EVENT && hd_hb_before(hb, witness, f))
            continue;
        bool sees = o->alone[f] || hd_action_dependent(action_at(ex, last), action_at(ex, f));
        if (f < last || !sees)
            append_event(o, ex, f);
        else if (witness == HD_NO_EVENT)
            witness = f;
    }
    if (witness != HD_NO_EVENT)
        append_event(o, ex, witness);
    o->v.whole = witness == HD_NO_EVENT;
}

static void make_v(struct observers *o, const struct hd_explorer *ex, uint32_t e,
                   const struct hd_late *late)
{
    const struct hd_hb *hb = &o->fine.hb;
    o->v.n = 0;
    o->v.whole = false;
    for (uint32_t f = e + 1; f < hb->depth; f++)
        if (f != late->event && !hd_hb_before(hb, e, f))
            append_event(o, ex, f);
    if (is_hidden_by(ex, e, late))
        make_seen(o, ex, e, late->event);
    else
        append(o, late->thread, 0, &late->action, false);
    hd_unseen_stores_sequence(&o->v);
}

/* The action of a thread that was explored at the node: it has not moved there. */
static struct hd_action sleeping_action(const struct observers *o, const struct hd_explorer *ex,
                                        uint32_t depth, uint32_t thread)
{
    uint32_t next = hd_hb_next_of(&o->fine.hb, thread, depth);
    struct hd_action action = next == HD_NO_EVENT ? ex->world.config->next[thread]
                                                  : *action_at(ex, next);
    enum hd_op attempt = hd_op_attempt((enum hd_op)action.op);
    bool failed = hd_tset_has(&o->dpor.sleep.failed[depth], thread);
    action.op = (uint8_t)(failed ? attempt + 1 : attempt);
    return action;
}

static void add_explored(struct observers *o, const struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    uint32_t now = HD_STEP_THREAD(alts[node->taken]);
    for (uint32_t i = 0; i < node->taken; i++) {
        uint32_t t = HD_STEP_THREAD(alts[i]);
        if (t == now || hd_tset_has(&o->dpor.sleep.wakeful[depth], t))
            continue;
        struct hd_action action = sleeping_action(o, ex, depth, t);
        hd_sleepers_add(&o->sleepers, t, &action);
    }
}

/* Compute which threads sleep at the node of e. */
static void find_sleepers(struct observers *o, const struct hd_explorer *ex, uint32_t e)
{
    o->sleepers.n = o->sleepers.n_due = 0;
    for (uint32_t i = 0;; i++) {
        add_explored(o, ex, i);
        if (i == e)
            return;
        struct hd_action action = hd_unseen_stores_unseen(action_at(ex, i));
        if ((o->sleepers.n || o->sleepers.n_due) &&
            !hd_sleepers_pass(&o->sleepers, o->fine.hb.events[i].thread, &action, o->alone[i]))
            o->sleepers.n = o->sleepers.n_due = 0; /* some executions are then explored twice */
    }
}

static void out_of_memory(struct hd_explorer *ex)
{
    hd_explorer_give_up(ex, "the wakeup trees use up the memory: use --strategy source");
}

static uint32_t hang(struct hd_wakeup *w, uint32_t **link, uint32_t thread, uint32_t chosen,
                     const struct hd_action *action)
{
    uint32_t index = hd_wakeup_new(w);
    struct hd_branch *b = &w->pool[index];
    b->thread = (uint16_t)thread;
    b->chosen = chosen;
    b->action = hd_unseen_stores_unseen(action);
    **link = index;
    *link = &b->below;
    return index;
}

/* Insert v into the wakeup tree at the node of e. */
static void insert(struct observers *o, struct hd_explorer *ex, uint32_t e)
{
    struct hd_wakeup *w = &o->wakeup;
    if (!hd_wakeup_reserve(w, o->v.n)) {
        out_of_memory(ex);
        return;
    }
    uint32_t *link = &w->trees[e], first = HD_NO_BRANCH;
    bool at_top = true;
    while (*link) {
        const struct hd_branch *b = &w->pool[*link];
        if (!hd_sequence_match(&o->v, b->thread, b->chosen, &b->action)) {
            link = &w->pool[*link].next;
            continue;
        }
        if (!b->below && !b->loose)
            return; /* executions that begin with v will be explored */
        link = &w->pool[*link].below;
        at_top = false;
    }
    for (uint32_t i = 0; i < o->v.n; i++) {
        const struct hd_turn *t = &o->v.turns[i];
        if (t->taken)
            continue;
        uint32_t b = hang(w, &link, t->thread, t->chosen, &t->action);
        first = first ? first : b;
    }
    if (at_top && first)
        hd_explorer_add(ex, e, w->pool[first].thread);
}

static void reverse(void *self, struct hd_explorer *ex, uint32_t e, const struct hd_late *late)
{
    struct observers *o = self;
    make_v(o, ex, e, late);
    find_sleepers(o, ex, e);
    if (o->sleepers.n || o->sleepers.n_due)
        if (!hd_sleepers_wake(&o->sleepers, &o->v))
            return;
    /* a step that is known to break the program at once */
    if (hd_tset_has(&o->dpor.sleep.wakeful[e], o->v.turns[0].thread))
        return;
    insert(o, ex, e);
}

/* Report data races; of unordered stores, too, each of which comes first in some execution. */
static void data_races(struct observers *o, struct hd_explorer *ex)
{
    struct hd_hb *hb = &o->fine.hb;
    for (uint64_t i = 0; i < hb->n_races; i++)
        hd_races_between(ex, hb, hb->races[i].early, hb->races[i].late);
    for (uint32_t w = 0; w < hb->depth; w++) {
        if (!hd_unseen_stores_blind(action_at(ex, w)))
            continue;
        for (uint32_t m = hides(o, ex, w); m != HD_NO_EVENT && action_at(ex, m)->size2;
             m = hides(o, ex, m))
            if (!hd_hb_before(hb, m, w))
                hd_races_between(ex, hb, m, w);
    }
}

static void all_races(struct observers *o, struct hd_explorer *ex,
                      const struct hd_finding *finding)
{
    mark(o, ex);
    if (order_anew(o, ex)) {
        hd_dpor_races_of_end(&o->fine, ex, finding, o, reverse);
        for (uint64_t i = 0; i < o->fine.hb.n_races; i++) {
            struct hd_late late = hd_dpor_late(&o->fine, ex, i);
            reverse(o, ex, o->fine.hb.races[i].early, &late);
        }
        data_races(o, ex);
    }
    unmark(o, ex);
}

/* Open the threads that begin the tree's branches, in their order. */
static uint32_t admit_tree(struct observers *o, struct hd_explorer *ex, uint32_t *alts,
                           uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t b = o->wakeup.trees[ex->path.depth]; b; b = o->wakeup.pool[b].next)
        for (uint32_t i = kept; i < n; i++)
            if (HD_STEP_THREAD(alts[i]) == o->wakeup.pool[b].thread) {
                uint32_t moved = alts[i];
                memmove(alts + kept + 1, alts + kept, (i - kept) * sizeof *alts);
                alts[kept++] = moved;
            }
    return kept;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct observers *o = self;
    hd_tset_clear(&o->dpor.sleep.wakeful[ex->path.depth]);
    uint32_t kept = o->wakeup.trees[ex->path.depth] ? admit_tree(o, ex, alts, n)
                                                    : hd_dpor_admit(&o->dpor, ex, alts, n);
    if (kept == 0)
        all_races(o, ex, NULL);
    return kept;
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct observers *o = self;
    hd_dpor_ran(&o->dpor, ex, depth, false);
    const struct hd_config *config = ex->world.config;
    o->alone[depth] = hd_tset_count(&config->live, hd_tset_words(config->n_threads)) == 1;
    if (depth < ex->marks.counted)
        return; /* a replayed step: its branch was taken before */
    hd_wakeup_descend(&o->wakeup, depth, HD_STEP_THREAD(ex->path.steps[depth]),
                      o->dpor.hb.events[depth].choice);
}

/* The same as in optimal.c: nothing is explored after a step that breaks the program, so all
 * threads that are awake are opened at its node, each with a loose branch of one step. */
static void open_beside(struct observers *o, struct hd_explorer *ex, uint32_t depth)
{
    hd_path_all(&ex->path, depth);
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    uint32_t choices[HD_MAX_THREADS] = { 0 };
    for (uint32_t i = 0; i < ex->path.nodes[depth].n_alts; i++)
        choices[HD_STEP_THREAD(alts[i])]++;
    for (uint32_t t = 0; t < ex->world.config->n_threads; t++) {
        uint32_t *link = &o->wakeup.trees[depth];
        if (!choices[t] || hd_tset_has(&o->dpor.sleep.asleep[depth], t) ||
            !hd_explorer_add(ex, depth, t) || choices[t] != 1)
            continue;
        if (!hd_wakeup_reserve(&o->wakeup, 1)) {
            out_of_memory(ex);
            return;
        }
        while (*link)
            link = &o->wakeup.pool[*link].next;
        uint32_t b = hang(&o->wakeup, &link, t, 0, &ex->world.config->next[t]);
        o->wakeup.pool[b].loose = true;
    }
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    all_races(self, ex, finding);
    if (finding && finding->kind != HD_KIND_DEADLOCK && ex->path.depth)
        open_beside(self, ex, hd_explorer_section_of(ex, ex->path.depth - 1));
}

static void back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct observers *o = self;
    (void)ex;
    hd_hb_back(&o->dpor.hb, depth);
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct observers *o = self;
    hd_sleep_pack(&o->dpor.sleep, ex, p);
    hd_wakeup_pack(&o->wakeup, ex->path.n_nodes, p);
}

const struct hd_filter hd_filter_observers = {
    .index = HD_FILTER_INDEX_OBSERVERS,
    .create = create,
    .admit = admit,
    .ran = ran,
    .back = back,
    .ended = ended,
    .pack = pack,
};
