/* heddle check --distributed: one search on the ranks of mpirun. */
#ifndef HD_CLI_DISTRIBUTED_H
#define HD_CLI_DISTRIBUTED_H

#include "cli/check_request.h"
#include "supervise/supervise.h"

/* On rank 0: explore everything with the other ranks, as hd_supervise_explore().  On others:
 * work for rank 0 until it has no more, and end the process. */
int hd_distributed_explore(const struct hd_check *check, const struct hd_job *job,
                           struct hd_result *result, struct hd_err *err);

#endif
