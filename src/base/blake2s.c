#include "base/blake2s.h"

#include <string.h>

static const uint32_t iv[8] = { 0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19 };

static const uint8_t order[10][16] = {
    { 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15 },
    { 14, 10, 4, 8, 9, 15, 13, 6, 1, 12, 0, 2, 11, 7, 5, 3 },
    { 11, 8, 12, 0, 5, 2, 15, 13, 10, 14, 3, 6, 7, 1, 9, 4 },
    { 7, 9, 3, 1, 13, 12, 11, 14, 2, 6, 5, 10, 4, 0, 15, 8 },
    { 9, 0, 5, 7, 2, 4, 10, 15, 14, 1, 11, 12, 6, 8, 3, 13 },
    { 2, 12, 6, 10, 0, 11, 8, 3, 4, 13, 7, 5, 15, 14, 1, 9 },
    { 12, 5, 1, 15, 14, 13, 4, 10, 0, 7, 6, 3, 9, 2, 8, 11 },
    { 13, 11, 7, 14, 12, 1, 3, 9, 5, 0, 15, 4, 8, 6, 2, 10 },
    { 6, 15, 14, 9, 11, 3, 0, 8, 12, 2, 13, 7, 1, 4, 10, 5 },
    { 10, 2, 8, 4, 7, 6, 1, 5, 15, 11, 9, 14, 3, 12, 13, 0 },
};

static uint32_t rotate(uint32_t x, unsigned by) { return x >> by | x << (32 - by); }

static uint32_t word_at(const uint8_t *at)
{
    return (uint32_t)at[0] | (uint32_t)at[1] << 8 | (uint32_t)at[2] << 16 | (uint32_t)at[3] << 24;
}

static void mix(uint32_t *a, uint32_t *b, uint32_t *c, uint32_t *d, uint32_t x, uint32_t y)
{
    *a += *b + x;
    *d = rotate(*d ^ *a, 16);
    *c += *d;
    *b = rotate(*b ^ *c, 12);
    *a += *b + y;
    *d = rotate(*d ^ *a, 8);
    *c += *d;
    *b = rotate(*b ^ *c, 7);
}

static void compress(struct hd_blake2s *s, bool last)
{
    uint32_t v[16], m[16];
    for (size_t i = 0; i < 16; i++)
        m[i] = word_at(s->block + 4 * i);
    memcpy(v, s->h, sizeof s->h);
    memcpy(v + 8, iv, sizeof iv);
    v[12] ^= (uint32_t)s->counted;
    v[13] ^= (uint32_t)(s->counted >> 32);
    v[14] ^= last ? 0xffffffff : 0;
    for (int round = 0; round < 10; round++) {
        const uint8_t *o = order[round];
        for (size_t i = 0; i < 4; i++)
            mix(&v[i], &v[4 + i], &v[8 + i], &v[12 + i], m[o[2 * i]], m[o[2 * i + 1]]);
        for (size_t i = 0; i < 4; i++)
            mix(&v[i], &v[4 + (i + 1) % 4], &v[8 + (i + 2) % 4], &v[12 + (i + 3) % 4],
                m[o[8 + 2 * i]], m[o[9 + 2 * i]]);
    }
    for (int i = 0; i < 8; i++)
        s->h[i] ^= v[i] ^ v[8 + i];
}

void hd_blake2s_init(struct hd_blake2s *state, const void *key, size_t key_bytes)
{
    *state = (struct hd_blake2s){ .counted = 0 };
    memcpy(state->h, iv, sizeof iv);
    state->h[0] ^= 0x01010000 ^ (uint32_t)key_bytes << 8 ^ HD_BLAKE2S_BYTES;
    if (key_bytes) {
        memcpy(state->block, key, key_bytes);
        state->used = HD_BLAKE2S_BLOCK;
    }
}

/* The last block is marked as such, so a full one waits until more bytes come. */
void hd_blake2s_add(struct hd_blake2s *state, const void *bytes, size_t n)
{
    const uint8_t *from = bytes;
    while (n > 0) {
        if (state->used == HD_BLAKE2S_BLOCK) {
            state->counted += HD_BLAKE2S_BLOCK;
            compress(state, false);
            state->used = 0;
        }
        size_t part = HD_BLAKE2S_BLOCK - state->used;
        part = part < n ? part : n;
        memcpy(state->block + state->used, from, part);
        state->used += part;
        from += part;
        n -= part;
    }
}

void hd_blake2s_end(struct hd_blake2s *state, uint8_t out[HD_BLAKE2S_BYTES])
{
    state->counted += state->used;
    memset(state->block + state->used, 0, HD_BLAKE2S_BLOCK - state->used);
    compress(state, true);
    for (int i = 0; i < HD_BLAKE2S_BYTES; i++)
        out[i] = (uint8_t)(state->h[i / 4] >> i % 4 * 8);
    explicit_bzero(state, sizeof *state); /* it may hold the key */
}

bool hd_blake2s_same(const uint8_t a[HD_BLAKE2S_BYTES], const uint8_t b[HD_BLAKE2S_BYTES])
{
    unsigned difference = 0;
    for (int i = 0; i < HD_BLAKE2S_BYTES; i++)
        difference |= (unsigned)(a[i] ^ b[i]);
    __asm__("" : "+r"(difference)); /* the compiler is not to stop early either */
    return difference == 0;
}
