#include "runtime/object_stamp.h"

void hd_object_stamp_put(void *at, enum hd_sync_kind kind)
{
    struct hd_object_stamp_place place = hd_object_stamp_place(kind);
    uint64_t sign = hd_object_stamp_of((uint64_t)(uintptr_t)at, kind);
    hd_view_store_result(rt->cur, (char *)at + place.offset, &sign, place.bytes);
}

static bool copied(uint64_t addr, enum hd_sync_kind kind)
{
    uint64_t sign = hd_object_stamp_read(addr, kind), own = hd_object_stamp_of(addr, kind);
    uint32_t common = kind == HD_SYNC_SPIN ? 16 : 48;
    return sign != own && sign >> common == own >> common;
}

static bool waited_for(const struct hd_sync *s)
{
    return !hd_tset_empty(&s->pending, hd_tset_words(rt->config.n_threads));
}

bool hd_object_stamp_overwritten(const struct hd_sync *s)
{
    enum hd_sync_kind kind = (enum hd_sync_kind)s->kind;
    return !hd_object_stamp_own(s->addr, kind) && !copied(s->addr, kind) && !waited_for(s);
}

bool hd_object_stamp_may_differ(const struct hd_sync *s)
{
    const struct hd_fiber *f = &rt->fibers[rt->cur];
    bool local = s->addr < f->top && s->addr >= f->top - f->bytes;
    return hd_object_stamp_overwritten(s) || (local && s->owner == rt->cur && !waited_for(s));
}

void hd_object_stamp_not_copied(const void *at, enum hd_sync_kind kind, const char *what,
                                uint32_t site)
{
    if (copied((uint64_t)(uintptr_t)at, kind))
        hd_violation(HD_KIND_MISUSE, site, "use of a copy of a %s, which is none", what);
}
