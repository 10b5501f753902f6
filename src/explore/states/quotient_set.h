/* A large set of 128-bit fingerprints, 14 bytes each.
 *
 * A cuckoo hash table of buckets of nine, two cache lines each: a fingerprint may be in either
 * of two buckets, and makes room by moving another to its second one.
 *
 * The bucket is chosen by the lowest bits of one half of the fingerprint.  There are never
 * fewer than 2^16, so the lowest 16 bits follow from the bucket (the quotient of Cleary 1984),
 * and are not stored.  Which half the bucket belongs to is a bit beside it.  So all 128 bits
 * are compared.
 *
 * When 90 % are filled the table grows by one bucket (linear hashing, Litwin 1980): what
 * belongs into the new one is in one other.
 *
 *  Q1  half is a power of two, half <= buckets < 2 * half
 *  Q2  a key is in the bucket of its lowest bits below 2 * half, or below half if there is no
 *      such bucket yet
 *
 * Once it has as many buckets as it may have, another fingerprint is dropped where there is no
 * room.  That costs work, never a wrong answer. */
#ifndef HD_EXPLORE_STATES_QUOTIENT_SET_H
#define HD_EXPLORE_STATES_QUOTIENT_SET_H

#include "core/arena.h"
#include "explore/states/fingerprint.h"

#include <stdbool.h>

#define HD_QUOTIENT_WAYS 9u
#define HD_QUOTIENT_LEAST (1u << 16) /* buckets */

struct hd_quotient_bucket {
    uint8_t prints[HD_QUOTIENT_WAYS][14]; /* one half, and 48 bits of the other */
    /* How many there are, in four bits; above them a bit for each: its bucket is its second. */
    uint16_t about;
};

struct hd_quotient_set {
    struct hd_quotient_bucket *table; /* NULL: there is none */
    uint64_t buckets, half;
    uint64_t most; /* buckets there is room for */
    uint64_t n;
    uint64_t forgotten;
    uint64_t kick; /* which one is moved next */
};

/* It begins with `first` buckets and has room for `most`.  False when memory is used up. */
bool hd_quotient_set_init(struct hd_quotient_set *set, struct hd_arena *arena, uint64_t first,
                          uint64_t most);

/* Returns whether the fingerprint is new. */
bool hd_quotient_set_add(struct hd_quotient_set *set, struct hd_fingerprint print);

bool hd_quotient_set_has(const struct hd_quotient_set *set, struct hd_fingerprint print);

/* Write the set into a work unit, or read it (loop/filter.h) into an empty one with the same
 * room. */
struct hd_pack;
void hd_quotient_set_pack(struct hd_quotient_set *set, struct hd_pack *p);

#endif
