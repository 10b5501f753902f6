/* optimal: optimal DPOR with wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic
 * Partial Order Reduction, POPL 2014, Algorithm 2; JACM 2017).
 *
 * When an execution E is over, every race (e, e') of it is examined: v is the events of E that
 * do not happen after e, followed by the thread of e'.  Unless a thread asleep at the node of e
 * could begin v, v is inserted into the wakeup tree there.  The first steps of a tree's
 * branches are the node's open alternatives, in order.
 *
 * Invariant W: at every node, alternatives [taken + 1, n_open) are the first steps of the
 * tree's branches; every choice of a thread with its first branch, unless the node is pinned.
 *
 * A race is settled as long as the events that decided how its reversal is covered stay on the
 * path.  Later events change nothing:
 *
 *  - Whether a thread can begin v depends on the clocks of single events.
 *  - A sequence in the tree stays a prefix of v: of later events, v gets only those that do not
 *    happen after the late half, and so are independent of it.
 *  - A step is independent of v because its thread's event in E happens after e: later events
 *    that depend on that event happen after e too, and are not in v.
 *
 * Other races (the late half may have another outcome, or the thread in question did not move
 * in E) are examined again at the end of every execution.
 *
 * Deviations: a race with the pending action of a blocked thread, and the races of the end of
 * the process, are looked at too (dpor.h).  So are the choices of a signal or heddle_choose
 * that were not taken (wakeup_choices.h).  A compare-exchange or trylock that comes first may
 * have another outcome than in E: its dependence is computed from the outcome that it will
 * have. */
#include "explore/dpor/optimal.h"
#include "core/enabled.h"
#include "explore/jobs/split.h"

#include <string.h>

static void *create(struct hd_explorer *ex)
{
    struct hd_optimal *o = hd_arena_take(&ex->arena, sizeof *o);
    if (!o || !hd_dpor_init(&o->v.dpor, ex) || !hd_wakeup_init(&o->wakeup, &ex->arena) ||
        !hd_wakeup_choices_init(&o->choices, &ex->arena))
        return NULL;
    ex->hb = &o->v.dpor.hb;
    return o;
}

/* Subtrees that other workers have begun at the node count as explored. */
static void add_begun(const struct hd_optimal *o, const struct hd_explorer *ex,
                      struct hd_tset *set)
{
    const struct hd_tset *wakeful = &o->v.dpor.sleep.wakeful[o->v.e];
    struct hd_tset begun = { { 0 } };
    hd_split_begun(ex, o->v.e, &begun);
    for (uint32_t i = 0; i < HD_TSET_WORDS; i++)
        set->w[i] |= begun.w[i] & ~wakeful->w[i];
}

/* The same as asleep() for up to 64 threads. */
HD_HOT bool few_sleep(struct hd_optimal *o, const struct hd_explorer *ex)
{
    const struct hd_sleep *sleep = &o->v.dpor.sleep;
    uint32_t e = o->v.e, late = o->v.late->thread;
    uint64_t set = hd_sleep_word(sleep, ex, e, o->v.dpor.hb.events[e].thread);
    if (set >> late & 1) {
        if (hd_reversal_begun_by(&o->v, ex, late))
            return true;
        set &= ~(1ull << late);
    }
    for (; set; set &= set - 1)
        if (hd_reversal_begun_by(&o->v, ex, (uint32_t)__builtin_ctzll(set)))
            return true;
    return __builtin_expect(sleep->wakeful[e].w[0] != 0, 0) &&
           hd_tset_has(&sleep->wakeful[e], hd_reversal_first(&o->v));
}

/* Have all executions that begin with v been explored from the node of e? */
static bool asleep(struct hd_optimal *o, const struct hd_explorer *ex)
{
    const struct hd_sleep *sleep = &o->v.dpor.sleep;
    const struct hd_tset *wakeful = &sleep->wakeful[o->v.e];
    uint32_t words = hd_tset_words(o->v.dpor.hb.n_threads), late = o->v.late->thread;
    if (words == 1 && !hd_split_is_common(ex, o->v.e))
        return few_sleep(o, ex);
    struct hd_tset set = hd_sleep_at(sleep, ex, o->v.e);
    if (hd_split_is_common(ex, o->v.e))
        add_begun(o, ex, &set);
    if (hd_tset_has(&set, late)) { /* the most likely case, and a cheap one */
        if (hd_reversal_begun_by(&o->v, ex, late))
            return true;
        hd_tset_del(&set, late);
    }
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t w = set.w[i]; w; w &= w - 1)
            if (hd_reversal_begun_by(&o->v, ex, i * 64 + (uint32_t)__builtin_ctzll(w)))
                return true;
    /* a step that is known to break the program at once */
    return !hd_tset_empty(wakeful, words) && hd_tset_has(wakeful, hd_reversal_first(&o->v));
}

static uint32_t hang_step(struct hd_wakeup *w, uint32_t **link, uint32_t thread, uint32_t chosen,
                          const struct hd_action *action)
{
    struct hd_branch *b;
    uint32_t index = hd_wakeup_new(w);
    b = &w->pool[index];
    b->thread = (uint16_t)thread;
    b->chosen = chosen;
    b->action = *action;
    **link = index;
    *link = &b->below;
    return index;
}

/* Add what is left of v, from event f on, after *link as one branch.  Returns its first step,
 * HD_NO_BRANCH if v is empty. */
static uint32_t hang(struct hd_optimal *o, struct hd_explorer *ex, struct hd_wakeup *w,
                     uint32_t *link, uint32_t f)
{
    const struct hd_hb *hb = &o->v.dpor.hb;
    uint32_t first = HD_NO_BRANCH;
    for (; (f = hd_reversal_next(&o->v, f)) != HD_NO_EVENT; f++) {
        hd_reversal_looked_at(&o->v, f);
        uint32_t b = hang_step(w, &link, hb->events[f].thread, hb->events[f].choice,
                               &ex->path.nodes[f].action);
        first = first ? first : b;
    }
    if (!o->v.late_taken) {
        uint32_t b = hang_step(w, &link, o->v.late->thread, 0, &o->v.late->action);
        first = first ? first : b;
    }
    return first;
}

void hd_optimal_out_of_memory(struct hd_explorer *ex)
{
    hd_explorer_give_up(ex, "the wakeup trees use up the memory: use --strategy source");
}

/* The first step of v has become a top branch of the tree at e: open it. */
static void open_first(struct hd_optimal *o, struct hd_explorer *ex, const struct hd_branch *b)
{
    const struct hd_node *node = &ex->path.nodes[o->v.e];
    bool one = !hd_split_is_common(ex, o->v.e) &&
               hd_wakeup_choices_asks_one(b, b->action.choices);
    if (one)
        hd_wakeup_choices_add(&o->choices, o->v.e);
    if (!one || hd_node_unlisted(node) || node->unsure) {
        hd_explorer_add(ex, o->v.e, b->thread);
        return;
    }
    uint32_t f = o->v.e + 1;
    while (!hd_reversal_has(&o->v, f))
        f++;
    hd_explorer_open(ex, o->v.e, ex->path.steps[f]);
}

/* Insert v into the tree `w` whose first branch is *link. */
static void insert(struct hd_optimal *o, struct hd_explorer *ex, struct hd_wakeup *w,
                   uint32_t *link)
{
    const struct hd_hb *hb = &o->v.dpor.hb;
    uint32_t f = o->v.e + 1;
    if (!hd_wakeup_reserve(w, hb->depth - o->v.e + 1)) {
        hd_optimal_out_of_memory(ex);
        return;
    }
    link = hd_wakeup_prefix(&o->v, ex, w->pool, link, &f);
    if (!link)
        return;
    uint32_t first = hang(o, ex, w, link, f);
    if (o->v.at_top && first)
        open_first(o, ex, &w->pool[first]);
}

static void reverse(void *self, struct hd_explorer *ex, uint32_t e, const struct hd_late *late)
{
    struct hd_optimal *o = self;
    hd_reversal_begin(&o->v, e, late);
    if (asleep(o, ex))
        return;
    if (!hd_split_is_common(ex, e)) {
        hd_sleep_note(&o->v.dpor.sleep, e);
        insert(o, ex, &o->wakeup, &o->wakeup.trees[e]);
        return;
    }
    hd_split_enter(ex, e); /* now it is known what other workers have begun */
    if (!asleep(o, ex))
        insert(o, ex, hd_split_wakeup(ex), hd_split_branches(ex, e));
    hd_split_leave(ex, e);
}

/* A quick test for most races: does the late half's thread sleep at the node of e and begin the
 * reversal?  It asks the same as hd_reversal_late_begins(). */
static bool late_sleeps(const struct hd_optimal *o, const struct hd_explorer *ex, uint64_t i)
{
    const struct hd_hb *hb = &o->v.dpor.hb;
    uint32_t e = hb->races[i].early, late = hb->races[i].late;
    const struct hd_hb_event *event = &hb->events[late];
    if (i != event->races || !hd_reversal_comes_freely(event, e) ||
        hd_reversal_turns_out(&ex->path.nodes[late].action) ||
        ex->path.nodes[late].action.op == HD_OP_END || hd_split_is_common(ex, e))
        return false;
    if (__builtin_expect(hb->n_threads > 64, 0))
        return hd_sleep_has(&o->v.dpor.sleep, ex, e, event->thread);
    return hd_sleep_word(&o->v.dpor.sleep, ex, e, hb->events[e].thread) >> event->thread & 1;
}

static void all_races(struct hd_optimal *o, struct hd_explorer *ex,
                      const struct hd_finding *finding)
{
    struct hd_hb *hb = &o->v.dpor.hb;
    bool all_settled = true;
    hd_reversals_begin(&o->v);
    for (uint64_t i = hb->n_settled; i < hb->n_races; i++) {
        struct hd_hb_race *race = &hb->races[i];
        if (race->stands_on >= hb->lowest && late_sleeps(o, ex, i)) {
            race->stands_on = race->late;
        } else if (race->stands_on >= hb->lowest) {
            struct hd_late late = hd_dpor_late(&o->v.dpor, ex, i);
            reverse(o, ex, race->early, &late);
            race->stands_on = o->v.ground.settled ? o->v.ground.newest : HD_NO_EVENT;
        }
        all_settled = all_settled && race->stands_on <= race->late;
        hb->n_settled += all_settled;
    }
    hb->lowest = hb->depth;
    hd_dpor_races_of_end(&o->v.dpor, ex, finding, o, reverse);
}

static uint32_t admit_tree(struct hd_optimal *o, struct hd_explorer *ex, uint32_t *alts,
                           uint32_t n)
{
    uint32_t words = hd_tset_words(ex->world.config->n_threads);
    bool some_sleep = !hd_tset_empty(&o->v.dpor.sleep.asleep[ex->path.depth], words);
    return hd_wakeup_choices_admit(&o->choices, ex, &o->wakeup, some_sleep, alts, n);
}

/* Is the step of node d with another choice to be explored, followed by the events that do not
 * happen after the step?  Then it becomes the tree's newest branch. */
static bool wants_choice(void *self, struct hd_explorer *ex, uint32_t d, uint32_t chosen)
{
    struct hd_optimal *o = self;
    struct hd_late late = { .thread = HD_STEP_THREAD(ex->path.steps[d]),
                            .event = d,
                            .newest = true,
                            .action = ex->path.nodes[d].action };
    hd_reversal_begin(&o->v, d, &late);
    if (asleep(o, ex))
        return false;
    if (!hd_wakeup_reserve(&o->wakeup, o->v.dpor.hb.depth - d + 1)) {
        hd_optimal_out_of_memory(ex);
        return false;
    }
    hd_sleep_note(&o->v.dpor.sleep, d);
    uint32_t *link = &o->wakeup.trees[d];
    while (*link)
        link = &o->wakeup.pool[*link].next;
    hang_step(&o->wakeup, &link, late.thread, chosen, &late.action);
    o->v.late_taken = true;
    hang(o, ex, &o->wakeup, link, d + 1);
    return true;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct hd_optimal *o = self;
    hd_tset_clear(&o->v.dpor.sleep.wakeful[ex->path.depth]);
    if (o->choices.n)
        hd_wakeup_choices_replace(&o->choices, ex->path.depth);
    uint32_t kept = o->wakeup.trees[ex->path.depth] ? admit_tree(o, ex, alts, n)
                                                    : hd_dpor_admit(&o->v.dpor, ex, alts, n);
    if (kept == 0) {
        all_races(o, ex, NULL);
        hd_wakeup_choices_ended(&o->choices, ex, o, wants_choice);
    }
    return kept;
}

static const char *check(const void *self, const struct hd_explorer *ex)
{
    const struct hd_optimal *o = self;
    const struct hd_sleep *sleep = &o->v.dpor.sleep;
    for (uint32_t d = ex->marks.clear_from; d <= ex->path.depth; d++)
        if (!hd_tset_empty(&sleep->asleep[d], HD_TSET_WORDS) ||
            !hd_tset_empty(&sleep->wakeful[d], HD_TSET_WORDS) || o->wakeup.trees[d] ||
            (d < ex->path.n_nodes && ex->path.nodes[d].taken))
            return "M4 of the explorer";
    return NULL;
}

/* Add a branch of one step for a thread that has been opened at the node.  Unlike the branch of
 * a reversal, it need not wake every thread that sleeps after it, so it does not lead to every
 * execution.  Later reversals that begin with it are therefore added below it: the branch is
 * loose. */
static void hang_beside(struct hd_optimal *o, struct hd_explorer *ex, uint32_t depth,
                        uint32_t thread)
{
    uint32_t *link = &o->wakeup.trees[depth];
    if (!hd_wakeup_reserve(&o->wakeup, 1)) {
        hd_optimal_out_of_memory(ex);
        return;
    }
    hd_sleep_note(&o->v.dpor.sleep, depth);
    while (*link)
        link = &o->wakeup.pool[*link].next;
    uint32_t b = hang_step(&o->wakeup, &link, thread,
                           hd_wakeup_choices_would_choose(ex, thread, 0),
                           &ex->world.config->next[thread]);
    o->wakeup.pool[b].loose = true;
}

/* Nothing is explored after a step that breaks the program, so reversals that were matched with
 * its branch would be lost.  Therefore all threads that are awake are opened at its node. */
static void open_beside(struct hd_optimal *o, struct hd_explorer *ex, uint32_t depth)
{
    hd_path_all(&ex->path, depth);
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    uint32_t choices[HD_MAX_THREADS] = { 0 };
    for (uint32_t i = 0; i < ex->path.nodes[depth].n_alts; i++)
        choices[HD_STEP_THREAD(alts[i])]++;
    for (uint32_t t = 0; t < ex->world.config->n_threads; t++)
        if (choices[t] && !hd_tset_has(&o->v.dpor.sleep.asleep[depth], t) &&
            hd_explorer_add(ex, depth, t) && choices[t] == 1 && !hd_split_is_common(ex, depth))
            hang_beside(o, ex, depth, t);
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    struct hd_optimal *o = self;
    all_races(o, ex, finding);
    if (finding && finding->kind != HD_KIND_DEADLOCK && ex->path.depth)
        open_beside(o, ex, hd_explorer_section_of(ex, ex->path.depth - 1));
    if (o->choices.n)
        hd_wakeup_choices_ended(&o->choices, ex, o, wants_choice);
}

static void listed(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_optimal *o = self;
    hd_wakeup_choices_listed(ex, &o->wakeup, depth);
}

static void back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_optimal *o = self;
    (void)ex;
    hd_hb_back(&o->v.dpor.hb, depth);
}

static void share(void *self, struct hd_explorer *ex, uint32_t depth,
                  struct hd_shared_tree_node *node)
{
    struct hd_optimal *o = self;
    hd_sleep_share(&o->v.dpor.sleep, ex, depth, node);
    uint32_t mine = o->wakeup.trees[depth];
    if (!mine)
        return;
    if (!hd_wakeup_copy(hd_split_wakeup(ex), &o->wakeup, mine, &node->branches))
        hd_optimal_out_of_memory(ex);
    hd_wakeup_drop(&o->wakeup, mine);
    o->wakeup.trees[depth] = HD_NO_BRANCH;
}

static void adopt(void *self, struct hd_explorer *ex, uint32_t depth,
                  const struct hd_shared_tree_node *node, bool anew)
{
    struct hd_optimal *o = self;
    hd_sleep_adopt(&o->v.dpor.sleep, ex, depth, node, anew);
    if (anew) {
        hd_wakeup_choices_replace(&o->choices, depth);
        hd_wakeup_drop(&o->wakeup, o->wakeup.trees[depth]);
        o->wakeup.trees[depth] = HD_NO_BRANCH;
    }
}

static void reclaim(void *self, struct hd_explorer *ex, uint32_t depth,
                    struct hd_shared_tree_node *node)
{
    struct hd_optimal *o = self;
    hd_sleep_note(&o->v.dpor.sleep, depth);
    if (!hd_wakeup_copy(&o->wakeup, hd_split_wakeup(ex), node->branches, &o->wakeup.trees[depth]))
        hd_optimal_out_of_memory(ex);
}

/* The next alternative may be explored at the same time unless the taken thread sleeps there:
 * then the result of the taken one's subtree must be known first. */
static bool beside(void *self, const struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_optimal *o = self;
    const struct hd_node *node = &ex->path.nodes[depth];
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    uint32_t now = HD_STEP_THREAD(alts[node->taken]),
             next = HD_STEP_THREAD(alts[node->taken + 1]);
    return now == next ||
           hd_wakeup_wakes(&o->wakeup, o->wakeup.trees[depth], next, &node->action);
}

static bool common(void *self, const struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_optimal *o = self;
    return hd_wakeup_choices_may_be_common(&o->choices, ex, depth);
}

static uint64_t weight(const void *self)
{
    const struct hd_optimal *o = self;
    return o->wakeup.live;
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct hd_optimal *o = self;
    hd_sleep_pack(&o->v.dpor.sleep, ex, p);
    hd_wakeup_pack(&o->wakeup, ex->path.n_nodes, p);
    hd_wakeup_choices_pack(&o->choices, ex, p);
}

const struct hd_filter hd_filter_optimal = {
    .index = HD_FILTER_INDEX_OPTIMAL,
    .create = create,
    .admit = admit,
    .goes_on = hd_optimal_goes_on,
    .single = hd_optimal_single,
    .ran = hd_optimal_ran,
    .back = back,
    .ended = ended,
    .share = share,
    .common = common,
    .beside = beside,
    .weight = weight,
    .listed = listed,
    .adopt = adopt,
    .reclaim = reclaim,
    .check = check,
    .fast = &hd_optimal_fast_paths,
    .pack = pack,
};
