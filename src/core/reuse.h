/* Reuse of the addresses of freed blocks (--reuse; docs/design/015-reuse.md).
 *
 * Blocks fall into classes by the chunk that glibc would give them.  In the classes that are
 * on, an allocation is a step whose choice says which freed block's address it gets, if
 * any. */
#ifndef HD_CORE_REUSE_H
#define HD_CORE_REUSE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_REUSE_CLASSES 64

enum hd_reuse_mode {
    HD_REUSE_AUTO, /* a class is turned on where the program can tell; the search restarts */
    HD_REUSE_OFF,  /* no address comes back soon; the result names comparisons that can tell */
    HD_REUSE_ALL,  /* all classes are on */
};

struct hd_reuse {
    uint32_t mode; /* enum hd_reuse_mode */
    uint32_t pad;
    uint64_t classes; /* that are on, by bit */
};

/* The bytes of the chunk in which glibc would put a block of that size. */
static inline uint64_t hd_reuse_chunk(uint64_t size)
{
    uint64_t chunk = (size + 8 + 15) & ~15ull;
    return chunk < 32 ? 32 : chunk;
}

/* All chunks larger than the first 63 kinds are one class. */
static inline uint32_t hd_reuse_class(uint64_t size)
{
    uint64_t class = (hd_reuse_chunk(size) - 32) / 16;
    return class < HD_REUSE_CLASSES ? (uint32_t)class : HD_REUSE_CLASSES - 1;
}

/* "off", "all", "auto", or "auto:" and the classes that are on as a hexadecimal number.  False:
 * it is not of that form. */
bool hd_reuse_parse(const char *text, struct hd_reuse *reuse);
/* The inverse; `size` of 32 is enough. */
void hd_reuse_text(const struct hd_reuse *reuse, char *text, size_t size);

#endif
