/* Stream sockets between threads of the program: AF_UNIX by path or abstract name, AF_INET and
 * AF_INET6 on the loopback interface.
 *
 *   socket ─▶ bind ─▶ listen: a channel of messages, each the number of a connection's file
 *   connect:  FD_CHANGE (two channels, a file for the other side) ─▶ IO_WRITE to the listener
 *   accept:   IO_READ from it ─▶ FD_CHANGE (the file gets a descriptor)
 *
 * A connected socket is one end of a socket pair.  The listener's channel has room for as many
 * connections as the backlog says, and one.  Nothing of it is the kernel's: no other process
 * sees it, and an address at which no thread listens refuses connections.  Sockets of other
 * kinds are the kernel's, as before. */
#include "runtime/fd.h"

#include "core/enabled.h"
#include "runtime/cancel.h"
#include "runtime/memory.h"
#include "runtime/private.h"

#include <errno.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>

#define AT(p) ((long)(uintptr_t)(p))
#define FIRST_PORT 40000u
#define CONNECTION_BYTES 8u /* of a connection that waits: a header and a number */

static struct hd_fds *fds(void) { return &model->fds; }

static _Noreturn void refuse(const char *what, uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: %s is not modelled by this version of heddle", place, what);
}

static bool is_socket(const struct hd_file *f)
{
    return f->kind == HD_FILE_SOCKET || f->kind == HD_FILE_LISTENER;
}

/* Changed where all other threads see it: in a step on the table. */
static struct hd_file *change(int fd, uint32_t site)
{
    hd_fd_change(site);
    struct hd_file *f = hd_fd_peek(fd);
    if (f)
        hd_log_range(f, sizeof *f);
    return f;
}

/* The number is not the model's: the system says what is wrong with it. */
static int outside(const long call[6], uint32_t site)
{
    if (hd_ready)
        hd_fd_apart((int)call[1], site);
    return (int)hd_syscall(call[0], call[1], call[2], call[3], call[4], call[5], 0);
}

/* The number of the call, the descriptor, and up to four other arguments. */
#define OUTSIDE(...) outside((const long[6]){ __VA_ARGS__ }, site)

int socket(int domain, int type, int protocol)
{
    uint32_t site = hd_take_site();
    int kind = type & ~(SOCK_CLOEXEC | SOCK_NONBLOCK);
    bool ours = hd_ready && rt->mode != HD_PLAIN &&
                (domain == AF_UNIX || domain == AF_INET || domain == AF_INET6) &&
                (kind == SOCK_STREAM || (kind == SOCK_SEQPACKET && domain == AF_UNIX));
    if (!ours) {
        if (hd_ready && rt->mode != HD_PLAIN)
            refuse("socket() of a kind other than streams of AF_UNIX, AF_INET and AF_INET6",
                   site);
        return (int)hd_syscall(SYS_socket, domain, type, protocol, 0, 0, 0);
    }
    hd_fd_change(site);
    struct hd_file *f = hd_file_new(HD_FILE_SOCKET, type & SOCK_NONBLOCK);
    f->domain = (uint32_t)domain;
    f->type = (uint32_t)kind;
    return hd_fd_new(f, 0, type & SOCK_CLOEXEC);
}

/* ---- names ---- */

union name {
    struct sockaddr any;
    struct sockaddr_un path;
    struct sockaddr_in in;
    struct sockaddr_in6 in6;
    char bytes[112];
};

static bool load_name(union name *n, const struct sockaddr *from, socklen_t length, uint32_t site)
{
    memset(n, 0, sizeof *n);
    if (length < sizeof(sa_family_t) || length > sizeof(struct sockaddr_un)) {
        errno = EINVAL;
        return false;
    }
    __heddle_load_n(from, n, length, site);
    return true;
}

static uint32_t new_name(const union name *n, socklen_t length)
{
    if (fds()->n_names == HD_MAX_NAMES)
        hd_fatal("the program makes more than %u sockets with names", HD_MAX_NAMES);
    struct hd_socket_name *to = &fds()->names[fds()->n_names];
    hd_log_range(to, sizeof *to);
    to->length = length;
    memcpy(to->bytes, n, sizeof to->bytes);
    HD_SET(fds()->n_names, fds()->n_names + 1);
    return fds()->n_names;
}

static in_port_t *port_of(union name *n)
{
    return n->any.sa_family == AF_INET ? &n->in.sin_port : &n->in6.sin6_port;
}

static bool is_any(const union name *n)
{
    return n->any.sa_family == AF_INET ? n->in.sin_addr.s_addr == INADDR_ANY
                                       : IN6_IS_ADDR_UNSPECIFIED(&n->in6.sin6_addr);
}

static bool is_loopback(const union name *n)
{
    return n->any.sa_family == AF_INET ? ntohl(n->in.sin_addr.s_addr) >> 24 == 127
                                       : IN6_IS_ADDR_LOOPBACK(&n->in6.sin6_addr);
}

/* Do connections to `to` go to a socket of this name?  Both are of the internet. */
static bool covers(const union name *name, const union name *to)
{
    union name a = *name, b = *to;
    if (a.any.sa_family != b.any.sa_family || *port_of(&a) != *port_of(&b))
        return false;
    if (is_any(&a) || is_any(&b))
        return true;
    return a.any.sa_family == AF_INET
               ? a.in.sin_addr.s_addr == b.in.sin_addr.s_addr
               : memcmp(&a.in6.sin6_addr, &b.in6.sin6_addr, sizeof a.in6.sin6_addr) == 0;
}

/* The socket that has the name, not a path; NULL: there is none. */
static struct hd_file *named(const union name *n, socklen_t length, bool listens)
{
    for (uint32_t i = 0; i < fds()->n_files; i++) {
        struct hd_file *f = &fds()->files[i];
        if (!f->refs || !f->name || (f->kind != HD_FILE_LISTENER && (listens || f->in)))
            continue;
        const struct hd_socket_name *has = &fds()->names[f->name - 1];
        if (n->any.sa_family == AF_UNIX
                ? has->length == length && memcmp(has->bytes, n, length) == 0
                : covers((const union name *)has->bytes, n))
            return f;
    }
    return NULL;
}

static bool is_path(const union name *n)
{
    return n->any.sa_family == AF_UNIX && n->path.sun_path[0];
}

static void give_port(union name *n)
{
    uint32_t port = fds()->last_port ? fds()->last_port + 1 : FIRST_PORT;
    HD_SET(fds()->last_port, port);
    *port_of(n) = htons((uint16_t)port);
}

/* The path becomes one of the private view. */
static int bind_path(struct hd_file *f, const union name *n, uint32_t site)
{
    struct hd_place p;
    char path[sizeof n->path.sun_path + 1] = "";
    memcpy(path, n->path.sun_path, sizeof n->path.sun_path);
    __heddle_opaque(site);
    if (!hd_place_find(&p, AT_FDCWD, path, false))
        return -1;
    if (hd_place_exists(&p))
        return hd_io_fail(EADDRINUSE);
    struct hd_private *e = hd_private_enter(p.path, HD_PRIVATE_SOCKET);
    e->mode = hd_private_mode(0777);
    e->socket = (uint32_t)(f - fds()->files);
    return 0;
}

int bind(int fd, const struct sockaddr *address, socklen_t length)
{
    uint32_t site = hd_take_site();
    union name n;
    if (!hd_ready)
        return (int)hd_syscall(SYS_bind, fd, AT(address), length, 0, 0, 0);
    if (!load_name(&n, address, length, site))
        return -1;
    struct hd_file *f = change(fd, site);
    if (!f)
        return OUTSIDE(SYS_bind, fd, AT(address), length);
    if (!is_socket(f))
        return hd_io_fail(ENOTSOCK);
    if (f->name || f->in || n.any.sa_family != f->domain)
        return hd_io_fail(EINVAL);
    if (f->domain != AF_UNIX && length < sizeof n.in)
        return hd_io_fail(EINVAL);
    if (f->domain != AF_UNIX && !is_any(&n) && !is_loopback(&n))
        return hd_io_fail(EADDRNOTAVAIL);
    if (f->domain != AF_UNIX && *port_of(&n) == 0)
        give_port(&n);
    if (!is_path(&n) && named(&n, length, false))
        return hd_io_fail(EADDRINUSE);
    if (is_path(&n) && bind_path(f, &n, site) != 0)
        return -1;
    HD_SET(f->name, new_name(&n, length));
    return 0;
}

/* ---- connections ---- */

int listen(int fd, int backlog)
{
    uint32_t site = hd_take_site();
    if (!hd_ready)
        return (int)hd_syscall(SYS_listen, fd, backlog, 0, 0, 0, 0);
    struct hd_file *f = change(fd, site);
    if (!f)
        return OUTSIDE(SYS_listen, fd, backlog);
    if (!is_socket(f))
        return hd_io_fail(ENOTSOCK);
    if (f->kind == HD_FILE_LISTENER)
        return 0;
    if (f->in || (f->domain == AF_UNIX && !f->name))
        return hd_io_fail(EINVAL);
    if (!f->name) {
        union name n = { .any.sa_family = (sa_family_t)f->domain };
        give_port(&n);
        f->name = new_name(&n, f->domain == AF_INET ? sizeof n.in : sizeof n.in6);
    }
    struct hd_channel *c = hd_channel_new();
    uint32_t most = HD_CHANNEL_BYTES / CONNECTION_BYTES - 1;
    c->messages = 1;
    c->capacity = CONNECTION_BYTES * (1 + (backlog < 0                ? 0
                                           : (uint32_t)backlog > most ? most
                                                                      : (uint32_t)backlog));
    f->in = hd_channel_index(c);
    f->kind = HD_FILE_LISTENER;
    return 0;
}

void hd_socket_drain(const struct hd_file *listener, uint32_t site)
{
    const struct hd_channel *c = hd_channel_in(listener);
    for (uint32_t at = 0; at + CONNECTION_BYTES <= c->fill; at += CONNECTION_BYTES) {
        uint32_t which;
        memcpy(&which, c->bytes + (c->head + at + HD_IO_HEADER) % HD_CHANNEL_BYTES, sizeof which);
        hd_file_release(&fds()->files[which], site);
    }
}

/* The socket that listens there; NULL with errno: none. */
static struct hd_file *listener_at(const union name *n, socklen_t length, uint32_t site)
{
    struct hd_file *f = NULL;
    if (is_path(n)) {
        struct hd_place p;
        char path[sizeof n->path.sun_path + 1] = "";
        memcpy(path, n->path.sun_path, sizeof n->path.sun_path);
        if (!hd_place_find(&p, AT_FDCWD, path, true))
            return NULL;
        if (!p.entry && p.real && S_ISSOCK(p.is.st_mode))
            refuse("connect() to a socket outside of the program", site);
        if (!hd_place_exists(&p)) {
            errno = ENOENT;
            return NULL;
        }
        if (p.entry && p.entry->kind == HD_PRIVATE_SOCKET)
            f = &fds()->files[p.entry->socket];
    } else {
        if (n->any.sa_family != AF_UNIX && !is_loopback(n) && !is_any(n))
            refuse("connect() to another machine", site);
        f = named(n, length, true);
    }
    if (!f || !f->refs || f->kind != HD_FILE_LISTENER) {
        errno = ECONNREFUSED;
        return NULL;
    }
    return f;
}

/* The file of the other side. */
static struct hd_file *other_side(struct hd_file *f, const struct hd_file *listener)
{
    struct hd_channel *there = hd_channel_new(), *back = hd_channel_new();
    struct hd_file *other = hd_file_new(HD_FILE_SOCKET, false);
    there->messages = back->messages = f->type != SOCK_STREAM;
    other->domain = f->domain;
    other->type = f->type;
    other->name = f->peer = listener->name;
    f->out = other->in = hd_channel_index(there);
    f->in = other->out = hd_channel_index(back);
    if (!f->name && f->domain != AF_UNIX) {
        union name n = *(const union name *)fds()->names[listener->name - 1].bytes;
        if (is_any(&n) && f->domain == AF_INET)
            n.in.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        else if (is_any(&n))
            n.in6.sin6_addr = in6addr_loopback;
        give_port(&n);
        f->name = new_name(&n, fds()->names[listener->name - 1].length);
    }
    other->peer = f->name;
    return other;
}

int connect(int fd, const struct sockaddr *address, socklen_t length)
{
    uint32_t site = hd_take_site();
    union name n;
    if (!hd_ready)
        return (int)hd_syscall(SYS_connect, fd, AT(address), length, 0, 0, 0);
    if (!load_name(&n, address, length, site))
        return -1;
    if (is_path(&n))
        __heddle_opaque(site); /* the table of paths counts */
    struct hd_file *f = change(fd, site);
    hd_cancel_point(site);
    if (!f)
        return OUTSIDE(SYS_connect, fd, AT(address), length);
    if (!is_socket(f))
        return hd_io_fail(ENOTSOCK);
    if (f->kind == HD_FILE_LISTENER || n.any.sa_family != f->domain)
        return hd_io_fail(EINVAL);
    if (f->in)
        return hd_io_fail(EISCONN);
    const struct hd_file *listener = listener_at(&n, length, site);
    if (!listener)
        return -1;
    if (listener->type != f->type)
        return hd_io_fail(EPROTOTYPE);
    struct hd_channel *queue = hd_channel_in(listener);
    uint32_t which = (uint32_t)(other_side(f, listener) - fds()->files);
    uint32_t how = HD_IO_OWN | HD_IO_NOSIGNAL | (f->nonblocking ? HD_IO_NONBLOCK : 0);
    if (hd_channel_write(queue, &which, sizeof which, how, site) == sizeof which)
        return 0;
    if (errno == EAGAIN && f->domain != AF_UNIX)
        refuse("connect() that does not wait, to a socket whose backlog is full,", site);
    int error = errno == EAGAIN ? EAGAIN : ECONNREFUSED;
    hd_fd_change(site);
    hd_log_range(f, sizeof *f);
    f->in = f->out = f->peer = 0;
    return hd_io_fail(error);
}

/* What the program asked for, cut to its room. */
static void store_name(uint32_t name, uint32_t domain, struct sockaddr *to, socklen_t *length,
                       uint32_t site)
{
    socklen_t room, n;
    struct hd_socket_name none = { .length = sizeof(sa_family_t) };
    sa_family_t family = (sa_family_t)domain;
    memcpy(none.bytes, &family, sizeof family);
    if (!to || !length)
        return;
    const struct hd_socket_name *from = name ? &fds()->names[name - 1] : &none;
    __heddle_load_n(length, &room, sizeof room, site);
    n = from->length;
    __heddle_store_n(to, from->bytes, room < n ? room : n, site);
    __heddle_store_n(length, &n, sizeof n, site);
}

/* The kernel will refuse the call; what it was given must be there all the same. */
static void look_at(void *value, socklen_t *length, uint32_t site)
{
    socklen_t room = 0;
    if (!hd_ready || !length)
        return;
    __heddle_load_n(length, &room, sizeof room, site);
    if (value && room)
        __heddle_will_write(value, room, site);
}

static int take_connection(int fd, struct sockaddr *from, socklen_t *length, int flags,
                           uint32_t site)
{
    uint32_t which = 0;
    if (!hd_ready)
        return (int)hd_syscall(SYS_accept4, fd, AT(from), AT(length), flags, 0, 0);
    struct hd_file *f = hd_fd_use_or_end(fd, site);
    if (!f) {
        look_at(from, length, site);
        hd_fd_outside(fd, "accept", site);
        return OUTSIDE(SYS_accept4, fd, AT(from), AT(length), flags);
    }
    if (f->kind != HD_FILE_LISTENER) {
        look_at(from, length, site);
        return hd_io_fail(f->kind == HD_FILE_SOCKET ? EINVAL : ENOTSOCK);
    }
    uint32_t before = hd_file_hold(f);
    ssize_t got = hd_channel_read(hd_channel_in(f), &which, sizeof which,
                                  f->nonblocking ? HD_IO_NONBLOCK : 0, site);
    hd_file_let_go(before, site);
    if (got <= 0)
        return got < 0 ? -1 : hd_io_fail(EINVAL); /* it was shut down */
    hd_fd_change(site);
    struct hd_file *new = &fds()->files[which];
    if (flags & SOCK_NONBLOCK)
        HD_SET(new->nonblocking, 1);
    int number = hd_fd_new(new, 0, flags & SOCK_CLOEXEC);
    store_name(new->peer, new->domain, from, length, site);
    return number;
}

int accept(int fd, struct sockaddr *restrict from, socklen_t *restrict length)
{
    return take_connection(fd, from, length, 0, hd_take_site());
}

int accept4(int fd, struct sockaddr *restrict from, socklen_t *restrict length, int flags)
{
    return take_connection(fd, from, length, flags, hd_take_site());
}

/* ---- properties ---- */

int getsockname(int fd, struct sockaddr *restrict to, socklen_t *restrict length)
{
    uint32_t site = hd_take_site();
    const struct hd_file *f = hd_ready ? hd_fd_use(fd, site) : NULL;
    if (!f || !is_socket(f))
        look_at(to, length, site);
    if (!f)
        return OUTSIDE(SYS_getsockname, fd, AT(to), AT(length));
    if (!is_socket(f))
        return hd_io_fail(ENOTSOCK);
    store_name(f->name, f->domain, to, length, site);
    return 0;
}

int getpeername(int fd, struct sockaddr *restrict to, socklen_t *restrict length)
{
    uint32_t site = hd_take_site();
    const struct hd_file *f = hd_ready ? hd_fd_use(fd, site) : NULL;
    if (!f || !is_socket(f))
        look_at(to, length, site);
    if (!f)
        return OUTSIDE(SYS_getpeername, fd, AT(to), AT(length));
    if (!is_socket(f) || !f->in || f->kind == HD_FILE_LISTENER)
        return hd_io_fail(is_socket(f) ? ENOTCONN : ENOTSOCK);
    store_name(f->peer, f->domain, to, length, site);
    return 0;
}

/* Sizes of buffers and the like are hints; others would change when calls return. */
static bool is_hint(int level, int option)
{
    if (level == SOL_SOCKET)
        return option == SO_SNDBUF || option == SO_RCVBUF || option == SO_REUSEADDR ||
               option == SO_KEEPALIVE || option == SO_PRIORITY;
    return (level == IPPROTO_TCP &&
            (option == TCP_NODELAY || option == TCP_QUICKACK || option == TCP_KEEPIDLE ||
             option == TCP_KEEPINTVL || option == TCP_KEEPCNT)) ||
           (level == IPPROTO_IPV6 && option == IPV6_V6ONLY);
}

int setsockopt(int fd, int level, int option, const void *value, socklen_t length)
{
    uint32_t site = hd_take_site();
    const struct hd_file *f = hd_ready ? hd_fd_use(fd, site) : NULL;
    if (hd_ready)
        __heddle_will_read(value, length, site);
    if (!f)
        return OUTSIDE(SYS_setsockopt, fd, level, option, AT(value), length);
    if (!is_socket(f))
        return hd_io_fail(ENOTSOCK);
    if (!is_hint(level, option))
        refuse("an option of a socket other than sizes of buffers, SO_REUSEADDR, SO_KEEPALIVE, "
               "SO_PRIORITY, TCP_NODELAY and IPV6_V6ONLY",
               site);
    return 0;
}

int getsockopt(int fd, int level, int option, void *restrict value, socklen_t *restrict length)
{
    uint32_t site = hd_take_site();
    const struct hd_file *f = hd_ready ? hd_fd_use(fd, site) : NULL;
    int answer;
    socklen_t room;
    if (!f || !is_socket(f))
        look_at(value, length, site);
    if (!f)
        return OUTSIDE(SYS_getsockopt, fd, level, option, AT(value), AT(length));
    if (!is_socket(f))
        return hd_io_fail(ENOTSOCK);
    if (level != SOL_SOCKET || (option != SO_ERROR && option != SO_TYPE &&
                                option != SO_ACCEPTCONN && option != SO_DOMAIN))
        refuse("getsockopt() other than of SO_ERROR, SO_TYPE, SO_ACCEPTCONN and SO_DOMAIN", site);
    answer = option == SO_TYPE         ? (int)f->type
             : option == SO_DOMAIN     ? (int)f->domain
             : option == SO_ACCEPTCONN ? f->kind == HD_FILE_LISTENER
                                       : 0;
    __heddle_load_n(length, &room, sizeof room, site);
    room = room < sizeof answer ? room : sizeof answer;
    __heddle_store_n(value, &answer, room, site);
    __heddle_store_n(length, &room, sizeof room, site);
    return 0;
}
