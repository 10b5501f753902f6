/* Zones: which bytes of stacks and of the program's variables belong to no variable.
 *
 * One byte stands for eight bytes of memory:
 *   0       all belong to somebody, or nothing is known
 *   1 … 7   as many, from the first on, do; the rest is the zone after a variable
 *   ZONE    none does: a zone beside a variable
 *   GONE    none does: the scope of a local is over
 *
 * The table of stacks is world memory, logged and undone.  That of variables never changes, and
 * has padding at its end, so that it can be read in words. */
#ifndef HD_RUNTIME_ZONES_H
#define HD_RUNTIME_ZONES_H

#include "runtime/undefined.h"

#include <string.h>

enum { HD_ZONE = 0xf1, HD_GONE = 0xf5 };

void hd_zones_map_stacks(uint32_t first, uint32_t n);
void hd_zones_prepare(void); /* the variables' */

/* A violation unless all bytes belong to variables; for ranges that begin in the program's
 * variables. */
void hd_zones_variables(uint64_t at, uint64_t bytes, uint32_t site);
static inline void hd_zones_check_variables(uint64_t at, uint64_t bytes, uint32_t site)
{
    uint64_t offset = at - rt->zones_begin, units = (at % 8 + bytes + 7) / 8, zones;
    if (HD_LIKELY(offset >= rt->zones_bytes))
        return;
    memcpy(&zones, rt->zones + offset / 8, 8);
    if (HD_UNLIKELY(bytes > 56 || zones << (64 - 8 * units)))
        hd_zones_variables(at, bytes, site);
}

/* A violation unless all bytes, which are in a stack, belong to variables. */
void hd_zones_bad(uint64_t at, uint64_t bytes, uint32_t site, const char *word);
static inline void hd_zones_check(uint64_t at, uint64_t bytes, uint32_t site, const char *word)
{
    const uint8_t *zones = (const uint8_t *)((at - HD_STACK_BASE) / 8 + HD_STACK_ZONES);
    if (HD_LIKELY(bytes <= 8 - at % 8 && !zones[0]))
        return;
    hd_zones_bad(at, bytes, site, word);
}

/* The local that the byte of a stack belongs to: where its name is in the table of strings, and
 * the offset in it.  Leaves both alone when it is not known. */
void hd_zones_local(uint64_t at, uint32_t *name, uint32_t *offset);

/* The length of a range up to its first byte that belongs to no variable, inclusive: later
 * bytes do not matter, and may differ from run to run. */
uint64_t hd_zones_clip(uint64_t at, uint64_t n);

#endif
