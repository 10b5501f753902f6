/* Read-write locks.
 *
 *            rdlock                      wrlock
 *   readers ◀──────── free / readers     free ────────▶ writer
 *
 * Readers come before waiting writers, as glibc has it by default, so every order of grants is
 * explored.  A lock of kind PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP lets no reader in
 * while a writer waits: there a writer announces itself first (WRQUEUE), because a thread that
 * is about to lock has not called yet. */
#include "runtime/object_stamp.h"

#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <time.h>

#define WHAT "read-write lock"

enum way { WAIT, TRY, TIMED };

struct request {
    enum way way;
    uint64_t deadline;
    uint32_t site;
};

static uint8_t *reads_of(const struct hd_sync *s)
{
    return &model->reads[s - model->sync][rt->cur];
}

static struct hd_sync *lock_of(pthread_rwlock_t *l, uint32_t site)
{
    pthread_rwlock_t fresh;
    hd_touch_object(l, site);
    hd_check_object(l, site);
    memset(&fresh, 0, sizeof fresh);
    hd_view_load(rt->cur, &l->__data.__flags, &fresh.__data.__flags, sizeof(unsigned));
    struct hd_sync *s = hd_sync_find((uint64_t)(uintptr_t)l);
    if (HD_LIKELY(s && s->kind == HD_SYNC_RWLOCK && !s->destroyed && !rt->in_invariant &&
                  hd_object_stamp_same(s, HD_SYNC_RWLOCK)))
        return s;
    hd_object_stamp_not_copied(l, HD_SYNC_RWLOCK, WHAT, site);
    s = hd_sync_use(l, HD_SYNC_RWLOCK, WHAT,
                    fresh.__data.__flags <= 2 && hd_view_holds(rt->cur, l, &fresh, sizeof fresh),
                    site);
    s->type = (uint16_t)fresh.__data.__flags;
    hd_object_stamp_put(l, HD_SYNC_RWLOCK);
    return s;
}

int pthread_rwlock_init(pthread_rwlock_t *restrict l, const pthread_rwlockattr_t *restrict attr)
{
    uint32_t site = hd_take_site();
    int kind = PTHREAD_RWLOCK_DEFAULT_NP;
    if (attr)
        pthread_rwlockattr_getkind_np(attr, &kind);
    struct hd_sync *s = hd_sync_init(l, HD_SYNC_RWLOCK, WHAT, site);
    s->type = (uint16_t)kind;
    hd_log_range(l, sizeof *l);
    hd_view_fill(rt->cur, l, 0, sizeof *l);
    hd_view_write(rt->cur, &l->__data.__flags, &kind, sizeof kind);
    hd_object_stamp_put(l, HD_SYNC_RWLOCK);
    return 0;
}

int pthread_rwlock_destroy(pthread_rwlock_t *l)
{
    uint32_t site = hd_take_site();
    hd_sync_destroy(lock_of(l, site), WHAT, site);
    hd_log_range(l, sizeof *l);
    hd_view_fill(rt->cur, l, 0xff, sizeof *l);
    return 0;
}

/* A thread that waits for its own lock waits for ever. */
static void not_for_itself(const struct hd_sync *s, bool writing, uint32_t site)
{
    if (s->owner == rt->cur || (writing && *reads_of(s)))
        hd_violation(HD_KIND_MISUSE, site,
                     "pthread_rwlock_%s of a lock that this thread holds already%s: it waits for "
                     "itself",
                     writing ? "wrlock" : "rdlock", s->owner == rt->cur ? "" : " for reading");
}

static int read_lock(pthread_rwlock_t *l, const struct request *r)
{
    struct hd_sync *s = lock_of(l, r->site);
    if (r->way == WAIT) {
        not_for_itself(s, false, r->site);
        hd_sync_wait(s, HD_OP_RDLOCK, r->site);
    } else if (!hd_sync_try(s, r->way == TRY ? HD_OP_TRYRDLOCK : HD_OP_TIMEDRDLOCK, r->site)) {
        if (r->way == TRY)
            return EBUSY;
        hd_clock_reach(r->deadline, r->site);
        return ETIMEDOUT;
    }
    HD_SET(s->count, s->count + 1);
    if (*reads_of(s) == UINT8_MAX)
        hd_fatal("a thread holds a read-write lock more than %d times for reading", UINT8_MAX);
    HD_SET(*reads_of(s), (uint8_t)(*reads_of(s) + 1));
    hd_sync_changed(s);
    return 0;
}

static void announce(struct hd_sync *s, int by, uint32_t site)
{
    if (s->type != PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        return;
    if (!rt->solo_fast)
        hd_act(HD_OP_WRQUEUE, (void *)(uintptr_t)s->addr, NULL, 0, site);
    HD_SET(s->waiting, s->waiting + (uint32_t)by);
    hd_sync_changed(s);
}

static int write_lock(pthread_rwlock_t *l, const struct request *r)
{
    struct hd_sync *s = lock_of(l, r->site);
    if (r->way == WAIT)
        not_for_itself(s, true, r->site);
    if (r->way != TRY)
        announce(s, 1, r->site);
    if (r->way == WAIT) {
        hd_sync_wait(s, HD_OP_WRLOCK, r->site);
    } else if (!hd_sync_try(s, r->way == TRY ? HD_OP_TRYWRLOCK : HD_OP_TIMEDWRLOCK, r->site)) {
        if (r->way == TRY)
            return EBUSY;
        announce(s, -1, r->site);
        hd_clock_reach(r->deadline, r->site);
        return ETIMEDOUT;
    }
    hd_log_word(&s->kind);
    hd_log_word(&s->site);
    s->owner = (uint16_t)rt->cur;
    s->site = r->site;
    if (r->way != TRY && s->type == PTHREAD_RWLOCK_PREFER_WRITER_NONRECURSIVE_NP)
        HD_SET(s->waiting, s->waiting - 1);
    hd_sync_changed(s);
    return 0;
}

int pthread_rwlock_unlock(pthread_rwlock_t *l)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = lock_of(l, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_RWUNLOCK, l, NULL, 0, site);
    if (s->owner == rt->cur) {
        HD_SET(s->owner, HD_NOBODY);
    } else if (*reads_of(s)) {
        HD_SET(s->count, s->count - 1);
        HD_SET(*reads_of(s), (uint8_t)(*reads_of(s) - 1));
    } else {
        hd_violation(HD_KIND_MISUSE, site,
                     s->owner == HD_NOBODY && s->count == 0
                         ? "pthread_rwlock_unlock of a lock that nobody holds"
                         : "pthread_rwlock_unlock of a lock that another thread holds");
    }
    hd_sync_changed(s);
    return 0;
}

int pthread_rwlock_rdlock(pthread_rwlock_t *l)
{
    return read_lock(l, &(struct request){ WAIT, 0, hd_take_site() });
}

int pthread_rwlock_wrlock(pthread_rwlock_t *l)
{
    return write_lock(l, &(struct request){ WAIT, 0, hd_take_site() });
}

int pthread_rwlock_tryrdlock(pthread_rwlock_t *l)
{
    return read_lock(l, &(struct request){ TRY, 0, hd_take_site() });
}

int pthread_rwlock_trywrlock(pthread_rwlock_t *l)
{
    return write_lock(l, &(struct request){ TRY, 0, hd_take_site() });
}

static int timed(pthread_rwlock_t *l, clockid_t clock, const struct timespec *at,
                 int (*lock)(pthread_rwlock_t *, const struct request *))
{
    struct request r = { .way = TIMED, .site = hd_take_site() };
    if (!hd_deadline(clock, at, &r.deadline))
        return EINVAL;
    if (hd_deadline_never(r.deadline))
        r.way = WAIT;
    return lock(l, &r);
}

int pthread_rwlock_timedrdlock(pthread_rwlock_t *restrict l, const struct timespec *restrict at)
{
    return timed(l, CLOCK_REALTIME, at, read_lock);
}

int pthread_rwlock_timedwrlock(pthread_rwlock_t *restrict l, const struct timespec *restrict at)
{
    return timed(l, CLOCK_REALTIME, at, write_lock);
}

int pthread_rwlock_clockrdlock(pthread_rwlock_t *restrict l, clockid_t clock,
                               const struct timespec *restrict at)
{
    return timed(l, clock, at, read_lock);
}

int pthread_rwlock_clockwrlock(pthread_rwlock_t *restrict l, clockid_t clock,
                               const struct timespec *restrict at)
{
    return timed(l, clock, at, write_lock);
}
