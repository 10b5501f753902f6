/* Which bytes of stacks and of the program's variables belong to nobody.
 *
 * One byte stands for eight bytes of memory:
 *   0       all belong to somebody, or nothing is known
 *   1 … 7   as many, from the first on, do; the rest is the zone behind a variable
 *   ZONE    none does: a zone beside a variable
 *   GONE    none does: the scope of a local is over
 *
 * That of stacks is world memory, logged and undone.  That of variables never changes. */
#ifndef HD_RUNTIME_ZONES_H
#define HD_RUNTIME_ZONES_H

#include "runtime/undefined.h"

enum { HD_ZONE = 0xf1, HD_GONE = 0xf5 };

void hd_zones_map_stack(uint32_t thread);
void hd_zones_prepare(void); /* the variables' */

/* A violation unless all bytes, which lie in a stack, belong to somebody. */
void hd_zones_bad(uint64_t at, uint64_t bytes, uint32_t site, const char *word);
static inline void hd_zones_check(uint64_t at, uint64_t bytes, uint32_t site, const char *word)
{
    const uint8_t *zones = (const uint8_t *)((at - HD_STACK_BASE) / 8 + HD_STACK_ZONES);
    if (HD_LIKELY(bytes <= 8 && !zones[0] && !zones[1]))
        return;
    hd_zones_bad(at, bytes, site, word);
}

#endif
