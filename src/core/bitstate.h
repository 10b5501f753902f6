/* Bitstate hashing (Holzmann): four bits of one table for each state.  States may be taken for
 * others; least memory.  Several processes may mark states in one table.
 *
 * Bits cannot move to a larger table.  So a table without a size begins small, and when there
 * are 24 bits for each state no more, states that look new are marked in a further table, four
 * times as large; known is what is marked in one of them (a scalable Bloom filter: Almeida,
 * Baquero, Preguiça, Hutchison 2007).  It takes 12 bytes a state at most up to 1 GiB, when the
 * last table goes on being filled. */
#ifndef HD_CORE_BITSTATE_H
#define HD_CORE_BITSTATE_H

#include "core/arena.h"

#include <stdbool.h>

struct hd_pack;

struct hd_bitstate {
    uint64_t *bits;    /* of all tables, one after the other; NULL: there is none */
    uint64_t n_bits;   /* of the first table, a power of two */
    uint32_t n_tables; /* that there is room for */
    uint64_t n;        /* states that looked new */
};

/* A table for about `most` states, or of at most `bytes`; both 0: tables that grow.  False when
 * memory is used up. */
bool hd_bitstate_init(struct hd_bitstate *b, struct hd_arena *arena, uint64_t most,
                      uint64_t bytes);

/* Mark a state, known by 128 bits.  Returns whether it looks new.  If two workers mark it at
 * the same time, it may look new to both. */
bool hd_bitstate_mark(struct hd_bitstate *b, uint64_t lo, uint64_t hi);

/* Bytes of the tables in use. */
uint64_t hd_bitstate_bytes(const struct hd_bitstate *b);

/* Write the tables into a work unit, or read them (core/pack.h). */
void hd_bitstate_pack(struct hd_bitstate *b, struct hd_pack *p);

#endif
