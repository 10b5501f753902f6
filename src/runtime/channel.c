/* A channel: one direction of bytes or messages, or the number of an eventfd.  Reads and writes
 * wait for its state.
 *
 * The program's memory is accessed in separate steps, before written bytes go into the channel
 * and after read bytes have come out of it; in between the bytes are in the thread's bounce
 * buffer. */
#include "runtime/fd.h"

#include "core/enabled.h"
#include "runtime/cancel.h"
#include "runtime/timer.h"

#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <string.h>

extern uint32_t __heddle_call_site;

static struct hd_fds *fds(void) { return &model->fds; }

struct hd_channel *hd_channel_new(void)
{
    if (fds()->n_channels == HD_MAX_CHANNELS)
        hd_fatal("the program makes more than %u pipes and eventfds", HD_MAX_CHANNELS);
    struct hd_channel *c = &fds()->channels[fds()->n_channels];
    HD_SET(fds()->n_channels, fds()->n_channels + 1);
    hd_log_range(c, offsetof(struct hd_channel, bytes));
    memset(c, 0, offsetof(struct hd_channel, bytes));
    c->capacity = HD_CHANNEL_BYTES;
    hd_sync_make((uint64_t)(uintptr_t)c, HD_SYNC_CHANNEL); /* from now on it has a state */
    return c;
}

struct hd_channel *hd_channel_in(const struct hd_file *file)
{
    return file->in ? &fds()->channels[file->in - 1] : NULL;
}

struct hd_channel *hd_channel_out(const struct hd_file *file)
{
    return file->out ? &fds()->channels[file->out - 1] : NULL;
}

uint32_t hd_channel_index(const struct hd_channel *c)
{
    return (uint32_t)(c - fds()->channels) + 1;
}

uint64_t hd_channel_state(const struct hd_channel *c)
{
    uint64_t fill = c->is_event ? c->count != 0 : c->fill;
    return fill | (c->eof ? HD_IO_EOF : 0) | (c->broken ? HD_IO_BROKEN : 0) |
           (c->messages ? HD_IO_MESSAGES : 0) | (uint64_t)c->capacity << HD_IO_CAPACITY_SHIFT;
}

struct hd_sync *hd_bell_of(uint32_t thread)
{
    uint64_t bell = (uint64_t)(uintptr_t)&fds()->bells[thread];
    struct hd_sync *s = hd_sync_find(bell);
    return s ? s : hd_sync_make(bell, HD_SYNC_BELL);
}

void hd_bell_ring(uint32_t thread, uint32_t site)
{
    uint64_t *bell = &fds()->bells[thread];
    if (!rt->solo_fast)
        hd_act(HD_OP_IO_NOTIFY, bell, NULL, 0, site);
    HD_SET(*bell, 1);
    hd_sync_changed(hd_bell_of(thread));
}

void hd_bells_ring(struct hd_tset *watchers, uint32_t site)
{
    struct hd_tset notified = *watchers;
    uint32_t words = hd_tset_words(rt->config.n_threads);
    if (hd_tset_empty(&notified, words))
        return;
    hd_log_range(watchers, sizeof *watchers);
    hd_tset_clear(watchers);
    for (uint32_t i = 0; i < words; i++)
        for (uint64_t w = notified.w[i]; w; w &= w - 1)
            hd_bell_ring(i * 64 + (uint32_t)__builtin_ctzll(w), site);
}

void hd_channel_change(struct hd_channel *c, uint32_t site)
{
    if (!rt->solo_fast)
        hd_act(HD_OP_IO_CHANGE, c, NULL, 0, site);
    hd_log_range(c, offsetof(struct hd_channel, bytes));
}

void hd_channel_changed(struct hd_channel *c, uint32_t site)
{
    hd_sync_changed(hd_sync_find((uint64_t)(uintptr_t)c));
    hd_bells_ring(&c->watchers, site);
}

static _Noreturn void cancelled(uint32_t site)
{
    hd_file_let_go(0, site);
    hd_cancel_act();
}

/* The step of a read or write of `size` bytes.  Returns the error if it does not come to that:
 * it would have to wait and may not, or a handler ended the wait. */
static int act(struct hd_channel *c, enum hd_op op, uint32_t size, bool nonblocking,
               uint32_t site)
{
    struct hd_sync *s = hd_sync_find((uint64_t)(uintptr_t)c);
    bool now = hd_op_can_run(op, size, hd_channel_state(c));
    if (nonblocking) {
        enum hd_op attempt = op == HD_OP_IO_READ ? HD_OP_IO_TRYREAD : HD_OP_IO_TRYWRITE;
        if (!rt->solo_fast)
            hd_act(attempt, c, NULL, size, site);
        return hd_op_can_run(op, size, hd_channel_state(c)) && !hd_weak_fails() ? 0 : EAGAIN;
    }
    if (rt->solo_fast && now)
        return 0;
    if (!now)
        hd_no_atomic(site);
    if (HD_UNLIKELY(rt->weak) && hd_cancel_looks(true, site))
        cancelled(site);
    hd_log_word(&s->pending.w[rt->cur >> 6]);
    hd_tset_add(&s->pending, rt->cur);
    hd_set_enabled(rt->cur, now);
    hd_act(op, c, NULL, size, site);
    hd_log_word(&s->pending.w[rt->cur >> 6]);
    hd_tset_del(&s->pending, rt->cur);
    if (hd_interrupted())
        return EINTR;
    if (hd_cancel_came())
        cancelled(site);
    return 0;
}

static void copy_out(const struct hd_channel *c, uint32_t at, char *to, uint32_t n)
{
    for (uint32_t i = 0; i < n;) {
        uint32_t from = (c->head + at + i) % HD_CHANNEL_BYTES;
        uint32_t piece = n - i < HD_CHANNEL_BYTES - from ? n - i : HD_CHANNEL_BYTES - from;
        memcpy(to + i, c->bytes + from, piece);
        i += piece;
    }
}

static void put(struct hd_channel *c, const void *bytes, uint32_t n)
{
    for (uint32_t i = 0; i < n;) {
        uint32_t at = (c->head + c->fill) % HD_CHANNEL_BYTES;
        uint32_t piece = n - i < HD_CHANNEL_BYTES - at ? n - i : HD_CHANNEL_BYTES - at;
        hd_log_range(c->bytes + at, piece);
        memcpy(c->bytes + at, (const char *)bytes + i, piece);
        c->fill += piece;
        i += piece;
    }
}

static char *bounce(uint32_t n)
{
    char *b = hd_bounce();
    hd_log_range(b, n);
    return b;
}

/* Clear the bounce buffer: old bytes would make equal states different. */
static void empty_bounce(uint32_t n) { memset(bounce(n), 0, n); }

/* Move bytes, or the beginning of a message, to `own`, memory of the model, or to the bounce
 * buffer.  Returns their number. */
static uint32_t take(struct hd_channel *c, uint32_t n, bool peek, char *own)
{
    uint32_t whole = n < c->fill ? n : c->fill, header = 0;
    if (c->messages && c->fill) {
        copy_out(c, 0, (char *)&whole, HD_IO_HEADER);
        header = HD_IO_HEADER;
    }
    uint32_t got = whole < n ? whole : n;
    if (own)
        hd_log_range(own, got);
    copy_out(c, header, own ? own : bounce(got), got);
    if (peek)
        return got;
    hd_log_range(c, offsetof(struct hd_channel, bytes));
    c->head = (c->head + header + whole) % HD_CHANNEL_BYTES;
    c->fill -= header + whole;
    c->lowered++;
    return got;
}

/* A number comes out of an eventfd. */
static uint32_t take_number(struct hd_channel *c)
{
    uint64_t value = c->semaphore ? 1 : c->count;
    hd_log_range(c, offsetof(struct hd_channel, bytes));
    c->count -= value;
    c->lowered++;
    memcpy(bounce(8), &value, 8);
    return 8;
}

ssize_t hd_channel_read(struct hd_channel *c, void *to, size_t n, uint32_t how, uint32_t site)
{
    size_t done = 0;
    if (c->timer.is)
        return hd_timer_read(c, to, n, how & HD_IO_NONBLOCK, site);
    if (c->is_event && n < 8)
        return hd_io_fail(EINVAL);
    if (n == 0 && !c->messages)
        return 0;
    do {
        size_t left = n - done;
        uint32_t size = (uint32_t)(left < HD_CHANNEL_BYTES ? left : HD_CHANNEL_BYTES);
        int error = act(c, HD_OP_IO_READ, size, how & HD_IO_NONBLOCK, site);
        if (error)
            return done ? (ssize_t)done : hd_io_fail(error);
        if (!c->is_event && c->fill == 0)
            break; /* there will be no more writes */
        if (!(how & HD_IO_ALL) || c->messages || done + c->fill >= n)
            hd_file_done();
        char *own = how & HD_IO_OWN ? (char *)to + done : NULL;
        uint32_t got = c->is_event ? take_number(c) : take(c, size, how & HD_IO_PEEK, own);
        hd_channel_changed(c, site);
        if (!own) {
            __heddle_store_n((char *)to + done, hd_bounce(), got, site);
            empty_bounce(got);
        }
        done += got;
    } while ((how & HD_IO_ALL) && done < n && !c->messages);
    return (ssize_t)done;
}

static ssize_t broken(size_t done, uint32_t how, uint32_t site)
{
    if (done)
        return (ssize_t)done;
    if (!(how & HD_IO_NOSIGNAL)) {
        __heddle_call_site = site;
        raise(SIGPIPE);
    }
    return hd_io_fail(EPIPE);
}

static ssize_t add_number(struct hd_channel *c, const void *from, size_t n, uint32_t how,
                          uint32_t site)
{
    uint64_t value;
    if (n < 8)
        return hd_io_fail(EINVAL);
    __heddle_load_n(from, &value, 8, site);
    if (value == UINT64_MAX)
        return hd_io_fail(EINVAL);
    int error = act(c, HD_OP_IO_WRITE, 8, false, site);
    if (error)
        return hd_io_fail(error);
    if (value > UINT64_MAX - 1 - c->count) {
        if (how & HD_IO_NONBLOCK)
            return hd_io_fail(EAGAIN);
        hd_fatal("an eventfd that holds its largest number and is written to: that this waits is "
                 "not modelled by this version of heddle");
    }
    hd_log_range(c, offsetof(struct hd_channel, bytes));
    c->count += value;
    c->raised++;
    hd_channel_changed(c, site);
    return 8;
}

static void take_bytes(const char *from, uint32_t size, uint32_t how, uint32_t site)
{
    if (!(how & HD_IO_OWN)) {
        hd_load_logged(from, hd_bounce(), size, site);
        return;
    }
    hd_log_range(hd_bounce(), size);
    memcpy(hd_bounce(), from, size);
}

ssize_t hd_channel_write(struct hd_channel *c, const void *from, size_t n, uint32_t how,
                         uint32_t site)
{
    size_t done = 0;
    if (c->is_event)
        return add_number(c, from, n, how, site);
    if (c->messages && n + HD_IO_HEADER > c->capacity)
        return hd_io_fail(EMSGSIZE);
    if (n == 0 && !c->messages)
        return 0;
    do {
        size_t left = n - done;
        uint32_t size = (uint32_t)(left < HD_CHANNEL_BYTES ? left : HD_CHANNEL_BYTES), in = 0;
        take_bytes((const char *)from + done, size, how, site);
        do {
            int error = act(c, HD_OP_IO_WRITE, size - in, how & HD_IO_NONBLOCK, site);
            if (error) {
                empty_bounce(size);
                return done ? (ssize_t)done : hd_io_fail(error);
            }
            if (c->broken || c->eof) {
                empty_bounce(size);
                hd_file_done();
                return broken(done, how, site);
            }
            hd_log_range(c, offsetof(struct hd_channel, bytes));
            uint32_t room = c->capacity - c->fill, now = size - in < room ? size - in : room;
            if (now > PIPE_BUF && !c->messages)
                now = PIPE_BUF; /* others may write between the parts of a large write */
            if (done + now == n)
                hd_file_done();
            if (c->messages)
                put(c, &now, HD_IO_HEADER);
            put(c, hd_bounce() + in, now);
            c->raised++;
            hd_channel_changed(c, site);
            in += now;
            done += now;
        } while (in < size);
        empty_bounce(size);
    } while (done < n);
    return (ssize_t)done;
}
