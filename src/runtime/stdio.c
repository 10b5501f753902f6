/* Functions of stdio.h that read, and those that ask and set: for streams over pipes and
 * sockets (fdstream.h) in the model, for others the library's, which are outside.  Those that
 * write are in io.c. */
#include "runtime/fd.h"
#include "runtime/fdstream.h"
#include "runtime/memory.h"
#include "runtime/notes.h"
#include "runtime/stream_lock.h"
#include "runtime/streams.h"

#include <stdio.h>

#define REAL(type, name) ((type)(uintptr_t)hd_real(name))

static bool is_library(const void *caller)
{
    extern const char __executable_start[], _etext[];
    const char *at = caller;
    return at < __executable_start || at >= _etext;
}

/* libstdc++ reads for std::cin. */
static void note_library(const FILE *f, const void *caller)
{
    if (hd_ready && is_library(caller))
        hd_note_library_reads(f->_fileno, caller);
}

FILE *fdopen(int fd, const char *mode)
{
    uint32_t site = hd_take_site();
    const struct hd_file *file = hd_ready ? hd_fd_use(fd, site) : NULL;
    if (file)
        return hd_fdstream_open(file, fd, mode, site);
    if (hd_ready && !is_library(__builtin_return_address(0)))
        __heddle_opaque(site);
    return REAL(FILE * (*)(int, const char *), "fdopen")(fd, mode);
}

/* A call of a library's function on a stream of the library, which is outside. */
static bool outside(FILE *f, void *to, size_t n, const void *caller, uint32_t site)
{
    if (!hd_ready || is_library(caller))
        return false;
    __heddle_may_write(to, n, site);
    __heddle_opaque(site);
    __heddle_open(f, site);
    return true;
}

static char *get_line(char *to, int n, FILE *f, bool locks, const void *caller, uint32_t site)
{
    char *result;
    note_library(f, caller);
    if (hd_fdstream_of(f)) {
        if (locks)
            hd_stream_enter(f, site);
        result = n > 0 ? hd_fdstream_gets(to, n, f, site) : NULL;
        if (locks)
            hd_stream_leave(f, site);
        return result;
    }
    bool told = outside(f, to, n > 0 ? (size_t)n : 0, caller, site);
    result = REAL(char *(*)(char *, int, FILE *), "fgets")(to, n, f);
    if (told && result)
        __heddle_defined_string(to, UINT64_MAX);
    if (told)
        __heddle_opaque_end(site);
    return result;
}

char *fgets(char *to, int n, FILE *f)
{
    return get_line(to, n, f, true, __builtin_return_address(0), hd_take_site());
}

#undef fgets_unlocked
char *fgets_unlocked(char *to, int n, FILE *f)
{
    return get_line(to, n, f, false, __builtin_return_address(0), hd_take_site());
}

static size_t get_bytes(void *to, size_t size, size_t n, FILE *f, bool locks, const void *caller,
                        uint32_t site)
{
    size_t result;
    note_library(f, caller);
    if (hd_fdstream_of(f)) {
        if (locks)
            hd_stream_enter(f, site);
        result = size && n ? hd_fdstream_read(to, size * n, f, site) / size : 0;
        if (locks)
            hd_stream_leave(f, site);
        return result;
    }
    bool told = outside(f, to, size * n, caller, site);
    result = REAL(size_t (*)(void *, size_t, size_t, FILE *), "fread")(to, size, n, f);
    if (told)
        __heddle_defined(to, result * size);
    if (told)
        __heddle_opaque_end(site);
    return result;
}

size_t fread(void *to, size_t size, size_t n, FILE *f)
{
    return get_bytes(to, size, n, f, true, __builtin_return_address(0), hd_take_site());
}

#undef fread_unlocked
size_t fread_unlocked(void *to, size_t size, size_t n, FILE *f)
{
    return get_bytes(to, size, n, f, false, __builtin_return_address(0), hd_take_site());
}

static int get_step(FILE *f, bool locks, uint32_t site)
{
    if (locks)
        hd_stream_enter(f, site);
    int c = hd_fdstream_get(hd_fdstream_use(f, site), site);
    if (locks)
        hd_stream_leave(f, site);
    return c;
}

#undef getc
#undef fputc_unlocked
#undef getc_unlocked
#undef fgetc_unlocked
#define GET(name, locks)                                                                         \
    int name(FILE *f)                                                                            \
    {                                                                                            \
        uint32_t site = hd_take_site();                                                          \
        note_library(f, __builtin_return_address(0));                                            \
        if (hd_fdstream_of(f))                                                                   \
            return get_step(f, locks, site);                                                     \
        return REAL(int (*)(FILE *), #name)(f);                                                  \
    }
GET(getc, true)
GET(fgetc, true)
GET(getc_unlocked, false)
GET(fgetc_unlocked, false)

/* What the macros of glibc's header call when the buffer of the block, which has none here, is
 * empty or full. */
int __uflow(FILE *f);
int __overflow(FILE *f, int c);
GET(__uflow, false)

int __overflow(FILE *f, int c)
{
    return hd_fdstream_of(f) ? fputc_unlocked(c, f)
                             : REAL(int (*)(FILE *, int), "__overflow")(f, c);
}

int ungetc(int c, FILE *f)
{
    uint32_t site = hd_take_site();
    if (!hd_fdstream_of(f))
        return REAL(int (*)(int, FILE *), "ungetc")(c, f);
    hd_stream_enter(f, site);
    int done = hd_fdstream_push_back(c, f, site);
    hd_stream_leave(f, site);
    return done;
}

static uint32_t flags_step(FILE *f, uint32_t clears, bool locks, uint32_t site)
{
    if (locks)
        hd_stream_enter(f, site);
    uint32_t flags = hd_fdstream_flags(f, clears, site);
    if (locks)
        hd_stream_leave(f, site);
    return flags;
}

#undef feof_unlocked
#undef ferror_unlocked
#define FLAG(name, flag, locks)                                                                  \
    int name(FILE *f)                                                                            \
    {                                                                                            \
        uint32_t site = hd_take_site();                                                          \
        if (hd_fdstream_of(f))                                                                   \
            return (flags_step(f, 0, locks, site) & (flag)) != 0;                                \
        return REAL(int (*)(FILE *), #name)(f);                                                  \
    }
FLAG(feof, HD_STREAM_EOF, true)
FLAG(ferror, HD_STREAM_ERROR, true)
FLAG(feof_unlocked, HD_STREAM_EOF, false)
FLAG(ferror_unlocked, HD_STREAM_ERROR, false)

void clearerr(FILE *f)
{
    uint32_t site = hd_take_site();
    if (hd_fdstream_of(f))
        flags_step(f, HD_STREAM_EOF | HD_STREAM_ERROR, true, site);
    else
        REAL(void (*)(FILE *), "clearerr")(f);
}

#undef fileno_unlocked
/* The number of a stream never changes. */
#define NUMBER(name)                                                                             \
    int name(FILE *f)                                                                            \
    {                                                                                            \
        hd_take_site();                                                                          \
        const struct hd_fdstream *s = hd_fdstream_of(f);                                         \
        return s ? (int)s->fd : REAL(int (*)(FILE *), #name)(f);                                 \
    }
NUMBER(fileno)
NUMBER(fileno_unlocked)

int setvbuf(FILE *f, char *given, int mode, size_t size)
{
    uint32_t site = hd_take_site();
    if (!hd_fdstream_of(f))
        return REAL(int (*)(FILE *, char *, int, size_t), "setvbuf")(f, given, mode, size);
    hd_stream_enter(f, site);
    int failed = hd_fdstream_set_buffer(f, mode, given, size, site);
    hd_stream_leave(f, site);
    return failed;
}

void setbuf(FILE *f, char *given)
{
    if (hd_fdstream_of(f))
        setvbuf(f, given, given ? _IOFBF : _IONBF, BUFSIZ);
    else
        REAL(void (*)(FILE *, char *), "setbuf")(f, given);
}

void setlinebuf(FILE *f)
{
    if (hd_fdstream_of(f))
        setvbuf(f, NULL, _IOLBF, 0);
    else
        REAL(void (*)(FILE *), "setlinebuf")(f);
}

int fclose(FILE *f)
{
    uint32_t site = hd_take_site();
    if (!hd_fdstream_of(f)) {
        hd_stream_enter(f, site);
        int failed = hd_stream_close(f, site);
        hd_stream_leave(f, site);
        return failed;
    }
    hd_stream_enter(f, site);
    int failed = hd_fdstream_close(hd_fdstream_use(f, site), site);
    hd_stream_unlock(f, site);
    return failed;
}

void __heddle_opaque_stream(const void *stream, uint32_t site);
void __heddle_opaque_stream_end(const void *stream, uint32_t site);

void __heddle_opaque_stream(const void *stream, uint32_t site)
{
    if (!hd_fdstream_of(stream))
        __heddle_opaque(site);
}

void __heddle_opaque_stream_end(const void *stream, uint32_t site)
{
    if (!hd_fdstream_of(stream))
        __heddle_opaque_end(site);
}
