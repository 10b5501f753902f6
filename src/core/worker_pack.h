/* What a worker has counted and found, as bytes (core/pack.h): the result of its work so far.
 * Together with its work unit (explore/jobs/unit.h), the work that is left, it is all that
 * another process needs to go on. */
#ifndef HD_CORE_WORKER_PACK_H
#define HD_CORE_WORKER_PACK_H

#include "core/pack.h"
#include "core/worker_memory.h"

/* Counters, names of threads, findings with their schedules, inversions, notes, what invariants
 * read, the classes of addresses that come back.  What is read still has to pass
 * hd_shared_check(). */
void hd_worker_pack(struct hd_worker_memory *shared, struct hd_pack *p);

/* Room for what it writes. */
uint64_t hd_worker_pack_room(const struct hd_worker_memory *shared);

#endif
