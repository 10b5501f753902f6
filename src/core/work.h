/* When an exploration has done enough for its turn, by its counters alone, so that it is the
 * same on every machine.  The worker asks as well as the supervisor: a worker that goes on
 * costs less than one that is paused and started again. */
#ifndef HD_CORE_WORK_H
#define HD_CORE_WORK_H

#include "core/counters.h"
#include "core/options.h"

/* Fewer threads that are alike are not worth the trouble. */
#define HD_ALIKE 3

/* Executions from which on their number beside that of choices says something. */
#define HD_SOME_EXECUTIONS 64

/* The estimate of all the work of a search; infinite: not known. */
static inline double hd_work_expected(const struct hd_counters *c)
{
    return c->explored > 0 ? (double)hd_counters_work(c) / c->explored : __builtin_huge_val();
}

/* Do threads compete for the same objects?  The n! orders of n threads make a tree of 1.39
 * leaves for each of its inner nodes; if threads meet in pairs, it is one. */
static inline bool hd_work_contended(const struct hd_counters *c)
{
    return c->executions >= HD_SOME_EXECUTIONS && 10 * c->executions >= 13 * c->choices;
}

/* Do many traces seem to lead to few states? */
static inline bool hd_work_few_states(const struct hd_counters *c)
{
    return c->alike >= HD_ALIKE || hd_work_contended(c);
}

/* near_work is done: is no more left than that?  Another search would have to be much faster
 * then to be worth its start, and an estimate can be trusted so far; but not for ever. */
static inline bool hd_work_half_done(const struct hd_options *o, const struct hd_counters *c)
{
    uint64_t work = hd_counters_work(c);
    return work < 3 * o->near_work && hd_work_expected(c) <= 2 * (double)work;
}

/* Is options.max_work used up, or what takes its place? */
static inline bool hd_work_used_up(const struct hd_options *o, const struct hd_counters *c)
{
    uint64_t work = hd_counters_work(c);
    if (!o->max_work || work < (o->states_work ? o->states_work : o->max_work))
        return false;
    double expected = hd_work_expected(c);
    bool states = expected > (double)(2 * o->max_work) && hd_work_few_states(c);
    if (work < o->max_work)
        return states;
    bool near = work < o->near_work || hd_work_half_done(o, c);
    return !near || states || expected > (double)o->near_expected;
}

#endif
