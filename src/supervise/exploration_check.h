/* The invariants S1 and S2 of exploration.c.  What does not hold is a bug of heddle. */
#ifndef HD_SUPERVISE_EXPLORATION_CHECK_H
#define HD_SUPERVISE_EXPLORATION_CHECK_H

#include "core/worker_memory.h"

/* Executions that are over, in whatever way. */
uint64_t hd_executions_ended(const struct hd_counters *cnt);

/* A worker is about to start: S1, and S2 as far as it can be seen before the worker has
 * counted. */
void hd_exploration_check_start(const struct hd_worker_memory *shared);

/* S2: a worker that has come to its end has counted the execution in which the worker before it
 * died.  `before` is how many were over and begun when that one died; UINT64_MAX: none did. */
void hd_exploration_check_recorded(const struct hd_worker_memory *shared, uint64_t before);

#endif
