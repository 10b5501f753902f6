/* Spinlocks.  Spinning is waiting: a thread at SPIN_LOCK is enabled iff the lock is free, so a
 * lock that never becomes free is a deadlock and not an endless search. */
#include "runtime/rt.h"

#include <errno.h>
#include <pthread.h>

#define WHAT "spinlock"

static void take(struct hd_sync *s, uint32_t site)
{
    hd_log_word(&s->kind);
    hd_log_word(&s->site);
    s->owner = (uint16_t)rt->cur;
    s->site = site;
    hd_sync_changed(s);
}

static struct hd_sync *lock_of(pthread_spinlock_t *l, uint32_t site)
{
    return hd_sync_use((const void *)l, HD_SYNC_SPIN, WHAT, false, site);
}

int pthread_spin_init(pthread_spinlock_t *l, int shared)
{
    uint32_t site = hd_take_site();
    (void)shared;
    hd_sync_init((void *)l, HD_SYNC_SPIN, WHAT, site);
    return 0;
}

int pthread_spin_destroy(pthread_spinlock_t *l)
{
    uint32_t site = hd_take_site();
    hd_sync_destroy(lock_of(l, site), WHAT, site);
    return 0;
}

int pthread_spin_lock(pthread_spinlock_t *l)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = lock_of(l, site);
    if (s->owner == rt->cur)
        hd_violation(HD_KIND_MISUSE, site,
                     "pthread_spin_lock of a lock that this thread holds already: it waits for "
                     "itself");
    hd_sync_wait(s, HD_OP_SPIN_LOCK, site);
    take(s, site);
    return 0;
}

int pthread_spin_trylock(pthread_spinlock_t *l)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = lock_of(l, site);
    if (!hd_sync_try(s, HD_OP_SPIN_TRYLOCK, site))
        return EBUSY;
    take(s, site);
    return 0;
}

int pthread_spin_unlock(pthread_spinlock_t *l)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = lock_of(l, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_SPIN_UNLOCK, (const void *)l, NULL, 0, site);
    if (s->owner != rt->cur)
        hd_violation(HD_KIND_MISUSE, site,
                     s->owner == HD_NOBODY ? "pthread_spin_unlock of a lock that nobody holds"
                                           : "pthread_spin_unlock of a lock that another thread "
                                             "holds");
    HD_SET(s->owner, HD_NOBODY);
    hd_sync_changed(s);
    return 0;
}
