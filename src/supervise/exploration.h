/* One exploration: its workers, and what they have found.
 *
 *   begin ──▶ run ──▶ over ──▶ confirm ──▶ end
 *              ▲ │
 *         go_on└─┘ paused: its slice is used up                       end, at any time */
#ifndef HD_SUPERVISE_EXPLORATION_H
#define HD_SUPERVISE_EXPLORATION_H

#include "supervise/exploration_state.h"

/* All four return HD_EXIT_OK, or another exit status with err; hd_exploration_end() must follow
 * in any case.  The job is borrowed; results go into *result, which holds
 * zeros before. */
int hd_exploration_begin(struct hd_exploration *x, const struct hd_job *job,
                         struct hd_result *result, struct hd_err *err);
int hd_exploration_run(struct hd_exploration *x, struct hd_err *err);

/* Continue a paused exploration (result->stop is HD_STOP_WORK) with these bounds, counted from
 * its beginning; 0: none. */
int hd_exploration_go_on(struct hd_exploration *x, uint64_t max_work, uint64_t max_executions,
                         struct hd_err *err);

/* Run every finding again, in workers of their own: result->runs. */
int hd_exploration_confirm(struct hd_exploration *x, struct hd_err *err);

void hd_exploration_end(struct hd_exploration *x);

#endif
