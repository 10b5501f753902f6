/* Waiting for signals.
 *
 *           take: none is there             rings               take
 *   running ───────────────────▶ IO_AWAIT ───────▶ … ─────▶ there is one
 *                                blocks on the thread's bell, which whoever sends a signal that
 *                                it waits for rings (signal.c), and a cancellation
 *
 * If several threads wait for one signal, all are woken and one takes it. */
#include "runtime/cancel.h"
#include "runtime/fd.h"
#include "runtime/signal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <time.h>

static void settle(uint64_t awaited, bool suspended)
{
    HD_SET(hd_thread_now()->awaited_signals, awaited);
    HD_SET(hd_thread_now()->suspended, suspended);
}

/* A sender looks at what the thread waits for, so a change of that is part of a step. */
static void cancel_point(bool due, uint32_t site)
{
    if (HD_LIKELY(!due))
        return;
    if (rt->weak)
        hd_signal_act(HD_OP_SIGNAL_CHANGE, site);
    settle(0, false);
    hd_cancel_act();
}

/* Wait for one of the set.  `ns`: < 0: for ever; false, with errno: time ran out, or a handler
 * has run. */
static bool await(uint64_t set, int64_t ns, struct hd_queued *taken, uint32_t site)
{
    uint64_t deadline = (ns > 0 ? hd_clock_now(site) : model->clock_ns) + (uint64_t)ns;
    bool last = ns == 0, found = false, ends = false;
    cancel_point(rt->weak && hd_cancel_looks(false, site), site);
    while (!found && !ends) {
        hd_signal_act(HD_OP_SIGNAL_TAKE, site);
        cancel_point(hd_cancel_came(), site);
        found = hd_signal_take(set, taken);
        if (found || last)
            break;
        settle(set, false);
        cancel_point(rt->weak && hd_cancel_looks(true, site), site);
        last = !hd_poll_await(ns > 0, deadline, site);
        ends = hd_interrupted();
    }
    if (ends && rt->weak)
        hd_signal_act(HD_OP_SIGNAL_CHANGE, site);
    settle(0, false);
    errno = ends ? EINTR : EAGAIN;
    return found;
}

int sigwait(const sigset_t *restrict set, int *restrict number)
{
    uint32_t site = hd_take_site();
    struct hd_queued q;
    hd_rt_prepare();
    uint64_t bits = hd_signal_set(set, site);
    if (bits & ~hd_thread_now()->blocked_signals)
        hd_violation(HD_KIND_MISUSE, site, "sigwait for a signal that the thread does not block");
    while (!await(bits, -1, &q, site))
        ; /* a handler has run; glibc's goes on */
    int result = (int)q.number;
    __heddle_store_n(number, &result, sizeof result, site);
    return 0;
}

int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                 const struct timespec *restrict timeout)
{
    uint32_t site = hd_take_site();
    struct hd_queued q;
    struct timespec t;
    int64_t ns = -1;
    hd_rt_prepare();
    uint64_t bits = hd_signal_set(set, site);
    if (timeout) {
        __heddle_load_n(timeout, &t, sizeof t, site);
        if (t.tv_nsec < 0 || t.tv_nsec >= 1000000000) {
            errno = EINVAL;
            return -1;
        }
        ns = (int64_t)((uint64_t)t.tv_sec * 1000000000ull + (uint64_t)t.tv_nsec);
    }
    if (!await(bits, ns, &q, site))
        return -1;
    if (info) {
        siginfo_t told;
        memset(&told, 0, sizeof told);
        told.si_signo = (int)q.number;
        told.si_code = (int)q.code;
        told.si_value.sival_ptr = (void *)(uintptr_t)q.value;
        __heddle_store_n(info, &told, sizeof told, site);
    }
    return (int)q.number;
}

int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return sigtimedwait(set, info, NULL);
}

/* Wait until a handler has run that the mask permits. */
static int suspend(uint64_t mask, uint32_t site)
{
    struct hd_thread *t = hd_thread_now();
    uint64_t before = t->blocked_signals;
    struct hd_queued q;
    cancel_point(rt->weak && hd_cancel_looks(false, site), site);
    for (bool ran = false; !ran;) {
        hd_signal_act(HD_OP_SIGNAL_TAKE, site);
        HD_SET(t->blocked_signals, mask);
        cancel_point(hd_cancel_came(), site);
        while (!ran && hd_signal_take(~mask, &q))
            ran = hd_signal_deliver(&q, site);
        if (ran)
            break;
        settle(0, true);
        cancel_point(rt->weak && hd_cancel_looks(true, site), site);
        hd_poll_await(false, 0, site);
    }
    hd_signal_act(HD_OP_SIGNAL_CHANGE, site);
    settle(0, false);
    HD_SET(t->blocked_signals, before);
    hd_signal_due_now(site);
    errno = EINTR;
    return -1;
}

int sigsuspend(const sigset_t *mask)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return suspend(hd_signal_set(mask, site), site);
}

int pause(void)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return suspend(hd_thread_now()->blocked_signals, site);
}

int sigpending(sigset_t *set)
{
    uint32_t site = hd_take_site();
    uint64_t bits = 0;
    hd_rt_prepare();
    hd_signal_act(HD_OP_SIGNAL_LOOK, site);
    for (int sig = 1; sig < 65; sig++)
        if (hd_signal_pending(hd_signal_bit(sig)))
            bits |= hd_signal_bit(sig);
    __heddle_will_write(set, sizeof *set, site);
    hd_view_fill(rt->cur, set, 0, sizeof *set);
    hd_view_write(rt->cur, set, &bits, sizeof bits);
    return 0;
}
