/* The stamp of a synchronisation object: its own address, in bytes of it that the runtime does
 * not need.
 *
 * The model knows an object by its address, but what lies there may become another one: the
 * program assigns an initialiser, clears a struct, or calls a function again that has one among
 * its variables.  All of them overwrite the stamp, and a copy has the stamp of another object.
 * A control of pthread_once has none: it holds what glibc would have there (once.c). */
#ifndef HD_RUNTIME_OBJECT_STAMP_H
#define HD_RUNTIME_OBJECT_STAMP_H

#include "runtime/view.h"

#include <pthread.h>
#include <semaphore.h>
#include <string.h>

struct hd_object_stamp_place {
    uint32_t offset, bytes; /* 0: there is none */
};

static inline struct hd_object_stamp_place hd_object_stamp_place(enum hd_sync_kind kind)
{
    switch (kind) {
    case HD_SYNC_MUTEX:
        return (struct hd_object_stamp_place){ offsetof(pthread_mutex_t, __data.__list.__next),
                                               8 };
    case HD_SYNC_RWLOCK:
        return (struct hd_object_stamp_place){ offsetof(pthread_rwlock_t, __data.__pad2), 8 };
    case HD_SYNC_COND:
        return (struct hd_object_stamp_place){ sizeof(pthread_cond_t) - 8, 8 };
    case HD_SYNC_SEM:
        return (struct hd_object_stamp_place){ sizeof(sem_t) - 8, 8 };
    case HD_SYNC_BARRIER:
        return (struct hd_object_stamp_place){ sizeof(pthread_barrier_t) - 8, 8 };
    case HD_SYNC_SPIN:
        return (struct hd_object_stamp_place){ 0, sizeof(pthread_spinlock_t) };
    default:
        return (struct hd_object_stamp_place){ 0, 0 };
    }
}

/* The upper quarter (of a spinlock's, half) is the same for all objects. */
static inline uint64_t hd_object_stamp_of(uint64_t addr, enum hd_sync_kind kind)
{
    if (kind == HD_SYNC_SPIN)
        return 0x6864u << 16 | (uint32_t)(addr * 0x9e3779b97f4a7c15ull >> 48);
    return 0x6864ull << 48 | addr;
}

static inline uint64_t hd_object_stamp_read(uint64_t addr, enum hd_sync_kind kind)
{
    struct hd_object_stamp_place place = hd_object_stamp_place(kind);
    uint64_t sign = 0;
    hd_view_load(rt->cur, (const char *)addr + place.offset, &sign, place.bytes);
    return sign;
}

/* Does the object have its own stamp? */
static inline bool hd_object_stamp_own(uint64_t addr, enum hd_sync_kind kind)
{
    return hd_object_stamp_place(kind).bytes == 0 ||
           hd_object_stamp_read(addr, kind) == hd_object_stamp_of(addr, kind);
}

void hd_object_stamp_put(void *at, enum hd_sync_kind kind);

/* The object lacks its own stamp: has it been overwritten, so that its bytes say what it is
 * now?  Not while threads wait for it, and not if it has become a copy of another object: using
 * a copy is undefined, although sorting unlocked ones works everywhere. */
bool hd_object_stamp_overwritten(const struct hd_sync *s);

/* Is it the object that was initialised, according to its bytes? */
static inline bool hd_object_stamp_same(const struct hd_sync *s, enum hd_sync_kind kind)
{
    return HD_LIKELY(hd_object_stamp_own(s->addr, kind)) || !hd_object_stamp_overwritten(s);
}

/* An object is initialised at the address of one in use: may it be a new one?  Yes if the old
 * one was overwritten, or if the running thread left it locked on its own stack, perhaps in a
 * frame that has ended.  (If it has not, unlocking it is the misuse.) */
bool hd_object_stamp_may_differ(const struct hd_sync *s);

/* A misuse if the object, which is unknown, is a copy of another. */
void hd_object_stamp_not_copied(const void *at, enum hd_sync_kind kind, const char *what,
                                uint32_t site);

#endif
