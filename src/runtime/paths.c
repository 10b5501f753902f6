/* Calls on paths in the private view (private.h).  Every call looks its path up; what would
 * change a real file changes the table instead, and what cannot be done so is refused with one
 * line. */
#include "runtime/private.h"
#include "runtime/rt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <unistd.h>
#include <utime.h>

#define AT(p) ((long)(uintptr_t)(p))
#define NOT_MODELLED "that is not modelled by this version of heddle"

static int fail(int error)
{
    errno = error;
    return -1;
}

/* Without a private view: what the call does is not put back. */
static long outside(long number, long a, long b, long c, long d, long e)
{
    if (hd_ready && rt->mode == HD_EXPLORING)
        rt->shared->cnt.left_out |= HD_LEFT_FILES;
    return hd_syscall(number, a, b, c, d, e, 0);
}

static bool find(struct hd_place *p, int at, const char *path, bool follow)
{
    return hd_place_find(p, at, path, follow);
}

/* The place, which must exist, as a file in memory. */
static struct hd_private *own_file(int at, const char *path, bool follow, const char *call)
{
    struct hd_place p;
    if (!find(&p, at, path, follow))
        return NULL;
    if (!hd_place_exists(&p)) {
        errno = ENOENT;
        return NULL;
    }
    if (p.entry ? p.entry->kind != HD_PRIVATE_FILE : !S_ISREG(p.is.st_mode))
        hd_private_refuse(call, p.path, "it is no regular file, " NOT_MODELLED);
    return hd_private_take(&p, false, 0600) ? p.entry : NULL;
}

/* ---- names ---- */

static int remove_name(int at, const char *path, bool directory, const char *call)
{
    struct hd_place p;
    if (!find(&p, at, path, false))
        return -1;
    if (!hd_place_exists(&p))
        return fail(ENOENT);
    bool is = p.entry ? p.entry->kind == HD_PRIVATE_DIRECTORY : S_ISDIR(p.is.st_mode);
    if (is != directory)
        return fail(directory ? ENOTDIR : EISDIR);
    if (!hd_private_may_change(&p))
        return -1;
    if (directory && !p.entry)
        hd_private_refuse(call, p.path, "the program has not made the directory, " NOT_MODELLED);
    if (directory && hd_private_holds(p.path))
        return fail(ENOTEMPTY);
    hd_private_enter(p.path, HD_PRIVATE_GONE);
    return 0;
}

int unlink(const char *path)
{
    if (!hd_private_on())
        return (int)outside(SYS_unlink, AT(path), 0, 0, 0, 0);
    return remove_name(AT_FDCWD, path, false, "unlink");
}

int rmdir(const char *path)
{
    if (!hd_private_on())
        return (int)outside(SYS_rmdir, AT(path), 0, 0, 0, 0);
    return remove_name(AT_FDCWD, path, true, "rmdir");
}

int unlinkat(int at, const char *path, int flags)
{
    if (!hd_private_on())
        return (int)outside(SYS_unlinkat, at, AT(path), flags, 0, 0);
    return remove_name(at, path, flags & AT_REMOVEDIR, "unlinkat");
}

int remove(const char *path)
{
    int saved = errno;
    if (unlink(path) == 0)
        return 0;
    if (errno != EISDIR)
        return -1;
    errno = saved;
    return rmdir(path);
}

static int make_directory(int at, const char *path, mode_t mode)
{
    struct hd_place p;
    if (!find(&p, at, path, false))
        return -1;
    if (hd_place_exists(&p))
        return fail(EEXIST);
    if (!hd_private_may_change(&p))
        return -1;
    hd_private_enter(p.path, HD_PRIVATE_DIRECTORY)->mode = hd_private_mode(mode);
    return 0;
}

int mkdir(const char *path, mode_t mode)
{
    if (!hd_private_on())
        return (int)outside(SYS_mkdir, AT(path), mode, 0, 0, 0);
    return make_directory(AT_FDCWD, path, mode);
}

int mkdirat(int at, const char *path, mode_t mode)
{
    if (!hd_private_on())
        return (int)outside(SYS_mkdirat, at, AT(path), mode, 0, 0);
    return make_directory(at, path, mode);
}

/* Another name for the file; it loses the old one if `moves`. */
static int give_name(int from, const char *old, int to, const char *name, bool moves,
                     const char *call)
{
    struct hd_place p;
    struct hd_private *source = own_file(from, old, false, call);
    if (!source || !find(&p, to, name, false))
        return -1;
    if (p.entry == source)
        return moves ? 0 : fail(EEXIST);
    if (hd_place_exists(&p) && !moves)
        return fail(EEXIST);
    if (hd_place_exists(&p) &&
        (p.entry ? p.entry->kind == HD_PRIVATE_DIRECTORY : S_ISDIR(p.is.st_mode)))
        return fail(EISDIR);
    if (!hd_private_may_change(&p))
        return -1;
    long fd = hd_syscall(SYS_dup, source->fd, 0, 0, 0, 0, 0);
    if (fd < 0)
        return -1;
    hd_private_enter(p.path, HD_PRIVATE_GONE);
    hd_private_enter(p.path, HD_PRIVATE_FILE)->fd = hd_private_aside((int)fd);
    if (moves)
        hd_private_enter(source->path, HD_PRIVATE_GONE);
    return 0;
}

int rename(const char *old, const char *name)
{
    if (!hd_private_on())
        return (int)outside(SYS_rename, AT(old), AT(name), 0, 0, 0);
    return give_name(AT_FDCWD, old, AT_FDCWD, name, true, "rename");
}

int renameat(int from, const char *old, int to, const char *name)
{
    if (!hd_private_on())
        return (int)outside(SYS_renameat, from, AT(old), to, AT(name), 0);
    return give_name(from, old, to, name, true, "renameat");
}

int renameat2(int from, const char *old, int to, const char *name, unsigned flags)
{
    if (!hd_private_on())
        return (int)outside(SYS_renameat2, from, AT(old), to, AT(name), flags);
    if (flags)
        hd_private_refuse("renameat2", old, "it has flags, " NOT_MODELLED);
    return give_name(from, old, to, name, true, "renameat2");
}

int link(const char *old, const char *name)
{
    if (!hd_private_on())
        return (int)outside(SYS_link, AT(old), AT(name), 0, 0, 0);
    return give_name(AT_FDCWD, old, AT_FDCWD, name, false, "link");
}

int linkat(int from, const char *old, int to, const char *name, int flags)
{
    if (!hd_private_on())
        return (int)outside(SYS_linkat, from, AT(old), to, AT(name), flags);
    if (flags)
        hd_private_refuse("linkat", old, "it has flags, " NOT_MODELLED);
    return give_name(from, old, to, name, false, "linkat");
}

int symlink(const char *target, const char *path)
{
    if (hd_private_on())
        hd_private_refuse("symlink", path, NOT_MODELLED);
    return (int)outside(SYS_symlink, AT(target), AT(path), 0, 0, 0);
}

int symlinkat(const char *target, int at, const char *path)
{
    if (hd_private_on())
        hd_private_refuse("symlinkat", path, NOT_MODELLED);
    return (int)outside(SYS_symlinkat, AT(target), at, AT(path), 0, 0);
}

int mknod(const char *path, mode_t mode, dev_t device)
{
    if (hd_private_on())
        hd_private_refuse("mknod", path, NOT_MODELLED);
    return (int)outside(SYS_mknod, AT(path), mode, (long)device, 0, 0);
}

int mkfifo(const char *path, mode_t mode)
{
    if (hd_private_on())
        hd_private_refuse("mkfifo", path, NOT_MODELLED);
    return (int)outside(SYS_mknod, AT(path), (mode & 07777) | S_IFIFO, 0, 0, 0);
}

/* ---- contents and properties ---- */

int truncate(const char *path, off_t length)
{
    if (!hd_private_on())
        return (int)outside(SYS_truncate, AT(path), length, 0, 0, 0);
    const struct hd_private *e = own_file(AT_FDCWD, path, true, "truncate");
    return e ? (int)hd_syscall(SYS_ftruncate, e->fd, length, 0, 0, 0, 0) : -1;
}

int truncate64(const char *path, off_t length) { return truncate(path, length); }

static int change_mode(int at, const char *path, mode_t mode, bool follow, const char *call)
{
    struct hd_place p;
    if (!find(&p, at, path, follow))
        return -1;
    if (p.entry && p.entry->kind == HD_PRIVATE_DIRECTORY) {
        p.entry->mode = mode & 07777;
        return 0;
    }
    const struct hd_private *e = own_file(at, path, follow, call);
    return e ? (int)hd_syscall(SYS_fchmod, e->fd, mode, 0, 0, 0, 0) : -1;
}

int chmod(const char *path, mode_t mode)
{
    if (!hd_private_on())
        return (int)outside(SYS_chmod, AT(path), mode, 0, 0, 0);
    return change_mode(AT_FDCWD, path, mode, true, "chmod");
}

int fchmodat(int at, const char *path, mode_t mode, int flags)
{
    if (!hd_private_on())
        return (int)outside(SYS_fchmodat, at, AT(path), mode, 0, 0);
    return change_mode(at, path, mode, !(flags & AT_SYMLINK_NOFOLLOW), "fchmodat");
}

static int change_owner(int at, const char *path, uid_t user, gid_t group, bool follow,
                        const char *call)
{
    const struct hd_private *e = own_file(at, path, follow, call);
    return e ? (int)hd_syscall(SYS_fchown, e->fd, user, group, 0, 0, 0) : -1;
}

int chown(const char *path, uid_t user, gid_t group)
{
    if (!hd_private_on())
        return (int)outside(SYS_chown, AT(path), user, group, 0, 0);
    return change_owner(AT_FDCWD, path, user, group, true, "chown");
}

int lchown(const char *path, uid_t user, gid_t group)
{
    if (!hd_private_on())
        return (int)outside(SYS_lchown, AT(path), user, group, 0, 0);
    return change_owner(AT_FDCWD, path, user, group, false, "lchown");
}

int fchownat(int at, const char *path, uid_t user, gid_t group, int flags)
{
    if (!hd_private_on())
        return (int)outside(SYS_fchownat, at, AT(path), user, group, flags);
    return change_owner(at, path, user, group, !(flags & AT_SYMLINK_NOFOLLOW), "fchownat");
}

/* A descriptor of a real file, even one that is only read, would change it. */
static void only_own(int fd, const char *call)
{
    if (hd_private_on() && !hd_private_is(fd))
        hd_private_refuse(call, "a descriptor",
                          "the program has not opened it for writing, " NOT_MODELLED);
}

int fchmod(int fd, mode_t mode)
{
    only_own(fd, "fchmod");
    return (int)hd_syscall(SYS_fchmod, fd, mode, 0, 0, 0, 0);
}

int fchown(int fd, uid_t user, gid_t group)
{
    only_own(fd, "fchown");
    return (int)hd_syscall(SYS_fchown, fd, user, group, 0, 0, 0);
}

int futimens(int fd, const struct timespec times[2])
{
    only_own(fd, "futimens");
    return (int)hd_syscall(SYS_utimensat, fd, 0, AT(times), 0, 0, 0);
}

int utimensat(int at, const char *path, const struct timespec times[2], int flags)
{
    if (!hd_private_on())
        return (int)outside(SYS_utimensat, at, AT(path), AT(times), flags, 0);
    const struct hd_private *e = own_file(at, path, !(flags & AT_SYMLINK_NOFOLLOW), "utimensat");
    return e ? (int)hd_syscall(SYS_utimensat, e->fd, 0, AT(times), 0, 0, 0) : -1;
}

int utimes(const char *path, const struct timeval times[2])
{
    struct timespec fine[2];
    for (int i = 0; times && i < 2; i++)
        fine[i] = (struct timespec){ times[i].tv_sec, times[i].tv_usec * 1000 };
    return utimensat(AT_FDCWD, path, times ? fine : NULL, 0);
}

int utime(const char *path, const struct utimbuf *times)
{
    struct timespec fine[2] = { { times ? times->actime : 0, 0 },
                                { times ? times->modtime : 0, 0 } };
    return utimensat(AT_FDCWD, path, times ? fine : NULL, 0);
}
