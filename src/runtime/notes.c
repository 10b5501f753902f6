/* Places that the verdict names when they are reached (core/notes.h). */
#include "runtime/notes.h"

#include "runtime/cond.h"
#include "runtime/fdstream_find.h"
#include "runtime/rt.h"
#include "runtime/stdin_known.h"

#include <errno.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <wchar.h>

void __heddle_reached(uint32_t kind, uint32_t site)
{
    if (!hd_ready || rt->mode == HD_PLAIN)
        return;
    hd_notes_add(&rt->shared->notes, kind, site, 1);
    if (kind == HD_NOTE_EXTERNAL)
        rt->shared->ctl.native_site = site;
}

void __heddle_waits(uint32_t site)
{
    if (!hd_cond_wakes_alone())
        __heddle_reached(HD_NOTE_WAIT, site);
}

/* The worker's standard input is the null device.  A program that has replaced it by a file, or
 * reads another descriptor, gets what a native run would get. */
void __heddle_reads_fd(int fd, uint32_t site)
{
    struct stat is;
    int before = errno;
    if (!hd_ready || rt->mode == HD_PLAIN || hd_stdin_known(fd, site))
        return;
    bool null = hd_syscall(SYS_fstat, fd, (long)(uintptr_t)&is, 0, 0, 0, 0) == 0 &&
                S_ISCHR(is.st_mode) && is.st_rdev == makedev(1, 3);
    errno = before;
    if (null)
        __heddle_reached(HD_NOTE_INPUT, site);
}

void __heddle_reads_stream(void *stream, uint32_t site)
{
    if (stream)
        __heddle_reads_fd(((FILE *)stream)->_fileno, site);
}

static bool is_library(const void *caller)
{
    extern const char __executable_start[], _etext[];
    const char *at = caller;
    return hd_ready && (at < __executable_start || at >= _etext);
}

void hd_note_library_reads(int fd, const void *caller)
{
    if (is_library(caller))
        __heddle_reads_fd(fd, rt->opaque_site);
}

/* What libstdc++ calls for std::cin. */
#define NOTE_STREAM(f)                                                                           \
    do {                                                                                         \
        if (is_library(__builtin_return_address(0)))                                             \
            __heddle_reads_fd((f)->_fileno, rt->opaque_site);                                    \
    } while (0)

wint_t getwc(FILE *f)
{
    hd_fdstream_refuse(f, "getwc", __heddle_call_site);
    NOTE_STREAM(f);
    return ((wint_t(*)(FILE *))(uintptr_t)hd_real("getwc"))(f);
}
