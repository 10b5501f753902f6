/* The invariants S1 and S2 of exploration.c.  What does not hold is a bug of heddle. */
#ifndef HD_SUPERVISE_EXPLORATION_CHECK_H
#define HD_SUPERVISE_EXPLORATION_CHECK_H

#include "core/worker_memory.h"

/* The number of executions that are over, in any way. */
uint64_t hd_executions_ended(const struct hd_counters *cnt);

/* A worker is about to start: S1, and S2 as far as it can be seen before the worker has
 * counted. */
void hd_exploration_check_start(const struct hd_worker_memory *shared);

/* Has the worker recorded the death of the one before it?  `before` is the number of deaths
 * that had been recorded then; UINT64_MAX: there was none. */
bool hd_exploration_recorded(const struct hd_worker_memory *shared, uint64_t before);

/* S2: a worker that has stopped by itself has recorded the death before it. */
void hd_exploration_check_recorded(const struct hd_worker_memory *shared, uint64_t before);

#endif
