/* BLAKE2s-256 with a key (RFC 7693): a message authentication code.
 *
 * Why this one: its keyed mode is a message authentication code by itself, without the two
 * passes of HMAC; it is small, and RFC 7693 and its authors publish test vectors.  The hash
 * functions of base/hash.h are for tables and do not prevent forgery. */
#ifndef HD_BASE_BLAKE2S_H
#define HD_BASE_BLAKE2S_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_BLAKE2S_BYTES 32
#define HD_BLAKE2S_BLOCK 64

struct hd_blake2s {
    uint32_t h[8];
    uint64_t counted; /* bytes that have been mixed in */
    uint8_t block[HD_BLAKE2S_BLOCK];
    size_t used; /* of block */
};

/* `key_bytes` is at most 32; 0: the plain hash. */
void hd_blake2s_init(struct hd_blake2s *state, const void *key, size_t key_bytes);
void hd_blake2s_add(struct hd_blake2s *state, const void *bytes, size_t n);
void hd_blake2s_end(struct hd_blake2s *state, uint8_t out[HD_BLAKE2S_BYTES]);

/* Compares in a time that does not depend on where they differ. */
bool hd_blake2s_same(const uint8_t a[HD_BLAKE2S_BYTES], const uint8_t b[HD_BLAKE2S_BYTES]);

#endif
