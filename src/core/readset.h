/* The read set of the invariants: the bytes that they have been seen to read.
 *
 * An invariant is a predicate over the bytes that it reads.  Steps that write such bytes are
 * dependent on each other, whatever else they touch (SCALE Def. 9), so that all executions of
 * one trace pass through the same values of these bytes in the same order, and the invariants
 * are true or false in the same places.  The set is measured: every evaluation adds what it
 * reads.  When an exploration has used too small a set, it begins again with the larger one.
 * So in the end no evaluation has read bytes outside the set. */
#ifndef HD_CORE_READSET_H
#define HD_CORE_READSET_H

#include <stdbool.h>
#include <stdint.h>

#define HD_READSET_RANGES 1024u
#define HD_READSET_ROUNDS                                                                        \
    32u /* explorations with too small a set, before it becomes all memory */

struct hd_readset {
    uint32_t n;
    uint32_t all;   /* all memory: there are too many ranges, or the set has grown too often */
    uint32_t grown; /* since the supervisor has filled it in */
    uint32_t pad;
    struct hd_readset_range {
        uint64_t begin, end;
    } ranges[HD_READSET_RANGES]; /* by address; they do not touch each other */
};

/* Add [begin, end).  True: something of it was not in the set. */
bool hd_readset_add(struct hd_readset *set, uint64_t begin, uint64_t end);

/* Is a byte of [begin, end) in the set? */
bool hd_readset_meets(const struct hd_readset *set, uint64_t begin, uint64_t end);

/* Can it be one that hd_readset_add() has made? */
bool hd_readset_check(const struct hd_readset *set);

#endif
