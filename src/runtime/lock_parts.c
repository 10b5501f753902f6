/* Mutexes that are split into parts: docs/design/029-locks.md.
 *
 * A part is a mutex of its own.  It is locked by threads that hold no other part; while a
 * thread holds one it accesses memory and does nothing else.  Whatever else it does, and
 * whatever else is done to a mutex than locking and unlocking it, is told to the explorer,
 * which begins again with that mutex in one piece. */
#include "runtime/lock_parts.h"

#include <pthread.h>

void hd_part_not(uint64_t mutex)
{
    if (HD_UNLIKELY(rt->parts != NULL))
        hd_lock_parts_keep_whole(rt->parts, mutex);
}

void hd_part_not_shared(uint64_t mutex)
{
    if (HD_UNLIKELY(rt->parts != NULL) &&
        (!rt->solo_fast || HD_PART_MUTEX(hd_thread_now()->part) == mutex))
        hd_part_not(mutex);
}

void hd_part_posts(enum hd_op op, uint64_t object)
{
    uint64_t part = hd_thread_now()->part;
    if (part && op != HD_OP_COPY && !(op == HD_OP_UNLOCK && object == part))
        hd_part_not(HD_PART_MUTEX(part));
}

/* Can the mutex be split at all?  Only a normal one: an attempt to lock others by their owner,
 * or to unlock them by somebody else, looks at who owns them.  The end of a thread ends what is
 * on its stack, and that of a mapping what is in it. */
static bool is_splittable(const struct hd_sync *s)
{
    uint64_t at = s->addr;
    bool global = at < HD_OWN_BEGIN || at >= HD_LAYOUT_END;
    bool heap = at >= HD_HEAP_BASE && at < HD_LAYOUT_END;
    return s->type == PTHREAD_MUTEX_NORMAL && !s->limit && !s->waiting && (global || heap) &&
           !HD_IS_MAPPED(at) && at >> HD_PART_SHIFT == 0;
}

struct hd_sync *hd_part_to_lock(struct hd_sync *mutex)
{
    struct hd_thread *t = hd_thread_now();
    uint64_t n = t->n_locks < HD_PART_SECTIONS ? t->n_locks + 1 : HD_PART_SECTIONS;
    HD_SET(t->n_locks, n);
    if (t->part && HD_PART_MUTEX(t->part) == mutex->addr)
        return hd_sync_find(t->part);
    if (t->part)
        hd_part_not(HD_PART_MUTEX(t->part));
    if (t->atomic_depth || rt->cur >= HD_PART_THREADS)
        hd_part_not(mutex->addr);
    if (t->part || t->atomic_depth || rt->cur >= HD_PART_THREADS || !is_splittable(mutex))
        return mutex;
    uint64_t object = hd_lock_parts_of(&rt->shared->parts, mutex->addr,
                                       rt->cur * (HD_PART_SECTIONS + 1) + (uint32_t)n);
    if (object == mutex->addr)
        return mutex;
    struct hd_sync *part = hd_sync_find(object);
    return part ? part : hd_sync_make(object, HD_SYNC_MUTEX);
}

struct hd_sync *hd_part_to_unlock(struct hd_sync *mutex)
{
    const struct hd_thread *t = hd_thread_now();
    if (t->part && HD_PART_MUTEX(t->part) == mutex->addr)
        return hd_sync_find(t->part);
    if (mutex->owner != rt->cur) /* an error, and a part does not know whose */
        hd_part_not(mutex->addr);
    return mutex;
}

void hd_part_taken(const struct hd_sync *s)
{
    if (!HD_PART_NUMBER(s->addr))
        return;
    hd_log_word(&model->parted.w[rt->cur >> 6]);
    hd_tset_add(&model->parted, rt->cur);
    HD_SET(hd_thread_now()->part, s->addr);
}

void hd_part_released(const struct hd_sync *s)
{
    if (!HD_PART_NUMBER(s->addr))
        return;
    hd_log_word(&model->parted.w[rt->cur >> 6]);
    hd_tset_del(&model->parted, rt->cur);
    HD_SET(hd_thread_now()->part, 0);
}
