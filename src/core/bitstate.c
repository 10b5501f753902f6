#include "core/bitstate.h"

#include "core/pack_parts.h"

#define BITS_PER_STATE 4u
#define MOST_BITS (1ull << 33)

bool hd_bitstate_init(struct hd_bitstate *b, struct hd_arena *arena, uint64_t most)
{
    b->n_bits = MOST_BITS;
    while (most && b->n_bits > 16 * most)
        b->n_bits /= 2;
    b->bits = hd_arena_take(arena, b->n_bits / 8);
    return b->bits;
}

bool hd_bitstate_mark(struct hd_bitstate *b, uint64_t lo, uint64_t hi)
{
    bool fresh = false;
    for (uint32_t i = 0; i < BITS_PER_STATE; i++) {
        uint64_t at = (lo + i * (hi | 1)) & (b->n_bits - 1), bit = 1ull << at % 64;
        if (__atomic_load_n(&b->bits[at / 64], __ATOMIC_RELAXED) & bit)
            continue;
        fresh = !(__atomic_fetch_or(&b->bits[at / 64], bit, __ATOMIC_RELAXED) & bit) || fresh;
    }
    return fresh;
}

/* The words of the table that are not 0, each with its distance from the one before. */
void hd_bitstate_pack(struct hd_bitstate *b, struct hd_pack *p)
{
    uint64_t words = b->n_bits / 64, n = 0, at = 0;
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
