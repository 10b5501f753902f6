#include "supervise/exploration_check.h"

#include "base/err.h"

uint64_t hd_executions_ended(const struct hd_counters *cnt)
{
    return cnt->executions + cnt->blocked + cnt->pruned + cnt->bounded;
}

void hd_exploration_check_start(const struct hd_worker_memory *shared)
{
    if (shared->died_valid || shared->ctl.state != HD_STATE_STARTING ||
        shared->takeover > HD_TAKEOVER_UNIT || shared->takeover == HD_TAKEOVER_PACK)
        hd_bug(
            "S1 of the exploration does not hold: a worker starts in state %u with takeover %u",
            shared->ctl.state, shared->takeover);
    if (shared->takeover == HD_TAKEOVER_RECORD && shared->died.kind == HD_KIND_NONE)
        hd_bug("S2 of the exploration does not hold: there is no death to be recorded");
}

bool hd_exploration_recorded(const struct hd_worker_memory *shared, uint64_t before)
{
    return before == UINT64_MAX || shared->ctl.deaths > before;
}

void hd_exploration_check_recorded(const struct hd_worker_memory *shared, uint64_t before)
{
    if (!hd_exploration_recorded(shared, before))
        hd_bug(
            "S2 of the exploration does not hold: the death of a worker was not recorded, after %llu that were",
            (unsigned long long)before);
}
