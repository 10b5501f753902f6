/* Bitstate hashing (Holzmann): four bits of one table for each state.  States may be taken for
 * others; least memory.  Several processes may mark states in one table. */
#ifndef HD_CORE_BITSTATE_H
#define HD_CORE_BITSTATE_H

#include "core/arena.h"

#include <stdbool.h>

struct hd_pack;

struct hd_bitstate {
    uint64_t *bits;  /* NULL: there is no table */
    uint64_t n_bits; /* a power of two */
};

/* A table for about `most` states; 0: as large as can be.  False when memory is used up. */
bool hd_bitstate_init(struct hd_bitstate *b, struct hd_arena *arena, uint64_t most);

/* Mark a state, known by 128 bits.  Returns whether it looks new.  If two workers mark it at
 * the same time, it may look new to both. */
bool hd_bitstate_mark(struct hd_bitstate *b, uint64_t lo, uint64_t hi);

/* Write the table into a work unit, or read it (core/pack.h). */
void hd_bitstate_pack(struct hd_bitstate *b, struct hd_pack *p);

#endif
