/* Opening files, which are outside the model.  Failures to open are explored (--faults io).
 * Only the program's own calls fail; those have a site. */
#include "runtime/fault.h"
#include "runtime/fd.h"
#include "runtime/files.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* True, with errno, if the call fails.  A file that is to be created cannot be missing. */
static bool fails(bool creates)
{
    uint32_t site = hd_take_site();
    static const int ways[] = { 0, EINTR, EMFILE, ENOENT };
    if (!hd_ready || !site || HD_LIKELY(!hd_fault_wanted(HD_FAULT_IO)))
        return false;
    uint32_t way = hd_fault_ways(HD_FAULT_IO, creates ? 2 : 3, site);
    if (way)
        errno = ways[way];
    return way != 0;
}

static int opened(int fd, int flags)
{
    int saved = errno;
    if (hd_ready && rt->mode == HD_EXPLORING)
        hd_files_opened(fd, flags & O_EXCL);
    errno = saved;
    return fd;
}

static bool has_mode(int flags) { return flags & O_CREAT || (flags & O_TMPFILE) == O_TMPFILE; }

/* The mode argument exists only if a file may be created. */
#define MODE(flags, mode)                                                                        \
    do {                                                                                         \
        if (has_mode(flags)) {                                                                   \
            va_list args;                                                                        \
            va_start(args, flags);                                                               \
            (mode) = va_arg(args, mode_t);                                                       \
            va_end(args);                                                                        \
        }                                                                                        \
    } while (0)

#define OPEN(name)                                                                               \
    int name(const char *path, int flags, ...)                                                   \
    {                                                                                            \
        mode_t mode = 0;                                                                         \
        MODE(flags, mode);                                                                       \
        if (fails(has_mode(flags)))                                                              \
            return -1;                                                                           \
        return opened(                                                                           \
            ((int (*)(const char *, int, ...))(uintptr_t)hd_real(#name))(path, flags, mode),     \
            flags);                                                                              \
    }
#define OPENAT(name)                                                                             \
    int name(int at, const char *path, int flags, ...)                                           \
    {                                                                                            \
        mode_t mode = 0;                                                                         \
        MODE(flags, mode);                                                                       \
        if (fails(has_mode(flags)))                                                              \
            return -1;                                                                           \
        return opened(((int (*)(int, const char *, int, ...))(uintptr_t)hd_real(#name))(         \
                          at, path, flags, mode),                                                \
                      flags);                                                                    \
    }
#define FOPEN(name)                                                                              \
    FILE *name(const char *path, const char *mode)                                               \
    {                                                                                            \
        if (fails(*mode != 'r'))                                                                 \
            return NULL;                                                                         \
        FILE *f = ((FILE * (*)(const char *, const char *))(uintptr_t)hd_real(#name))(path,      \
                                                                                      mode);     \
        opened(f ? fileno(f) : -1, strchr(mode, 'x') ? O_EXCL : 0);                              \
        return f;                                                                                \
    }
/* Without a path only the mode changes.  The descriptor stays the same, so that standard output
 * may be a file from now on. */
#define FREOPEN(name)                                                                            \
    FILE *name(const char *path, const char *mode, FILE *old)                                    \
    {                                                                                            \
        if (path && fails(*mode != 'r'))                                                         \
            return NULL;                                                                         \
        FILE *f = ((FILE * (*)(const char *, const char *, FILE *))(uintptr_t)hd_real(#name))(   \
            path, mode, old);                                                                    \
        opened(f ? fileno(f) : -1, strchr(mode, 'x') ? O_EXCL : 0);                              \
        hd_output_look(1);                                                                       \
        hd_output_look(2);                                                                       \
        return f;                                                                                \
    }
OPEN(open)
OPEN(open64)
OPENAT(openat)
OPENAT(openat64)
FOPEN(fopen)
FOPEN(fopen64)
FREOPEN(freopen)
FREOPEN(freopen64)

int creat(const char *path, mode_t mode)
{
    return open(path, O_CREAT | O_WRONLY | O_TRUNC, mode);
}
