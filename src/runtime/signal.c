/* Signals within the one process: handlers are remembered in the model; raise runs the handler in
 * the calling thread at once, as C says.  No signal arrives by itself during an exploration. */
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

int raise(int sig)
{
    uint32_t site = hd_take_site();
    if (plain())
        return (int)syscall(SYS_tgkill, getpid(), syscall(SYS_gettid), sig);
    if (sig <= 0 || sig >= 65) {
        errno = EINVAL;
        return -1;
    }
    handler_fn handler = model->signal_handlers[sig];
    bool ignored = sig == SIGCHLD || sig == SIGURG || sig == SIGWINCH || sig == SIGCONT;
    if (handler == SIG_IGN || (handler == SIG_DFL && ignored))
        return 0;
    if (handler == SIG_DFL)
        hd_violation(HD_KIND_CRASH, site, "killed by signal %d (%s)", sig,
                     sigdescr_np(sig) ? sigdescr_np(sig) : "?");
    handler(sig);
    return 0;
}

int kill(pid_t pid, int sig)
{
    if (!plain() && pid == getpid())
        return raise(sig);
    return (int)syscall(SYS_kill, pid, sig);
}
