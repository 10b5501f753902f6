/* From the memory of workers that have ended into the result: counters, and findings with their
 * schedules as candidates that are to be confirmed. */
#ifndef HD_SUPERVISE_EXPLORATION_RESULTS_H
#define HD_SUPERVISE_EXPLORATION_RESULTS_H

#include "supervise/exploration_state.h"

/* A worker died after `depth` steps of an execution, and no other has recorded it. */
struct hd_unrecorded {
    const struct hd_worker_memory *died; /* NULL: there is none */
    uint32_t depth;
};

/* What the workers have counted and found. */
void hd_exploration_take_results(struct hd_exploration *x,
                                 const struct hd_unrecorded *unrecorded);

/* Of one worker: its findings as candidates, unless they are known, and its inversions. */
void hd_exploration_take_findings(struct hd_exploration *x,
                                  const struct hd_worker_memory *shared);

/* Has a worker recorded a finding that is no warning? */
bool hd_exploration_has_violation(const struct hd_exploration *x);

/* The program has written into the worker's memory, which cannot be trusted any more.  Only the
 * schedule of the current execution is taken, if it can be one. */
void hd_exploration_take_damage(struct hd_exploration *x, const struct hd_worker_memory *shared,
                                const struct hd_err *damage);

#endif
