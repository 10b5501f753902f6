/* Mixing of 64-bit words: a fast hash for tables, not secure against adversaries. */
#ifndef HD_BASE_HASH_H
#define HD_BASE_HASH_H

#include <stddef.h>
#include <stdint.h>

static inline uint64_t hd_hash_mix(uint64_t x)
{
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    x *= 0xd6e8feb86659fd93ull;
    x ^= x >> 32;
    return x;
}

static inline uint64_t hd_hash_step(uint64_t h, uint64_t x)
{
    return hd_hash_mix(h + 0x9e3779b97f4a7c15ull + x);
}

static inline uint64_t hd_hash_bytes(uint64_t h, const void *data, size_t n)
{
    const unsigned char *p = data;
    for (; n >= 8; p += 8, n -= 8) {
        uint64_t w;
        __builtin_memcpy(&w, p, 8);
        h = hd_hash_step(h, w);
    }
    uint64_t tail = n;
    for (size_t i = 0; i < n; i++)
        tail = tail << 8 | p[i];
    return hd_hash_step(h, tail);
}

#endif
