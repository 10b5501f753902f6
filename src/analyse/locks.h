/* Which locks are held where: on every path to a point (must), on some path (may); and the
 * order in which locks are taken.
 *
 * A lock is a location that a locking function is called with.  Each has two bits: held at all,
 * and held alone (a reader's lock is only the first).  What a function does to each bit is one
 * of set, keep, clear; along a path these compose, and where paths meet the weaker wins (clear
 * < keep < set for must, the other way round for may), so functions are summarised once for all
 * callers. */
#ifndef HD_ANALYSE_LOCKS_H
#define HD_ANALYSE_LOCKS_H

#include "analyse/access.h"
#include "analyse/cfg.h"
#include "analyse/threads.h"

enum { HD_MOST_LOCKS = 256, HD_LOCK_WORDS = HD_MOST_LOCKS * 2 / 64 };

struct hd_lockset {
    uint64_t words[HD_LOCK_WORDS]; /* bit 2 * lock: held; 2 * lock + 1: held alone */
};

/* What a piece of code does to locksets; a bit is in one of them at most. */
struct hd_lock_effect {
    struct hd_lockset set, clear;
    bool known; /* false: it is not reached */
};

/* `held` is held while `taken` is taken at the point. */
struct hd_lock_order {
    uint32_t held, taken, point;
};

struct hd_locks {
    struct hd_points_to *p;
    const struct hd_accesses *accesses;
    const struct hd_cfg *cfg;
    uint32_t *locations; /* by lock */
    uint32_t n;
    bool too_many;                /* locks beyond HD_MOST_LOCKS are not followed */
    struct hd_u64map by_location; /* -> lock */
    struct hd_lock_effect *must_in,
        *may_in; /* by block, from its function's entry; NULL: no locks */
    struct hd_lockset *must_entry, *may_entry; /* by function */
    struct hd_lock_order *order;
    struct hd_lock_finder *finder;
    uint32_t n_order, order_room;
};

void hd_locks_init(struct hd_locks *locks, struct hd_points_to *p, const struct hd_cfg *cfg,
                   const struct hd_entries *threads, const struct hd_accesses *accesses);
void hd_locks_release(struct hd_locks *locks);

/* Just before the point. */
struct hd_lockset hd_locks_must(const struct hd_locks *locks, uint32_t point);
struct hd_lockset hd_locks_may(const struct hd_locks *locks, uint32_t point);

static inline bool hd_lockset_holds(const struct hd_lockset *set, uint32_t lock)
{
    return set->words[lock / 32] >> lock % 32 * 2 & 1;
}

/* Is there a lock that both hold, one of them exclusively, so that they cannot run at the
 * same time? */
bool hd_lockset_protects(const struct hd_lockset *a, const struct hd_lockset *b);

/* One object in the running program, not an element of an array or one of many on the heap. */
bool hd_locks_is_single(const struct hd_locks *locks, uint32_t lock);

#endif
