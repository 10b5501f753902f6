/* Sets of small numbers as sorted blocks of 64 bits: neighbours share a block, and a union goes
 * block by block. */
#ifndef HD_ANALYSE_BITS_H
#define HD_ANALYSE_BITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct hd_bits_block {
    uint64_t bits; /* never 0 */
    uint32_t index;
};

struct hd_bits {
    struct hd_bits_block *blocks; /* sorted by index */
    uint32_t n, room;
};

/* A set as one row of words, for masks; what lies beyond it is not in it. */
struct hd_bits_row {
    uint64_t *words;
    size_t n;
};

void hd_bits_release(struct hd_bits *bits);
bool hd_bits_has(const struct hd_bits *bits, uint32_t number);
bool hd_bits_add(struct hd_bits *bits, uint32_t number); /* false: it was there */
uint32_t hd_bits_count(const struct hd_bits *bits);

/* *out becomes what is in `from`, and neither in `without` (may be NULL) nor in `have`. */
void hd_bits_minus(const struct hd_bits *from, const struct hd_bits_row *without,
                   const struct hd_bits *have, struct hd_bits *out);

/* *out becomes what is in both. */
void hd_bits_and(const struct hd_bits *a, const struct hd_bits *b, struct hd_bits *out);

void hd_bits_or(struct hd_bits *into, const struct hd_bits *from);
void hd_bits_filter(struct hd_bits *bits, const struct hd_bits_row *without);
bool hd_bits_equal(const struct hd_bits *a, const struct hd_bits *b);

void hd_bits_row_add(struct hd_bits_row *row, uint32_t number);

/* Goes through a set: for (struct hd_bits_at at = hd_bits_first(&set); hd_bits_next(&at, &x);)
 * The set must not change meanwhile. */
struct hd_bits_at {
    const struct hd_bits *of;
    uint32_t block;
    uint64_t left;
};

static inline struct hd_bits_at hd_bits_first(const struct hd_bits *of)
{
    return (struct hd_bits_at){ of, 0, of->n ? of->blocks[0].bits : 0 };
}

static inline bool hd_bits_next(struct hd_bits_at *at, uint32_t *number)
{
    while (at->left == 0) {
        if (at->block + 1 >= at->of->n)
            return false;
        at->left = at->of->blocks[++at->block].bits;
    }
    *number = at->of->blocks[at->block].index * 64 + (uint32_t)__builtin_ctzll(at->left);
    at->left &= at->left - 1;
    return true;
}

#endif
