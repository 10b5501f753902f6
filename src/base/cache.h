/* Results of earlier work, by key: a folder with one file per result.
 *
 * 1. The folder belongs to the user and nobody else may enter it (0700), or it is not used.
 * 2. A file appears under its name with all its bytes or not at all: it is written under a
 *    new name (O_EXCL) and renamed.  What a killed process leaves has no valid name.
 * 3. Each file holds its key and a hash of its bytes.  A file that does not match is removed,
 *    and the caller makes the result again.
 * 4. Before a file is added, those that were used least recently are removed until all of
 *    them fit within the limit.
 * 5. That something cannot be stored is no error. */
#ifndef HD_BASE_CACHE_H
#define HD_BASE_CACHE_H

#include "base/blake2s.h"
#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_CACHE_KEY_BYTES HD_BLAKE2S_BYTES

struct hd_cache {
    int folder;     /* -1: there is no cache, nothing is found and nothing stored */
    int log;        /* -1: none */
    uint64_t limit; /* bytes */
};

/* The folder is that of HEDDLE_CACHE (`off`: none), otherwise below XDG_CACHE_HOME or ~/.cache.
 * HEDDLE_CACHE_SIZE is the limit, HEDDLE_CACHE_LOG a file for lines about each result.
 * Fails if one of these variables cannot be followed.  A folder that nobody named and that
 * cannot be used is noted on stderr. */
int hd_cache_open(struct hd_cache *cache, struct hd_err *err);
void hd_cache_close(struct hd_cache *cache);

/* Appends the result to `into`; false: there is none, and `into` is unchanged. */
bool hd_cache_get(const struct hd_cache *cache, const uint8_t key[HD_CACHE_KEY_BYTES],
                  struct hd_str *into);

/* False: not stored. */
bool hd_cache_put(const struct hd_cache *cache, const uint8_t key[HD_CACHE_KEY_BYTES],
                  const void *bytes, size_t n);

/* Removes what was used least recently until `room` bytes are free.  False: there are not so
 * many. */
bool hd_cache_trim(const struct hd_cache *cache, uint64_t room);

/* A line of the log. */
void hd_cache_say(const struct hd_cache *cache, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

#endif
