/* poll, select and similar calls.
 *
 * As in the kernel, descriptors are examined one after the other, each in a step that also
 * registers for its next change.  If none is ready, the thread waits for its bell and looks
 * again.
 *
 *            look, look, …            none ready               rings
 *   running ─────────────▶ ready? ──────────────▶ IO_AWAIT ───────────▶ look again
 *                            │ yes                blocks until a change of something watched
 *                            ▼
 *                          result
 *
 * A needless ring (for something that an earlier call watched) costs one more look. */
#include "runtime/fd.h"

#include "core/enabled.h"
#include "runtime/cancel.h"
#include "runtime/notes.h"
#include "runtime/signalfd.h"
#include "runtime/timer.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <sys/select.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <time.h>
#include <unistd.h>

#define NS 1000000000ull

static void look(struct hd_channel *c, bool watch, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(watch ? HD_OP_IO_WATCH : HD_OP_IO_LOOK, c, NULL, 0, site);
    if (!watch)
        return;
    hd_log_word(&c->watchers.w[rt->cur >> 6]);
    hd_tset_add(&c->watchers, rt->cur);
}

static uint32_t readable(const struct hd_channel *c, const struct hd_file *f)
{
    uint32_t events = 0;
    if ((uint32_t)hd_channel_state(c) || (c->eof && f->kind == HD_FILE_SOCKET))
        events |= POLLIN | POLLRDNORM;
    if (c->eof)
        events |= f->kind == HD_FILE_SOCKET ? POLLRDHUP : POLLHUP;
    return events;
}

static uint32_t writable(const struct hd_channel *c, const struct hd_file *f)
{
    bool broken = c->broken && f->kind == HD_FILE_PIPE;
    bool room = c->is_event ? c->count < UINT64_MAX - 1
                            : c->broken || c->capacity - c->fill >= HD_IO_ATOMIC;
    return (room ? POLLOUT | POLLWRNORM : 0u) | (broken ? POLLERR : 0u);
}

struct hd_ready hd_poll_look(const struct hd_file *f, uint32_t events, bool watch, uint32_t site)
{
    struct hd_ready r = { 0, 0, NULL };
    struct hd_channel *in = hd_channel_in(f), *out = hd_channel_out(f);
    if (f->kind == HD_FILE_INPUT || /* as a file: always ready */
        (f->kind == HD_FILE_SIGNALS && hd_signalfd_look(f, watch, site)))
        r.events |= POLLIN | POLLRDNORM;
    if (in) {
        look(in, watch, site);
        r.ticks = in->timer.is && hd_timer_look(in, site) ? in : NULL;
        r.events |= readable(in, f);
        r.edges += in->raised;
    }
    /* the other direction, if it is asked for or can make a difference */
    if (out && (!in || in->eof || (events & (POLLOUT | POLLWRNORM)))) {
        if (out != in)
            look(out, watch, site);
        r.edges += out->lowered;
        r.events |= writable(out, f);
        if (in && in->eof && out->eof)
            r.events |= POLLHUP;
    }
    if (!in && !out && f->kind == HD_FILE_SOCKET) /* not connected */
        r.events |= POLLOUT | POLLWRNORM | POLLHUP;
    r.events &= events | POLLHUP | POLLERR;
    return r;
}

bool hd_poll_await(bool timed, uint64_t deadline, uint32_t site)
{
    uint64_t *bell = &model->fds.bells[rt->cur];
    struct hd_sync *s = hd_bell_of(rt->cur);
    if (timed && !hd_deadline_never(deadline)) {
        bool rang = hd_sync_try(s, HD_OP_IO_TIMEDAWAIT, site);
        if (HD_UNLIKELY(hd_thread_now()->eintr & HD_EINTR_NOW))
            return true; /* the caller asks hd_interrupted() */
        if (!rang) {
            hd_clock_reach(deadline, site);
            return false;
        }
    } else {
        hd_sync_wait(s, HD_OP_IO_AWAIT, site);
        if (HD_UNLIKELY(hd_thread_now()->eintr & HD_EINTR_NOW))
            return true;
    }
    HD_SET(*bell, 0);
    return true;
}

static void cancel_point(bool due)
{
    if (HD_LIKELY(!due))
        return;
    HD_SET(hd_thread_now()->polls, 0);
    hd_cancel_act();
}

bool hd_poll_change(bool timed, uint64_t deadline, uint32_t site)
{
    HD_SET(hd_thread_now()->polls, 1);
    cancel_point(hd_cancel_due(true, site));
    bool rang = hd_poll_await(timed, deadline, site);
    cancel_point(hd_cancel_came());
    HD_SET(hd_thread_now()->polls, 0);
    return rang;
}

static _Noreturn void outside(int fd, uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: waiting for descriptor %d, which is not a pipe, socket pair, eventfd or epoll "
             "between threads, is not modelled by this version of heddle",
             place, fd);
}

/* Files and the null device, which is standard input, are always ready.  A program that asks
 * whether there is input depends on it like one that reads. */
static short ready_outside(const struct pollfd *p, uint32_t site)
{
    struct stat is;
    hd_fd_apart(p->fd, site);
    if (hd_syscall(SYS_fstat, p->fd, (long)(uintptr_t)&is, 0, 0, 0, 0) != 0)
        return POLLNVAL;
    bool null = S_ISCHR(is.st_mode) && is.st_rdev == makedev(1, 3);
    if (!null && !S_ISREG(is.st_mode))
        outside(p->fd, site);
    if (p->events & (POLLIN | POLLRDNORM))
        __heddle_reads_fd(p->fd, site);
    return p->events & (POLLIN | POLLOUT | POLLRDNORM | POLLWRNORM);
}

/* Examine all once.  Returns how many are ready. */
static int round(struct pollfd *p, nfds_t n, bool watch, struct hd_ticking *timers, uint32_t site)
{
    int ready = 0;
    timers->n = 0;
    if (!rt->solo_fast)
        hd_act(HD_OP_FD_USE, &model->fds, NULL, 0, site);
    for (nfds_t i = 0; i < n; i++) {
        p[i].revents = 0;
        if (p[i].fd < 0)
            continue;
        const struct hd_file *f = hd_fd_peek(p[i].fd);
        if (f && f->kind == HD_FILE_EPOLL)
            outside(p[i].fd, site);
        struct hd_ready r = { 0, 0, NULL };
        if (f)
            r = hd_poll_look(f, (uint16_t)p[i].events, watch, site);
        if (r.ticks)
            timers->at[timers->n++] = r.ticks;
        p[i].revents = f ? (short)r.events : ready_outside(&p[i], site);
        ready += p[i].revents != 0;
    }
    return ready;
}

/* `ns`: < 0: for ever. */
static int wait_for(struct pollfd *p, nfds_t n, int64_t ns, uint32_t site)
{
    uint64_t deadline = (ns > 0 ? hd_clock_now(site) : model->clock_ns) + (uint64_t)ns;
    bool last = ns == 0;
    struct hd_ticking timers;
    hd_cancel_point(site);
    for (;;) {
        int ready = round(p, n, !last, &timers, site);
        if (ready || last)
            return ready;
        last = !hd_timer_await(&timers, ns, deadline, site);
        if (hd_interrupted())
            return hd_io_fail(EINTR);
    }
}

static int poll_all(struct pollfd *fds, nfds_t n, int64_t ns, uint32_t site)
{
    struct pollfd p[HD_MAX_WATCHED];
    if (n > HD_MAX_WATCHED)
        hd_fatal("poll() of more than %u descriptors", HD_MAX_WATCHED);
    __heddle_load_n(fds, p, n * sizeof *p, site);
    int ready = wait_for(p, n, ns, site);
    for (nfds_t i = 0; i < n && ready >= 0; i++)
        __heddle_store_n(&fds[i].revents, &p[i].revents, sizeof p[i].revents, site);
    return ready;
}

int poll(struct pollfd *fds, nfds_t n, int milliseconds)
{
    uint32_t site = hd_take_site();
    hd_rt_prepare();
    return poll_all(fds, n, milliseconds < 0 ? -1 : milliseconds * 1000000ll, site);
}

int ppoll(struct pollfd *fds, nfds_t n, const struct timespec *timeout, const sigset_t *mask)
{
    uint32_t site = hd_take_site();
    struct timespec t;
    (void)mask;
    hd_rt_prepare();
    if (!timeout)
        return poll_all(fds, n, -1, site);
    __heddle_load_n(timeout, &t, sizeof t, site);
    return poll_all(fds, n, (int64_t)((uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec), site);
}

static bool loaded(fd_set *copy, const fd_set *set, uint32_t site)
{
    FD_ZERO(copy);
    if (set)
        __heddle_load_n(set, copy, sizeof *copy, site);
    return set;
}

static int select_ns(int n, fd_set *in, fd_set *out, fd_set *other, int64_t ns, uint32_t site)
{
    struct pollfd p[HD_MAX_WATCHED];
    fd_set want_in, want_out, want_other;
    nfds_t count = 0;
    if (n < 0 || n > FD_SETSIZE)
        return hd_io_fail(EINVAL);
    loaded(&want_in, in, site);
    loaded(&want_out, out, site);
    loaded(&want_other, other, site);
    for (int fd = 0; fd < n; fd++) {
        short events = (short)((FD_ISSET(fd, &want_in) ? POLLIN : 0) |
                               (FD_ISSET(fd, &want_out) ? POLLOUT : 0));
        if (!events && !FD_ISSET(fd, &want_other))
            continue;
        if (count == HD_MAX_WATCHED)
            hd_fatal("select() of more than %u descriptors", HD_MAX_WATCHED);
        p[count++] = (struct pollfd){ .fd = fd, .events = events };
    }
    if (wait_for(p, count, ns, site) < 0)
        return -1;
    int ready = 0;
    FD_ZERO(&want_other);
    for (nfds_t i = 0; i < count; i++) {
        if (p[i].revents & POLLNVAL)
            return hd_io_fail(EBADF);
        bool reads = FD_ISSET(p[i].fd, &want_in) && (p[i].revents & (POLLIN | POLLHUP | POLLERR));
        bool writes = FD_ISSET(p[i].fd, &want_out) && (p[i].revents & (POLLOUT | POLLERR));
        if (!reads)
            FD_CLR(p[i].fd, &want_in);
        if (!writes)
            FD_CLR(p[i].fd, &want_out);
        ready += reads + writes;
    }
    if (in)
        __heddle_store_n(in, &want_in, sizeof *in, site);
    if (out)
        __heddle_store_n(out, &want_out, sizeof *out, site);
    if (other)
        __heddle_store_n(other, &want_other, sizeof *other, site);
    return ready;
}

int select(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
           struct timeval *restrict timeout)
{
    uint32_t site = hd_take_site();
    struct timeval t;
    hd_rt_prepare();
    if (!timeout)
        return select_ns(n, in, out, other, -1, site);
    __heddle_load_n(timeout, &t, sizeof t, site);
    return select_ns(n, in, out, other,
                     (int64_t)((uint64_t)t.tv_sec * NS + (uint64_t)t.tv_usec * 1000), site);
}

int pselect(int n, fd_set *restrict in, fd_set *restrict out, fd_set *restrict other,
            const struct timespec *restrict timeout, const sigset_t *restrict mask)
{
    uint32_t site = hd_take_site();
    struct timespec t;
    (void)mask;
    hd_rt_prepare();
    if (!timeout)
        return select_ns(n, in, out, other, -1, site);
    __heddle_load_n(timeout, &t, sizeof t, site);
    return select_ns(n, in, out, other, (int64_t)((uint64_t)t.tv_sec * NS + (uint64_t)t.tv_nsec),
                     site);
}
