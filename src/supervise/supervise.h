/* The supervisor explores a program with as many workers as it takes, runs every finding again
 * in a fresh one, and runs schedules from outside. */
#ifndef HD_SUPERVISE_SUPERVISE_H
#define HD_SUPERVISE_SUPERVISE_H

#include "base/err.h"
#include "supervise/job.h"
#include "supervise/result.h"

/* Both return HD_EXIT_OK; or HD_EXIT_INPUT or HD_EXIT_INTERNAL with err, and then there is
 * nothing to release. */
int hd_supervise_explore(const struct hd_job *job, struct hd_result *result, struct hd_err *err);
int hd_supervise_replay(const struct hd_job *job, const struct hd_script *script,
                        struct hd_run *run, struct hd_err *err);

/* The memory of a worker that is to run the script; the caller starts and releases the worker.
 * `n_parked`: the most threads that exist at a time. */
int hd_supervise_prepare(struct hd_worker *worker, const struct hd_job *job,
                         const struct hd_script *script, uint32_t n_parked, struct hd_err *err);

#endif
