/* The table of descriptors: which number means what; pipe, socketpair, eventfd, dup, close,
 * fcntl.
 *
 * Numbers of the model are above those that the kernel gives out, so they are disjoint unless
 * the program chooses the number itself (dup2 onto standard output). */
#include "runtime/fd.h"

#include "runtime/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdarg.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

static struct hd_fds *fds(void) { return &model->fds; }

int hd_io_fail(int error)
{
    errno = error;
    return -1;
}

struct hd_file *hd_fd_peek(int fd)
{
    if (fd < 0 || fd >= HD_MAX_FDS || !fds()->fd[fd].file)
        return NULL;
    return &fds()->files[fds()->fd[fd].file - 1];
}

static void note(enum hd_note_kind kind, uint32_t site)
{
    if (hd_ready && rt->mode != HD_PLAIN)
        hd_notes_add(&rt->shared->notes, kind, site, 1);
}

void hd_fd_is_closed(uint32_t site)
{
    if (site)
        note(HD_NOTE_CLOSED, site);
}

void hd_fd_called_outside(uint32_t site)
{
    if (errno == EBADF)
        hd_fd_is_closed(site);
}

/* Is the number, which is not the model's, one of the kernel's? */
static bool is_outside(int fd)
{
    int saved = errno;
    bool is = fd >= 0 && hd_syscall(SYS_fcntl, fd, F_GETFD, 0, 0, 0, 0) >= 0;
    errno = saved;
    return is;
}

static void look_outside(int fd, uint32_t site)
{
    if (fd >= 0 && !is_outside(fd))
        hd_fd_is_closed(site);
}

void hd_fd_freed_outside(uint32_t site) { note(HD_NOTE_OPENED, site); }

void hd_fd_opaque(int fd, uint32_t site)
{
    __heddle_opaque(site);
    look_outside(fd, site);
}

void hd_fd_apart(int fd, uint32_t site)
{
    hd_opaque_apart(site);
    look_outside(fd, site);
}

struct hd_file *hd_fd_use(int fd, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(HD_OP_FD_USE, fds(), NULL, 0, site);
    struct hd_file *file = hd_fd_peek(fd);
    if (!file)
        look_outside(fd, site);
    return file;
}

void hd_fd_outside(int fd, const char *call, uint32_t site)
{
    struct pollfd p = { .fd = fd, .events = POLLIN };
    char place[300];
    if (fd <= 2 || rt->mode == HD_PLAIN ||
        hd_tset_count(&rt->config.live, hd_tset_words(rt->config.n_threads)) < 2)
        return;
    int saved = errno;
    long ready = hd_syscall(SYS_poll, (long)(uintptr_t)&p, 1, 0, 0, 0, 0);
    errno = saved;
    if (ready != 0 || (hd_syscall(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_NONBLOCK))
        return;
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: %s() would wait for descriptor %d, which is not a pipe, socket pair or eventfd "
             "between threads: that is not modelled by this version of heddle",
             place, call, fd);
}

void hd_fd_change(uint32_t site)
{
    hd_rt_prepare();
    if (!rt->solo_fast)
        hd_act(HD_OP_FD_CHANGE, fds(), NULL, 0, site);
}

struct hd_file *hd_file_new(enum hd_file_kind kind, bool nonblocking)
{
    if (fds()->n_files == HD_MAX_FILES)
        hd_fatal("the program makes more than %u descriptors of pipes, sockets and eventfds",
                 HD_MAX_FILES);
    struct hd_file *f = &fds()->files[fds()->n_files];
    HD_SET(fds()->n_files, fds()->n_files + 1);
    note(HD_NOTE_MODELLED, 0);
    hd_log_range(f, sizeof *f);
    *f = (struct hd_file){ .kind = kind, .nonblocking = nonblocking };
    return f;
}

static void set_number(int fd, const struct hd_file *file, bool cloexec)
{
    struct hd_file *f = &fds()->files[file - fds()->files];
    hd_log_word(&fds()->fd[fd]);
    fds()->fd[fd] = (struct hd_fd){ (uint16_t)(file - fds()->files + 1), cloexec };
    HD_SET(f->refs, f->refs + 1);
}

int hd_fd_new(const struct hd_file *file, int from, bool cloexec)
{
    for (int fd = from < HD_FIRST_FD ? HD_FIRST_FD : from; fd < HD_MAX_FDS; fd++)
        if (!fds()->fd[fd].file) {
            set_number(fd, file, cloexec);
            return fd;
        }
    return hd_io_fail(EMFILE);
}

/* Both ends of something, into the program's array. */
static int give_two(const struct hd_file *a, const struct hd_file *b, int *into, bool cloexec,
                    uint32_t site)
{
    int two[2] = { hd_fd_new(a, 0, cloexec), -1 };
    if (two[0] >= 0)
        two[1] = hd_fd_new(b, 0, cloexec);
    if (two[1] < 0)
        return -1;
    __heddle_store_n(into, two, sizeof two, site);
    return 0;
}

static int make_pipe(int ends[2], int flags, uint32_t site)
{
    if (flags & ~(O_CLOEXEC | O_NONBLOCK))
        return hd_io_fail(EINVAL);
    hd_fd_change(site);
    struct hd_channel *c = hd_channel_new();
    struct hd_file *in = hd_file_new(HD_FILE_PIPE, flags & O_NONBLOCK);
    struct hd_file *out = hd_file_new(HD_FILE_PIPE, flags & O_NONBLOCK);
    in->in = out->out = hd_channel_index(c);
    return give_two(in, out, ends, flags & O_CLOEXEC, site);
}

int pipe(int ends[2]) { return make_pipe(ends, 0, hd_take_site()); }
int pipe2(int ends[2], int flags) { return make_pipe(ends, flags, hd_take_site()); }

int socketpair(int domain, int type, int protocol, int ends[2])
{
    uint32_t site = hd_take_site();
    int kind = type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (domain != AF_UNIX)
        return hd_io_fail(EOPNOTSUPP);
    if (kind != SOCK_STREAM && kind != SOCK_DGRAM && kind != SOCK_SEQPACKET)
        return hd_io_fail(EPROTONOSUPPORT);
    if (protocol != 0 && protocol != AF_UNIX)
        return hd_io_fail(EPROTONOSUPPORT);
    hd_fd_change(site);
    struct hd_channel *there = hd_channel_new(), *back = hd_channel_new();
    struct hd_file *a = hd_file_new(HD_FILE_SOCKET, type & SOCK_NONBLOCK);
    struct hd_file *b = hd_file_new(HD_FILE_SOCKET, type & SOCK_NONBLOCK);
    there->messages = back->messages = kind != SOCK_STREAM;
    a->domain = b->domain = AF_UNIX;
    a->type = b->type = (uint32_t)kind;
    a->out = b->in = hd_channel_index(there);
    a->in = b->out = hd_channel_index(back);
    return give_two(a, b, ends, type & SOCK_CLOEXEC, site);
}

int eventfd(unsigned count, int flags)
{
    uint32_t site = hd_take_site();
    if (flags & ~(EFD_CLOEXEC | EFD_NONBLOCK | EFD_SEMAPHORE))
        return hd_io_fail(EINVAL);
    hd_fd_change(site);
    struct hd_channel *c = hd_channel_new();
    struct hd_file *f = hd_file_new(HD_FILE_EVENT, flags & EFD_NONBLOCK);
    c->is_event = 1;
    c->semaphore = (flags & EFD_SEMAPHORE) != 0;
    c->count = count;
    f->in = f->out = hd_channel_index(c);
    return hd_fd_new(f, 0, flags & EFD_CLOEXEC);
}

int eventfd_read(int fd, eventfd_t *value)
{
    return read(fd, value, sizeof *value) == sizeof *value ? 0 : -1;
}

int eventfd_write(int fd, eventfd_t value)
{
    return write(fd, &value, sizeof value) == sizeof value ? 0 : -1;
}

/* A step changes one object.  So the calls that hold a file with two channels are an object of
 * their own, and its channels end in two steps. */
static bool has_two(const struct hd_file *file) { return file->in && file->out; }

/* The step of closing a file that may end it: it conflicts with all steps in which calls let go
 * of it. */
static void close_step(struct hd_file *file, uint32_t site)
{
    struct hd_channel *in = hd_channel_in(file), *out = hd_channel_out(file);
    if (rt->solo_fast)
        return;
    if (has_two(file))
        hd_act(HD_OP_FD_CHANGE, file, NULL, 0, site);
    else
        hd_act(HD_OP_IO_CHANGE, in ? in : out, NULL, 0, site);
}

/* Nothing refers to the file any longer: its ends are closed.  The order is that of Linux'
 * unix_release_sock(): first the other side cannot write any more, then it has read all. */
static void end_file(const struct hd_file *file, uint32_t site)
{
    struct hd_channel *in = hd_channel_in(file), *out = hd_channel_out(file);
    if (in && has_two(file))
        hd_channel_change(in, site);
    if (in) {
        hd_log_range(in, offsetof(struct hd_channel, bytes));
        in->broken = 1;
        in->lowered++;
        hd_channel_changed(in, site);
    }
    if (out && has_two(file))
        hd_channel_change(out, site);
    if (out) {
        hd_log_range(out, offsetof(struct hd_channel, bytes));
        out->eof = 1;
        out->raised++;
        hd_channel_changed(out, site);
    }
    if (file->kind == HD_FILE_LISTENER)
        hd_socket_drain(file, site);
}

static bool ends(const struct hd_file *file)
{
    return (file->kind == HD_FILE_PIPE || file->kind == HD_FILE_SOCKET ||
            file->kind == HD_FILE_LISTENER) &&
           (file->in || file->out);
}

void hd_file_release(struct hd_file *file, uint32_t site)
{
    if (!ends(file))
        return;
    close_step(file, site);
    if (file->holders)
        HD_SET(file->closing, 1);
    else
        end_file(file, site);
}

uint32_t hd_file_hold(struct hd_file *file)
{
    struct hd_thread *t = hd_thread_now();
    uint32_t before = (uint32_t)t->file;
    bool held = file && ends(file);
    if (held)
        HD_SET(file->holders, file->holders + 1);
    if (held || before)
        HD_SET(t->file, held ? (uint64_t)(file - fds()->files) + 1 : 0);
    return before;
}

void hd_file_done(void)
{
    struct hd_thread *t = hd_thread_now();
    struct hd_file *file = t->file ? &fds()->files[t->file - 1] : NULL;
    if (!file || file->closing || has_two(file))
        return;
    HD_SET(file->holders, file->holders - 1);
    HD_SET(t->file, 0);
}

/* The step in which a call lets go of a file that may be closing. */
static void let_go_step(struct hd_file *file, uint32_t site)
{
    if (!has_two(file))
        close_step(file, site);
    else if (!rt->solo_fast)
        hd_act(HD_OP_FD_USE, file, NULL, 0, site);
}

void hd_file_let_go(uint32_t before, uint32_t site)
{
    struct hd_thread *t = hd_thread_now();
    int saved = errno;
    hd_file_done();
    if (t->file) {
        struct hd_file *file = &fds()->files[t->file - 1];
        let_go_step(file, site);
        HD_SET(file->holders, file->holders - 1);
        if (file->holders == 0 && file->closing)
            end_file(file, site);
    }
    if (t->file != before)
        HD_SET(t->file, before);
    errno = saved;
}

/* The number is free again.  Returns its file if no number refers to it now, or NULL. */
static struct hd_file *clear_number(int fd)
{
    struct hd_file *f = hd_fd_peek(fd);
    if (!f)
        return NULL;
    hd_log_word(&fds()->fd[fd]);
    fds()->fd[fd] = (struct hd_fd){ 0, 0 };
    HD_SET(f->refs, f->refs - 1);
    return f->refs ? NULL : f;
}

static long real(long number, long a, long b, long c, uint32_t site)
{
    if (hd_ready && number == SYS_ioctl)
        __heddle_opaque(site);
    else if (hd_ready)
        hd_opaque_apart(site);
    long result = hd_syscall(number, a, b, c, 0, 0, 0);
    if (hd_ready && result < 0 && errno == EBADF && a >= 0)
        hd_fd_is_closed(site);
    else if (hd_ready && result >= 0 &&
             (number == SYS_dup || number == SYS_fcntl || number == SYS_close))
        note(HD_NOTE_OPENED, site);
    return result;
}

int close(int fd)
{
    uint32_t site = hd_take_site();
    if (!hd_ready)
        return (int)hd_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
    hd_fd_change(site);
    bool was = hd_is_output(fd);
    int closed = 0;
    if (!hd_fd_peek(fd)) {
        closed = (int)real(SYS_close, fd, 0, 0, site);
    } else {
        struct hd_file *last = clear_number(fd);
        if (last)
            hd_file_release(last, site);
        if (is_outside(fd)) /* behind standard input, or what dup2() has put there */
            real(SYS_close, fd, 0, 0, site);
    }
    hd_output_look(fd, was, site);
    return closed;
}

int dup(int fd)
{
    uint32_t site = hd_take_site();
    hd_fd_change(site);
    const struct hd_file *f = hd_fd_peek(fd);
    return f ? hd_fd_new(f, 0, false) : (int)real(SYS_dup, fd, 0, 0, site);
}

static int duplicate(int fd, int onto, int flags, uint32_t site)
{
    hd_fd_change(site);
    const struct hd_file *f = hd_fd_peek(fd);
    if (onto < 0 || onto >= HD_MAX_FDS)
        return hd_io_fail(EBADF);
    bool was = hd_is_output(onto), ours = hd_fd_peek(onto) != NULL;
    int made = f ? onto : (int)real(SYS_dup3, fd, onto, flags, site);
    if (made < 0)
        return made;
    if (!f && ours) /* the number is the model's until the call has succeeded */
        hd_fd_change(site);
    struct hd_file *last = clear_number(onto);
    if (f)
        set_number(onto, f, flags & O_CLOEXEC);
    if (last)
        hd_file_release(last, site);
    hd_output_look(onto, was, site);
    return made;
}

int dup2(int fd, int onto)
{
    uint32_t site = hd_take_site();
    if (fd != onto)
        return duplicate(fd, onto, 0, site);
    return hd_fd_use(fd, site) ? fd : (int)real(SYS_dup2, fd, fd, 0, site);
}

int dup3(int fd, int onto, int flags)
{
    uint32_t site = hd_take_site();
    return fd == onto || flags & ~O_CLOEXEC ? hd_io_fail(EINVAL)
                                            : duplicate(fd, onto, flags, site);
}

static int set_capacity(const struct hd_file *f, long wanted, uint32_t site)
{
    struct hd_channel *c = hd_channel_in(f) ? hd_channel_in(f) : hd_channel_out(f);
    uint32_t capacity = 4096;
    if (f->kind != HD_FILE_PIPE)
        return hd_io_fail(EBADF);
    if (wanted > HD_CHANNEL_BYTES)
        return hd_io_fail(EPERM); /* as for a user who has reached the system's limit */
    while (capacity < wanted)
        capacity *= 2;
    hd_channel_change(c, site);
    if (c->fill > capacity)
        return hd_io_fail(EBUSY);
    c->capacity = capacity;
    hd_channel_changed(c, site);
    return (int)capacity;
}

static int get_capacity(const struct hd_file *f, uint32_t site)
{
    const struct hd_channel *c = hd_channel_in(f) ? hd_channel_in(f) : hd_channel_out(f);
    if (f->kind != HD_FILE_PIPE)
        return hd_io_fail(EBADF);
    if (!rt->solo_fast)
        hd_act(HD_OP_IO_LOOK, c, NULL, 0, site);
    return (int)c->capacity;
}

static int modes(const struct hd_file *f)
{
    int mode = f->in && f->out ? O_RDWR : f->out ? O_WRONLY : O_RDONLY;
    return mode | (f->nonblocking ? O_NONBLOCK : 0);
}

static int control(int fd, int command, long argument, uint32_t site)
{
    bool changes = command == F_SETFL || command == F_SETFD || command == F_DUPFD ||
                   command == F_DUPFD_CLOEXEC;
    if (changes)
        hd_fd_change(site);
    struct hd_file *f = changes ? hd_fd_peek(fd) : hd_fd_use(fd, site);
    if (!f)
        return (int)real(SYS_fcntl, fd, command, argument, site);
    switch (command) {
    case F_GETFL:
        return modes(f);
    case F_SETFL:
        HD_SET(f->nonblocking, (argument & O_NONBLOCK) != 0);
        return 0;
    case F_GETFD:
        return fds()->fd[fd].cloexec ? FD_CLOEXEC : 0;
    case F_SETFD:
        HD_SET(fds()->fd[fd].cloexec, (argument & FD_CLOEXEC) != 0);
        return 0;
    case F_DUPFD:
    case F_DUPFD_CLOEXEC:
        return hd_fd_new(f, (int)argument, command == F_DUPFD_CLOEXEC);
    case F_SETPIPE_SZ:
        return set_capacity(f, argument, site);
    case F_GETPIPE_SZ:
        return get_capacity(f, site);
    default:
        return hd_io_fail(EINVAL);
    }
}

int fcntl(int fd, int command, ...)
{
    uint32_t site = hd_take_site();
    va_list args;
    va_start(args, command);
    long argument = va_arg(args, long);
    va_end(args);
    if (!hd_ready)
        return (int)hd_syscall(SYS_fcntl, fd, command, argument, 0, 0, 0);
    return control(fd, command, argument, site);
}

int fcntl64(int fd, int command, ...);
int fcntl64(int fd, int command, ...)
{
    va_list args;
    va_start(args, command);
    long argument = va_arg(args, long);
    va_end(args);
    return control(fd, command, argument, hd_take_site());
}

int ioctl(int fd, unsigned long request, ...)
{
    uint32_t site = hd_take_site();
    va_list args;
    va_start(args, request);
    void *argument = va_arg(args, void *);
    va_end(args);
    int value;
    if (!hd_ready)
        return (int)hd_syscall(SYS_ioctl, fd, (long)request, (long)(uintptr_t)argument, 0, 0, 0);
    if (request == FIONBIO && hd_fd_peek(fd)) {
        __heddle_load_n(argument, &value, sizeof value, site);
        int flags = value ? O_NONBLOCK : 0;
        return control(fd, F_SETFL, flags, site);
    }
    const struct hd_file *f = hd_fd_use(fd, site);
    if (!f)
        return (int)real(SYS_ioctl, fd, (long)request, (long)(uintptr_t)argument, site);
    const struct hd_channel *c = hd_channel_in(f) ? hd_channel_in(f) : hd_channel_out(f);
    if (request != FIONREAD || !c || c->is_event)
        return hd_io_fail(ENOTTY);
    if (!rt->solo_fast)
        hd_act(HD_OP_IO_LOOK, c, NULL, 0, site);
    value = (int)c->fill;
    __heddle_store_n(argument, &value, sizeof value, site);
    return 0;
}
