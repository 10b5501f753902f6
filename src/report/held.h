/* The locks that a thread has at the end of a run, by the log. */
#ifndef HD_REPORT_HELD_H
#define HD_REPORT_HELD_H

#include "supervise/supervise.h"

#define HD_MOST_HELD 8

/* Does the step take a lock? */
bool hd_held_takes(const struct hd_step *step);

/* The steps (indices in the log) at which the thread took the locks that it still holds, the
 * newest HD_MOST_HELD of them in the order of the run; returns how many. */
uint32_t hd_held_find(const struct hd_run *run, uint32_t thread, uint32_t steps[HD_MOST_HELD]);

/* The step (index in the log, + 1) with which the thread began to wait for a signal and
 * released a mutex, if it still waits there; 0: it waits for something else. */
uint32_t hd_held_wait(const struct hd_run *run, const struct hd_standing *standing);

#endif
