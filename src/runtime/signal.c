/* Signals within the one process: handlers are remembered in the model; raise runs the handler in
 * the calling thread at once, as C says, or when the thread no longer blocks it.  No signal arrives
 * by itself during an exploration, and a handler cannot be made to run in another thread. */
#include "runtime/memory.h"
#include "runtime/rt.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

typedef void (*handler_fn)(int);

static bool valid(int sig) { return sig > 0 && sig < 65 && sig != SIGKILL && sig != SIGSTOP; }

static handler_fn set_handler(int sig, handler_fn handler)
{
    handler_fn before = model->signal_handlers[sig];
    HD_SET(model->signal_handlers[sig], handler);
    return before;
}

static bool plain(void) { return !hd_ready || rt->mode == HD_PLAIN; }

int sigaction(int sig, const struct sigaction *restrict now, struct sigaction *restrict before)
{
    if (plain())
        return ((int (*)(int, const struct sigaction *, struct sigaction *))(uintptr_t)hd_real(
            "sigaction"))(sig, now, before);
    if (!valid(sig)) {
        errno = EINVAL;
        return -1;
    }
    if (before) {
        hd_log_range(before, sizeof *before);
        memset(before, 0, sizeof *before);
        before->sa_handler = model->signal_handlers[sig];
    }
    if (now)
        set_handler(sig, now->sa_handler);
    return 0;
}

handler_fn signal(int sig, handler_fn handler)
{
    struct sigaction now = { .sa_flags = SA_RESTART }, before;
    now.sa_handler = handler;
    return sigaction(sig, &now, &before) == 0 ? before.sa_handler : SIG_ERR;
}

/* The program's handler; NULL when the signal is ignored.  Ends the program if it does that. */
static handler_fn handler_of(int sig, uint32_t site)
{
    handler_fn handler = model->signal_handlers[sig];
    bool ignored = sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT;
    if (handler == SIG_IGN || (handler == SIG_DFL && ignored))
        return NULL;
    if (handler == SIG_DFL)
        hd_violation(HD_KIND_CRASH, site, "killed by signal %d (%s)", sig,
                     sigdescr_np(sig) ? sigdescr_np(sig) : "?");
    return handler;
}

static uint64_t bit_of(int sig) { return 1ull << (sig - 1); }

int raise(int sig)
{
    uint32_t site = hd_take_site();
    if (sig <= 0 || sig >= 65) {
        errno = EINVAL;
        return -1;
    }
    hd_rt_prepare();
    struct hd_thread *t = hd_thread_now();
    if (t->blocked_signals & bit_of(sig)) {
        HD_SET(t->pending_signals, t->pending_signals | bit_of(sig));
        return 0;
    }
    if (plain())
        return (int)hd_syscall(SYS_tgkill, getpid(), hd_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0),
                               sig, 0, 0, 0);
    handler_fn handler = handler_of(sig, site);
    if (handler)
        handler(sig);
    return 0;
}

int pthread_kill(pthread_t id, int sig)
{
    uint32_t site = hd_take_site();
    hd_thread_of(id, "pthread_kill", site);
    if (sig < 0 || sig >= 65)
        return EINVAL;
    if (sig == 0)
        return 0;
    if (id - 1 == rt->cur)
        return raise(sig);
    if (plain())
        return (int)hd_syscall(SYS_tgkill, getpid(), hd_syscall(SYS_gettid, 0, 0, 0, 0, 0, 0),
                               sig, 0, 0, 0);
    if (!handler_of(sig, site))
        return 0;
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal(
        "%s: pthread_kill() that makes another thread run a signal handler is not modelled by "
        "this version of heddle",
        place);
}

int pthread_sigqueue(pthread_t id, int sig, const union sigval value)
{
    (void)value;
    return pthread_kill(id, sig);
}

int pthread_sigmask(int how, const sigset_t *restrict now, sigset_t *restrict before)
{
    uint32_t site = hd_take_site();
    struct hd_thread *t = hd_thread_now();
    uint64_t set, was = t->blocked_signals;
    if (before) {
        __heddle_will_write(before, sizeof *before, site);
        memset(before, 0, sizeof *before);
        memcpy(before, &was, sizeof was);
    }
    if (!now)
        return 0;
    if (how != SIG_BLOCK && how != SIG_UNBLOCK && how != SIG_SETMASK)
        return EINVAL;
    __heddle_will_read(now, sizeof *now, site);
    memcpy(&set, now, sizeof set);
    set &= ~(bit_of(SIGKILL) | bit_of(SIGSTOP));
    HD_SET(t->blocked_signals, how == SIG_BLOCK     ? was | set
                               : how == SIG_UNBLOCK ? was & ~set
                                                    : set);
    uint64_t due = t->pending_signals & ~t->blocked_signals;
    HD_SET(t->pending_signals, t->pending_signals & ~due);
    for (; due; due &= due - 1)
        raise(__builtin_ctzll(due) + 1);
    return 0;
}

int kill(pid_t pid, int sig)
{
    if (!plain() && pid == getpid())
        return raise(sig);
    return (int)hd_syscall(SYS_kill, pid, sig, 0, 0, 0, 0);
}
