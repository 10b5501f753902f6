/* optimal: optimal DPOR with wakeup trees (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial
 * Order Reduction, POPL 2014, Algorithm 2; JACM 2017).
 *
 * When an execution E is over, every race (e, e') of it is looked at: v is what of E does not happen
 * after e, followed by the thread of e'.  Unless a thread asleep at the node of e could begin v, v is
 * inserted into the wakeup tree there.  The first steps of a tree's branches are the node's open
 * alternatives, in order.
 *
 * Invariant W: at every node, alternatives [taken + 1, n_open) are the first steps of the tree's
 * branches, every choice of a thread with its first branch.
 *
 * Deviations: a race with the pending action of a blocked thread, and the races of the end of the
 * process, are looked at too (dpor.h).  All choices of a signal or heddle_choose are opened together.
 * A compare-exchange or trylock that comes first may turn out otherwise than it did in E: dependence
 * asks for how it will turn out. */
#include "core/enabled.h"
#include "explore/dpor.h"
#include "explore/wakeup.h"

struct optimal {
    struct hd_dpor dpor; /* first: the common functions get a pointer to it */
    struct hd_wakeup wakeup;
    uint32_t *v; /* the sequence being inserted: events, then HD_NO_EVENT for the late half */
    uint32_t n_v;
    bool full;
};

static void *create(struct hd_explorer *ex)
{
    struct optimal *o = hd_arena_take(&ex->arena, sizeof *o);
    if (!o || !hd_dpor_init(&o->dpor, &ex->arena) || !hd_wakeup_init(&o->wakeup, &ex->arena))
        return NULL;
    o->v = hd_arena_take(&ex->arena, sizeof *o->v * (uint64_t)(HD_MAX_STEPS + 1));
    return o->v ? o : NULL;
}

static struct hd_action raw(struct hd_action a)
{
    a.op = (uint16_t)hd_op_attempt((enum hd_op)a.op);
    return a;
}

static const struct hd_action *action_of(const struct hd_explorer *ex, uint32_t event,
                                         const struct hd_late *late)
{
    return event == HD_NO_EVENT ? &late->action : &ex->path.nodes[event].action;
}

static uint32_t thread_of(const struct optimal *o, uint32_t event, const struct hd_late *late)
{
    return event == HD_NO_EVENT ? late->thread : o->dpor.hb.events[event].thread;
}

static bool before(struct optimal *o, const struct hd_explorer *ex, uint32_t f, uint32_t g,
                   const struct hd_late *late)
{
    if (f == HD_NO_EVENT)
        return false; /* the late half is the last of v */
    if (g != HD_NO_EVENT)
        return hd_hb_before(&o->dpor.hb, f, g);
    return hd_dpor_before_late(&o->dpor, ex, f, late);
}

/* Collect v = notdep(e) . late, without what the late thread does in E after its late event. */
static void collect(struct optimal *o, uint32_t e, const struct hd_late *late)
{
    const struct hd_hb *hb = &o->dpor.hb;
    o->n_v = 0;
    for (uint32_t f = e + 1; f < hb->depth; f++) {
        if (hd_hb_before(hb, e, f) || f == late->event)
            continue;
        if (late->event != HD_NO_EVENT && hd_hb_before(hb, late->event, f))
            continue;
        o->v[o->n_v++] = f;
    }
    o->v[o->n_v++] = HD_NO_EVENT;
}

/* Position in v of the thread's first step if nothing in v must come before it; n_v if the thread
 * has no step in v; ~0u if something must. */
static uint32_t begins(struct optimal *o, const struct hd_explorer *ex, uint32_t thread,
                       const struct hd_late *late)
{
    for (uint32_t i = 0; i < o->n_v; i++) {
        if (thread_of(o, o->v[i], late) != thread)
            continue;
        for (uint32_t j = 0; j < i; j++)
            if (before(o, ex, o->v[j], o->v[i], late))
                return ~0u;
        return i;
    }
    return o->n_v;
}

static bool independent_of_v(struct optimal *o, const struct hd_explorer *ex,
                             const struct hd_action *action, const struct hd_late *late)
{
    for (uint32_t i = 0; i < o->n_v; i++)
        if (hd_action_dependent(action, action_of(ex, o->v[i], late)))
            return false;
    return true;
}

/* The action of a thread asleep at node `depth`: it has not moved there. */
static struct hd_action sleeping_action(struct optimal *o, const struct hd_explorer *ex,
                                        uint32_t depth, uint32_t thread)
{
    const struct hd_hb *hb = &o->dpor.hb;
    uint32_t next = hd_hb_next_of(hb, thread, depth);
    struct hd_action action = raw(next == HD_NO_EVENT ? ex->world.config->next[thread]
                                                      : ex->path.nodes[next].action);
    if (hd_tset_has(&o->dpor.sleep.failed[depth], thread))
        action.op++; /* the row behind the attempt's */
    return action;
}

/* Can the late half begin v?  Asked of its event: nothing that happens before it, but e, stands
 * behind e. */
static bool late_begins(const struct optimal *o, uint32_t e, const struct hd_late *late)
{
    const struct hd_hb_event *event = &o->dpor.hb.events[late->event];
    return late->newest && (event->before == HD_NO_EVENT || event->before < e) &&
           (event->wake == HD_NO_EVENT || event->wake < e);
}

/* The threads of `set` that have a step in v are looked at without writing v out: returns whether
 * one of them can begin v, and leaves in `set` those that are still to be looked at. */
static bool asleep_in_v(struct optimal *o, uint32_t e, const struct hd_late *late,
                        struct hd_tset *set)
{
    const struct hd_hb *hb = &o->dpor.hb;
    bool settled = !hd_op_has_outcome((enum hd_op)late->action.op);
    for (uint32_t i = 0; i < hd_tset_words(hb->n_threads); i++)
        for (uint64_t w = set->w[i]; w; w &= w - 1) {
            uint32_t q = i * 64 + (uint32_t)__builtin_ctzll(w), g = hd_hb_next_of(hb, q, e);
            if (q == late->thread && g == late->event && late->event != HD_NO_EVENT) {
                if (!settled || late->action.op == HD_OP_END)
                    continue;
                if (late_begins(o, e, late))
                    return true;
            } else if (g == HD_NO_EVENT || hd_hb_before(hb, e, g)) {
                continue;
            } else if (hd_hb_initial(hb, g, e)) {
                return true;
            }
            set->w[i] &= ~(1ull << (q & 63));
        }
    return false;
}

/* Has everything that v begins been explored from node e?  Writes out v if it must. */
static bool asleep(struct optimal *o, struct hd_explorer *ex, uint32_t e,
                   const struct hd_late *late)
{
    struct hd_tset set = hd_sleep_at(&o->dpor.sleep, ex, e);
    uint32_t words = hd_tset_words(o->dpor.hb.n_threads);
    if (!hd_tset_empty(&set, words) && asleep_in_v(o, e, late, &set))
        return true;
    collect(o, e, late);
    if (hd_tset_has(&o->dpor.sleep.wakeful[e], thread_of(o, o->v[0], late)))
        return true; /* it breaks the program at once, and has been seen to */
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t w = set.w[i]; w; w &= w - 1) {
            uint32_t q = i * 64 + (uint32_t)__builtin_ctzll(w);
            uint32_t at = begins(o, ex, q, late);
            if (at < o->n_v)
                return true;
            if (at == ~0u)
                continue;
            struct hd_action action = sleeping_action(o, ex, e, q);
            if (independent_of_v(o, ex, &action, late))
                return true;
        }
    return false;
}

static uint32_t chosen_of(const struct optimal *o, const struct hd_explorer *ex, uint32_t event)
{
    if (event == HD_NO_EVENT)
        return 0;
    return ex->path.nodes[event].action.op == HD_OP_SIGNAL
               ? o->dpor.hb.events[event].chosen
               : HD_STEP_CHOICE(ex->path.steps[event]);
}

/* Does branch b belong to the beginning of v?  Then its step is taken out of v. */
static bool matches(struct optimal *o, struct hd_explorer *ex, const struct hd_branch *b,
                    const struct hd_late *late)
{
    uint32_t at = begins(o, ex, b->thread, late);
    if (at == ~0u)
        return false;
    if (at == o->n_v)
        return independent_of_v(o, ex, &b->action, late);
    if (o->v[at] != HD_NO_EVENT && chosen_of(o, ex, o->v[at]) != b->chosen)
        return false;
    for (uint32_t i = at; i + 1 < o->n_v; i++)
        o->v[i] = o->v[i + 1];
    o->n_v--;
    return true;
}

/* Hang what is left of v behind *link as one branch. */
static void hang(struct optimal *o, struct hd_explorer *ex, uint32_t *link,
                 const struct hd_late *late)
{
    struct hd_wakeup *w = &o->wakeup;
    for (uint32_t i = 0; i < o->n_v; i++) {
        uint32_t b = hd_wakeup_new(w);
        w->pool[b].thread = thread_of(o, o->v[i], late);
        w->pool[b].chosen = chosen_of(o, ex, o->v[i]);
        w->pool[b].action = *action_of(ex, o->v[i], late);
        *link = b;
        link = &w->pool[b].below;
    }
}

static void reverse(void *self, struct hd_explorer *ex, uint32_t e, const struct hd_late *late)
{
    struct optimal *o = self;
    if (asleep(o, ex, e, late))
        return;
    if (!hd_wakeup_reserve(&o->wakeup, o->n_v)) {
        o->full = true;
        return;
    }
    struct hd_branch *pool = o->wakeup.pool;
    uint32_t *link = &o->wakeup.trees[e];
    bool at_top = true;
    while (*link) {
        if (!matches(o, ex, &pool[*link], late)) {
            link = &pool[*link].next;
            continue;
        }
        if (o->n_v == 0 || !pool[*link].below)
            return; /* what v begins will be explored */
        link = &pool[*link].below;
        at_top = false;
    }
    uint32_t first = thread_of(o, o->v[0], late);
    hang(o, ex, link, late);
    if (at_top)
        hd_explorer_add(ex, e, first);
}

static void all_races(struct optimal *o, struct hd_explorer *ex, const struct hd_finding *finding)
{
    hd_dpor_all_races(&o->dpor, ex, o, reverse);
    hd_dpor_races_of_end(&o->dpor, ex, finding, o, reverse);
}

/* Open the threads that begin the tree's branches, in their order. */
static uint32_t admit_tree(struct optimal *o, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    uint32_t kept = 0;
    for (uint32_t b = o->wakeup.trees[ex->path.depth]; b; b = o->wakeup.pool[b].next)
        for (uint32_t i = kept; i < n; i++)
            if (HD_STEP_THREAD(alts[i]) == o->wakeup.pool[b].thread) {
                uint32_t moved = alts[i];
                for (uint32_t j = i; j > kept; j--)
                    alts[j] = alts[j - 1]; /* the order of the others stays */
                alts[kept++] = moved;
            }
    return kept;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct optimal *o = self;
    hd_tset_clear(&o->dpor.sleep.wakeful[ex->path.depth]);
    uint32_t kept = o->wakeup.trees[ex->path.depth] ? admit_tree(o, ex, alts, n)
                                                    : hd_dpor_admit(&o->dpor, ex, alts, n);
    if (kept == 0)
        all_races(o, ex, NULL);
    return kept;
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct optimal *o = self;
    uint32_t step = ex->path.steps[depth];
    hd_dpor_ran(&o->dpor, ex, depth);
    if (depth < ex->counted)
        return; /* done before; its branch is gone, and the tree below is the one in use */
    uint32_t chosen = chosen_of(o, ex, depth);
    hd_wakeup_descend(&o->wakeup, depth, HD_STEP_THREAD(step), chosen);
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    all_races(self, ex, finding);
}

static void back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct optimal *o = self;
    (void)ex;
    hd_hb_back(&o->dpor.hb, depth);
}

const struct hd_filter hd_filter_optimal = {
    .index = HD_FILTER_INDEX_OPTIMAL,
    .create = create,
    .admit = admit,
    .ran = ran,
    .back = back,
    .ended = ended,
};
