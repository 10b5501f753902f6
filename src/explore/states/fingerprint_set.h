/* A set of 128-bit fingerprints of states.
 *
 * A cuckoo hash table of buckets of four, a cache line each: a fingerprint may be in either of
 * two buckets, and makes room by moving another to its second one.  It takes 16 bytes a
 * fingerprint.  Buckets are filled to nine tenths before the table doubles, in place: a
 * bucket's fingerprints stay or move to the bucket one table size further.  At 128 MiB all of
 * them move to a table of 14 bytes each, which grows by small parts: it takes half the memory,
 * and longer to fill (quotient_set.h).
 *
 * With a limit the table does not grow beyond it; where there is no room another fingerprint is
 * dropped.  That costs work, never a wrong answer. */
#ifndef HD_EXPLORE_STATES_FINGERPRINT_SET_H
#define HD_EXPLORE_STATES_FINGERPRINT_SET_H

#include "explore/states/quotient_set.h"

#define HD_FINGERPRINT_BUCKET 64u /* bytes */

struct hd_fingerprint_set {
    struct hd_fingerprint *slots; /* both halves 0: none is there */
    uint64_t buckets;             /* 0: they are in `large` */
    uint64_t half;                /* the largest power of two that is no more than `buckets` */
    uint64_t most;                /* buckets there is room for */
    uint64_t n;
    uint64_t forgotten;
    uint64_t kick; /* which one is moved next */
    struct hd_quotient_set large;
};

/* How many fingerprints fit into so many bytes? */
uint64_t hd_fingerprint_set_fit(uint64_t bytes);

/* Room for `limit` fingerprints; 0: as many as the arena can hold, within reason. */
bool hd_fingerprint_set_init(struct hd_fingerprint_set *set, struct hd_arena *arena,
                             uint64_t limit);

/* The fingerprint is about to be added, or looked up: fetch its buckets. */
void hd_fingerprint_set_prefetch(const struct hd_fingerprint_set *set,
                                 struct hd_fingerprint print);

/* Returns whether the fingerprint is new. */
bool hd_fingerprint_set_add(struct hd_fingerprint_set *set, struct hd_fingerprint print);

/* How many there are, and how many have been dropped. */
uint64_t hd_fingerprint_set_n(const struct hd_fingerprint_set *set);
uint64_t hd_fingerprint_set_forgotten(const struct hd_fingerprint_set *set);

bool hd_fingerprint_set_has(const struct hd_fingerprint_set *set, struct hd_fingerprint print);

/* Write the set into a work unit, or read it (loop/filter.h) into an empty one with the same
 * limit. */
struct hd_pack;
void hd_fingerprint_set_pack(struct hd_fingerprint_set *set, struct hd_pack *p);

#endif
