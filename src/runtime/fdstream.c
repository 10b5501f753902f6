/* The buffer of a stream, as glibc has it (fileops.c): a stream that reads takes as much as is
 * there when its buffer is empty; one that writes hands its buffer over when it is full, when
 * it is flushed, at the end of a line (_IOLBF), or at once (_IONBF).  What cannot be written is
 * dropped, as it is there. */
#include "runtime/fdstream.h"

#include "runtime/fd.h"
#include "runtime/heap.h"
#include "runtime/memory.h"
#include "runtime/stream_lock.h"
#include "runtime/streams.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

enum { PIPE_BUFFER = 4096 };

static struct hd_fds *fds(void) { return &model->fds; }

static FILE *block_of(const struct hd_fdstream *s) { return (FILE *)(uintptr_t)s->addr; }

/* Macros of glibc's header look at the flags in the block.  The other flags are those that the
 * library has put into its own block for standard input. */
static void set_flags(struct hd_fdstream *s, uint32_t flags)
{
    int seen;
    hd_view_load(rt->cur, &block_of(s)->_flags, &seen, sizeof seen);
    seen = (int)(((uint32_t)seen & ~(uint32_t)(HD_STREAM_EOF | HD_STREAM_ERROR)) | flags);
    HD_SET(s->flags, flags);
    hd_log_range(&block_of(s)->_flags, sizeof seen);
    hd_view_write(rt->cur, &block_of(s)->_flags, &seen, sizeof seen);
}

static _Noreturn void refuse(const char *what, uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: %s is not modelled by this version of heddle", place, what);
}

struct hd_fdstream *hd_fdstream_use(FILE *f, uint32_t site)
{
    hd_before_access(HD_OP_WRITE, &f->_flags, sizeof f->_flags, site);
    __heddle_open(f, site);
    return hd_fdstream_of(f);
}

FILE *hd_fdstream_open(const struct hd_file *file, int fd, const char *mode, uint32_t site)
{
    bool reads = *mode == 'r', writes = *mode == 'w' || *mode == 'a';
    if (!reads && !writes) {
        errno = EINVAL;
        return NULL;
    }
    if (file->kind != HD_FILE_PIPE && file->kind != HD_FILE_SOCKET)
        refuse("fdopen() of something that is not a pipe or a socket", site);
    if (strchr(mode, '+'))
        refuse("fdopen() of a pipe or socket for both reading and writing (use two streams)",
               site);
    if (reads ? !file->in : !file->out) {
        errno = EINVAL;
        return NULL;
    }
    if (fds()->n_streams == HD_MAX_FDSTREAMS)
        hd_fatal("the program opens more than %d streams of pipes and sockets", HD_MAX_FDSTREAMS);
    FILE *f = hd_heap_take(sizeof *f, 16, HD_FAMILY_MALLOC);
    if (!f)
        return NULL;
    hd_fd_change(site);
    hd_log_range(f, sizeof *f);
    hd_view_fill(rt->cur, f, 0, sizeof *f);
    __heddle_defined(f, sizeof *f);
    struct hd_fdstream *s = &fds()->streams[fds()->n_streams];
    HD_SET(fds()->n_streams, fds()->n_streams + 1);
    hd_log_range(s, offsetof(struct hd_fdstream, bytes));
    memset(s, 0, offsetof(struct hd_fdstream, bytes));
    s->addr = (uint64_t)(uintptr_t)f;
    s->fd = (uint32_t)fd;
    s->writes = writes;
    s->size = PIPE_BUFFER;
    hd_view_write(rt->cur, &f->_fileno, &fd, sizeof fd);
    return f;
}

void hd_fdstream_standard_input(void)
{
    struct hd_fdstream *s = &fds()->streams[fds()->n_streams++];
    s->addr = (uint64_t)(uintptr_t)stdin;
    s->size = PIPE_BUFFER;
    s->mode = _IONBF;
}

/* Bytes that can be read without more ado. */
static uint32_t held(const struct hd_fdstream *s) { return s->writes ? 0 : s->end - s->at; }

/* Fill the empty buffer with what is there.  False: the end, or an error. */
static bool refill(struct hd_fdstream *s, uint32_t site)
{
    if (s->writes) {
        set_flags(s, s->flags | HD_STREAM_ERROR);
        errno = EBADF;
        return false;
    }
    if (s->flags & HD_STREAM_EOF)
        return false;
    HD_SET(s->at, 0);
    HD_SET(s->end, 0);
    ssize_t got = hd_fd_read_own((int)s->fd, s->bytes, s->mode == _IONBF ? 1 : s->size, site);
    if (got <= 0) {
        set_flags(s, s->flags | (got ? HD_STREAM_ERROR : HD_STREAM_EOF));
        return false;
    }
    HD_SET(s->end, (uint32_t)got);
    return true;
}

int hd_fdstream_get(struct hd_fdstream *s, uint32_t site)
{
    if (!held(s) && !refill(s, site))
        return EOF;
    HD_SET(s->at, s->at + 1);
    return (unsigned char)s->bytes[s->at - 1];
}

/* What the functions that read have in the buffer; 0: the end, or an error. */
static uint32_t there(struct hd_fdstream *s, uint32_t site)
{
    return held(s) || refill(s, site) ? held(s) : 0;
}

char *hd_fdstream_gets(char *to, int n, FILE *f, uint32_t site)
{
    struct hd_fdstream *s = hd_fdstream_use(f, site);
    uint32_t had = s->flags & HD_STREAM_ERROR;
    int done = 0;
    set_flags(s, s->flags & ~(uint32_t)HD_STREAM_ERROR);
    bool line = false;
    while (done < n - 1 && !line) {
        uint32_t most = there(s, site);
        if (!most)
            break;
        most = most < (uint32_t)(n - 1 - done) ? most : (uint32_t)(n - 1 - done);
        const char *end = memchr(s->bytes + s->at, '\n', most);
        line = end != NULL;
        most = end ? (uint32_t)(end + 1 - (s->bytes + s->at)) : most;
        __heddle_store_n(to + done, s->bytes + s->at, most, site);
        HD_SET(s->at, s->at + most);
        done += (int)most;
    }
    bool failed = s->flags & HD_STREAM_ERROR && errno != EAGAIN;
    set_flags(s, s->flags | had);
    if ((done == 0 && n > 1) || failed)
        return NULL;
    __heddle_store_n(to + done, "", 1, site);
    return to;
}

size_t hd_fdstream_read(char *to, size_t n, FILE *f, uint32_t site)
{
    struct hd_fdstream *s = hd_fdstream_use(f, site);
    size_t done = 0;
    while (done < n) {
        size_t left = n - done, here = held(s);
        if (here) {
            here = here < left ? here : left;
            __heddle_store_n(to + done, s->bytes + s->at, here, site);
            HD_SET(s->at, s->at + (uint32_t)here);
            done += here;
        } else if (s->writes || s->mode == _IONBF || left < s->size) {
            if (!refill(s, site))
                break;
        } else { /* whole buffers are read directly */
            __heddle_call_site = site;
            ssize_t got = read((int)s->fd, to + done, left - left % s->size);
            if (got <= 0) {
                set_flags(s, s->flags | (got ? HD_STREAM_ERROR : HD_STREAM_EOF));
                break;
            }
            done += (size_t)got;
        }
    }
    return done;
}

/* Hand over what is written; on an error what is left of it is dropped. */
static bool hand_over(struct hd_fdstream *s, const char *bytes, size_t n, uint32_t site)
{
    while (n) {
        ssize_t put = hd_fd_write_own((int)s->fd, bytes, n, site);
        if (put < 0) {
            set_flags(s, s->flags | HD_STREAM_ERROR);
            return false;
        }
        bytes += put;
        n -= (size_t)put;
    }
    return true;
}

int hd_fdstream_flush(struct hd_fdstream *s, uint32_t site)
{
    uint32_t n = s->writes ? s->end : 0;
    bool done = hand_over(s, s->bytes, n, site);
    if (n)
        HD_SET(s->end, 0);
    return done ? 0 : EOF;
}

/* Bytes of the program's memory. */
static void buffer(struct hd_fdstream *s, const char *bytes, size_t n)
{
    hd_log_range(s->bytes + s->end, n);
    hd_view_load(rt->cur, bytes, s->bytes + s->end, n);
    HD_SET(s->end, s->end + (uint32_t)n);
}

/* The line that ends in the buffer, and those before it. */
static bool flush_lines(struct hd_fdstream *s, uint32_t site)
{
    const char *end = memrchr(s->bytes, '\n', s->end);
    uint32_t n = end ? (uint32_t)(end + 1 - s->bytes) : 0;
    bool done = hand_over(s, s->bytes, n, site);
    hd_log_range(s->bytes, s->end);
    memmove(s->bytes, s->bytes + n, s->end - n);
    HD_SET(s->end, s->end - n);
    return done;
}

/* Past the buffer, which is empty. */
static bool put_directly(struct hd_fdstream *s, const char *bytes, size_t n, uint32_t site)
{
    while (n) {
        size_t now = n < HD_FDSTREAM_BYTES ? n : HD_FDSTREAM_BYTES;
        buffer(s, bytes, now);
        if (hd_fdstream_flush(s, site))
            return false;
        bytes += now;
        n -= now;
    }
    return true;
}

static bool not_for_writing(struct hd_fdstream *s)
{
    if (s->writes)
        return false;
    set_flags(s, s->flags | HD_STREAM_ERROR);
    errno = EBADF;
    return true;
}

int hd_fdstream_putc(struct hd_fdstream *s, int c, uint32_t site)
{
    char byte = (char)c;
    if (not_for_writing(s) || (s->end == s->size && hd_fdstream_flush(s, site)))
        return EOF;
    HD_SET(s->putting, 1);
    hd_log_range(s->bytes + s->end, 1);
    s->bytes[s->end] = byte;
    HD_SET(s->end, s->end + 1);
    bool ends = s->mode == _IONBF || (s->mode == _IOLBF && byte == '\n');
    return ends && hd_fdstream_flush(s, site) ? EOF : (unsigned char)byte;
}

/* _IO_new_file_xsputn */
size_t hd_fdstream_put(struct hd_fdstream *s, const char *bytes, size_t n, uint32_t site)
{
    if (n == 0 || not_for_writing(s))
        return 0;
    size_t fits = s->putting && s->mode != _IONBF ? s->size - s->end : 0;
    bool lines = s->mode == _IOLBF && s->putting && n <= fits;
    fits = fits < n ? fits : n;
    buffer(s, bytes, fits);
    HD_SET(s->putting, 1);
    if (lines)
        return flush_lines(s, site) ? n : 0;
    size_t left = n - fits;
    if (!left)
        return n;
    size_t whole = s->mode == _IONBF ? left : left - left % s->size;
    if (hd_fdstream_flush(s, site) || !put_directly(s, bytes + fits, whole, site))
        return n - left;
    for (left -= whole; left; left--) {
        char byte;
        hd_view_load(rt->cur, bytes + n - left, &byte, 1);
        if (hd_fdstream_putc(s, byte, site) == EOF)
            return n - left;
    }
    return n;
}

int hd_fdstream_close(struct hd_fdstream *s, uint32_t site)
{
    FILE *f = block_of(s);
    int failed = hd_fdstream_flush(s, site), error = errno;
    __heddle_call_site = site;
    if (close((int)s->fd) != 0)
        failed = EOF;
    else if (failed)
        errno = error;
    HD_SET(s->addr, 0);
    __heddle_call_site = site;
    if (f != stdin)
        hd_heap_free(f, HD_FAMILY_MALLOC, "fclose", NULL);
    hd_stream_closed(f, site);
    return failed;
}

int hd_fdstream_flush_all(uint32_t site)
{
    int failed = 0;
    for (uint32_t i = fds()->n_streams; i-- > 0;) {
        FILE *f = block_of(&fds()->streams[i]);
        if (!f || !fds()->streams[i].writes)
            continue;
        hd_stream_enter(f, site);
        struct hd_fdstream *s = hd_fdstream_use(f, site);
        if (s && hd_fdstream_flush(s, site))
            failed = EOF;
        hd_stream_leave(f, site);
    }
    return failed;
}

int hd_fdstream_push_back(int c, FILE *f, uint32_t site)
{
    struct hd_fdstream *s = hd_fdstream_use(f, site);
    if (c == EOF || s->writes || (s->at == 0 && s->end == s->size))
        return EOF;
    if (s->at == 0) {
        hd_log_range(s->bytes, s->end + 1);
        memmove(s->bytes + 1, s->bytes, s->end);
        HD_SET(s->at, 1);
        HD_SET(s->end, s->end + 1);
    }
    HD_SET(s->at, s->at - 1);
    hd_log_range(s->bytes + s->at, 1);
    s->bytes[s->at] = (char)c;
    set_flags(s, s->flags & ~(uint32_t)HD_STREAM_EOF);
    return (unsigned char)c;
}

int hd_fdstream_set_buffer(FILE *f, int mode, const char *given, size_t size, uint32_t site)
{
    struct hd_fdstream *s = hd_fdstream_use(f, site);
    if (mode != _IOFBF && mode != _IOLBF && mode != _IONBF)
        return hd_io_fail(EINVAL);
    if (f == stdin) /* chosen input, whose buffer is never seen (stdin.c) */
        return 0;
    if (s->at < s->end)
        refuse("setvbuf() of a pipe or socket whose buffer is not empty", site);
    if (given && size > HD_FDSTREAM_BYTES)
        refuse("setvbuf() of a pipe or socket with a buffer of more than 32768 bytes", site);
    HD_SET(s->mode, (uint32_t)mode);
    if (given && size && mode != _IONBF)
        HD_SET(s->size, (uint32_t)size);
    return 0;
}

uint32_t hd_fdstream_flags(FILE *f, uint32_t clears, uint32_t site)
{
    struct hd_fdstream *s = hd_fdstream_use(f, site);
    uint32_t flags = s->flags;
    if (clears)
        set_flags(s, flags & ~clears);
    return flags;
}
