/* A rank of a distributed search that keeps the ledger: rank 0, and with many ranks the first
 * one of each group (supervise/leader.h).
 *
 * The ledger is a directory as `heddle split` makes it: units, and results of those that are
 * explored.  Members ask for a unit, explore it for a while, and send back its result and the
 * units that are left of it, which the leader writes before the result.  So whatever ends
 * when, the ledger says what is covered, and the same command goes on with it. */
#ifndef HD_CLI_RANK_LEADER_H
#define HD_CLI_RANK_LEADER_H

#include "base/ranks.h"
#include "cli/check_request.h"
#include "supervise/supervise.h"

/* A group of ranks, its leader first. */
struct hd_rank_group {
    const struct hd_ranks *ranks;
    uint32_t n_ranks, n_groups, me; /* of all; this group's number */
};

/* The ranks of group number `group` begin with this one. */
uint32_t hd_rank_first(const struct hd_rank_group *group, uint32_t number);

/* Explore what waits in the ledger check->units, which rank 0 reads, until nothing is left or
 * the search ends, and tell the members that it is over. */
int hd_rank_lead(const struct hd_rank_group *group, const struct hd_check *check,
                 const struct hd_job *job, struct hd_err *err);

/* Rank 0 has failed before that: tell all that it is over. */
void hd_rank_dismiss(const struct hd_rank_group *group);

#endif
