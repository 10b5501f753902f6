/* The threads that may end the wait of a thread: the holder of a lock, the thread that is
 * joined; for signals, semaphores and barriers, every thread that can still reach a call which
 * wakes, from its place or after one of its current calls, according to the analysis
 * (analyse/wakers.h). */
#include "runtime/rt.h"

#include "core/enabled.h"
#include "core/site.h"

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));
extern const struct hd_site_wakers __start_heddle_wakers[] __attribute__((weak));

static uint32_t ahead_of(uint32_t site)
{
    return site && site < __start_heddle_info->n_sites ? __start_heddle_wakers[site].ahead : ~0u;
}

const struct hd_site_wakers *hd_site_facts(void *self, uint32_t *n)
{
    (void)self;
    *n = __start_heddle_info && __start_heddle_wakers ? __start_heddle_info->n_sites : 0;
    return __start_heddle_wakers;
}

/* The waking calls that the thread may still make. */
static uint32_t ahead(uint32_t thread)
{
    uint32_t sites[HD_MAX_FRAMES];
    const struct hd_action *a = &rt->next[thread];
    if (a->op == HD_OP_EXIT || a->op == HD_OP_END)
        return 0;
    if (a->op == HD_OP_START)
        return ~0u;
    uint32_t n = hd_stack_parked(NULL, thread, sites);
    uint32_t mask = n == HD_MAX_FRAMES ? ~0u : ahead_of(a->site);
    for (uint32_t i = 0; i < n; i++)
        mask |= ahead_of(sites[i]);
    return mask;
}

static bool by_site(uint32_t waiter, uint32_t site, struct hd_tset *out)
{
    const struct hd_site_wakers *w = &__start_heddle_wakers[site];
    if (!__start_heddle_info || !__start_heddle_wakers || hd_cancels() || hd_interrupts() ||
        site == 0 || site >= __start_heddle_info->n_sites || !w->waits)
        return false;
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (i != waiter && hd_tset_has(&rt->config.live, i) && (ahead(i) & w->by))
            hd_tset_add(out, i);
    return true;
}

bool hd_wakers(void *self, uint32_t thread, struct hd_tset *out)
{
    const struct hd_action *a = &rt->next[thread];
    (void)self;
    hd_tset_clear(out);
    if (model->threads[thread].gave_up)
        return false; /* time ends the wait */
    if (a->op == HD_OP_JOIN) {
        hd_tset_add(out, (uint32_t)a->object);
        return __start_heddle_info && !hd_cancels() && !hd_interrupts();
    }
    const struct hd_sync *s = hd_sync_find(a->object);
    if (!s)
        return false;
    if (a->op == HD_OP_SEM_WAIT ||
        (a->op == HD_OP_BLOCKED && (s->kind == HD_SYNC_COND || s->kind == HD_SYNC_BARRIER)))
        return by_site(thread, a->site, out);
    uint32_t holder = hd_op_blocks((enum hd_op)a->op)
                          ? hd_op_waits_for((enum hd_op)a->op, hd_sync_state(s))
                          : ~0u;
    if (holder < rt->config.n_threads)
        hd_tset_add(out, holder);
    return holder < rt->config.n_threads;
}
