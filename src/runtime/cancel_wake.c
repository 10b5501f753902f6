/* pthread_cancel(): the thread is marked, and woken if it waits at a cancellation point. */
#include "runtime/cancel_wake.h"

#include "core/enabled.h"
#include "runtime/cancel.h"
#include "runtime/cond.h"
#include "runtime/fd.h"
#include "runtime/notes.h"
#include "runtime/state.h"

#include <pthread.h>

/* Would a cancellation wake it? */
static bool waits_at_point(uint32_t thread)
{
    const struct hd_action *a = &rt->next[thread];
    if (!hd_tset_has(&rt->config.live, thread) || hd_tset_has(&rt->config.enabled, thread) ||
        (model->threads[thread].cancel & HD_CANCEL_DISABLED))
        return false;
    if (a->op == HD_OP_BLOCKED) {
        const struct hd_sync *s = hd_sync_find(a->object);
        return s && s->kind == HD_SYNC_COND;
    }
    return a->op == HD_OP_JOIN || hd_op_wait_cancelled((enum hd_op)(a->op + 1));
}

uint32_t hd_cancel_wakes(uint32_t thread) { return waits_at_point(thread) ? thread : ~0u; }

static void wake(uint32_t thread)
{
    struct hd_action *a = &rt->next[thread];
    __heddle_reached(HD_NOTE_CANCELLED, a->site);
    HD_SET(model->threads[thread].cancel, model->threads[thread].cancel | HD_CANCEL_WOKEN);
    if (a->op == HD_OP_BLOCKED) {
        hd_cond_wake(hd_sync_find(a->object), thread);
        return;
    }
    if (a->op == HD_OP_JOIN) {
        hd_log_range(a, sizeof *a);
        a->op = HD_OP_CANCELLED;
        a->object2 = 0;
    }
    hd_set_enabled(thread, true);
}

void hd_cancel_wake(uint32_t thread)
{
    if (!rt->weak && hd_cancel_wanted(&model->threads[thread]) && waits_at_point(thread))
        wake(thread);
}

/* Under a weak memory model. */
static int ask(uint32_t thread, uint32_t site)
{
    struct hd_thread *t = &model->threads[thread];
    hd_act(HD_OP_THREAD_USE, (void *)(uintptr_t)thread, NULL, 0, site);
    hd_thread_not_gone(thread, "pthread_cancel", site);
    hd_act(HD_OP_CANCEL_ASK, (void *)(uintptr_t)hd_cancel_mark(thread)->addr, NULL, 0, site);
    HD_SET(t->cancel, t->cancel | HD_CANCEL_ASKED);
    return 0;
}

int pthread_cancel(pthread_t id)
{
    uint32_t site = hd_take_site();
    struct hd_thread *t = hd_thread_of(id, "pthread_cancel", site);
    hd_symmetry_tell((uint32_t)id - 1, "one of them is cancelled");
    uint32_t thread = (uint32_t)id - 1;
    if (rt->weak && !rt->solo_fast)
        return ask(thread, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_CANCEL, (void *)(uintptr_t)thread, NULL, 0, site);
    hd_thread_not_gone(thread, "pthread_cancel", site);
    if (t->flags & HD_THREAD_EXITED)
        return 0;
    HD_SET(t->cancel, t->cancel | HD_CANCEL_ASKED);
    if (thread != rt->cur && waits_at_point(thread))
        wake(thread);
    if ((t->awaited_signals || t->suspended || t->polls) && hd_cancel_wanted(t))
        hd_bell_ring(thread, site);
    return 0;
}
