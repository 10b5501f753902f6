/* The key of a result: a hash of everything that determines it.
 *
 * Files are hashed by their bytes.  Beside it stands a stamp, a hash of when and where these
 * files were last changed: a result is stored only if key and stamp are the same after it was
 * made as before, so that it was made of what the key says. */
#ifndef HD_COMPILE_CACHE_KEY_H
#define HD_COMPILE_CACHE_KEY_H

#include "base/cache.h"
#include "compile/toolchain.h"

struct hd_cache_key {
    struct hd_blake2s content, stamp;
};

struct hd_cache_digest {
    uint8_t content[HD_CACHE_KEY_BYTES];
    uint8_t stamp[HD_BLAKE2S_BYTES];
};

void hd_cache_key_begin(struct hd_cache_key *key, const char *kind);
void hd_cache_key_bytes(struct hd_cache_key *key, const void *bytes, size_t n);
void hd_cache_key_text(struct hd_cache_key *key, const char *text); /* NULL: differs from "" */
void hd_cache_key_texts(struct hd_cache_key *key, const struct hd_strs *texts);
/* Name, bytes and stamp; the bytes are appended to `into`, unless that is NULL. */
void hd_cache_key_file(struct hd_cache_key *key, const char *path, struct hd_str *into);
struct hd_cache_digest hd_cache_key_end(struct hd_cache_key *key);
bool hd_cache_digest_same(const struct hd_cache_digest *a, const struct hd_cache_digest *b);

/* Place, size and time of change of a file or directory, or that there is none.  Returns when
 * it changed last, in seconds since 1970; 0 if there is none. */
int64_t hd_cache_key_place(struct hd_cache_key *key, const char *path);

/* clang, the libraries that it runs with, and the variables of the environment that it looks
 * at.  False if it cannot be known: clang is a script, or a variable asks for more than an
 * object file. */
bool hd_cache_key_clang(struct hd_cache_key *key, const struct hd_toolchain *tools);

/* heddle, the libraries that it runs with, and the current directory.  False if it cannot be
 * known. */
bool hd_cache_key_heddle(struct hd_cache_key *key, const struct hd_toolchain *tools);

#endif
