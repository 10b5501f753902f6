/* xorshift64*: the oracle's own generator. */
#ifndef ORC_RNG_H
#define ORC_RNG_H

#include <stdbool.h>
#include <stdint.h>

struct orc_rng {
    uint64_t s;
};

static inline void orc_rng_seed(struct orc_rng *r, uint64_t seed)
{
    r->s = (seed + 1) * 0x9e3779b97f4a7c15ull;
    r->s ^= r->s >> 29;
    r->s |= 1;
}

static inline uint32_t orc_rng_next(struct orc_rng *r)
{
    r->s ^= r->s >> 12;
    r->s ^= r->s << 25;
    r->s ^= r->s >> 27;
    return (uint32_t)((r->s * 0x2545f4914f6cdd1dull) >> 32);
}

static inline uint32_t orc_rng_below(struct orc_rng *r, uint32_t n)
{
    return (uint32_t)((uint64_t)orc_rng_next(r) * n >> 32);
}

static inline bool orc_rng_percent(struct orc_rng *r, uint32_t p)
{
    return orc_rng_below(r, 100) < p;
}

#endif
