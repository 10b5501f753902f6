/* Mutexes: normal, recursive, error-checking.
 *
 *        lock / trylock            lock by the owner: recursive: count + 1
 *   free ───────────────▶ owned                       errorcheck: EDEADLK
 *    ▲                      │                         normal: misuse
 *    └──────── unlock ──────┘
 *
 * A thread at LOCK or RELOCK is in the mutex's `pending` set and enabled iff the mutex is free.
 * PTHREAD_MUTEX_INITIALIZER is all zeros but for the kind, so an unknown mutex in that state
 * counts as initialised, and any other unknown mutex is used before its initialisation.  The
 * same holds for one that the program has overwritten (object_stamp.h).  As glibc does, destroy
 * sets the kind to -1: a destroyed mutex whose bytes are an initialiser again is a new one. */
#include "runtime/mutex.h"
#include "runtime/invariant.h"
#include "runtime/lock_parts.h"

#include "runtime/object_stamp.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static int kind_of(const pthread_mutex_t *m)
{
    int kind;
    hd_view_load(rt->cur, &m->__data.__kind, &kind, sizeof kind);
    return kind;
}

static void set_kind(pthread_mutex_t *m, int kind)
{
    hd_log_word(&m->__data.__kind);
    hd_view_write(rt->cur, &m->__data.__kind, &kind, sizeof kind);
}

static bool static_initialiser(const pthread_mutex_t *m)
{
    pthread_mutex_t zero;
    memset(&zero, 0, sizeof zero);
    zero.__data.__kind = kind_of(m);
    return zero.__data.__kind >= 0 && zero.__data.__kind <= 3 &&
           hd_view_holds(rt->cur, m, &zero, sizeof zero);
}

/* The mutex as it is, of which a part may be meant. */
static struct hd_sync *known(pthread_mutex_t *m, uint32_t site)
{
    hd_touch_object(m, site);
    hd_invariant_never("a function that synchronises", site);
    hd_check_object(m, site);
    struct hd_sync *s = hd_sync_find((uint64_t)(uintptr_t)m);
    if (HD_LIKELY(s && s->kind == HD_SYNC_MUTEX && !s->destroyed &&
                  hd_object_stamp_same(s, HD_SYNC_MUTEX)))
        return s;
    if (s && s->destroyed && kind_of(m) == -1)
        hd_sync_is_destroyed(s, "mutex", site);
    if (s) /* the program has written over it */
        hd_part_not((uint64_t)(uintptr_t)m);
    hd_object_stamp_not_copied(m, HD_SYNC_MUTEX, "mutex", site);
    if (!static_initialiser(m))
        hd_violation(HD_KIND_MISUSE, site, "use of a mutex before its initialisation");
    s = hd_sync_make((uint64_t)(uintptr_t)m, HD_SYNC_MUTEX);
    s->type = (uint16_t)(kind_of(m) == 3 ? 0 : kind_of(m));
    hd_object_stamp_put(m, HD_SYNC_MUTEX);
    return s;
}

struct hd_sync *hd_mutex_of(pthread_mutex_t *m, uint32_t site)
{
    hd_part_not((uint64_t)(uintptr_t)m);
    return known(m, site);
}

int pthread_mutex_init(pthread_mutex_t *m, const pthread_mutexattr_t *attr)
{
    uint32_t site = hd_take_site();
    int type = PTHREAD_MUTEX_DEFAULT, robust = PTHREAD_MUTEX_STALLED;
    int protocol = PTHREAD_PRIO_NONE, ceiling = 0;
    if (attr) {
        pthread_mutexattr_gettype(attr, &type);
        pthread_mutexattr_getrobust(attr, &robust);
        pthread_mutexattr_getprotocol(attr, &protocol);
        pthread_mutexattr_getprioceiling(attr, &ceiling);
    }
    hd_touch_object(m, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_MUTEX_INIT, m, NULL, 0, site);
    hd_part_not_shared((uint64_t)(uintptr_t)m);
    hd_check_object(m, site);
    struct hd_sync *s = hd_sync_find((uint64_t)(uintptr_t)m);
    if (s && s->kind == HD_SYNC_MUTEX && !s->destroyed && s->owner != HD_NOBODY &&
        !hd_object_stamp_may_differ(s))
        hd_violation(HD_KIND_MISUSE, site, "pthread_mutex_init of a locked mutex");
    s = hd_sync_make((uint64_t)(uintptr_t)m, HD_SYNC_MUTEX);
    s->type = (uint16_t)type;
    s->waiting = protocol == PTHREAD_PRIO_PROTECT ? (uint32_t)ceiling + 1 : 0;
    if (robust == PTHREAD_MUTEX_ROBUST)
        hd_mutex_make_robust(s);
    hd_log_range(m, sizeof *m);
    hd_view_fill(rt->cur, m, 0, sizeof *m);
    hd_view_write(rt->cur, &m->__data.__kind, &type, sizeof type);
    hd_object_stamp_put(m, HD_SYNC_MUTEX);
    return 0;
}

static __attribute__((noinline)) int destroy_any(pthread_mutex_t *m, uint32_t site)
{
    struct hd_sync *s = known(m, site);
    hd_part_not_shared((uint64_t)(uintptr_t)m);
    if (!rt->solo_fast)
        hd_act(HD_OP_MUTEX_DESTROY, m, NULL, 0, site);
    if (s->owner != HD_NOBODY)
        hd_violation(HD_KIND_MISUSE, site, "pthread_mutex_destroy of a locked mutex");
    hd_sync_destroyed(s, site);
    set_kind(m, -1);
    return 0;
}

/* The fast path of the common case, of which a program may end with many: a mutex that is not
 * misused is destroyed by the only thread. */
static inline bool destroy_alone(pthread_mutex_t *m)
{
    uint64_t at = (uint64_t)(uintptr_t)m;
    if (rt->solo_fast != HD_FAST_SOLO || at < 4096 || rt->parts ||
        at - HD_STACK_BASE < HD_LAYOUT_END - HD_STACK_BASE)
        return false;
    struct hd_sync *s = hd_sync_find(at);
    if (!s || s->kind != HD_SYNC_MUTEX || s->destroyed || s->owner != HD_NOBODY ||
        !hd_object_stamp_own(at, HD_SYNC_MUTEX))
        return false;
    HD_SET(s->destroyed, 1);
    set_kind(m, -1);
    return true;
}

int pthread_mutex_destroy(pthread_mutex_t *m)
{
    uint32_t site = hd_take_site();
    return HD_LIKELY(destroy_alone(m)) ? 0 : destroy_any(m, site);
}

void hd_mutex_take(struct hd_sync *s, uint32_t site)
{
    hd_log_word(&s->kind);
    hd_log_word(&s->count);
    hd_log_word(&s->pending.w[rt->cur >> 6]);
    s->owner = (uint16_t)rt->cur;
    s->count = 1;
    s->site = site;
    hd_tset_del(&s->pending, rt->cur);
    hd_sync_disable(&s->pending, rt->cur);
}

/* Wait at LOCK or RELOCK until the mutex is ours. */
void hd_mutex_acquire(struct hd_sync *s, enum hd_op op, uint32_t site)
{
    if (rt->solo_fast && s->owner == HD_NOBODY) {
        hd_mutex_take(s, site);
        return;
    }
    if (s->owner != HD_NOBODY && hd_thread_now()->atomic_depth)
        hd_violation(HD_KIND_MISUSE, site, "an atomic section waits for a lock");
    hd_log_word(&s->pending.w[rt->cur >> 6]);
    hd_tset_add(&s->pending, rt->cur);
    hd_set_enabled(rt->cur, s->owner == HD_NOBODY);
    hd_act(op, (void *)(uintptr_t)s->addr, NULL, 0, site);
    hd_mutex_take(s, site);
}

static inline int lock_object(struct hd_sync *s, pthread_mutex_t *m, uint32_t site)
{
    if (s->owner == rt->cur) {
        if (s->type == PTHREAD_MUTEX_NORMAL)
            hd_violation(HD_KIND_MISUSE, site,
                         "pthread_mutex_lock of a mutex that this thread holds already: it waits "
                         "for itself");
        if (!rt->solo_fast)
            hd_act(HD_OP_LOCK_AGAIN, m, NULL, 0, site);
        if (s->type == PTHREAD_MUTEX_ERRORCHECK)
            return EDEADLK;
        HD_SET(s->count, s->count + 1);
        return 0;
    }
    hd_mutex_acquire(s, HD_OP_LOCK, site);
    return hd_mutex_taken(s);
}

static __attribute__((noinline)) int lock_part(struct hd_sync *s, pthread_mutex_t *m,
                                               uint32_t site)
{
    struct hd_sync *part = hd_part_to_lock(s);
    int result = lock_object(part, m, site);
    hd_check_object(m, site);
    hd_part_taken(part);
    return result;
}

static int lock(pthread_mutex_t *m, uint32_t site)
{
    struct hd_sync *s = known(m, site);
    return HD_LIKELY(!rt->parts) ? lock_object(s, m, site) : lock_part(s, m, site);
}

int pthread_mutex_lock(pthread_mutex_t *m) { return lock(m, hd_take_site()); }

int pthread_mutex_trylock(pthread_mutex_t *m)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = hd_mutex_of(m, site);
    bool again = s->owner == rt->cur && s->type == PTHREAD_MUTEX_RECURSIVE;
    if (!rt->solo_fast)
        hd_act(again ? HD_OP_LOCK_AGAIN : HD_OP_TRYLOCK, m, NULL, 0, site);
    if (s->owner == HD_NOBODY && !hd_weak_fails()) {
        hd_mutex_take(s, site);
        return hd_mutex_taken(s);
    }
    if (!again) {
        hd_orders_less(HD_LESS_TRY);
        return EBUSY;
    }
    HD_SET(s->count, s->count + 1);
    return 0;
}

int pthread_mutex_clocklock(pthread_mutex_t *restrict m, clockid_t clock,
                            const struct timespec *restrict at)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = hd_mutex_of(m, site);
    uint64_t deadline;
    if (!hd_deadline(clock, at, &deadline))
        return EINVAL;
    if (hd_deadline_never(deadline) || s->owner == rt->cur)
        return lock(m, site);
    if (!hd_sync_try(s, HD_OP_TIMEDLOCK, site)) {
        hd_clock_reach(deadline, site);
        return ETIMEDOUT;
    }
    hd_mutex_take(s, site);
    return hd_mutex_taken(s);
}

int pthread_mutex_timedlock(pthread_mutex_t *restrict m, const struct timespec *restrict at)
{
    return pthread_mutex_clocklock(m, CLOCK_REALTIME, at);
}

void hd_mutex_release(struct hd_sync *s)
{
    hd_log_word(&s->kind);
    hd_log_word(&s->count);
    s->owner = HD_NOBODY;
    s->count = 0;
    hd_sync_enable(&s->pending);
}

static inline int unlock_object(struct hd_sync *s, uint32_t site)
{
    enum hd_op op = HD_OP_UNLOCK; /* no other thread can change the kind of unlock */
    if (s->owner != rt->cur)
        op = s->type == PTHREAD_MUTEX_NORMAL ? HD_OP_UNLOCK : HD_OP_UNLOCK_FAIL;
    else if (s->count > 1)
        op = HD_OP_UNLOCK_AGAIN;
    if (!rt->solo_fast)
        hd_act(op, (void *)(uintptr_t)s->addr, NULL, 0, site);
    if (s->owner != rt->cur) {
        if (s->type == PTHREAD_MUTEX_NORMAL)
            hd_violation(HD_KIND_MISUSE, site,
                         s->owner == HD_NOBODY
                             ? "pthread_mutex_unlock of a mutex that nobody holds"
                             : "pthread_mutex_unlock of a mutex that another thread holds");
        hd_orders_less(HD_LESS_TRY);
        return EPERM;
    }
    if (s->count > 1) {
        HD_SET(s->count, s->count - 1);
        return 0;
    }
    if (s->limit & HD_ROBUST_DEAD)
        HD_SET(s->limit, HD_ROBUST | HD_ROBUST_LOST);
    hd_mutex_release(s);
    return 0;
}

static __attribute__((noinline)) int unlock_part(struct hd_sync *s, uint32_t site)
{
    struct hd_sync *part = hd_part_to_unlock(s);
    int result = unlock_object(part, site);
    hd_part_released(part);
    return result;
}

int pthread_mutex_unlock(pthread_mutex_t *m)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = known(m, site);
    return HD_LIKELY(!rt->parts) ? unlock_object(s, site) : unlock_part(s, site);
}
