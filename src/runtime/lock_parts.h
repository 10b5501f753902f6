/* --finer locks: the mutex of a lock or unlock is one of its parts (core/lock_parts.h).
 * Without the option, and in a replay, rt->parts is NULL. */
#ifndef HD_RUNTIME_LOCK_PARTS_H
#define HD_RUNTIME_LOCK_PARTS_H

#include "runtime/rt.h"

/* The object that the running thread locks, or unlocks; it has taken it; it has released it. */
struct hd_sync *hd_part_to_lock(struct hd_sync *mutex);
struct hd_sync *hd_part_to_unlock(struct hd_sync *mutex);
void hd_part_taken(const struct hd_sync *s);
void hd_part_released(const struct hd_sync *s);

/* The mutex is used otherwise than by lock and unlock: its parts would not know of each
 * other. */
void hd_part_not(uint64_t mutex);
/* The same if other threads may use it at the same time, or if this one holds it. */
void hd_part_not_shared(uint64_t mutex);

#endif
