/* Descriptors of the model: pipes, socket pairs, eventfds and epoll between threads of the process.
 *
 *   number ──▶ file (what open() makes; several numbers after dup) ──▶ channel in, channel out
 *
 * A channel is one direction of bytes (or messages) and what threads wait for; a pipe is one, a
 * socket pair two, an eventfd one that holds a number.  Files and channels are never used again
 * within an execution, so that a thread inside a call can keep a pointer to them.
 *
 * A call first looks its number up (FD_USE on the table), then acts on the channel, as in the
 * kernel: another thread may close the number in between.  The file then lasts until the call is
 * over.  Who closes finds out in a step that conflicts with what the call does (CLOSE below), so
 * that it is the same in every order of independent steps:
 *
 *   close:  FD_CHANGE (the number goes) ─▶ IO_CHANGE or IO_CLOSE: nobody holds it? then it ends
 *                                                                 else: `closing`
 *   call:   FD_USE (holds it) ─▶ … its last step on the channel: not `closing`? then it lets go
 *                                ─▶ … else: a step of its own, and who lets go last ends it */
#ifndef HD_RUNTIME_FD_H
#define HD_RUNTIME_FD_H

#include "core/tset.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define HD_MAX_FDS 1024
#define HD_FIRST_FD 64 /* numbers below are the kernel's */
#define HD_MAX_FILES 1024
#define HD_MAX_CHANNELS 512
#define HD_MAX_EPOLLS 16
#define HD_MAX_WATCHED 64
#define HD_CHANNEL_BYTES 65536u

struct hd_channel { /* model memory */
    uint32_t capacity;
    uint32_t head, fill; /* bytes; a message has its length in front */
    uint32_t messages;   /* it keeps messages apart */
    uint32_t eof;        /* nobody will write */
    uint32_t broken;     /* nobody will read */
    uint32_t is_event;   /* an eventfd: `count` is what it holds */
    uint32_t semaphore;  /* … a read takes one */
    uint64_t count;
    uint64_t raised, lowered; /* how often bytes came and went: edges for epoll */
    struct hd_tset watchers;  /* threads to be told of the next change */
    char bytes[HD_CHANNEL_BYTES];
};

enum hd_file_kind { HD_FILE_PIPE, HD_FILE_SOCKET, HD_FILE_EVENT, HD_FILE_EPOLL };

struct hd_file {      /* model memory */
    uint32_t refs;    /* numbers that mean it */
    uint32_t kind;    /* enum hd_file_kind */
    uint32_t in, out; /* channel + 1; 0: none */
    uint32_t nonblocking;
    uint32_t epoll;   /* + 1 */
    uint32_t holders; /* calls that have looked it up and are not over */
    uint32_t closing; /* it ends with them */
};

struct hd_epoll_item {
    uint32_t used, fd, file, events;
    uint32_t spent; /* EPOLLONESHOT, and it has been told */
    uint32_t pad;
    uint64_t seen; /* edges that have been told */
    uint64_t data;
};

struct hd_epoll { /* model memory */
    struct hd_tset watchers;
    struct hd_epoll_item items[HD_MAX_WATCHED];
};

struct hd_fds { /* model memory */
    uint32_t n_files, n_channels, n_epolls, pad;
    struct hd_fd {
        uint16_t file; /* + 1; 0: not one of the model's */
        uint16_t cloexec;
    } fd[HD_MAX_FDS];
    struct hd_file files[HD_MAX_FILES];
    struct hd_epoll epolls[HD_MAX_EPOLLS];
    uint64_t bells[256]; /* by thread: something that it watches has changed */
    struct hd_channel channels[HD_MAX_CHANNELS];
    char bounce[256]
               [HD_CHANNEL_BYTES]; /* by thread: between the program's memory and a channel */
};

enum { /* of a transfer */
       HD_IO_NONBLOCK = 1,
       HD_IO_PEEK = 2,
       HD_IO_NOSIGNAL = 4,
       HD_IO_ALL = 8, /* wait for all that was asked for */
};

/* fd.c: the file behind a number, looked up in a step; NULL: not one of the model's. */
struct hd_file *hd_fd_use(int fd, uint32_t site);
/* … without a step, which the caller has made */
struct hd_file *hd_fd_peek(int fd);
/* The kernel's descriptor is about to be read: an error if that waits, as another thread,
 * which cannot run meanwhile, may be the one to end it.  Alone the thread waits for the world
 * outside. */
void hd_fd_outside(int fd, const char *call, uint32_t site);
/* Steps on the table: a caller that changes it begins with one. */
void hd_fd_change(uint32_t site);
struct hd_file *hd_file_new(enum hd_file_kind kind, bool nonblocking);
int hd_fd_new(const struct hd_file *file, int from, bool cloexec); /* -1 with errno */
int hd_io_fail(int error);                                         /* -1 */
/* The running thread's call holds the file from the step that looked it up until it lets go.
 * hold: what it held before, in a handler of a signal that came meanwhile. */
uint32_t hd_file_hold(struct hd_file *file);
void hd_file_done(void); /* in its last step on a channel */
void hd_file_let_go(uint32_t before, uint32_t site);

/* channel.c */
struct hd_channel *hd_channel_new(void);
struct hd_channel *hd_channel_in(const struct hd_file *file); /* NULL: it cannot be read */
struct hd_channel *hd_channel_out(const struct hd_file *file);
uint64_t hd_channel_state(const struct hd_channel *c); /* core/enabled.h */
ssize_t hd_channel_read(struct hd_channel *c, void *to, size_t n, uint32_t how, uint32_t site);
ssize_t hd_channel_write(struct hd_channel *c, const void *from, size_t n, uint32_t how,
                         uint32_t site);
/* A step that changes the channel is coming; then it has, and who watches is told. */
void hd_channel_change(struct hd_channel *c, uint32_t site);
void hd_channel_changed(struct hd_channel *c, uint32_t site);
/* Tell the thread, in a step. */
void hd_bell_ring(uint32_t thread, uint32_t site);
/* … those threads; `watchers` is emptied. */
void hd_bells_ring(struct hd_tset *watchers, uint32_t site);
struct hd_sync;
struct hd_sync *hd_bell_of(uint32_t thread);

/* io.c: output of the program, which is no action.  False: it is something else. */
bool hd_output_take(int fd, const void *bytes, size_t n);

/* poll.c: what is ready of a file, in a step that watches it if `watch`. */
struct hd_ready {
    uint32_t events; /* POLL* */
    uint64_t edges;
};
struct hd_ready hd_poll_look(const struct hd_file *file, uint32_t events, bool watch,
                             uint32_t site);
/* Wait until a bell rings.  false: time ran out. */
bool hd_poll_await(bool timed, uint64_t deadline, uint32_t site);
/* … at a cancellation point. */
bool hd_poll_change(bool timed, uint64_t deadline, uint32_t site);

#endif
