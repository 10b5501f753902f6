/* Streams: output to stdout and stderr.  It orders no threads and is no action: in an
 * exploration it is formatted and dropped, in a replay it is kept for the report, in a plain
 * run it is libc's. */
#include "runtime/fd.h"
#include "runtime/fdstream.h"
#include "runtime/format.h"
#include "runtime/heap.h"
#include "runtime/stream_lock.h"
#include "runtime/streams.h"
#include "runtime/view.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#undef putc
#undef putchar
#undef putc_unlocked
#undef putchar_unlocked
#undef fputc_unlocked
#undef fwrite_unlocked

/* The program has replaced its output by a pipe of the model: libc's buffer would have to
 * become steps when it is flushed. */
static _Noreturn void refuse_pipe(uint32_t site)
{
    char place[300];
    hd_site_text(site, place, sizeof place);
    hd_fatal(
        "%s: the program prints into a pipe or socket that it has put in the place of standard "
        "output, which is not modelled by this version of heddle: use write()",
        place);
}

static bool is_output(const FILE *f)
{
    return hd_ready && rt->mode != HD_PLAIN && (f == stdout || f == stderr) &&
           !hd_output_moved(f->_fileno);
}

/* The descriptor is moved.  Output is no action, so what a thread writes before that is not
 * tried after it, and the other way round, unless the thread has been joined.  Has one
 * written? */
static bool exposes(int fd)
{
    bool found = false;
    for (uint32_t t = 0; t < rt->config.n_threads; t++)
        if (t != rt->cur && !hd_tset_has(&model->joined, t)) {
            hd_tset_add(&rt->exposed[fd - 1], t);
            found |= hd_tset_has(&rt->printed[fd - 1], t);
        }
    return found;
}

/* The thread writes there. */
static void prints(int fd, uint32_t site)
{
    hd_tset_add(&rt->printed[fd - 1], rt->cur);
    if (HD_UNLIKELY(hd_tset_has(&rt->exposed[fd - 1], rt->cur)))
        hd_notes_add(&rt->shared->notes, HD_NOTE_MOVED, site, 1);
}

static bool ours(const FILE *f, uint32_t site)
{
    if (!is_output(f))
        return false;
    __heddle_open(f, site);
    if (HD_UNLIKELY(hd_fd_peek(f->_fileno)))
        refuse_pipe(site);
    prints(f->_fileno, site);
    return true;
}

static void keep(const char *bytes, size_t n)
{
    if (rt->mode != HD_REPLAYING)
        return;
    struct hd_control *ctl = &rt->shared->ctl;
    size_t room = HD_OUTPUT_BYTES - ctl->output_bytes;
    n = n < room ? n : room;
    hd_view_load(rt->cur, bytes, rt->shared->output + ctl->output_bytes, n);
    ctl->output_bytes += (uint32_t)n;
}

static int keep_formatted(const char *fmt, va_list args)
{
    if (rt->mode != HD_REPLAYING)
        return hd_vsnprintf(NULL, 0, fmt, args);
    struct hd_control *ctl = &rt->shared->ctl;
    size_t room = HD_OUTPUT_BYTES - ctl->output_bytes;
    int n = hd_vsnprintf(rt->shared->output + ctl->output_bytes, room, fmt, args);
    if (n > 0)
        ctl->output_bytes += (uint32_t)((size_t)n < room ? (size_t)n : room ? room - 1 : 0);
    return n;
}

/* Another stream: libc's function, whose effect on libc's data is unknown. */
#define REAL(type, name) ((type)(uintptr_t)hd_real(name))
void __heddle_opaque(uint32_t site);

/* Into a stream of the model.  The text is made before the stream's lock is awaited. */
static int print_through(FILE *f, const char *fmt, va_list args, uint32_t site)
{
    va_list again;
    va_copy(again, args);
    int n = hd_vsnprintf(NULL, 0, fmt, again);
    va_end(again);
    char *text = n < 0 ? NULL : hd_heap_take((uint64_t)n + 1, 16, HD_FAMILY_MALLOC);
    if (!text)
        return -1;
    hd_log_range(text, (size_t)n + 1);
    hd_vsnprintf(text, (size_t)n + 1, fmt, args);
    hd_stream_enter(f, site);
    struct hd_fdstream *s = hd_fdstream_use(f, site);
    bool all = hd_fdstream_put(s, text, (size_t)n, site) == (size_t)n;
    hd_stream_leave(f, site);
    __heddle_call_site = site;
    hd_heap_free(text, HD_FAMILY_MALLOC, "fprintf", NULL);
    return all ? n : -1;
}

static int print(FILE *f, const char *fmt, va_list args, uint32_t site)
{
    int n;
    if (hd_fdstream_of(f))
        return print_through(f, fmt, args, site);
    hd_stream_enter(f, site);
    if (ours(f, site)) {
        n = keep_formatted(fmt, args);
    } else {
        __heddle_opaque(site);
        __heddle_open(f, site);
        n = REAL(int (*)(FILE *, const char *, va_list), "vfprintf")(f, fmt, args);
    }
    hd_stream_leave(f, site);
    return n;
}

int vfprintf(FILE *f, const char *fmt, va_list args)
{
    uint32_t site = hd_take_site();
    struct hd_printed p;
    if (!hd_ready)
        return print(f, fmt, args, site);
    hd_format_printed(&p, fmt, args, site);
    return print(f, fmt, p.args, site);
}

int vprintf(const char *fmt, va_list args) { return vfprintf(stdout, fmt, args); }

int fprintf(FILE *f, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = print(f, fmt, args, hd_take_site());
    va_end(args);
    return n;
}

int printf(const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    int n = print(stdout, fmt, args, hd_take_site());
    va_end(args);
    return n;
}

size_t fwrite_unlocked(const void *bytes, size_t size, size_t n, FILE *f)
{
    uint32_t site = hd_take_site();
    if (ours(f, site)) {
        keep(bytes, size * n);
        return n;
    }
    if (hd_fdstream_of(f))
        return size ? hd_fdstream_put(hd_fdstream_use(f, site), bytes, size * n, site) / size : 0;
    __heddle_opaque(site);
    __heddle_open(f, site);
    return REAL(size_t (*)(const void *, size_t, size_t, FILE *), "fwrite")(bytes, size, n, f);
}

size_t fwrite(const void *bytes, size_t size, size_t n, FILE *f)
{
    uint32_t site = __heddle_call_site;
    hd_stream_enter(f, site);
    __heddle_call_site = site;
    size_t done = fwrite_unlocked(bytes, size, n, f);
    hd_stream_leave(f, site);
    return done;
}

int fputs_unlocked(const char *s, FILE *f)
{
    uint32_t site = hd_take_site();
    if (ours(f, site)) {
        keep(s, strlen(s));
        return 1;
    }
    if (hd_fdstream_of(f)) {
        size_t n = strlen(s);
        return hd_fdstream_put(hd_fdstream_use(f, site), s, n, site) == n ? 1 : EOF;
    }
    __heddle_opaque(site);
    __heddle_open(f, site);
    return REAL(int (*)(const char *, FILE *), "fputs")(s, f);
}

int fputs(const char *s, FILE *f)
{
    uint32_t site = __heddle_call_site;
    hd_stream_enter(f, site);
    __heddle_call_site = site;
    int done = fputs_unlocked(s, f);
    hd_stream_leave(f, site);
    return done;
}

int fputc_unlocked(int c, FILE *f)
{
    uint32_t site = hd_take_site();
    char byte = (char)c;
    if (ours(f, site)) {
        keep(&byte, 1);
        return (unsigned char)byte;
    }
    if (hd_fdstream_of(f))
        return hd_fdstream_putc(hd_fdstream_use(f, site), c, site);
    __heddle_opaque(site);
    __heddle_open(f, site);
    return REAL(int (*)(int, FILE *), "fputc")(c, f);
}

int fputc(int c, FILE *f)
{
    uint32_t site = __heddle_call_site;
    hd_stream_enter(f, site);
    __heddle_call_site = site;
    int done = fputc_unlocked(c, f);
    hd_stream_leave(f, site);
    return done;
}

int putc(int c, FILE *f) { return fputc(c, f); }
int putchar(int c) { return fputc(c, stdout); }
int putc_unlocked(int c, FILE *f) { return fputc_unlocked(c, f); }
int putchar_unlocked(int c) { return fputc_unlocked(c, stdout); }

int puts(const char *s)
{
    uint32_t site = __heddle_call_site;
    hd_stream_enter(stdout, site);
    __heddle_call_site = site;
    bool failed = fputs_unlocked(s, stdout) < 0 || fputc_unlocked('\n', stdout) < 0;
    hd_stream_leave(stdout, site);
    return failed ? EOF : 1;
}

/* Does the program have streams besides the three standard ones?  New ones come first in the
 * library's list. */
static bool has_streams(void)
{
    extern FILE *_IO_list_all;
    return _IO_list_all && _IO_list_all != stderr && _IO_list_all != stdout &&
           _IO_list_all != stdin;
}

static int flush_one(FILE *f, uint32_t site)
{
    hd_stream_enter(f, site);
    int failed = hd_fdstream_flush(hd_fdstream_use(f, site), site);
    hd_stream_leave(f, site);
    return failed;
}

int fflush(FILE *f)
{
    uint32_t site = hd_take_site();
    if (hd_fdstream_of(f))
        return flush_one(f, site);
    int failed = f ? 0 : hd_fdstream_flush_all(site);
    if (f ? is_output(f) : is_output(stdout) && is_output(stderr) && !has_streams())
        return failed;
    __heddle_opaque(site);
    __heddle_open(f, site);
    return REAL(int (*)(FILE *), "fflush")(f) ? EOF : failed;
}

void perror(const char *s)
{
    int saved = errno;
    char first = 0;
    if (s)
        hd_view_load(rt->cur, s, &first, 1);
    if (first)
        fprintf(stderr, "%s: ", s);
    fprintf(stderr, "%s\n", strerrordesc_np(saved) ? strerrordesc_np(saved) : "unknown error");
}

bool hd_output_take(int fd, const void *bytes, size_t n)
{
    if (!hd_is_output(fd))
        return false;
    prints(fd, hd_site_now());
    keep(bytes, n);
    return true;
}

bool hd_output_moved(int fd) { return (fd != 1 && fd != 2) || (model->fds.moved >> fd & 1); }

bool hd_is_output(int fd)
{
    return hd_ready && rt->mode != HD_PLAIN && !hd_output_moved(fd) && !hd_fd_peek(fd);
}

void hd_output_look(int fd, bool was, uint32_t site)
{
    struct stat is;
    if (!hd_ready || rt->mode == HD_PLAIN || (fd != 1 && fd != 2))
        return;
    bool null = hd_syscall(SYS_fstat, fd, (long)(uintptr_t)&is, 0, 0, 0, 0) == 0 &&
                S_ISCHR(is.st_mode) && is.st_rdev == makedev(1, 3);
    uint32_t moved = null ? model->fds.moved & ~(1u << fd) : model->fds.moved | 1u << fd;
    if (moved != model->fds.moved)
        HD_SET(model->fds.moved, moved);
    if (was != hd_is_output(fd) && exposes(fd))
        hd_notes_add(&rt->shared->notes, HD_NOTE_MOVED, site, 1);
}
