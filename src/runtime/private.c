#include "runtime/private.h"

#include "runtime/rt.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/sysmacros.h>
#include <unistd.h>

#define AT(p) ((long)(uintptr_t)(p))
#define FIRST_PRIVATE 640 /* descriptors of the table, above those that programs get */

bool hd_private_on(void)
{
    return hd_ready && rt->mode != HD_PLAIN && rt->shared && !rt->shared->options.files_off;
}

static bool fail(int error)
{
    errno = error;
    return false;
}

_Noreturn void hd_private_refuse(const char *call, const char *path, const char *why)
{
    char place[300];
    uint32_t site = __heddle_call_site ? __heddle_call_site : hd_next_now()->site;
    hd_site_text(site, place, sizeof place);
    hd_fatal("%s: %s() of %.100s: %s (--files off: without a private view)", place, call, path,
             why);
}

struct hd_private *hd_private_enter(const char *path, enum hd_private_kind kind)
{
    struct hd_private_files *all = &rt->private_files;
    struct hd_private *e = hd_private_find(path);
    if (!e) {
        if (all->n == HD_MAX_PRIVATE)
            hd_fatal("the program changes more than %u files, the most that heddle can put back",
                     HD_MAX_PRIVATE);
        e = &all->entry[all->n++];
        e->fd = -1;
        strcpy(e->path, path);
    }
    if (e->fd >= 0 && kind != HD_PRIVATE_FILE) {
        hd_syscall(SYS_close, e->fd, 0, 0, 0, 0, 0);
        e->fd = -1;
    }
    e->kind = kind;
    return e;
}

bool hd_private_is(int fd)
{
    struct stat is;
    int saved = errno;
    bool ours = rt->private_files.device && fd >= 0 &&
                hd_syscall(SYS_fstat, fd, AT(&is), 0, 0, 0, 0) == 0 && S_ISREG(is.st_mode) &&
                is.st_dev == rt->private_files.device;
    errno = saved;
    return ours;
}

int hd_private_aside(int fd)
{
    for (long from = FIRST_PRIVATE; from >= 3; from /= 2) {
        long there = hd_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, from, 0, 0, 0);
        if (there < 0)
            continue;
        hd_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
        return (int)there;
    }
    return fd;
}

int hd_private_file(uint32_t mode)
{
    struct stat is;
    int fd = (int)hd_syscall(SYS_memfd_create, AT("heddle"), MFD_CLOEXEC | MFD_ALLOW_SEALING, 0,
                             0, 0, 0);
    if (fd < 0)
        return -1;
    hd_syscall(SYS_fchmod, fd, mode, 0, 0, 0, 0);
    if (hd_syscall(SYS_fstat, fd, AT(&is), 0, 0, 0, 0) == 0)
        rt->private_files.device = is.st_dev;
    return fd;
}

static bool copy(int from, int to)
{
    char bytes[16384];
    long n;
    while ((n = hd_syscall(SYS_read, from, AT(bytes), sizeof bytes, 0, 0, 0)) > 0)
        for (long done = 0; done < n;) {
            long put = hd_syscall(SYS_write, to, AT(bytes + done), n - done, 0, 0, 0);
            if (put <= 0)
                return false;
            done += put;
        }
    return n == 0;
}

/* A descriptor or a mapping that was opened before would still show the real file. */
static void refuse_if_open(const struct hd_place *p)
{
    static const char why[] =
        "the file is already open for reading, and writing to it then is not "
        "modelled by this version of heddle";
    struct stat is;
    for (int fd = 3; fd < HD_MAX_DESCRIPTORS; fd++)
        if (hd_syscall(SYS_fstat, fd, AT(&is), 0, 0, 0, 0) == 0 && is.st_dev == p->is.st_dev &&
            is.st_ino == p->is.st_ino)
            hd_private_refuse("open", p->path, why);
    for (uint32_t i = 0; i < rt->n_mappings; i++)
        if (rt->mappings[i].device == p->is.st_dev && rt->mappings[i].inode == p->is.st_ino)
            hd_private_refuse("open", p->path, why);
}

bool hd_private_take(struct hd_place *p, bool empty, uint32_t mode)
{
    if (p->entry && p->entry->kind == HD_PRIVATE_FILE)
        return true;
    bool real = !p->entry && p->real;
    int fd = hd_private_file(real ? p->is.st_mode & 07777 : mode);
    if (fd < 0)
        return false;
    if (real)
        refuse_if_open(p);
    if (real && !empty) {
        int from = (int)hd_syscall(SYS_openat, AT_FDCWD, AT(p->path), O_RDONLY | O_CLOEXEC, 0, 0,
                                   0);
        bool copied = from >= 0 && copy(from, fd);
        int error = errno;
        hd_syscall(SYS_close, from, 0, 0, 0, 0, 0);
        if (!copied) {
            hd_syscall(SYS_close, fd, 0, 0, 0, 0, 0);
            return fail(error);
        }
        struct timespec times[2] = { p->is.st_atim, p->is.st_mtim };
        hd_syscall(SYS_utimensat, fd, 0, AT(times), 0, 0, 0);
    }
    p->entry = hd_private_enter(p->path, HD_PRIVATE_FILE);
    p->entry->fd = hd_private_aside(fd);
    return true;
}

void hd_private_link(int fd, char link[HD_PRIVATE_LINK])
{
    char digits[12];
    int n = 0, k = 14;
    memcpy(link, "/proc/self/fd/", 14);
    for (int rest = fd; rest || !n; rest /= 10)
        digits[n++] = (char)('0' + rest % 10);
    while (n)
        link[k++] = digits[--n];
    link[k] = 0;
}

int hd_private_reopen(int fd, int flags)
{
    char link[HD_PRIVATE_LINK];
    hd_private_link(fd, link);
    return (int)hd_syscall(SYS_openat, AT_FDCWD, AT(link), flags | O_LARGEFILE, 0, 0, 0);
}

static int open_again(const struct hd_private *e, int flags)
{
    return hd_private_reopen(e->fd, flags & ~(O_CREAT | O_EXCL | O_NOFOLLOW));
}

uint32_t hd_private_mode(uint32_t mode)
{
    long mask = hd_syscall(SYS_umask, 0, 0, 0, 0, 0, 0);
    hd_syscall(SYS_umask, mask, 0, 0, 0, 0, 0);
    return mode & 07777 & ~(uint32_t)mask;
}

bool hd_private_may_change(const struct hd_place *p)
{
    char parent[HD_PRIVATE_PATH];
    if (p->in_private)
        return true;
    strcpy(parent, p->path);
    char *slash = strrchr(parent, '/');
    slash[slash == parent] = 0;
    return hd_syscall(SYS_faccessat, AT_FDCWD, AT(parent), W_OK | X_OK, 0, 0, 0) == 0;
}

/* A real file that is no regular one. */
static int open_other(const struct hd_place *p, int flags, const char *call)
{
    bool keeps_nothing = S_ISCHR(p->is.st_mode) && major(p->is.st_rdev) == 1 &&
                         (minor(p->is.st_rdev) == 3 || minor(p->is.st_rdev) == 5 ||
                          minor(p->is.st_rdev) == 7);
    if (S_ISDIR(p->is.st_mode) && (flags & O_TMPFILE) != O_TMPFILE) {
        errno = flags & O_EXCL && flags & O_CREAT ? EEXIST : EISDIR;
        return -1;
    }
    if (S_ISDIR(p->is.st_mode))
        return hd_private_file(0600);
    bool own = strncmp(p->path, "/proc/", 6) == 0 && strstr(p->path, "/fd/");
    if (!keeps_nothing && !own)
        hd_private_refuse(call, p->path,
                          "writing to what is no regular file is not modelled by this "
                          "version of heddle");
    return (int)hd_syscall(SYS_openat, AT_FDCWD, AT(p->path), flags, 0, 0, 0);
}

static int open_to_write(struct hd_place *p, int flags, uint32_t mode, const char *call)
{
    bool exists = hd_place_exists(p);
    if (p->entry && p->entry->kind == HD_PRIVATE_DIRECTORY) {
        if ((flags & O_TMPFILE) == O_TMPFILE)
            return hd_private_file(0600);
        return fail(flags & O_EXCL && flags & O_CREAT ? EEXIST : EISDIR) - 1;
    }
    if (p->entry && p->entry->kind == HD_PRIVATE_SOCKET)
        return fail(flags & O_EXCL && flags & O_CREAT ? EEXIST : ENXIO) - 1;
    if (exists && !p->entry && !S_ISREG(p->is.st_mode))
        return open_other(p, flags, call);
    if (exists && flags & O_EXCL && flags & O_CREAT)
        return fail(EEXIST) - 1;
    if (!exists && !(flags & O_CREAT))
        return fail(ENOENT) - 1;
    if (!exists && !hd_private_may_change(p))
        return -1;
    bool writes = flags & (O_ACCMODE | O_TRUNC);
    if (exists && !p->entry && !writes) /* O_CREAT of what is there */
        return (int)hd_syscall(SYS_openat, AT_FDCWD, AT(p->path), flags & ~O_CREAT, 0, 0, 0);
    if (exists && !p->entry &&
        hd_syscall(SYS_faccessat, AT_FDCWD, AT(p->path), W_OK, 0, 0, 0) != 0)
        return -1;
    if (!hd_private_take(p, flags & O_TRUNC, 0600))
        return -1;
    int fd = open_again(p->entry, flags);
    if (!exists) /* the mode counts from the next time on */
        hd_syscall(SYS_fchmod, p->entry->fd, hd_private_mode(mode), 0, 0, 0, 0);
    return fd;
}

int hd_private_open(int at, const char *path, int flags, uint32_t mode, const char *call)
{
    struct hd_place p;
    bool follow = !(flags & O_NOFOLLOW) && !(flags & O_CREAT && flags & O_EXCL);
    if (!hd_place_find(&p, at, path, follow))
        return -1;
    if (flags & (O_ACCMODE | O_CREAT | O_TRUNC) && !(flags & O_PATH))
        return open_to_write(&p, flags, mode, call);
    if (!p.entry)
        return p.in_private ? fail(ENOENT) - 1
                            : (int)hd_syscall(SYS_openat, AT_FDCWD, AT(p.path), flags, 0, 0, 0);
    if (p.entry->kind == HD_PRIVATE_GONE)
        return fail(ENOENT) - 1;
    if (p.entry->kind == HD_PRIVATE_DIRECTORY)
        hd_private_refuse(call, p.path,
                          "opening a directory that the program has made is not "
                          "modelled by this version of heddle");
    if (p.entry->kind == HD_PRIVATE_SOCKET)
        return fail(ENXIO) - 1;
    return flags & O_DIRECTORY ? fail(ENOTDIR) - 1 : open_again(p.entry, flags);
}
