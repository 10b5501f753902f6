/* Opening files, which are outside the model.  Failures to open are explored (--faults io).
 * Only the program's own calls fail; those have a site. */
#include "runtime/fault.h"
#include "runtime/fd.h"
#include "runtime/fdstream_find.h"
#include "runtime/files.h"
#include "runtime/private.h"

#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <string.h>
#include <sys/syscall.h>

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

/* -1 with errno: it is no mode. */
static int flags_of(const char *mode)
{
    int flags = *mode == 'r'   ? O_RDONLY
                : *mode == 'w' ? O_WRONLY | O_CREAT | O_TRUNC
                : *mode == 'a' ? O_WRONLY | O_CREAT | O_APPEND
                               : -1;
    if (flags < 0)
        return hd_io_fail(EINVAL);
    for (const char *at = mode + 1; *at && *at != ','; at++)
        if (*at == '+')
            flags = (flags & ~O_ACCMODE) | O_RDWR;
        else if (*at == 'e')
            flags |= O_CLOEXEC;
        else if (*at == 'x')
            flags |= O_EXCL;
    return flags;
}

#define FDOPEN ((FILE * (*)(int, const char *))(uintptr_t)hd_real("fdopen"))

static FILE *open_stream(const char *path, const char *mode, const char *call)
{
    int flags = flags_of(mode);
    int fd = flags < 0 ? -1 : hd_private_open(AT_FDCWD, path, flags, 0666, call);
    return fd < 0 ? NULL : FDOPEN(fd, mode);
}

/* The library would open the file itself.  A stream that is written goes on with another file
 * under its descriptor; one that is read is opened by the library. */
static FILE *reopen_stream(const char *path, const char *mode, FILE *old, const char *call)
{
    char link[HD_PRIVATE_LINK];
    int flags = flags_of(mode), number = fileno(old);
    if (flags >= 0 && flags & O_ACCMODE &&
        (flags & O_RDWR || !__fwritable(old) || __freadable(old)))
        hd_private_refuse(call, path,
                          "other modes than w and a of a stream that is written are not "
                          "modelled by this version of heddle");
    int fd = flags < 0 ? -1 : hd_private_open(AT_FDCWD, path, flags, 0666, call);
    if (fd < 0)
        return NULL;
    FILE *f = old;
    if (flags & O_ACCMODE) {
        fflush(old);
        hd_syscall(SYS_dup3, fd, number, flags & O_CLOEXEC, 0, 0, 0);
        clearerr(old);
    } else {
        hd_private_link(fd, link);
        f = ((FILE * (*)(const char *, const char *, FILE *))(uintptr_t)hd_real("freopen"))(
            link, mode, old);
    }
    hd_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
    return f;
}

#define OPEN(name)                                                                               \
    int name(const char *path, int flags, ...)                                                   \
    {                                                                                            \
        mode_t mode = 0;                                                                         \
        MODE(flags, mode);                                                                       \
        if (fails(has_mode(flags)))                                                              \
            return -1;                                                                           \
        if (hd_private_on())                                                                     \
            return hd_private_open(AT_FDCWD, path, flags, mode, #name);                          \
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
        if (hd_private_on())                                                                     \
            return hd_private_open(at, path, flags, mode, #name);                                \
        return opened(((int (*)(int, const char *, int, ...))(uintptr_t)hd_real(#name))(         \
                          at, path, flags, mode),                                                \
                      flags);                                                                    \
    }
#define FOPEN(name)                                                                              \
    FILE *name(const char *path, const char *mode)                                               \
    {                                                                                            \
        if (fails(*mode != 'r'))                                                                 \
            return NULL;                                                                         \
        if (hd_private_on())                                                                     \
            return open_stream(path, mode, #name);                                               \
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
        hd_fdstream_refuse(old, #name, __heddle_call_site);                                      \
        if (path && fails(*mode != 'r'))                                                         \
            return NULL;                                                                         \
        bool out = hd_is_output(1), err = hd_is_output(2);                                       \
        uint32_t site = hd_site_now();                                                           \
        FILE *f;                                                                                 \
        if (path && hd_private_on()) {                                                           \
            f = reopen_stream(path, mode, old, #name);                                           \
        } else {                                                                                 \
            f = ((FILE * (*)(const char *, const char *, FILE *))(uintptr_t)hd_real(#name))(     \
                path, mode, old);                                                                \
            opened(f ? fileno(f) : -1, strchr(mode, 'x') ? O_EXCL : 0);                          \
        }                                                                                        \
        hd_output_look(1, out, site);                                                            \
        hd_output_look(2, err, site);                                                            \
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
