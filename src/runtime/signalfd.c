#include "runtime/signalfd.h"

#include "runtime/fd.h"
#include "runtime/memory.h"
#include "runtime/signal.h"

#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

int signalfd(int fd, const sigset_t *set, int flags)
{
    uint32_t site = hd_take_site();
    if (!hd_ready || rt->mode == HD_PLAIN)
        return ((int (*)(int, const sigset_t *, int))(uintptr_t)hd_real("signalfd"))(fd, set,
                                                                                     flags);
    if (flags & ~(SFD_CLOEXEC | SFD_NONBLOCK))
        return hd_io_fail(EINVAL);
    uint64_t bits = hd_signal_set(set, site);
    hd_fd_change(site);
    struct hd_file *f = fd == -1 ? NULL : hd_fd_peek(fd);
    if (fd != -1 && (!f || f->kind != HD_FILE_SIGNALS))
        return hd_io_fail(f ? EINVAL : EBADF);
    if (f) { /* who looks at it now looks at the new set */
        hd_signal_act(HD_OP_SIGNAL_CHANGE, site);
        HD_SET(f->signals, bits);
        return fd;
    }
    f = hd_file_new(HD_FILE_SIGNALS, flags & SFD_NONBLOCK);
    f->signals = bits;
    return hd_fd_new(f, 0, flags & SFD_CLOEXEC);
}

bool hd_signalfd_look(const struct hd_file *f, bool watch, uint32_t site)
{
    struct hd_thread *t = hd_thread_now();
    hd_signal_act(watch ? HD_OP_SIGNAL_TAKE : HD_OP_SIGNAL_LOOK, site);
    if (watch)
        HD_SET(t->watched_signals, t->watched_signals | f->signals);
    return hd_signal_pending(f->signals);
}

static void tell(void *to, const struct hd_queued *q, uint32_t site)
{
    struct signalfd_siginfo info;
    memset(&info, 0, sizeof info);
    info.ssi_signo = q->number;
    info.ssi_code = (int32_t)q->code;
    info.ssi_pid = (uint32_t)getpid();
    info.ssi_uid = (uint32_t)getuid();
    if (q->code == SI_QUEUE) {
        info.ssi_ptr = q->value;
        info.ssi_int = (int32_t)q->value;
    }
    __heddle_store_n(to, &info, sizeof info, site);
}

/* Signals are taken one by one, so that several threads may share them. */
ssize_t hd_signalfd_read(const struct hd_file *f, void *to, size_t n, bool nonblocking,
                         uint32_t site)
{
    const size_t each = sizeof(struct signalfd_siginfo);
    struct hd_queued q;
    size_t done = 0;
    if (n < each)
        return hd_io_fail(EINVAL);
    while (done + each <= n) {
        hd_signal_act(HD_OP_SIGNAL_TAKE, site);
        if (hd_signal_take(f->signals, &q)) {
            tell((char *)to + done, &q, site);
            done += each;
            continue;
        }
        if (done || nonblocking)
            break;
        HD_SET(hd_thread_now()->watched_signals, f->signals);
        hd_poll_change(false, 0, site);
        if (hd_interrupted())
            return hd_io_fail(EINTR);
    }
    return done ? (ssize_t)done : hd_io_fail(EAGAIN);
}
