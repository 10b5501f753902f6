/* Volatile accesses.  In C they are plain.  With --races volatile-ok, or by a rule of the
 * suppression file (core/suppress.h), they are atomic, which is
 * what code older than C11 means by them: a load acquires and a store releases, as the accesses
 * of x86 do.  Accesses of more than 8 bytes, or that are not aligned, stay plain, because the
 * processor may make them in parts. */
#include "core/memory_order.h"
#include "core/notes.h"
#include "runtime/memory.h"
#include "runtime/notes.h"

#define LOADS (HD_ORDER_ACQUIRE | HD_ORDER_FAIL_ACQUIRE)

static inline bool counts_as_atomic(const void *a, uint64_t bytes, uint32_t site)
{
    const struct hd_options *o = rt->shared ? &rt->shared->options : NULL;
    if (HD_LIKELY(!o || !(o->volatile_ok || o->suppressions.n_volatile)) || bytes > 8 ||
        (uintptr_t)a % bytes != 0)
        return false;
    uint32_t rule = o->suppressions.n_volatile ? hd_volatile_rule(a, site) : 0;
    if (!rule && !o->volatile_ok)
        return false;
    if (rt->mode != HD_PLAIN)
        hd_notes_take(
            &rt->shared->notes,
            &(struct hd_note){ .kind = HD_NOTE_VOLATILE, .site = site, .rule = rule, .n = 1 });
    __heddle_reached(HD_NOTE_WEAK, site);
    return true;
}

#define HD_WIDTH(bits, bytes)                                                                    \
    uint##bits##_t __heddle_vload##bytes(const void *a, uint32_t site)                           \
    {                                                                                            \
        return counts_as_atomic(a, bytes, site) ? __heddle_aload##bytes(a, LOADS, site)          \
                                                : __heddle_load##bytes(a, site);                 \
    }                                                                                            \
    void __heddle_vstore##bytes(void *a, uint##bits##_t v, uint32_t site)                        \
    {                                                                                            \
        if (counts_as_atomic(a, bytes, site))                                                    \
            __heddle_astore##bytes(a, v, HD_ORDER_RELEASE, site);                                \
        else                                                                                     \
            __heddle_store##bytes(a, v, site);                                                   \
    }
#include "runtime/widths.def"
#undef HD_WIDTH
