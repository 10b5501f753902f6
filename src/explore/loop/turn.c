/* The end of an execution and the way to the next (decide.c).
 *
 * Invariant, beside those of explorer.h and path.h:
 *  E1  executions + blocked + pruned + bounded is the number of executions that are over */
#include "core/work.h"
#include "explore/jobs/split.h"
#include "explore/loop/explorer_inner.h"
#include "explore/loop/record.h"
#include "explore/loop/search.h"

#include <stdio.h>
#include <string.h>

struct hd_decision hd_explorer_stop(struct hd_explorer *ex, enum hd_state state)
{
    if (ex->split)
        hd_split_stop(ex);
    ex->shared->ctl.state = state;
    return (struct hd_decision){ HD_STOP, 0 };
}

struct hd_decision hd_explorer_gave_up(struct hd_explorer *ex)
{
    memcpy(ex->shared->ctl.error, ex->error, sizeof ex->error);
    bool alone = ex->stop_as == HD_STATE_ALONE;
    return hd_explorer_stop(ex, alone ? HD_STATE_ALONE : HD_STATE_ERROR);
}

/* The path has been cut back from `n_nodes` nodes: update the estimate of how much is
 * explored. */
static void estimate(struct hd_explorer *ex, uint32_t n_nodes)
{
    uint32_t kept = ex->path.n_nodes;
    ex->path.n_nodes = n_nodes;
    hd_estimate_left(&ex->estimate, &ex->path, kept);
    ex->path.n_nodes = kept;
    bool ends = hd_estimate_ends(&ex->estimate, ex->cnt->max_depth) &&
                !ex->cnt->dropped[HD_FILTER_INDEX_DEPTH];
    if (!ends)
        ex->cnt->explored = 0;
    else if ((ex->executions_begun & 255) == 0 || ex->executions_begun < 256)
        ex->cnt->explored = hd_estimate_explored(&ex->estimate, &ex->path);
}

/* Explore from the beginning once more. */
static struct hd_decision from_the_root(struct hd_explorer *ex)
{
    ex->cnt->explored = 0;
    memset(&ex->estimate, 0, sizeof ex->estimate);
    ex->cnt->begun_before = ex->executions_begun;
    ex->path.n_nodes = 0;
    ex->marks.target = ex->marks.counted = 0;
    ex->cnt->begun = ++ex->executions_begun;
    return (struct hd_decision){ HD_REWIND, 0 };
}

/* Is the work of this turn done?  An estimate that becomes worse does not call a search back
 * that has gone on because of it. */
static bool has_worked(struct hd_explorer *ex)
{
    uint64_t work = hd_counters_work(ex->cnt);
    if (ex->goes_beyond && ex->opt->near_work)
        return work >= ex->opt->near_work && !hd_work_half_done(ex->opt, ex->cnt);
    bool over = hd_work_used_up(ex->opt, ex->cnt);
    ex->goes_beyond = !over && ex->opt->near_work && work >= ex->opt->max_work;
    return over;
}

bool hd_explorer_limit_reached(struct hd_explorer *ex)
{
    bool samples = hd_search_samples(ex->opt->search);
    uint64_t others = samples ? ex->cnt->bounded + ex->cnt->assumed : 0;
    uint64_t executions = ex->cnt->executions + others;
    return (ex->opt->max_executions && executions >= ex->opt->max_executions) || has_worked(ex);
}

/* Nothing is open: explore again with a larger bound or a filter's new facts, or finish. */
__attribute__((noinline)) struct hd_decision hd_explorer_all_explored(struct hd_explorer *ex)
{
    bool again = false;
    if (ex->opt->iterative && ex->bound < ex->opt->preemptions &&
        ex->cnt->dropped[HD_FILTER_INDEX_PREEMPTIONS]) {
        ex->cnt->bound_now = ++ex->bound;
        ex->cnt->dropped[HD_FILTER_INDEX_PREEMPTIONS] = 0;
        return from_the_root(ex);
    }
    for (uint32_t i = 0; i < ex->n_filters; i++)
        if (ex->filters[i]->over)
            ex->filters[i]->over(ex->filter_state[i], ex);
    if (ex->error[0])
        return hd_explorer_gave_up(ex);
    for (uint32_t i = 0; i < ex->n_filters; i++)
        if (ex->filters[i]->again)
            again = ex->filters[i]->again(ex->filter_state[i], ex) || again;
    if (again && !ex->stop_here) {
        ex->start_again = false;
        ex->cnt->passes++;
        ex->cnt->choices_before = ex->cnt->choices;
        return from_the_root(ex);
    }
    HD_CHECKS_DO(ex, over)
    ex->cnt->finished = 1;
    return hd_explorer_stop(ex, HD_STATE_DONE);
}

void hd_explorer_drawn(struct hd_explorer *ex)
{
    ex->is_drawn = false;
    ex->may_go_on = true;
    ex->prefer = NULL;
}

int64_t hd_explorer_turn(struct hd_explorer *ex)
{
    if (__builtin_expect(ex->is_drawn, 0))
        hd_explorer_drawn(ex);
    for (uint32_t w = ex->hear_turn; w; w &= w - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(w);
        ex->filters[i]->turn(ex->filter_state[i], ex);
    }
    uint32_t n_nodes = ex->path.n_nodes;
    int64_t depth = ex->start_again ? -1 : ex->search->resume(ex);
    if (hd_explorer_estimates(ex))
        estimate(ex, n_nodes);
    return depth;
}

struct hd_decision hd_explorer_begin_at(struct hd_explorer *ex, uint32_t depth)
{
    ex->marks.counted = ex->marks.target ? ex->marks.target - 1 : 0;
    ex->cnt->begun = ++ex->executions_begun;
    return (struct hd_decision){ HD_REWIND, depth };
}

struct hd_decision hd_explorer_begin_part(struct hd_explorer *ex)
{
    int64_t depth = hd_split_next(ex);
    if (ex->error[0])
        return hd_explorer_gave_up(ex);
    if (depth < 0)
        return hd_explorer_stop(ex, ex->stop_as ? (enum hd_state)ex->stop_as : HD_STATE_DONE);
    return hd_explorer_begin_at(ex, (uint32_t)depth);
}

/* Begin the next execution at that depth; -1: there is none. */
static inline struct hd_decision begin_next(struct hd_explorer *ex, int64_t depth)
{
    if (__builtin_expect(ex->error[0], 0))
        return hd_explorer_gave_up(ex);
    if (__builtin_expect(ex->cnt->plugin_stopped, 0))
        return hd_explorer_stop(ex, HD_STATE_DONE);
    if (__builtin_expect(depth < 0, 0))
        return ex->split && !ex->ends_all ? hd_explorer_begin_part(ex)
                                          : hd_explorer_all_explored(ex);
    return hd_explorer_begin_at(ex, (uint32_t)depth);
}

/* The execution is over: choose the next one. */
static struct hd_decision turn_to_next(struct hd_explorer *ex)
{
    if (__builtin_expect(ex->stop_as == HD_STATE_GREW, 0)) /* what was found does not count */
        return hd_explorer_stop(ex, HD_STATE_GREW);
    if (ex->error[0])
        return hd_explorer_gave_up(ex);
    if (ex->stop_here)
        return hd_explorer_stop(ex, HD_STATE_STOPPED);
    if (ex->limited && hd_explorer_limit_reached(ex))
        return hd_explorer_stop(ex, HD_STATE_DONE);
    if (ex->split && __atomic_load_n(&ex->split->tree->head.stop, __ATOMIC_RELAXED))
        return hd_explorer_stop(ex, HD_STATE_DONE);
    if (__atomic_load_n(&ex->shared->ctl.stop, __ATOMIC_RELAXED))
        return hd_explorer_stop(ex, HD_STATE_DONE);
    if (ex->stop_as)
        return hd_explorer_stop(ex, (enum hd_state)ex->stop_as);
    if (ex->split)
        hd_split_feed(ex);
    return begin_next(ex, hd_explorer_turn(ex));
}

struct hd_decision hd_explorer_next(struct hd_explorer *ex)
{
    hd_explorer_notify_in_time(ex);
    HD_CHECKS_DO(ex, look)
    return turn_to_next(ex);
}

/* Iterative bounding repeats the executions of smaller bounds; only those that use all
 * preemptions of the current bound are new. */
static bool counts(const struct hd_explorer *ex)
{
    return !ex->opt->iterative || ex->bound == 0 ||
           hd_path_preemptions(&ex->path, ex->path.depth) == ex->bound;
}

/* The program has written into the explorer's memory: no later result could be trusted. */
static struct hd_decision overwritten(struct hd_explorer *ex)
{
    static const char text[] = "the program wrote into heddle's own memory";
    memcpy(ex->shared->ctl.error, text, sizeof text);
    return hd_explorer_stop(ex, HD_STATE_ERROR);
}

/* The program has ended at a step after which it went on before. */
static struct hd_decision ended_early(struct hd_explorer *ex)
{
    snprintf(
        ex->error, sizeof ex->error,
        "the program is not deterministic: it ended after step %u, and went on before; likely "
        "causes: time, randomness, input or memory that heddle does not control",
        ex->path.depth);
    memcpy(ex->shared->ctl.error, ex->error, sizeof ex->error);
    return hd_explorer_stop(ex, HD_STATE_DIVERGED);
}

struct hd_decision hd_explorer_over(struct hd_explorer *ex, const struct hd_finding *finding,
                                    const struct hd_finding *violation, bool assumed)
{
    hd_explorer_notify_in_time(ex);
    if (finding)
        hd_explorer_catch_up(ex);
    if (ex->guard != HD_EXPLORER_GUARD || ex->guard_behind != HD_EXPLORER_GUARD)
        return overwritten(ex);
    if (__builtin_expect(ex->path.depth < ex->marks.target, 0))
        return ended_early(ex);
    if (__builtin_expect(ex->search->is_known != NULL, 0) &&
        ex->search->is_known(ex, violation != NULL)) {
        ex->search->ended(ex, finding);
        return turn_to_next(ex);
    }
    bool against = assumed || hd_config_undid(ex->world.config);
    uint32_t depth = ex->shared->depth; /* with a row of joins that is left out */
    ex->shared->depth = ex->path.depth;
    if (counts(ex)) {
        if (ex->split && !against && !hd_split_counts(ex))
            return hd_explorer_stop(ex, HD_STATE_DONE);
        *(against ? &ex->cnt->assumed : &ex->cnt->executions) += 1;
    }
    HD_CHECKS_DO(ex, look)
    if (__builtin_expect(ex->stop_as == HD_STATE_GREW, 0))
        return turn_to_next(ex);
    for (uint32_t w = ex->hear_end; w; w &= w - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(w);
        ex->filters[i]->ended(ex->filter_state[i], ex, finding);
    }
    HD_CHECKS_DO(ex, ended, finding)
    if (__builtin_expect(ex->search->ended != NULL, 0))
        ex->search->ended(ex, finding);
    if (depth > ex->cnt->max_depth)
        ex->cnt->max_depth = depth;
    struct hd_finding objection;
    if (__builtin_expect(ex->search->objects != NULL, 0) && !violation && !against &&
        ex->search->objects(ex, &objection))
        violation = &objection;
    if (violation && hd_record_finding(ex, violation) && !ex->opt->keep_going)
        return hd_explorer_stop(ex, HD_STATE_STOPPED);
    return turn_to_next(ex);
}

/* Has the process ended inside an atomic section, with no step of its own? Filters treat
 * that like a step that breaks the program, because it could not be known before. */
static bool ends_inside(const struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth;
    uint16_t op = depth ? ex->path.nodes[depth - 1].action.op : HD_OP_NONE;
    return op == HD_OP_ATOMIC || op == HD_OP_CHOOSE_INSIDE;
}

/* The execution has ended without a finding.  Has nobody to be told of that but the search
 * and the checks? */
static inline bool ends_quietly(struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    return !ex->split && !(ex->hear_end | ex->hear_turn | ex->opt->iterative) &&
           ex->guard == HD_EXPLORER_GUARD && ex->guard_behind == HD_EXPLORER_GUARD &&
           ex->path.depth >= ex->marks.target && config->n_threads <= 64 &&
           config->live.w[0] == config->enabled.w[0] /* nobody is held by an assumption */ &&
           !ends_inside(ex) && ex->search->ends_quietly(ex);
}

/* Does something ask for the exploration to stop? */
static inline bool is_to_stop(const struct hd_explorer *ex)
{
    return ex->error[0] | ex->stop_here || ex->stop_as || ex->opt->max_work ||
           (ex->opt->max_executions && ex->cnt->executions >= ex->opt->max_executions) ||
           __atomic_load_n(&ex->shared->ctl.stop, __ATOMIC_RELAXED);
}

static struct hd_decision ended_any(struct hd_explorer *ex, const struct hd_finding *finding)
{
    static const struct hd_finding breaks = { .kind = HD_KIND_NONE };
    bool assumed = finding && finding->kind == HD_KIND_NONE;
    return hd_explorer_over(ex, !finding && ends_inside(ex) ? &breaks : finding,
                            assumed ? NULL : finding, assumed);
}

static __attribute__((noinline)) struct hd_decision ended_quietly(struct hd_explorer *ex)
{
    if (!ends_quietly(ex))
        return ended_any(ex, NULL);
    uint32_t depth = ex->shared->depth; /* with a row of joins that is left out */
    ex->cnt->executions++;
    if (depth > ex->cnt->max_depth)
        ex->cnt->max_depth = depth;
    ex->shared->depth = ex->path.depth;
    HD_CHECKS_DO(ex, look)
    return is_to_stop(ex) ? turn_to_next(ex) : begin_next(ex, ex->search->resume(ex));
}

struct hd_decision hd_explorer_ended(struct hd_explorer *ex, const struct hd_finding *finding)
{
    return !finding && ex->search->ends_quietly ? ended_quietly(ex) : ended_any(ex, finding);
}

struct hd_decision hd_explorer_died(struct hd_explorer *ex, const struct hd_finding *finding)
{
    ex->shared->ctl.deaths++;
    return hd_explorer_ended(ex, finding);
}

void hd_explorer_rewound(struct hd_explorer *ex, uint32_t depth)
{
    ex->path.depth = depth;
    ex->shared->depth = depth;
    ex->marks.notified = ex->marks.notified < depth ? ex->marks.notified : depth;
    ex->marks.notify_until = 0;
    hd_explorer_look_again(ex);
    for (uint32_t w = ex->hear_back; w; w &= w - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(w);
        ex->filters[i]->back(ex->filter_state[i], ex, depth);
    }
    if (__builtin_expect(ex->search->back != NULL, 0))
        ex->search->back(ex, depth);
    HD_CHECKS_DO(ex, back, depth)
}
