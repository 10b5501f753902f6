/* Shared by the calls on descriptors of the model; fd_state.h describes these. */
#ifndef HD_RUNTIME_FD_H
#define HD_RUNTIME_FD_H

#include "runtime/fd_state.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { /* of a transfer */
       HD_IO_NONBLOCK = 1,
       HD_IO_PEEK = 2,
       HD_IO_NOSIGNAL = 4,
       HD_IO_ALL = 8,  /* wait for all that was asked for */
       HD_IO_OWN = 16, /* the bytes are the runtime's: no access of the program */
};

/* fd.c.  Numbers of the model and of the kernel are apart, so a closed one does not come back
 * for a file of the other kind, as it would natively.  Who uses a closed number is noted, and
 * what opens files of either kind; both kinds and such a use are a reason against verified. */
void hd_fd_is_closed(uint32_t site);
/* A call into the library has returned, which may have failed because of a closed number.  An
 * error of an earlier call counts, too. */
void hd_fd_called_outside(uint32_t site);
/* A number of the kernel is free now, which others may get. */
void hd_fd_freed_outside(uint32_t site);
/* The step of a call on a descriptor of the kernel. */
void hd_fd_opaque(int fd, uint32_t site);
/* The same of one that touches no mapped file.  close() frees a number of the kernel in such
 * a step, not in that on the table, so what asks the kernel about a number must be in one,
 * too. */
void hd_fd_apart(int fd, uint32_t site);
/* The file of a descriptor, looked up in a step; NULL: not one of the model's. */
struct hd_file *hd_fd_use(int fd, uint32_t site);
/* readwrite.c: the same in a call that is a cancellation point.  Under a weak memory model that
 * is a step of its own, which must not come between the look-up and hd_file_hold(). */
struct hd_file *hd_fd_use_or_end(int fd, uint32_t site);
/* fd.c: the same without a step; the caller has made it. */
struct hd_file *hd_fd_peek(int fd);
/* A descriptor of the kernel is about to be read.  It is an error if that blocks and there are
 * other threads: one of them, which cannot run meanwhile, may be the one to end the wait. */
void hd_fd_outside(int fd, const char *call, uint32_t site);
/* Steps on the table: a caller that changes it begins with one. */
void hd_fd_change(uint32_t site);
struct hd_file *hd_file_new(enum hd_file_kind kind, bool nonblocking);
int hd_fd_new(const struct hd_file *file, int from, bool cloexec); /* -1 with errno */
int hd_io_fail(int error);                                         /* -1 */
/* The running thread's call holds the file from the step that looked it up until it lets go.
 * hd_file_hold returns what it held before, in a handler of a signal that came meanwhile. */
uint32_t hd_file_hold(struct hd_file *file);
void hd_file_done(void); /* in its last step on a channel */
void hd_file_let_go(uint32_t before, uint32_t site);

/* Nothing refers to the file any longer: it ends, in steps. */
void hd_file_release(struct hd_file *file, uint32_t site);

/* channel.c */
struct hd_channel *hd_channel_new(void);
struct hd_channel *hd_channel_in(const struct hd_file *file); /* NULL: it cannot be read */
struct hd_channel *hd_channel_out(const struct hd_file *file);
uint32_t hd_channel_index(const struct hd_channel *c); /* for a file's `in` and `out` */
uint64_t hd_channel_state(const struct hd_channel *c); /* core/enabled.h */
ssize_t hd_channel_read(struct hd_channel *c, void *to, size_t n, uint32_t how, uint32_t site);
ssize_t hd_channel_write(struct hd_channel *c, const void *from, size_t n, uint32_t how,
                         uint32_t site);
/* The step that changes the channel; then, after the change, the threads that watch it are
 * notified. */
void hd_channel_change(struct hd_channel *c, uint32_t site);
void hd_channel_changed(struct hd_channel *c, uint32_t site);
/* Ring the thread's bell, in a step. */
void hd_bell_ring(uint32_t thread, uint32_t site);
/* Ring the bells of all these threads; `watchers` is emptied. */
void hd_bells_ring(struct hd_tset *watchers, uint32_t site);
struct hd_sync;
struct hd_sync *hd_bell_of(uint32_t thread);

/* readwrite.c: transfers of the runtime's own bytes, as read() and write() do them. */
ssize_t hd_fd_read_own(int fd, void *to, size_t n, uint32_t site);
ssize_t hd_fd_write_own(int fd, const void *from, size_t n, uint32_t site);

/* socket.c: the listener has ended, and so have the connections that nobody has accepted. */
void hd_socket_drain(const struct hd_file *listener, uint32_t site);

/* io.c: output of the program, which is no action.  False if it is not output. */
bool hd_output_take(int fd, const void *bytes, size_t n);
/* Is the descriptor no longer the worker's output?  Then writing to it is writing into a
 * file. */
bool hd_output_moved(int fd);
/* Does writing to the number make output, as far as is known now? */
bool hd_is_output(int fd);
/* The program has opened, closed or replaced the descriptor: see what is there now.  `was`: was
 * it output before?  If that has changed, and a thread that the caller has not joined writes
 * there, it is a reason against verified. */
void hd_output_look(int fd, bool was, uint32_t site);

/* poll.c: the ready events of a file, in a step that also watches it if `watch`. */
struct hd_ready {
    uint32_t events; /* POLL* */
    uint64_t edges;
    struct hd_channel *ticks; /* a timer that is armed and has not expired */
};
struct hd_ready hd_poll_look(const struct hd_file *file, uint32_t events, bool watch,
                             uint32_t site);
/* Wait until a bell rings.  false: time ran out. */
bool hd_poll_await(bool timed, uint64_t deadline, uint32_t site);
/* The same, at a cancellation point. */
bool hd_poll_change(bool timed, uint64_t deadline, uint32_t site);

#endif
