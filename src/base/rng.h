/* splitmix64: a seeded generator whose whole state is one word. */
#ifndef HD_BASE_RNG_H
#define HD_BASE_RNG_H

#include <stdint.h>

struct hd_rng {
    uint64_t state;
};

static inline uint64_t hd_rng_next(struct hd_rng *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
}

/* Uniform in [0, n), n > 0. */
static inline uint32_t hd_rng_below(struct hd_rng *rng, uint32_t n)
{
    return (uint32_t)((hd_rng_next(rng) >> 32) * n >> 32);
}

#endif
