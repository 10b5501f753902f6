#include "core/bitstate.h"

#include "core/pack_parts.h"

#define MARKS 4u /* bits of a state */
#define MOST_BITS (1ull << 33)
#define LEAST_BITS 64u
#define FIRST_BITS (1ull << 15)
#define MOST_TABLES 10u    /* the last has MOST_BITS */
#define BITS_PER_STATE 24u /* of a table that is followed by another */

/* Words of the first `n` tables. */
static uint64_t words_of(const struct hd_bitstate *b, uint32_t n)
{
    return b->n_bits / 64 * (((1ull << 2 * n) - 1) / 3);
}

static uint64_t largest_power(uint64_t bits)
{
    uint64_t power = MOST_BITS;
    while (power > LEAST_BITS && power > bits)
        power /= 2;
    return power;
}

bool hd_bitstate_init(struct hd_bitstate *b, struct hd_arena *arena, uint64_t most,
                      uint64_t bytes)
{
    *b = (struct hd_bitstate){ .n_bits = FIRST_BITS, .n_tables = MOST_TABLES };
    if (most || bytes) {
        uint64_t bits = bytes < MOST_BITS / 8 ? 8 * bytes : MOST_BITS;
        b->n_bits = largest_power(most ? 16 * most : bits);
        b->n_tables = 1;
    }
    while (!(b->bits = hd_arena_take(arena, 8 * words_of(b, b->n_tables))) && b->n_tables > 1)
        b->n_tables--;
    return b->bits;
}

/* The table in which new states are marked. */
static uint32_t newest(const struct hd_bitstate *b)
{
    uint64_t n = __atomic_load_n(&b->n, __ATOMIC_RELAXED), room = b->n_bits / BITS_PER_STATE;
    uint32_t i = 0;
    for (; i + 1 < b->n_tables && n >= room; i++) {
        n -= room;
        room *= 4;
    }
    return i;
}

uint64_t hd_bitstate_bytes(const struct hd_bitstate *b) { return 8 * words_of(b, newest(b) + 1); }

static uint64_t place(const struct hd_bitstate *b, uint32_t table, uint64_t lo, uint64_t hi,
                      uint32_t i)
{
    uint64_t mask = (b->n_bits << 2 * table) - 1;
    return 64 * words_of(b, table) + ((lo + i * (hi | 1)) & mask);
}

static bool is_marked(const struct hd_bitstate *b, uint32_t table, uint64_t lo, uint64_t hi)
{
    for (uint32_t i = 0; i < MARKS; i++) {
        uint64_t at = place(b, table, lo, hi, i);
        if (!(__atomic_load_n(&b->bits[at / 64], __ATOMIC_RELAXED) >> at % 64 & 1))
            return false;
    }
    return true;
}

bool hd_bitstate_mark(struct hd_bitstate *b, uint64_t lo, uint64_t hi)
{
    uint32_t table = newest(b);
    bool fresh = false;
    for (uint32_t older = table; older-- > 0;)
        if (is_marked(b, older, lo, hi))
            return false;
    for (uint32_t i = 0; i < MARKS; i++) {
        uint64_t at = place(b, table, lo, hi, i), bit = 1ull << at % 64;
        if (__atomic_load_n(&b->bits[at / 64], __ATOMIC_RELAXED) & bit)
            continue;
        fresh = !(__atomic_fetch_or(&b->bits[at / 64], bit, __ATOMIC_RELAXED) & bit) || fresh;
    }
    if (fresh)
        __atomic_fetch_add(&b->n, 1, __ATOMIC_RELAXED);
    return fresh;
}

/* The words of the tables that are not 0, each with its distance from the one before. */
void hd_bitstate_pack(struct hd_bitstate *b, struct hd_pack *p)
{
    hd_pack_u64(p, &b->n);
    uint64_t words = hd_bitstate_bytes(b) / 8, n = 0, at = 0;
    for (uint64_t i = 0; i < words && !p->reading; i++)
        n += b->bits[i] != 0;
    hd_pack_count64(p, &n, words);
    for (uint64_t i = 0; i < n && !p->bad; i++, at++) {
        uint64_t gap = 0;
        while (!p->reading && !b->bits[at + gap])
            gap++;
        hd_pack_u64(p, &gap);
        hd_pack_want(p, gap < words - at);
        if (p->bad)
            return;
        at += gap;
        hd_pack_words(p, &b->bits[at], 1);
    }
}
