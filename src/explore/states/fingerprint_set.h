/* A set of 128-bit fingerprints: what is left of a state when only meeting it again matters.
 *
 * Buckets of four, a cache line each; a print may lie in either of two buckets, and makes room
 * by sending another to its second one.  16 bytes a print; buckets are filled to nine tenths
 * before the table doubles, in place: a bucket's prints stay or go to the bucket one table size
 * further.  From 1 GiB on it grows by single buckets (linear hashing: Litwin 1980), and is
 * filled to 85 %.
 *
 * With a limit the table does not grow; where there is no room another print is forgotten.
 * That costs work, never a wrong answer. */
#ifndef HD_EXPLORE_STATES_FINGERPRINT_SET_H
#define HD_EXPLORE_STATES_FINGERPRINT_SET_H

#include "core/arena.h"

#include <stdbool.h>

struct hd_fingerprint {
    uint64_t lo, hi; /* both 0: no print */
};

struct hd_fingerprint_set {
    struct hd_fingerprint *slots;
    uint64_t buckets;
    uint64_t half;  /* the largest power of two that is no more than `buckets` */
    uint64_t most;  /* buckets there is room for */
    uint64_t large; /* from so many on it grows by single ones */
    uint64_t n;
    uint64_t forgotten;
    uint64_t kick; /* which one is sent away next */
};

/* Room for `limit` prints; 0: as many as the arena can hold, within reason. */
bool hd_fingerprint_set_init(struct hd_fingerprint_set *set, struct hd_arena *arena,
                             uint64_t limit);

/* Returns whether the print was not there. */
bool hd_fingerprint_set_add(struct hd_fingerprint_set *set, struct hd_fingerprint print);

bool hd_fingerprint_set_has(const struct hd_fingerprint_set *set, struct hd_fingerprint print);

/* In a work unit (loop/filter.h): into one that is empty and has the same limit. */
struct hd_pack;
void hd_fingerprint_set_pack(struct hd_fingerprint_set *set, struct hd_pack *p);

#endif
