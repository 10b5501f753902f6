/* A set of 128-bit fingerprints of states.
 *
 * A cuckoo hash table of buckets of four, a cache line each: a fingerprint may be in either of
 * two buckets, and makes room by moving another to its second one.  It takes 16 bytes a
 * fingerprint.  Buckets are filled to nine tenths before the table doubles, in place: a
 * bucket's fingerprints stay or move to the bucket one table size further.  From 1 GiB on it
 * grows by single buckets (linear hashing: Litwin 1980), and is filled to 85 %.
 *
 * With a limit the table does not grow; where there is no room another fingerprint is dropped.
 * That costs work, never a wrong answer. */
#ifndef HD_EXPLORE_STATES_FINGERPRINT_SET_H
#define HD_EXPLORE_STATES_FINGERPRINT_SET_H

#include "core/arena.h"

#include <stdbool.h>

struct hd_fingerprint {
    uint64_t lo, hi; /* both 0: no fingerprint */
};

struct hd_fingerprint_set {
    struct hd_fingerprint *slots;
    uint64_t buckets;
    uint64_t half;  /* the largest power of two that is no more than `buckets` */
    uint64_t most;  /* buckets there is room for */
    uint64_t large; /* from so many on it grows by single ones */
    uint64_t n;
    uint64_t forgotten;
    uint64_t kick; /* which one is moved next */
};

/* Room for `limit` fingerprints; 0: as many as the arena can hold, within reason. */
bool hd_fingerprint_set_init(struct hd_fingerprint_set *set, struct hd_arena *arena,
                             uint64_t limit);

/* Returns whether the fingerprint is new. */
bool hd_fingerprint_set_add(struct hd_fingerprint_set *set, struct hd_fingerprint print);

bool hd_fingerprint_set_has(const struct hd_fingerprint_set *set, struct hd_fingerprint print);

/* Write the set into a work unit, or read it (loop/filter.h) into an empty one with the same
 * limit. */
struct hd_pack;
void hd_fingerprint_set_pack(struct hd_fingerprint_set *set, struct hd_pack *p);

#endif
