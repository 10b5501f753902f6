/* Barriers.
 *
 *              arrive                    the last arrives            leave
 *   running ───────────▶ BLOCKED ──────────────────────────▶ LEAVE ────────▶ running
 *                        never enabled                       always enabled
 *
 * Which thread gets PTHREAD_BARRIER_SERIAL_THREAD is a choice of the last arrival's step: 0 is
 * the last one itself, others follow by thread id. */
#include "runtime/rt.h"

#include <errno.h>
#include <pthread.h>

#define WHAT "barrier"

int pthread_barrier_init(pthread_barrier_t *restrict b,
                         const pthread_barrierattr_t *restrict attr, unsigned count)
{
    uint32_t site = hd_take_site();
    (void)attr;
    if (count == 0)
        return EINVAL;
    struct hd_sync *s = hd_sync_init(b, HD_SYNC_BARRIER, WHAT, site);
    s->limit = count;
    return 0;
}

int pthread_barrier_destroy(pthread_barrier_t *b)
{
    uint32_t site = hd_take_site();
    hd_sync_destroy(hd_sync_use(b, HD_SYNC_BARRIER, WHAT, false, site), WHAT, site);
    return 0;
}

static uint16_t choices(const struct hd_sync *s)
{
    return (uint16_t)(s->limit - s->count == 1 ? s->limit : 1);
}

/* Pending arrivals have as many choices as there would be threads released now. */
static void recount(const struct hd_sync *s)
{
    for (uint32_t i = 0; i < rt->config.n_threads; i++) {
        struct hd_action *a = &rt->next[i];
        if (a->op == HD_OP_ARRIVE && a->object == s->addr)
            hd_recount(a, choices(s));
    }
}

void hd_barrier_recount(uint64_t barrier)
{
    const struct hd_sync *s = hd_sync_find(barrier);
    if (s)
        recount(s);
}

static int result_of(const struct hd_thread *t)
{
    return t->serial ? PTHREAD_BARRIER_SERIAL_THREAD : 0;
}

static void release_all(struct hd_sync *s)
{
    uint32_t which = rt->choice;
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (hd_tset_has(&s->pending, i)) {
            HD_SET(model->threads[i].serial, --which == 0);
            hd_sync_wake(s, i, HD_OP_LEAVE);
        }
    HD_SET(hd_thread_now()->serial, rt->choice == 0);
    HD_SET(s->count, 0);
}

int pthread_barrier_wait(pthread_barrier_t *b)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = hd_sync_use(b, HD_SYNC_BARRIER, WHAT, false, site);
    if (s->limit > 1)
        hd_no_atomic(site);
    if (!rt->solo_fast)
        hd_act_full(HD_OP_ARRIVE, b, NULL, 0, site, choices(s));
    hd_check_object(b, site);
    hd_sync_not_stale(site);
    if (s->limit - s->count == 1) {
        release_all(s);
        recount(s);
        return result_of(hd_thread_now());
    }
    HD_SET(s->count, s->count + 1);
    recount(s);
    hd_sync_sleep(s, site);
    return result_of(hd_thread_now());
}
