/* Condition variables.
 *
 *              wait                  signal (chosen), broadcast          relock
 *   running ──────────▶ BLOCKED ───────────────────────────▶ RELOCK ──────────▶ running
 *                       never enabled                        enabled iff the mutex is free
 *
 *              timedwait             its own step at any time       relock
 *   running ──────────▶ WAKE ───────────────────────────────▶ RELOCK ──────────▶ running
 *                       always enabled: woken if a signal has chosen it before, timed out if
 *                       not
 *
 * Under a weak memory model a wait that may be cancelled looks at the mark of its thread before
 * it blocks; one that is cancelled leaves as if its time were over.
 *
 * WAIT releases the mutex and queues in one step.  A signal's waiter is a choice of the signal
 * step; without waiters a signal does nothing. */
#include "runtime/cond.h"
#include "runtime/cancel.h"
#include "runtime/memory.h"
#include "runtime/mutex.h"
#include "runtime/object_stamp.h"

#include <errno.h>
#include <string.h>
#include <time.h>

static struct hd_sync *cond_of(pthread_cond_t *c, uint32_t site)
{
    static const pthread_cond_t fresh = PTHREAD_COND_INITIALIZER;
    hd_touch_object(c, site);
    hd_check_object(c, site);
    struct hd_sync *s = hd_sync_find((uint64_t)(uintptr_t)c);
    if (HD_LIKELY(s && s->kind == HD_SYNC_COND && !s->destroyed &&
                  hd_object_stamp_same(s, HD_SYNC_COND)))
        return s;
    bool is_fresh = hd_view_holds(rt->cur, c, &fresh, sizeof fresh);
    if (s && s->destroyed && !is_fresh)
        hd_sync_is_destroyed(s, "condition variable", site);
    hd_object_stamp_not_copied(c, HD_SYNC_COND, "condition variable", site);
    if (!is_fresh)
        hd_violation(HD_KIND_MISUSE, site,
                     "use of a condition variable before its initialisation");
    hd_object_stamp_put(c, HD_SYNC_COND);
    return hd_sync_make((uint64_t)(uintptr_t)c, HD_SYNC_COND);
}

static uint32_t waiters(const struct hd_sync *s)
{
    return hd_tset_count(&s->pending, hd_tset_words(rt->config.n_threads));
}

/* A pending signal has as many choices as there are waiters now. */
static void recount_signals(const struct hd_sync *cond)
{
    uint32_t n = waiters(cond);
    uint16_t choices = (uint16_t)(n > 1 && !hd_cond_has_tokens() ? n : 1);
    for (uint32_t i = 0; i < rt->config.n_threads; i++) {
        struct hd_action *a = &rt->next[i];
        if (a->op == HD_OP_SIGNAL && a->object == cond->addr)
            hd_recount(a, choices);
    }
}

void hd_cond_recount(uint64_t cond)
{
    const struct hd_sync *s = hd_sync_find(cond);
    if (s)
        recount_signals(s);
}

int pthread_cond_init(pthread_cond_t *c, const pthread_condattr_t *attr)
{
    uint32_t site = hd_take_site();
    clockid_t clock = CLOCK_REALTIME;
    if (attr)
        pthread_condattr_getclock(attr, &clock);
    hd_touch_object(c, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_COND_INIT, c, NULL, 0, site);
    hd_check_object(c, site);
    struct hd_sync *s = hd_sync_make((uint64_t)(uintptr_t)c, HD_SYNC_COND);
    s->type = (uint16_t)clock;
    hd_log_range(c, sizeof *c);
    hd_view_fill(rt->cur, c, 0, sizeof *c);
    hd_object_stamp_put(c, HD_SYNC_COND);
    return 0;
}

int pthread_cond_destroy(pthread_cond_t *c)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = cond_of(c, site);
    if (!rt->solo_fast)
        hd_act(HD_OP_COND_DESTROY, c, NULL, 0, site);
    if (waiters(s))
        hd_violation(HD_KIND_MISUSE, site,
                     "pthread_cond_destroy of a condition variable that threads wait on");
    hd_sync_destroyed(s, site);
    hd_log_known(c, sizeof *c); /* cond_of() has found the object there */
    hd_view_fill(rt->cur, c, 0xff, sizeof *c);
    return 0;
}

static void check_mutex(const struct hd_sync *mutex, uint32_t site)
{
    if (mutex->owner != rt->cur)
        hd_violation(HD_KIND_MISUSE, site,
                     "pthread_cond_wait with a mutex that this thread does not hold");
    if (mutex->count > 1)
        hd_violation(HD_KIND_MISUSE, site,
                     "pthread_cond_wait with a recursive mutex locked more than once");
}

bool hd_cond_wakes_alone(void)
{
    return hd_ready && rt->shared && hd_thread_now()->spurious < rt->shared->options.spurious;
}

/* --spurious: a wait that ends without a signal never touches the condition variable, as no
 * signal can be meant for it. */
static bool wakes_spuriously(struct hd_sync *mutex, uint32_t site)
{
    struct hd_thread *t = hd_thread_now();
    if (!hd_cond_wakes_alone())
        return false;
    check_mutex(mutex, site);
    hd_no_atomic(site);
    hd_engine_root();
    hd_act_full(HD_OP_CHOOSE, NULL, NULL, 0, site, 2);
    bool wakes = rt->choice == 1;
    hd_update_solo();
    if (!wakes)
        return false;
    HD_SET(t->spurious, t->spurious + 1);
    if (!rt->solo_fast)
        hd_act(HD_OP_UNLOCK, (void *)(uintptr_t)mutex->addr, NULL, 0, site);
    hd_mutex_release(mutex);
    hd_mutex_acquire(mutex, HD_OP_RELOCK, site);
    return true;
}

/* All that wait at one time must use one mutex. */
static void check_others(const struct hd_sync *cond, const struct hd_sync *mutex, uint32_t site)
{
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (hd_tset_has(&cond->pending, i) && model->threads[i].wait_mutex != mutex->addr)
            hd_violation(HD_KIND_MISUSE, site,
                         "pthread_cond_wait with another mutex than the other waiters'");
}

/* Release the mutex and queue. */
static void enter(struct hd_sync *cond, struct hd_sync *mutex, enum hd_op op, uint32_t site)
{
    check_mutex(mutex, site);
    hd_no_atomic(site);
    if (!rt->solo_fast)
        hd_act(op, (void *)(uintptr_t)cond->addr, (void *)(uintptr_t)mutex->addr, 0, site);
    if (op == HD_OP_WAIT && hd_cancel_came())
        hd_cancel_act();
    check_others(cond, mutex, site);
    hd_mutex_release(mutex);
    hd_log_word(&cond->pending.w[rt->cur >> 6]);
    hd_tset_add(&cond->pending, rt->cur);
    HD_SET(hd_thread_now()->wait_mutex, mutex->addr);
    recount_signals(cond);
}

/* Stop waiting.  False: the thread has been signalled before. */
static bool give_up(struct hd_sync *cond, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act_leaving(HD_OP_WAKE, cond, NULL, site);
    if (hd_thread_now()->woken)
        return false;
    hd_log_word(&cond->pending.w[rt->cur >> 6]);
    hd_tset_del(&cond->pending, rt->cur);
    recount_signals(cond);
    return true;
}

/* Under a weak memory model: the thread has entered, and then it has seen that it is cancelled.
 * If it has been signalled as well, it goes on: a cancellation takes no signal from others. */
static int leave(struct hd_sync *cond, struct hd_sync *mutex, uint32_t site)
{
    bool cancelled = give_up(cond, site);
    hd_mutex_acquire(mutex, HD_OP_RELOCK, site);
    if (cancelled)
        hd_cancel_act();
    return hd_mutex_taken(mutex);
}

static int wait(pthread_cond_t *c, pthread_mutex_t *m, uint32_t site)
{
    struct hd_sync *cond = cond_of(c, site), *mutex = hd_mutex_of(m, site);
    hd_cancel_point(site);
    if (wakes_spuriously(mutex, site))
        return hd_mutex_taken(mutex);
    if (HD_UNLIKELY(rt->weak))
        HD_SET(hd_thread_now()->woken, 0);
    enter(cond, mutex, HD_OP_WAIT, site);
    if (HD_UNLIKELY(rt->weak) && hd_cancel_looks(true, site))
        return leave(cond, mutex, site);
    if (cond->count > 0 || (rt->weak && hd_thread_now()->woken)) {
        hd_mutex_acquire(mutex, HD_OP_RELOCK, site);
    } else {
        /* blocked until hd_cond_wake turns our next action into RELOCK */
        hd_set_enabled(rt->cur, false);
        hd_act_leaving(HD_OP_BLOCKED, cond, m, site);
        hd_mutex_take(mutex, site);
    }
    hd_cond_token_taken(cond);
    if (hd_cancel_woke())
        hd_cancel_act();
    return hd_mutex_taken(mutex);
}

int pthread_cond_wait(pthread_cond_t *c, pthread_mutex_t *m)
{
    return wait(c, m, hd_take_site());
}

static int timed_wait(pthread_cond_t *c, pthread_mutex_t *m, clockid_t clock,
                      const struct timespec *at, uint32_t site)
{
    struct hd_sync *cond = cond_of(c, site), *mutex = hd_mutex_of(m, site);
    struct hd_thread *t = hd_thread_now();
    uint64_t deadline;
    if (!hd_deadline(clock, at, &deadline)) {
        if (hd_polls_too_long(site)) /* a loop around it spins */
            hd_polls_stop(site);
        return EINVAL;
    }
    if (hd_deadline_never(deadline) || hd_polls_too_long(site)) {
        int status = wait(c, m, site);
        HD_SET(t->woken, 1);
        hd_polls_got_on();
        return status;
    }
    hd_cancel_point(site);
    if (wakes_spuriously(mutex, site)) {
        HD_SET(t->woken, 1);
        return hd_mutex_taken(mutex);
    }
    HD_SET(t->woken, 0);
    enter(cond, mutex, HD_OP_TIMEDWAIT, site);
    bool woken = !give_up(cond, site);
    if (!woken)
        hd_clock_reach(deadline, site);
    if (woken)
        hd_polls_got_on();
    bool cancelled = !woken && hd_cancel_due(false, site);
    hd_mutex_acquire(mutex, HD_OP_RELOCK, site);
    if (cancelled)
        hd_cancel_act();
    int status = hd_mutex_taken(mutex);
    return status ? status : woken ? 0 : ETIMEDOUT;
}

int pthread_cond_clockwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                           clockid_t clock, const struct timespec *restrict at)
{
    return timed_wait(c, m, clock, at, hd_take_site());
}

int pthread_cond_timedwait(pthread_cond_t *restrict c, pthread_mutex_t *restrict m,
                           const struct timespec *restrict at)
{
    uint32_t site = hd_take_site();
    return timed_wait(c, m, cond_of(c, site)->type, at, site);
}

/* Had the time run out at the end of the wait?  Yes if the wait timed out.  If the thread was
 * woken, both are possible: it may have waited for the mutex. */
int64_t __heddle_now_after_wait(void)
{
    if (!hd_thread_now()->woken)
        return INT64_MAX;
    if (rt->shared && rt->shared->options.no_timeouts)
        return INT64_MIN;
    hd_engine_root();
    if (hd_section_inside())
        hd_section_choose(2, hd_take_site());
    else
        hd_act_full(HD_OP_CHOOSE, NULL, NULL, 0, hd_take_site(), 2);
    bool late = rt->choice == 1;
    hd_update_solo();
    return late ? INT64_MAX : INT64_MIN;
}

/* The waiter's next action changes though the waiter does not run.  It is logged, so that
 * undoing the signaller's step restores it. */
void hd_cond_to_mutex(uint32_t thread, struct hd_action *a)
{
    struct hd_sync *mutex = hd_sync_find(model->threads[thread].wait_mutex);
    hd_log_known(a, sizeof *a);
    a->op = HD_OP_RELOCK;
    a->object2 = HD_MAY_END(a->object) ? a->object : 0; /* core/touch.h */
    a->object = mutex->addr;
    hd_log_word(&mutex->pending.w[thread >> 6]);
    hd_tset_add(&mutex->pending, thread);
    if (a == &rt->next[thread])
        hd_set_enabled(thread, mutex->owner == HD_NOBODY);
}

void hd_cond_wake(struct hd_sync *cond, uint32_t thread)
{
    hd_log_word(&cond->pending.w[thread >> 6]);
    hd_tset_del(&cond->pending, thread);
    struct hd_action *a = hd_waits_at(thread, cond->addr);
    if (a->op == HD_OP_WAKE || a->op == HD_OP_CANCEL_POINT)
        HD_SET(model->threads[thread].woken, 1);
    else if (a->op != HD_OP_RELOCK)
        hd_cond_to_mutex(thread, a);
}

/* A signal orders nothing: the mutex does.  That makes no difference if the signaller holds the
 * mutex of the waiter, or has just released it: `before` is its last step. */
static void note_wake(const struct hd_action *before, uint32_t waiter)
{
    uint64_t mutex = model->threads[waiter].wait_mutex;
    const struct hd_sync *s = hd_sync_find(mutex);
    if ((!s || s->owner != rt->cur) && !(before->op == HD_OP_UNLOCK && before->object == mutex))
        hd_orders_less(HD_LESS_SIGNAL);
}

int pthread_cond_signal(pthread_cond_t *c)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = cond_of(c, site);
    const struct hd_action before = *hd_next_now();
    if (hd_section_inside()) {
        hd_section_choose(hd_cond_has_tokens() ? 1 : waiters(s), site);
    } else if (!rt->solo_fast) {
        uint32_t n = waiters(s);
        hd_act_full(HD_OP_SIGNAL, c, NULL, 0, site, n > 1 && !hd_cond_has_tokens() ? n : 1);
        hd_check_object(c, site);
        hd_sync_not_stale(site);
    }
    if (hd_cond_has_tokens()) {
        hd_cond_put_token(s);
        return 0;
    }
    uint32_t left = rt->choice;
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (hd_tset_has(&s->pending, i) && left-- == 0) {
            note_wake(&before, i);
            hd_cond_wake(s, i);
            recount_signals(s);
            break;
        }
    return 0;
}

int pthread_cond_broadcast(pthread_cond_t *c)
{
    uint32_t site = hd_take_site();
    struct hd_sync *s = cond_of(c, site);
    const struct hd_action before = *hd_next_now();
    if (!rt->solo_fast)
        hd_act(HD_OP_BROADCAST, c, NULL, 0, site);
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (hd_tset_has(&s->pending, i)) {
            note_wake(&before, i);
            hd_cond_wake(s, i);
        }
    if (s->count > 0)
        HD_SET(s->count, 0);
    recount_signals(s);
    return 0;
}
