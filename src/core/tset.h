/* A set of threads: a bit per thread id.  Storage is fixed; loops run over hd_tset_words()
 * words only, which is 1 for programs of up to 64 threads. */
#ifndef HD_CORE_TSET_H
#define HD_CORE_TSET_H

#include "core/action.h"

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define HD_TSET_WORDS (HD_MAX_THREADS / 64)

struct hd_tset {
    uint64_t w[HD_TSET_WORDS];
};

static inline void hd_tset_clear(struct hd_tset *s) { memset(s, 0, sizeof *s); }
static inline void hd_tset_add(struct hd_tset *s, uint32_t t)
{
    s->w[t >> 6] |= 1ull << (t & 63);
}
static inline void hd_tset_del(struct hd_tset *s, uint32_t t)
{
    s->w[t >> 6] &= ~(1ull << (t & 63));
}
static inline bool hd_tset_has(const struct hd_tset *s, uint32_t t)
{
    return (s->w[t >> 6] >> (t & 63)) & 1;
}
static inline uint32_t hd_tset_words(uint32_t n_threads) { return (n_threads + 63) >> 6; }
static inline bool hd_tset_empty(const struct hd_tset *s, uint32_t words)
{
    uint64_t any = 0;
    for (uint32_t i = 0; i < words; i++)
        any |= s->w[i];
    return any == 0;
}
static inline uint32_t hd_tset_count(const struct hd_tset *s, uint32_t words)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < words; i++)
        n += (uint32_t)__builtin_popcountll(s->w[i]);
    return n;
}

#endif
