/* Descriptors of the model: pipes, socket pairs, eventfds and epoll between threads of the
 * process.
 *
 *   number ──▶ file (what open() makes; several numbers after dup) ──▶ channel in, channel out
 *
 * A channel is one direction of bytes (or messages) and what threads wait for; a pipe is one, a
 * socket pair two, an eventfd one that holds a number.  Files and channels are not reused
 * within an execution, so that a thread inside a call can keep a pointer to them.
 *
 * A call first looks its number up (FD_USE on the table), then acts on the channel, as in the
 * kernel: another thread may close the number in between.  The file then lasts until the call
 * is over.  The closing thread finds that out in a step that conflicts with what the call does
 * (close below), so that the answer is the same in every order of independent steps:
 *
 *   close:  FD_CHANGE (the number goes) ─▶ IO_CHANGE: does a call hold it?
 *                                                  no: it ends, yes: `closing`
 *   call:   FD_USE (holds it) ─▶ … its last step on the channel: not `closing`? then it lets go
 *                             ─▶ … else: a step of its own; the last call to let go ends it
 *
 * A step changes one object.  So the calls that hold a file with two channels are an object,
 * the file: close changes it (FD_CHANGE on the file), every call lets go in a step on it
 * (FD_USE), and the two channels end in two steps (IO_CHANGE). */
#ifndef HD_RUNTIME_FD_STATE_H
#define HD_RUNTIME_FD_STATE_H

#include "core/tset.h"

#include <stdint.h>

#define HD_MAX_FDS 1024
#define HD_FIRST_FD 64 /* numbers below are the kernel's */
#define HD_MAX_FILES 1024
#define HD_MAX_CHANNELS 512
#define HD_MAX_EPOLLS 16
#define HD_MAX_WATCHED 64
#define HD_CHANNEL_BYTES 65536u
#define HD_BOUNCES 4 /* HD_MOST_INTERRUPTS + 1 */
#define HD_MAX_FDSTREAMS 32
#define HD_FDSTREAM_BYTES 32768u

struct hd_timer { /* of a timerfd (timer.h) */
    uint32_t is, armed;
    uint32_t clock;
    uint32_t armer;  /* the thread that has armed it */
    uint32_t moment; /* orders what one thread does; UINT32_MAX: not known */
    uint32_t pad;
    struct hd_tset armers;       /* threads that have ever armed it */
    uint64_t interval, deadline; /* nanoseconds */
    uint64_t span;               /* for how long it was armed; UINT64_MAX: not known */
};

struct hd_channel { /* model memory */
    uint32_t capacity;
    uint32_t head, fill; /* bytes; a message has its length in front */
    uint32_t messages;   /* it keeps messages apart */
    uint32_t eof;        /* there will be no more writes */
    uint32_t broken;     /* there will be no more reads */
    uint32_t is_event;   /* an eventfd: `count` is what it holds */
    uint32_t semaphore;  /* of an eventfd: a read takes 1 */
    uint64_t count;
    struct hd_timer timer;
    uint64_t raised, lowered; /* how often bytes came and went: edges for epoll */
    struct hd_tset watchers;  /* threads to be notified of the next change */
    char bytes[HD_CHANNEL_BYTES];
};

enum hd_file_kind {
    HD_FILE_PIPE,
    HD_FILE_SOCKET,
    HD_FILE_EVENT,
    HD_FILE_EPOLL,
    HD_FILE_TIMER,
    HD_FILE_SIGNALS,  /* signalfd */
    HD_FILE_LISTENER, /* `in` holds the files of connections that are not accepted, by number */
    HD_FILE_INPUT,    /* standard input that is chosen (stdin.c) */
};

#define HD_MAX_NAMES 256

struct hd_socket_name { /* model memory */
    uint32_t length;
    uint32_t pad;
    char bytes[112]; /* a sockaddr */
};

struct hd_file {      /* model memory */
    uint32_t refs;    /* numbers that refer to it */
    uint32_t kind;    /* enum hd_file_kind */
    uint32_t in, out; /* channel + 1; 0: none */
    uint32_t nonblocking;
    uint32_t epoll;        /* + 1 */
    uint32_t holders;      /* calls that have looked it up and are not over */
    uint32_t closing;      /* it ends when they return */
    uint32_t domain, type; /* of a socket (socket.c) */
    uint32_t name, peer;   /* + 1; 0: none */
    uint64_t signals;      /* of a signalfd, by bit */
};

struct hd_epoll_item {
    uint32_t used, fd, file, events;
    uint32_t spent; /* EPOLLONESHOT, and it has been reported */
    uint32_t pad;
    uint64_t seen; /* edges that have been reported */
    uint64_t data;
};

struct hd_epoll { /* model memory */
    struct hd_tset watchers;
    struct hd_epoll_item items[HD_MAX_WATCHED];
};

struct hd_fdstream { /* model memory; a stream over a descriptor (fdstream.h) */
    uint64_t addr;   /* the FILE *; 0: it is closed */
    uint32_t fd;
    uint32_t writes; /* or it reads */
    uint32_t flags;  /* the end or an error was seen */
    uint32_t mode;   /* _IOFBF, _IOLBF, _IONBF */
    uint32_t size;   /* of the buffer, at most HD_FDSTREAM_BYTES */
    uint32_t at, end;
    uint32_t putting; /* something has been written */
    char bytes[HD_FDSTREAM_BYTES];
};

struct hd_fds { /* model memory */
    uint32_t n_files, n_channels, n_epolls;
    uint32_t n_names, last_port;
    uint32_t n_streams;
    uint32_t n_timers, timer_moment;
    uint32_t moved;     /* by bit: descriptors 1 and 2 that are no longer the worker's output */
    struct hd_chosen {  /* standard input (stdin.c); its address is the object of steps */
        uint32_t used;  /* bytes that have been read */
        uint32_t ended; /* the end has been seen */
        uint32_t by_stream; /* the stream has read: a native one may hold more in its buffer */
        uint32_t pad;
    } input;
    struct hd_fd {
        uint16_t file; /* + 1; 0: not one of the model's */
        uint16_t cloexec;
    } fd[HD_MAX_FDS];
    struct hd_file files[HD_MAX_FILES];
    struct hd_socket_name names[HD_MAX_NAMES];
    struct hd_epoll epolls[HD_MAX_EPOLLS];
    uint64_t bells[256]; /* by thread: something that it watches has changed */
    struct hd_channel channels[HD_MAX_CHANNELS];
    struct hd_fdstream streams[HD_MAX_FDSTREAMS];
    /* By thread, and by how many handlers interrupt it: between the program's memory and a
     * channel. */
    char bounce[HD_BOUNCES][256][HD_CHANNEL_BYTES];
};

#endif
