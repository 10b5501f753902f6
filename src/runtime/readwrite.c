/* read, write and everything that uses them.  Transfers that are not between threads of the
 * process are left to the kernel. */
#include "runtime/fd.h"

#include "runtime/cancel.h"
#include "runtime/fault.h"
#include "runtime/format.h"
#include "runtime/memory.h"
#include "runtime/notes.h"
#include "runtime/signalfd.h"
#include "runtime/stdin.h"

#include <errno.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

struct hd_file *hd_fd_use_or_end(int fd, uint32_t site)
{
    if (rt->weak)
        hd_cancel_point(site);
    struct hd_file *f = hd_fd_use(fd, site);
    if (!rt->weak)
        hd_cancel_point(site);
    return f;
}

/* A negative length: the kernel would refuse it, but no memory is that long. */
static void check_length(const void *at, size_t n, enum hd_op op, uint32_t site)
{
    if (HD_UNLIKELY(n > SSIZE_MAX))
        hd_check_range(at, n, op, site);
}

static uint32_t how_of(const struct hd_file *f) { return f->nonblocking ? HD_IO_NONBLOCK : 0; }

/* --faults io.  Returns the number of bytes to transfer; -1 with errno if the call fails. */
static ssize_t fault(size_t n, uint32_t site)
{
    if (HD_LIKELY(!hd_fault_wanted(HD_FAULT_IO)))
        return (ssize_t)n;
    switch (hd_fault_ways(HD_FAULT_IO, n > 1 ? 3 : 2, site)) {
    case 1:
        return hd_io_fail(EINTR);
    case 2:
        return hd_io_fail(EIO);
    case 3:
        return (ssize_t)(n / 2);
    default:
        return (ssize_t)n;
    }
}

/* The file has no such channel. */
static int without(const struct hd_file *f)
{
    return f->kind == HD_FILE_EPOLL || f->kind == HD_FILE_TIMER || f->kind == HD_FILE_SIGNALS
               ? EINVAL
           : f->kind == HD_FILE_SOCKET || f->kind == HD_FILE_LISTENER ? ENOTCONN
                                                                      : EBADF;
}

static ssize_t receive(const struct hd_file *f, void *to, size_t n, uint32_t how, uint32_t site)
{
    if (f->kind == HD_FILE_SIGNALS)
        return hd_signalfd_read(f, to, n, how & HD_IO_NONBLOCK, site);
    if (f->kind == HD_FILE_INPUT)
        return hd_stdin_read(to, n, how, site);
    struct hd_channel *c = f->kind == HD_FILE_LISTENER ? NULL : hd_channel_in(f);
    return c ? hd_channel_read(c, to, n, how, site) : hd_io_fail(without(f));
}

static ssize_t transmit(const struct hd_file *f, const void *from, size_t n, uint32_t how,
                        uint32_t site)
{
    struct hd_channel *c = hd_channel_out(f);
    return c ? hd_channel_write(c, from, n, how, site) : hd_io_fail(without(f));
}

/* Mark what the kernel has delivered as defined. */
static ssize_t delivered(void *to, ssize_t bytes)
{
    if (bytes > 0)
        __heddle_defined(to, (uint64_t)bytes);
    return bytes;
}

ssize_t read(int fd, void *to, size_t n)
{
    uint32_t site = hd_take_site();
    if (!hd_ready)
        return hd_syscall(SYS_read, fd, (long)(uintptr_t)to, (long)n, 0, 0, 0);
    hd_note_library_reads(fd, __builtin_return_address(0));
    check_length(to, n, HD_OP_WRITE, site);
    struct hd_file *f = hd_fd_use_or_end(fd, site);
    uint32_t before = hd_file_hold(f);
    ssize_t most = fault(n, site);
    if (f && most >= 0)
        most = receive(f, to, (size_t)most, how_of(f), site);
    hd_file_let_go(before, site);
    if (f || most < 0)
        return most;
    __heddle_may_write(to, (size_t)most, site);
    hd_fd_opaque(fd, site);
    hd_fd_outside(fd, "read", site);
    return delivered(to, hd_syscall(SYS_read, fd, (long)(uintptr_t)to, most, 0, 0, 0));
}

ssize_t write(int fd, const void *from, size_t n)
{
    uint32_t site = hd_take_site();
    if (!hd_ready)
        return hd_syscall(SYS_write, fd, (long)(uintptr_t)from, (long)n, 0, 0, 0);
    check_length(from, n, HD_OP_READ, site);
    bool output = !hd_output_moved(fd) && !hd_fd_peek(fd);
    struct hd_file *f = output ? NULL : hd_fd_use_or_end(fd, site);
    if (output && hd_cancels() && !rt->solo_fast && !rt->weak)
        hd_act(HD_OP_YIELD, NULL, NULL, 0,
               site); /* output is no action, only the cancellation point is */
    if (output)
        hd_cancel_point(site);
    uint32_t before = hd_file_hold(f);
    ssize_t most = fault(n, site);
    if (f && most >= 0)
        most = transmit(f, from, (size_t)most, how_of(f), site);
    hd_file_let_go(before, site);
    if (f || most < 0)
        return most;
    __heddle_will_read(from, (size_t)most, site);
    if (hd_output_take(fd, from, (size_t)most))
        return most;
    if (!output)
        hd_fd_opaque(fd, site);
    return hd_syscall(SYS_write, fd, (long)(uintptr_t)from, most, 0, 0, 0);
}

ssize_t hd_fd_read_own(int fd, void *to, size_t n, uint32_t site)
{
    struct hd_file *f = hd_fd_use_or_end(fd, site);
    uint32_t before = hd_file_hold(f);
    ssize_t most = fault(n, site);
    if (most >= 0)
        most = f ? receive(f, to, (size_t)most, how_of(f) | HD_IO_OWN, site) : hd_io_fail(EBADF);
    hd_file_let_go(before, site);
    return most;
}

ssize_t hd_fd_write_own(int fd, const void *from, size_t n, uint32_t site)
{
    struct hd_file *f = hd_fd_use_or_end(fd, site);
    uint32_t before = hd_file_hold(f);
    ssize_t most = fault(n, site);
    if (most >= 0)
        most = f ? transmit(f, from, (size_t)most, how_of(f) | HD_IO_OWN, site)
                 : hd_io_fail(EBADF);
    hd_file_let_go(before, site);
    return most;
}

static struct iovec piece(const struct iovec *pieces, int i)
{
    struct iovec p;
    hd_view_load(rt->cur, &pieces[i], &p, sizeof p);
    return p;
}

static size_t total(const struct iovec *pieces, int n)
{
    size_t bytes = 0;
    for (int i = 0; i < n; i++)
        bytes += piece(pieces, i).iov_len;
    return bytes;
}

/* The pieces, concatenated in memory of its own. */
static char *gathered(const struct iovec *pieces, int n, uint32_t site)
{
    char *all = malloc(total(pieces, n) + 1), *at = all;
    for (int i = 0; all && i < n; i++) {
        struct iovec p = piece(pieces, i);
        hd_load_logged(p.iov_base, at, p.iov_len, site);
        at += p.iov_len;
    }
    return all;
}

static void scattered(const struct iovec *pieces, int n, const char *from, size_t bytes,
                      uint32_t site)
{
    for (int i = 0; i < n && bytes; i++) {
        struct iovec p = piece(pieces, i);
        size_t here = p.iov_len < bytes ? p.iov_len : bytes;
        __heddle_store_n(p.iov_base, from, here, site);
        from += here;
        bytes -= here;
    }
}

extern uint32_t __heddle_call_site;

/* A call that is made for the program has the program's site. */
#define AS_CALLED(site) (__heddle_call_site = (site))

static ssize_t vector_read(int fd, const struct iovec *pieces, int n, uint32_t site,
                           ssize_t (*call)(int, void *, size_t, int), int flags)
{
    if (n < 0 || n > IOV_MAX)
        return hd_io_fail(EINVAL);
    __heddle_will_read(pieces, (size_t)n * sizeof *pieces, site);
    char *all = malloc(total(pieces, n) + 1);
    AS_CALLED(site);
    ssize_t got = all ? call(fd, all, total(pieces, n), flags) : hd_io_fail(ENOMEM);
    if (got > 0)
        scattered(pieces, n, all, (size_t)got, site);
    free(all);
    return got;
}

static ssize_t vector_write(int fd, const struct iovec *pieces, int n, uint32_t site,
                            ssize_t (*call)(int, const void *, size_t, int), int flags)
{
    if (n < 0 || n > IOV_MAX)
        return hd_io_fail(EINVAL);
    __heddle_will_read(pieces, (size_t)n * sizeof *pieces, site);
    char *all = gathered(pieces, n, site);
    AS_CALLED(site);
    ssize_t put = all ? call(fd, all, total(pieces, n), flags) : hd_io_fail(ENOMEM);
    free(all);
    return put;
}

static ssize_t plain_read(int fd, void *to, size_t n, int flags)
{
    (void)flags;
    return read(fd, to, n);
}

static ssize_t plain_write(int fd, const void *from, size_t n, int flags)
{
    (void)flags;
    return write(fd, from, n);
}

ssize_t readv(int fd, const struct iovec *pieces, int n)
{
    return vector_read(fd, pieces, n, hd_take_site(), plain_read, 0);
}

ssize_t writev(int fd, const struct iovec *pieces, int n)
{
    return vector_write(fd, pieces, n, hd_take_site(), plain_write, 0);
}

static int print(int fd, const char *fmt, va_list args, uint32_t site)
{
    va_list again;
    va_copy(again, args);
    int n = hd_vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    if (!text)
        return -1;
    hd_log_range(text, (size_t)n + 1);
    hd_vsnprintf(text, (size_t)n + 1, fmt, args);
    AS_CALLED(site);
    n = (int)write(fd, text, (size_t)n);
    free(text);
    return n;
}

int vdprintf(int fd, const char *fmt, va_list args)
{
    uint32_t site = hd_take_site();
    struct hd_printed p;
    hd_format_printed(&p, fmt, args, site);
    return print(fd, fmt, p.args, site);
}

int dprintf(int fd, const char *fmt, ...)
{
    va_list args;
    uint32_t site = hd_take_site();
    va_start(args, fmt);
    int n = print(fd, fmt, args, site);
    va_end(args);
    return n;
}

static _Noreturn void not_modelled(const char *what, uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: %s is not modelled by this version of heddle", place, what);
}

ssize_t recv(int fd, void *to, size_t n, int flags)
{
    uint32_t site = hd_take_site();
    check_length(to, n, HD_OP_WRITE, site);
    struct hd_file *f = hd_fd_use_or_end(fd, site);
    uint32_t before = hd_file_hold(f);
    ssize_t most = fault(n, site);
    if (most < 0) {
        hd_file_let_go(before, site);
        return -1;
    }
    if (!f) {
        __heddle_may_write(to, (size_t)most, site);
        hd_fd_opaque(fd, site);
        if (!(flags & MSG_DONTWAIT))
            hd_fd_outside(fd, "recv", site);
        return delivered(to,
                         hd_syscall(SYS_recvfrom, fd, (long)(uintptr_t)to, most, flags, 0, 0));
    }
    if (f->kind != HD_FILE_SOCKET && f->kind != HD_FILE_LISTENER) {
        hd_file_let_go(before, site);
        return hd_io_fail(ENOTSOCK);
    }
    if (flags & (MSG_OOB | MSG_ERRQUEUE | MSG_TRUNC))
        not_modelled("a flag of recv() other than MSG_DONTWAIT, MSG_PEEK, MSG_WAITALL", site);
    uint32_t how = how_of(f) | (flags & MSG_DONTWAIT ? HD_IO_NONBLOCK : 0) |
                   (flags & MSG_PEEK ? HD_IO_PEEK : 0);
    if ((flags & MSG_WAITALL) && !(how & (HD_IO_PEEK | HD_IO_NONBLOCK)))
        how |= HD_IO_ALL;
    most = receive(f, to, (size_t)most, how, site);
    hd_file_let_go(before, site);
    return most;
}

ssize_t send(int fd, const void *from, size_t n, int flags)
{
    uint32_t site = hd_take_site();
    check_length(from, n, HD_OP_READ, site);
    struct hd_file *f = hd_fd_use_or_end(fd, site);
    uint32_t before = hd_file_hold(f);
    ssize_t most = fault(n, site);
    if (most < 0) {
        hd_file_let_go(before, site);
        return -1;
    }
    if (!f) {
        __heddle_will_read(from, (size_t)most, site);
        hd_fd_opaque(fd, site);
        return hd_syscall(SYS_sendto, fd, (long)(uintptr_t)from, most, flags, 0, 0);
    }
    if (f->kind != HD_FILE_SOCKET) {
        hd_file_let_go(before, site);
        return hd_io_fail(ENOTSOCK);
    }
    if (flags & MSG_OOB)
        not_modelled("MSG_OOB", site);
    uint32_t how = how_of(f) | (flags & MSG_DONTWAIT ? HD_IO_NONBLOCK : 0) |
                   (flags & MSG_NOSIGNAL ? HD_IO_NOSIGNAL : 0);
    most = transmit(f, from, (size_t)most, how, site);
    hd_file_let_go(before, site);
    return most;
}

ssize_t recvmsg(int fd, struct msghdr *message, int flags)
{
    uint32_t site = hd_take_site();
    if (!hd_fd_use_or_end(fd, site)) {
        hd_fd_opaque(fd, site);
        return hd_syscall(SYS_recvmsg, fd, (long)(uintptr_t)message, flags, 0, 0, 0);
    }
    __heddle_will_write(message, sizeof *message, site);
    struct msghdr m;
    hd_view_load(rt->cur, message, &m, sizeof m);
    m.msg_controllen = 0;
    m.msg_namelen = 0;
    m.msg_flags = 0;
    hd_view_write(rt->cur, message, &m, sizeof m);
    return vector_read(fd, m.msg_iov, (int)m.msg_iovlen, site, recv, flags);
}

ssize_t sendmsg(int fd, const struct msghdr *message, int flags)
{
    uint32_t site = hd_take_site();
    if (!hd_fd_use_or_end(fd, site)) {
        hd_fd_opaque(fd, site);
        return hd_syscall(SYS_sendmsg, fd, (long)(uintptr_t)message, flags, 0, 0, 0);
    }
    __heddle_will_read(message, sizeof *message, site);
    struct msghdr m;
    hd_view_load(rt->cur, message, &m, sizeof m);
    if (m.msg_controllen)
        not_modelled("sending descriptors or credentials with sendmsg()", site);
    return vector_write(fd, m.msg_iov, (int)m.msg_iovlen, site, send, flags);
}

ssize_t recvfrom(int fd, void *restrict to, size_t n, int flags, struct sockaddr *restrict from,
                 socklen_t *restrict length)
{
    uint32_t site = hd_take_site();
    if (!hd_fd_use_or_end(fd, site)) {
        __heddle_may_write(to, n, site);
        hd_fd_opaque(fd, site);
        return delivered(to, hd_syscall(SYS_recvfrom, fd, (long)(uintptr_t)to, (long)n, flags,
                                        (long)(uintptr_t)from, (long)(uintptr_t)length));
    }
    socklen_t none = 0; /* the ends of a pair have no names */
    if (length)
        __heddle_store_n(length, &none, sizeof none, site);
    AS_CALLED(site);
    return recv(fd, to, n, flags);
}

ssize_t sendto(int fd, const void *from, size_t n, int flags, const struct sockaddr *to,
               socklen_t length)
{
    uint32_t site = hd_take_site();
    if (!hd_fd_use_or_end(fd, site)) {
        __heddle_will_read(from, n, site);
        hd_fd_opaque(fd, site);
        return hd_syscall(SYS_sendto, fd, (long)(uintptr_t)from, (long)n, flags,
                          (long)(uintptr_t)to, (long)length);
    }
    if (to)
        return hd_io_fail(EISCONN);
    AS_CALLED(site);
    return send(fd, from, n, flags);
}

int shutdown(int fd, int which)
{
    uint32_t site = hd_take_site();
    const struct hd_file *f = hd_fd_use(fd, site);
    if (!f) {
        hd_fd_opaque(fd, site);
        return (int)hd_syscall(SYS_shutdown, fd, which, 0, 0, 0, 0);
    }
    if (f->kind != HD_FILE_SOCKET && f->kind != HD_FILE_LISTENER)
        return hd_io_fail(ENOTSOCK);
    if (!f->in)
        return hd_io_fail(ENOTCONN);
    if (which != SHUT_RD && which != SHUT_WR && which != SHUT_RDWR)
        return hd_io_fail(EINVAL);
    struct hd_channel *in = hd_channel_in(f), *out = hd_channel_out(f);
    if (which != SHUT_WR) {
        hd_channel_change(in, site);
        in->eof = in->broken = 1;
        in->raised++;
        hd_channel_changed(in, site);
    }
    if (which != SHUT_RD && out) {
        hd_channel_change(out, site);
        out->eof = 1;
        out->raised++;
        hd_channel_changed(out, site);
    }
    return 0;
}
