/* A rank of a distributed search that explores units. */
#ifndef HD_CLI_RANK_MEMBER_H
#define HD_CLI_RANK_MEMBER_H

#include "base/ranks.h"
#include "cli/check_request.h"
#include "supervise/supervise.h"

/* Work for the leader until it has no more. */
int hd_rank_member(const struct hd_ranks *ranks, int leader, const struct hd_check *check,
                   const struct hd_job *job, struct hd_err *err);

#endif
