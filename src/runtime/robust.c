/* Robust mutexes, and the priority ceilings of mutexes.
 *
 *   owned ──owner ends──▶ free, dead ──lock: EOWNERDEAD──▶ owned, dead ──consistent──▶ owned
 *                                                               │ unlock
 *                                                               ▼
 *                                            lost: every lock says ENOTRECOVERABLE */
#include "runtime/memory.h"
#include "runtime/mutex.h"

#include <errno.h>

void hd_mutex_make_robust(struct hd_sync *s)
{
    s->limit = HD_ROBUST;
    for (uint64_t i = 0; i < model->n_robust; i++)
        if (model->robust[i] == s->addr)
            return;
    if (model->n_robust == HD_MAX_ROBUST)
        hd_fatal("the program uses more than %u robust mutexes", HD_MAX_ROBUST);
    HD_SET(model->robust[model->n_robust], s->addr);
    HD_SET(model->n_robust, model->n_robust + 1);
}

void hd_mutex_owner_dies(void)
{
    for (uint64_t i = 0; i < model->n_robust; i++) {
        struct hd_sync *s = hd_sync_find(model->robust[i]);
        if (!s || s->kind != HD_SYNC_MUTEX || s->destroyed || s->owner != rt->cur ||
            !(s->limit & HD_ROBUST))
            continue;
        if (!rt->solo_fast)
            hd_act(HD_OP_OWNER_DIED, (void *)(uintptr_t)s->addr, NULL, 0, 0);
        HD_SET(s->limit, HD_ROBUST | HD_ROBUST_DEAD);
        hd_mutex_release(s);
    }
}

int hd_mutex_taken(struct hd_sync *s)
{
    if (HD_LIKELY(!(s->limit & (HD_ROBUST_DEAD | HD_ROBUST_LOST))))
        return 0;
    if (s->limit & HD_ROBUST_DEAD)
        return EOWNERDEAD;
    hd_mutex_release(s);
    return ENOTRECOVERABLE;
}

int pthread_mutex_consistent(pthread_mutex_t *m)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = hd_mutex_of(m, site);
    if (s->owner != rt->cur || !(s->limit & HD_ROBUST_DEAD))
        return EINVAL;
    HD_SET(s->limit, HD_ROBUST); /* no other thread looks at it while it is owned */
    return 0;
}

int pthread_mutex_getprioceiling(const pthread_mutex_t *restrict m, int *restrict ceiling)
{
    uint32_t site = hd_take_site();
    const struct hd_sync *s = hd_mutex_of((pthread_mutex_t *)(uintptr_t)m, site);
    if (!s->waiting)
        return EINVAL;
    if (!rt->solo_fast)
        hd_act(HD_OP_ATTR_GET, m, ceiling, sizeof *ceiling, site);
    int now = (int)s->waiting - 1;
    hd_store_result(ceiling, &now, sizeof now, site);
    return 0;
}

/* It locks the mutex, changes the ceiling and unlocks it. */
int pthread_mutex_setprioceiling(pthread_mutex_t *restrict m, int now, int *restrict before)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = hd_mutex_of(m, site);
    if (!s->waiting || now < 1 || now > 99)
        return EINVAL;
    bool mine = s->owner == rt->cur;
    if (!mine)
        hd_mutex_acquire(s, HD_OP_LOCK, site);
    int was = (int)s->waiting - 1;
    HD_SET(s->waiting, (uint32_t)now + 1);
    if (!mine && !rt->solo_fast)
        hd_act(HD_OP_UNLOCK, m, NULL, 0, site);
    if (!mine)
        hd_mutex_release(s);
    __heddle_will_write(before, sizeof *before, site);
    hd_view_write(rt->cur, before, &was, sizeof was);
    return 0;
}
