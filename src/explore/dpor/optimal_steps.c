/* optimal: which thread runs next, and what is updated after a step (filters/optimal.c). */
#include "core/enabled.h"
#include "explore/dpor/optimal.h"
#include "explore/jobs/split.h"
#include "explore/loop/fast_path_for.h"

/* The first step of this worker's part of the tree: move its branch from the shared tree to our
 * own. */
static __attribute__((noinline)) void
descend_from_common(struct hd_optimal *o, struct hd_explorer *ex, uint32_t depth, uint32_t chosen)
{
    struct hd_wakeup *w = hd_split_wakeup(ex);
    uint32_t *below = &o->wakeup.trees[depth + 1];
    hd_wakeup_drop(&o->wakeup, *below);
    hd_split_enter(ex, depth);
    uint32_t list = hd_wakeup_unlink(w, hd_split_branches(ex, depth),
                                     HD_STEP_THREAD(ex->path.steps[depth]), chosen);
    if (!hd_wakeup_copy(&o->wakeup, w, list, below))
        hd_optimal_out_of_memory(ex);
    hd_wakeup_drop(w, list);
    hd_split_leave(ex, depth);
}

/* No thread sleeps at the new node `depth` and no branch is followed, which stays so until the
 * execution ends.  Clear the entries that earlier executions left at greater depths, so that
 * they need not be read. */
static void clear_from(struct hd_optimal *o, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_sleep *sleep = &o->v.dpor.sleep;
    uint32_t high = sleep->high, *trees = o->wakeup.trees;
    for (; high >= depth && high; high--) {
        hd_tset_clear(&sleep->asleep[high]);
        hd_tset_clear(&sleep->failed[high]);
        hd_tset_clear(&sleep->wakeful[high]);
        if (trees[high])
            hd_wakeup_drop(&o->wakeup, trees[high]);
        trees[high] = HD_NO_BRANCH;
    }
    sleep->high = high;
    ex->marks.clear_from = depth;
}

HD_HOT bool is_clear(const struct hd_explorer *ex, uint32_t depth)
{
    return depth >= ex->marks.clear_from;
}

HD_HOT_ABROAD bool hd_optimal_goes_on(void *self, struct hd_explorer *ex, uint32_t thread)
{
    struct hd_optimal *o = self;
    uint64_t awake = ex->world.config->enabled.w[0];
    uint32_t tree = HD_NO_BRANCH;
    if (!is_clear(ex, ex->path.depth)) {
        tree = o->wakeup.trees[ex->path.depth];
        if (tree && (o->wakeup.pool[tree].thread != thread || o->wakeup.pool[tree].next))
            return false;
        awake = hd_dpor_awake(&o->v.dpor, ex);
    }
    return tree || hd_dpor_goes_on_among(&o->v.dpor, ex, thread, awake);
}

HD_HOT_ABROAD uint32_t hd_optimal_single(void *self, struct hd_explorer *ex)
{
    struct hd_optimal *o = self;
    uint64_t awake = ex->world.config->enabled.w[0];
    if (!is_clear(ex, ex->path.depth)) {
        awake = hd_dpor_awake(&o->v.dpor, ex);
        uint32_t tree = o->wakeup.trees[ex->path.depth];
        if (tree) {
            const struct hd_branch *b = &o->wakeup.pool[tree];
            bool one = !b->next && hd_tset_has(&ex->world.config->enabled, b->thread);
            return one ? b->thread : HD_NO_SINGLE;
        }
    }
    return hd_dpor_single_among(&o->v.dpor, ex, awake);
}

/* While no thread sleeps and no branch is followed, such a step changes neither.  The end of a
 * thread may race with what conflicts with everything, and with uses of its stack. */
HD_HOT bool can_be_left_out(void *self, struct hd_explorer *ex, const struct hd_action *a)
{
    struct hd_optimal *o = self;
    uint32_t depth = ex->path.depth;
    if (o->v.dpor.hb.last_all != HD_NO_EVENT || o->v.dpor.hb.stack_cells[a->object])
        return false;
    if (is_clear(ex, depth))
        return true;
    if (o->v.dpor.sleep.asleep[depth].w[0] || o->wakeup.trees[depth] ||
        o->wakeup.trees[depth + 1])
        return false;
    hd_tset_clear(&o->v.dpor.sleep.asleep[depth + 1]);
    return true;
}

/* The same as hd_dpor_goes_on_among() and can_be_left_out() where all threads are awake and
 * have moved. */
HD_HOT bool exits(void *self, const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_optimal *o = self;
    return is_clear(ex, ex->path.depth) && o->v.dpor.hb.last_all == HD_NO_EVENT &&
           !o->v.dpor.hb.stack_cells[thread] &&
           !(ex->world.config->enabled.w[0] & ~o->v.dpor.hb.moved.w[0]);
}

HD_HOT bool joins_on(void *self, const struct hd_explorer *ex)
{
    struct hd_optimal *o = self;
    uint32_t depth = ex->path.depth;
    if (o->wakeup.trees[depth + 1] || ex->world.config->enabled.w[0] & ~o->v.dpor.hb.moved.w[0])
        return false;
    hd_tset_clear(&o->v.dpor.sleep.wakeful[depth]);
    hd_tset_clear(&o->v.dpor.sleep.asleep[depth + 1]);
    return true;
}

HD_HOT bool none_sleep(const struct hd_optimal *o, const struct hd_explorer *ex, uint32_t depth)
{
    const struct hd_tset *asleep = &o->v.dpor.sleep.asleep[depth];
    uint32_t n = ex->world.config->n_threads;
    return !asleep->w[0] &&
           (__builtin_expect(n <= 64, 1) || hd_tset_empty(asleep, hd_tset_words(n)));
}

static HD_RARE void descend(struct hd_wakeup *w, uint32_t depth, uint32_t thread, uint32_t choice)
{
    hd_wakeup_descend(w, depth, thread, choice);
}

/* Update the node after a step where a thread may sleep or a branch may be followed.  This
 * comes last in the handling of a step. */
static __attribute__((noinline)) void behind(struct hd_optimal *o, struct hd_explorer *ex,
                                             uint32_t depth)
{
    const uint32_t *trees = &o->wakeup.trees[depth];
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    uint32_t choice = o->v.dpor.hb.events[depth].choice;
    if (depth < ex->marks.counted)
        return; /* a replayed step: its branch was taken before */
    if (hd_split_is_common(ex, depth)) {
        descend_from_common(o, ex, depth, choice);
        return;
    }
    if ((trees[0] || trees[1]) && !hd_wakeup_descend_first(&o->wakeup, depth, thread, choice))
        descend(&o->wakeup, depth, thread, choice);
    if (trees[1])
        hd_sleep_note(&o->v.dpor.sleep, depth + 1);
    else if (none_sleep(o, ex, depth + 1) && depth >= ex->marks.base &&
             depth + 1 >= ex->marks.target)
        clear_from(o, ex, depth + 1);
}

static __attribute__((noinline)) void ran(struct hd_optimal *o, struct hd_explorer *ex,
                                          uint32_t depth)
{
    hd_dpor_ran(&o->v.dpor, ex, depth, is_clear(ex, depth));
    if (o->choices.n)
        hd_wakeup_choices_ran(&o->choices, ex, depth);
    if (!is_clear(ex, depth))
        behind(o, ex, depth);
}

/* A step that happens-before has recorded, at a node where a thread may sleep. */
static __attribute__((noinline)) void pass_sleepers(struct hd_optimal *o, struct hd_explorer *ex,
                                                    uint32_t depth)
{
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    hd_sleep_ran(&o->v.dpor.sleep, ex, depth, thread, false);
    behind(o, ex, depth);
}

void hd_optimal_ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_optimal *o = self;
    if (o->choices.n || !hd_dpor_quick(&o->v.dpor, ex, depth))
        ran(o, ex, depth);
    else if (!is_clear(ex, depth))
        pass_sleepers(o, ex, depth);
}

/* Where no thread sleeps and no branch is followed, only the order of events is kept, and it is
 * cheaper to record several events at once.  Ends of threads after these may have been left out
 * because no race with them was possible.  That is wrong if one of these events has touched a
 * stack. */
static bool heard(void *self, struct hd_explorer *ex, uint32_t from, uint32_t to)
{
    struct hd_optimal *o = self;
    struct hd_dpor *d = &o->v.dpor;
    uint32_t cells = d->hb.n_stack_cells;
    for (; from < to; from++) {
        const struct hd_action *a = &ex->path.nodes[from].action;
        if (!is_clear(ex, from) || d->needs[a->op] || o->choices.n ||
            !hd_hb_simple(&d->hb, ex->path.steps[from], a, 0))
            hd_optimal_ran(o, ex, from);
    }
    return d->hb.n_stack_cells != cells;
}

HD_HOT bool can_wait(const void *self, const struct hd_explorer *ex, const struct hd_action *a)
{
    const struct hd_optimal *o = self;
    return is_clear(ex, ex->path.depth) && a->op <= HD_OP_RMW && !o->v.dpor.needs[a->op] &&
           o->v.dpor.hb.plain;
}

static const struct hd_fast_filter answers = {
    .goes_on = hd_optimal_goes_on,
    .single = hd_optimal_single,
    .ran = hd_optimal_ran,
    .heard = heard,
    .can_wait = can_wait,
    .can_be_left_out = can_be_left_out,
    .exits = exits,
    .joins_on = joins_on,
};

/* ---- the same for more than 64 threads ---- */

static bool goes_on_among_many(void *self, struct hd_explorer *ex, uint32_t thread)
{
    struct hd_optimal *o = self;
    uint32_t depth = ex->path.depth;
    if (is_clear(ex, depth))
        return hd_dpor_goes_on_among_many(&o->v.dpor, ex, thread, &ex->world.config->enabled);
    uint32_t tree = o->wakeup.trees[depth];
    if (tree && (o->wakeup.pool[tree].thread != thread || o->wakeup.pool[tree].next))
        return false;
    struct hd_tset awake;
    hd_dpor_awake_among_many(&o->v.dpor, ex, &awake);
    return tree || hd_dpor_goes_on_among_many(&o->v.dpor, ex, thread, &awake);
}

static uint32_t single_among_many(void *self, struct hd_explorer *ex)
{
    struct hd_optimal *o = self;
    uint32_t depth = ex->path.depth;
    if (is_clear(ex, depth))
        return hd_dpor_single_among_many(&o->v.dpor, ex, &ex->world.config->enabled);
    struct hd_tset awake;
    hd_dpor_awake_among_many(&o->v.dpor, ex, &awake);
    uint32_t tree = o->wakeup.trees[depth];
    if (!tree)
        return hd_dpor_single_among_many(&o->v.dpor, ex, &awake);
    const struct hd_branch *b = &o->wakeup.pool[tree];
    bool one = !b->next && hd_tset_has(&ex->world.config->enabled, b->thread);
    return one ? b->thread : HD_NO_SINGLE;
}

static bool many_can_be_left_out(void *self, struct hd_explorer *ex, const struct hd_action *a)
{
    struct hd_optimal *o = self;
    uint32_t depth = ex->path.depth;
    return (is_clear(ex, depth) || none_sleep(o, ex, depth)) && can_be_left_out(self, ex, a);
}

static bool exits_among_many(void *self, const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_optimal *o = self;
    return exits(self, ex, thread) && hd_dpor_many_have_moved(&o->v.dpor, ex);
}

static bool joins_on_among_many(void *self, const struct hd_explorer *ex)
{
    const struct hd_optimal *o = self;
    return hd_dpor_many_have_moved(&o->v.dpor, ex) && joins_on(self, ex);
}

static const struct hd_fast_filter answers_to_many = {
    .goes_on = goes_on_among_many,
    .single = single_among_many,
    .ran = hd_optimal_ran,
    .heard = heard,
    .can_wait = can_wait,
    .can_be_left_out = many_can_be_left_out,
    .exits = exits_among_many,
    .joins_on = joins_on_among_many,
};
HD_FAST_PATHS(hd_optimal_fast_paths, answers, answers_to_many)
