/* Signals within the process: dispositions and pending signals are kept in the model.  No
 * signal arrives by itself during an exploration.
 *
 *        to itself, not blocked
 *        ┌────────────────────────────────────▶ the thread runs its handler at once
 *   send ┤                          sigwait
 *        └─▶ queue, oldest first ─────────────▶ taken
 *                               ├─────────────▶ its handler, when it is unblocked
 *                               └─────────────▶ its handler, at any time (interrupt.c)
 *
 * A thread that waits for a signal (sigwait.c) has a bell, like one in poll(): the sender rings
 * it in a further step.
 *
 * The kernel's own masks and handlers are not touched: they are the tool's. */
#include "runtime/signal.h"
#include "runtime/fd.h"
#include "runtime/fork.h"
#include "runtime/memory.h"
#include "runtime/rt.h"
#include "runtime/state.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef void (*handler_fn)(int);

#define signals (&model->signals)

static bool valid(int sig) { return sig > 0 && sig < 65 && sig != SIGKILL && sig != SIGSTOP; }

static bool plain(void) { return !hd_ready || rt->mode == HD_PLAIN; }

void hd_signal_act(enum hd_op op, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(op, signals, NULL, 0, site);
}

uint64_t hd_signal_set(const void *set, uint32_t site)
{
    uint64_t bits;
    __heddle_will_read(set, sizeof bits, site);
    hd_view_load(rt->cur, set, &bits, sizeof bits);
    return bits & ~(hd_signal_bit(SIGKILL) | hd_signal_bit(SIGSTOP));
}

static int real_sigaction(int sig, const struct sigaction *now, struct sigaction *before)
{
    return ((int (*)(int, const struct sigaction *, struct sigaction *))(uintptr_t)hd_real(
        "sigaction"))(sig, now, before);
}

int sigaction(int sig, const struct sigaction *restrict now, struct sigaction *restrict before)
{
    uint32_t site = hd_take_site();
    if (plain())
        return real_sigaction(sig, now, before);
    if (!valid(sig)) {
        errno = EINVAL;
        return -1;
    }
    struct hd_disposition wanted = { 0 };
    if (now) {
        int flags;
        hd_view_load(rt->cur, &now->sa_handler, (void *)&wanted.handler, sizeof wanted.handler);
        hd_view_load(rt->cur, &now->sa_flags, &flags, sizeof flags);
        hd_view_load(rt->cur, &now->sa_mask, &wanted.mask, sizeof wanted.mask);
        wanted.flags = (uint64_t)flags;
    }
    hd_signal_act(now ? HD_OP_SIGNAL_CHANGE : HD_OP_SIGNAL_LOOK, site);
    struct hd_disposition *d = &signals->dispositions[sig];
    if (before) {
        hd_log_range(before, sizeof *before);
        int flags = (int)d->flags;
        hd_view_fill(rt->cur, before, 0, sizeof *before);
        hd_view_write(rt->cur, &before->sa_handler, (const void *)&d->handler, sizeof d->handler);
        hd_view_write(rt->cur, &before->sa_flags, &flags, sizeof flags);
        hd_view_write(rt->cur, &before->sa_mask, &d->mask, sizeof d->mask);
    }
    if (now) {
        hd_log_range(d, sizeof *d);
        *d = wanted;
    }
    return 0;
}

handler_fn signal(int sig, handler_fn handler)
{
    struct sigaction now, before;
    memset(&now, 0, sizeof now);
    now.sa_flags = SA_RESTART;
    now.sa_handler = handler;
    return sigaction(sig, &now, &before) == 0 ? before.sa_handler : SIG_ERR;
}

/* Send the signal through the kernel. */
static int really(int sig)
{
    return (int)hd_syscall(SYS_tgkill, getpid(), hd_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0), sig, 0,
                           0, 0);
}

static bool stops(int sig)
{
    return sig == SIGSTOP || sig == SIGTSTP || sig == SIGTTIN || sig == SIGTTOU;
}

/* Does the program handle or ignore the signal?  Ends the program if that is the signal's
 * effect. */
static bool handled(int sig, uint32_t site)
{
    handler_fn handler = signals->dispositions[sig].handler;
    bool ignored = sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT;
    if (handler == SIG_IGN || (handler == SIG_DFL && ignored))
        return false;
    if (handler == SIG_DFL && stops(sig))
        hd_violation(HD_KIND_NO_PROGRESS, site,
                     "the process is stopped by SIG%s, and only another process can let it go on",
                     sigabbrev_np(sig));
    if (handler == SIG_DFL)
        hd_violation(HD_KIND_CRASH, site, "killed by signal %d (%s)", sig,
                     sigdescr_np(sig) ? sigdescr_np(sig) : "?");
    return true;
}

/* Signals that are pending for the running thread and that it does not block, by bit. */
static uint64_t open_now(void)
{
    uint64_t open = 0;
    for (int sig = 1; sig < HD_SIGNAL_NUMBERS && signals->n_queued; sig++)
        if (hd_signal_pending(hd_signal_bit(sig)))
            open |= hd_signal_bit(sig);
    return open & ~hd_thread_now()->blocked_signals;
}

/* A step that belongs to the delivery of a signal: the thread does not look for others. */
static void act_delivering(enum hd_op op, uint32_t n, uint32_t site)
{
    hd_post(op, op == HD_OP_CHOOSE ? NULL : signals, NULL, 0, site, n);
    hd_point();
}

/* Which of several is delivered first is a choice.  Under a weak memory model signals are taken
 * in a step on their object, so another one follows. */
static uint64_t first_delivered(uint64_t open, uint32_t site)
{
    hd_engine_root();
    uint32_t n = (uint32_t)__builtin_popcountll(open);
    if (hd_section_inside())
        hd_section_choose(n, site);
    else if (rt->looks)
        act_delivering(HD_OP_CHOOSE, n, site);
    else
        hd_act_full(HD_OP_CHOOSE, NULL, NULL, 0, site, n);
    uint32_t which = rt->choice;
    if (rt->weak && !rt->solo_fast)
        act_delivering(HD_OP_SIGNAL_TAKE, 1, site);
    hd_update_solo();
    open = open_now();
    for (; open & (open - 1) && which; which--)
        open &= open - 1;
    return open & -open;
}

void hd_signal_due_now(uint32_t site)
{
    struct hd_queued q;
    for (uint64_t open; (open = open_now()) != 0;) {
        if (open & (open - 1))
            open = first_delivered(open, site);
        if (hd_signal_take(open, &q))
            hd_signal_deliver(&q, site);
    }
}

bool hd_signal_deliver(const struct hd_queued *q, uint32_t site)
{
    struct hd_thread *t = hd_thread_now();
    int sig = (int)q->number;
    if (plain())
        return really(sig) == 0;
    if (!handled(sig, site))
        return false;
    struct hd_disposition d = signals->dispositions[sig];
    uint64_t blocked = t->blocked_signals;
    siginfo_t info;
    memset(&info, 0, sizeof info);
    info.si_signo = sig;
    info.si_code = (int)q->code;
    info.si_pid = getpid();
    info.si_value.sival_ptr = (void *)(uintptr_t)q->value;
    if (d.flags & SA_RESETHAND)
        HD_SET(signals->dispositions[sig].handler, SIG_DFL);
    uint64_t itself = d.flags & SA_NODEFER ? 0 : hd_signal_bit(sig);
    HD_SET(t->blocked_signals, blocked | d.mask | itself);
    if (d.flags & SA_SIGINFO)
        ((void (*)(int, siginfo_t *, void *))(uintptr_t)d.handler)(sig, &info, NULL);
    else
        d.handler(sig);
    if (rt->looks && !rt->solo_fast) /* those that come now are delivered after it */
        act_delivering(HD_OP_SIGNAL_CHANGE, 1, site);
    else if (hd_interrupts()) /* senders look at the mask */
        hd_signal_act(HD_OP_SIGNAL_CHANGE, site);
    HD_SET(t->blocked_signals, blocked);
    if (t->n_interrupted)
        HD_SET(t->eintr, t->eintr | HD_EINTR_RAN | (d.flags & SA_RESTART ? 0 : HD_EINTR_STOPS));
    hd_signal_due_now(site);
    return true;
}

/* The oldest signal of the lowest number, a thread's own before those of the process; n_queued
 * if there is none. */
static uint64_t first_of(uint64_t set)
{
    const struct hd_queued *queue = signals->queue;
    uint64_t best = signals->n_queued;
    for (uint64_t i = 0; i < signals->n_queued; i++) {
        bool mine = queue[i].target == rt->cur + 1 || queue[i].target == 0;
        if (!mine || !(set & hd_signal_bit((int)queue[i].number)))
            continue;
        if (best == signals->n_queued || queue[i].number < queue[best].number ||
            (queue[i].number == queue[best].number && queue[i].target && !queue[best].target))
            best = i;
    }
    return best;
}

bool hd_signal_due(uint32_t thread)
{
    const struct hd_thread *t = &model->threads[thread];
    for (uint64_t i = 0; i < signals->n_queued; i++) {
        const struct hd_queued *q = &signals->queue[i];
        if (q->target == thread + 1 && !(t->blocked_signals & hd_signal_bit((int)q->number)))
            return true;
    }
    return false;
}

bool hd_signal_pending(uint64_t set) { return first_of(set) < signals->n_queued; }

bool hd_signal_take(uint64_t set, struct hd_queued *taken)
{
    uint64_t at = first_of(set);
    if (at == signals->n_queued)
        return false;
    *taken = signals->queue[at];
    hd_log_range(&signals->queue[at], (signals->n_queued - at) * sizeof *taken);
    memmove(&signals->queue[at], &signals->queue[at + 1],
            (signals->n_queued - at - 1) * sizeof *taken);
    HD_SET(signals->n_queued, signals->n_queued - 1);
    return true;
}

/* Real-time signals are queued, others are pending once. */
static bool is_queued(const struct hd_queued *q)
{
    for (uint64_t i = 0; i < signals->n_queued; i++)
        if (signals->queue[i].number == q->number && signals->queue[i].target == q->target &&
            (int)q->number < SIGRTMIN)
            return true;
    return false;
}

static int enqueue(const struct hd_queued *q)
{
    if (is_queued(q))
        return 0;
    if (signals->n_queued == HD_MAX_QUEUED)
        return EAGAIN;
    hd_log_range(&signals->queue[signals->n_queued], sizeof *q);
    signals->queue[signals->n_queued] = *q;
    HD_SET(signals->n_queued, signals->n_queued + 1);
    return 0;
}

static _Noreturn void in_another(const char *call, uint32_t site)
{
    rt->shared->ctl.error_site = site;
    hd_fatal("%s() that makes another thread run a signal handler is not modelled under a weak "
             "memory model: use --memory sc",
             call);
}

/* The state of a thread with respect to a signal. */
enum state { OPEN, BLOCKED, WAITING };

/* The end of a thread is not seen here: it is an object of its own (has_ended). */
static enum state state_of(uint32_t thread, int sig)
{
    const struct hd_thread *t = &model->threads[thread];
    if (t->suspended && !(t->blocked_signals & hd_signal_bit(sig)))
        return signals->dispositions[sig].handler == SIG_IGN ? OPEN : WAITING;
    if (t->awaited_signals & hd_signal_bit(sig))
        return WAITING;
    return t->blocked_signals & hd_signal_bit(sig) ? BLOCKED : OPEN;
}

static int queue_and_ring(const struct hd_queued *q, uint32_t site)
{
    struct hd_tset waiting;
    uint32_t n = rt->config.n_threads;
    hd_tset_clear(&waiting);
    for (uint32_t i = 0; i < n; i++) {
        struct hd_thread *t = &model->threads[i];
        bool watches = t->watched_signals & hd_signal_bit((int)q->number);
        if (q->target != 0 && q->target != i + 1)
            continue;
        if (watches)
            HD_SET(t->watched_signals, 0);
        if (watches || state_of(i, (int)q->number) == WAITING)
            hd_tset_add(&waiting, i);
    }
    int error = enqueue(q);
    for (uint32_t i = 0; i < n && error == 0; i++)
        if (hd_tset_has(&waiting, i))
            hd_bell_ring(i, site);
    return error;
}

/* The signal is pending, and on its way to a thread that does not block it; one that waits for
 * it may take it before. */
static int queue_and_go(const struct hd_queued *q, const char *call, uint32_t site)
{
    if (rt->weak && !rt->looks)
        in_another(call, site);
    if (is_queued(q))
        return 0;
    int error = queue_and_ring(q, site);
    if (error == 0 && !rt->weak)
        hd_interrupt_send(q, site);
    return error;
}

/* A signal is handled by the running thread itself, or queued. */
static int to_thread(uint32_t thread, const struct hd_queued *q, const char *call, uint32_t site)
{
    enum state state = state_of(thread, (int)q->number);
    if (state == BLOCKED || state == WAITING)
        return queue_and_ring(q, site);
    if (thread == rt->cur && signals->n_queued) { /* others may be delivered before it */
        int error = enqueue(q);
        hd_signal_due_now(site);
        return error;
    }
    if (thread == rt->cur)
        hd_signal_deliver(q, site);
    else if (handled((int)q->number, site))
        return queue_and_go(q, call, site);
    return 0;
}

/* The step of a signal to another thread, in which the thread has ended or not.  Under a weak
 * memory model what is sent and to whom is another step. */
static bool has_ended(uint32_t thread, const char *call, uint32_t site)
{
    if (rt->weak && !rt->solo_fast)
        hd_act(HD_OP_THREAD_USE, (void *)(uintptr_t)thread, NULL, 0, site);
    else
        hd_signal_act(HD_OP_SIGNAL_KILL, site);
    if (call) /* checked in the step: the thread may have been joined since the call */
        hd_thread_not_gone(thread, call, site);
    return model->threads[thread].flags & HD_THREAD_EXITED;
}

/* The step of a signal that is sent: to whom (thread + 1; 0: the process). */
static void act_sending(uint32_t target, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(HD_OP_SIGNAL_SEND, signals, NULL, rt->looks ? target : 0, site);
}

/* Another thread that does not block the signal; ~0u: there is none. */
static uint32_t open_beside(const struct hd_tset *ended, int sig)
{
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (i != rt->cur && !hd_tset_has(ended, i) && state_of(i, sig) == OPEN)
            return i;
    return ~0u;
}

static bool waits_beside(int sig)
{
    for (uint32_t i = 0; i < rt->config.n_threads; i++)
        if (state_of(i, sig) == WAITING)
            return true;
    return false;
}

/* A thread that does not block the signal gets it, or one that waits for it.  Under a weak
 * memory model those that do not block it are asked one by one whether they have ended, until
 * one has not: masks change in steps of signals, and a new thread has the mask of one that is
 * asked before it. */
static int to_process(const struct hd_queued *q, const char *call, uint32_t site)
{
    struct hd_tset ended;
    uint32_t asked = ~0u; /* it has not ended */
    int sig = (int)q->number;
    hd_tset_clear(&ended);
    for (;;) {
        if (rt->weak)
            act_sending(0, site);
        else
            hd_signal_act(HD_OP_SIGNAL_KILL, site);
        bool mine = state_of(rt->cur, sig) == OPEN, waiting = waits_beside(sig);
        for (uint32_t i = 0; i < rt->config.n_threads && !rt->weak; i++)
            if (model->threads[i].flags & HD_THREAD_EXITED)
                hd_tset_add(&ended, i);
        uint32_t open = open_beside(&ended, sig);
        if (open == ~0u && !mine)
            return queue_and_ring(q, site);
        if (open != ~0u && open != asked && rt->weak) {
            if (has_ended(open, NULL, site))
                hd_tset_add(&ended, open);
            else
                asked = open;
            continue;
        }
        if (!handled(sig, site))
            return waiting ? queue_and_ring(q, site) : 0;
        if (open == ~0u && !waiting)
            return hd_signal_deliver(q, site), 0;
        return queue_and_go(q, call, site);
    }
}

static int send(uint32_t target, int sig, int code, uint64_t value, const char *call,
                uint32_t site)
{
    struct hd_queued q = {
        .number = (uint32_t)sig, .target = target, .code = code, .value = value
    };
    if (!target)
        return to_process(&q, call, site);
    if (target != rt->cur + 1 && has_ended(target - 1, call, site))
        return 0;
    if (target == rt->cur + 1 || rt->weak)
        act_sending(target, site);
    return to_thread(target - 1, &q, call, site);
}

int raise(int sig)
{
    uint32_t site = hd_take_site();
    if (sig <= 0 || sig >= 65) {
        errno = EINVAL;
        return -1;
    }
    hd_rt_prepare();
    if (plain() && state_of(rt->cur, sig) == OPEN)
        return really(sig);
    return send(rt->cur + 1, sig, SI_TKILL, 0, "raise", site);
}

static int thread_kill(pthread_t id, int sig, int code, uint64_t value, const char *call,
                       uint32_t site)
{
    hd_thread_of(id, call, site);
    hd_symmetry_tell((uint32_t)id - 1, "one of them is sent a signal");
    if (sig < 0 || sig >= 65)
        return EINVAL;
    if (sig == 0) {
        has_ended((uint32_t)id - 1, call, site);
        return 0;
    }
    if (plain() && state_of((uint32_t)id - 1, sig) == OPEN)
        return really(sig);
    return send((uint32_t)id, sig, code, value, call, site);
}

int pthread_kill(pthread_t id, int sig)
{
    uint32_t site = hd_take_site();
    return thread_kill(id, sig, SI_TKILL, 0, "pthread_kill", site);
}

int pthread_sigqueue(pthread_t id, int sig, const union sigval value)
{
    uint32_t site = hd_take_site();
    return thread_kill(id, sig, SI_QUEUE, (uint64_t)(uintptr_t)value.sival_ptr,
                       "pthread_sigqueue", site);
}

static int process_kill(int sig, int code, uint64_t value, const char *call, uint32_t site)
{
    if (sig < 0 || sig >= 65)
        errno = EINVAL;
    else
        errno = sig ? send(0, sig, code, value, call, site) : 0;
    return errno ? -1 : 0;
}

/* The process itself, or its group, in which a worker is alone. */
static bool is_self(pid_t pid) { return pid == getpid() || pid == 0 || pid == -getpid(); }

static _Noreturn void others(const char *call, uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: %s() of another process: under heddle a program sends signals only to itself",
             place, call);
}

int kill(pid_t pid, int sig)
{
    uint32_t site = hd_take_site();
    if (!plain() && is_self(pid))
        return process_kill(sig, SI_USER, 0, "kill", site);
    if (!plain() && hd_fork_is_child(pid, site))
        return 0; /* the child is not followed */
    if (!plain() && sig > 0 && sig < 65)
        others("kill", site);
    int failed = (int)hd_syscall(SYS_kill, pid, sig, 0, 0, 0, 0);
    /* Signal 0 only asks whether there is a process; the kernel hides others
     * (core/sandbox.h). */
    return !plain() && sig == 0 && failed && errno == EPERM ? 0 : failed;
}

int sigqueue(pid_t pid, int sig, const union sigval value)
{
    uint32_t site = hd_take_site();
    if (plain() || pid == getpid())
        return process_kill(sig, SI_QUEUE, (uint64_t)(uintptr_t)value.sival_ptr, "sigqueue",
                            site);
    if (sig > 0 && sig < 65)
        others("sigqueue", site);
    errno = EPERM;
    return -1;
}

int pthread_sigmask(int how, const sigset_t *restrict now, sigset_t *restrict before)
{
    uint32_t site = hd_take_site();
    struct hd_thread *t = hd_thread_now();
    uint64_t was = t->blocked_signals;
    if (before) {
        __heddle_will_write(before, sizeof *before, site);
        hd_view_fill(rt->cur, before, 0, sizeof *before);
        hd_view_write(rt->cur, before, &was, sizeof was);
    }
    if (!now)
        return 0;
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    uint64_t set = hd_signal_set(now, site);
    hd_signal_act(HD_OP_SIGNAL_CHANGE, site);
    HD_SET(t->blocked_signals, how == SIG_BLOCK     ? was | set
                               : how == SIG_UNBLOCK ? was & ~set
                                                    : set);
    hd_signal_due_now(site);
    return 0;
}

int sigprocmask(int how, const sigset_t *restrict now, sigset_t *restrict before)
{
    if (!hd_ready)
        return (int)hd_syscall(SYS_rt_sigprocmask, how, (long)(uintptr_t)now,
                               (long)(uintptr_t)before, 8, 0, 0);
    errno = pthread_sigmask(how, now, before);
    return errno ? -1 : 0;
}
