/* Calls that ask about paths in the private view (private.h), and temporary files. */
#include "runtime/private.h"
#include "runtime/rt.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/statfs.h>
#include <sys/syscall.h>
#include <unistd.h>

#define AT(p) ((long)(uintptr_t)(p))
#define REAL(type, name) ((type)(uintptr_t)hd_real(name))

static int fail(int error)
{
    errno = error;
    return -1;
}

/* A directory or socket. */
static int stat_other(const struct hd_private *e, struct stat *into)
{
    memset(into, 0, sizeof *into);
    into->st_dev = rt->private_files.device;
    into->st_ino = (1ull << 40) + (uint64_t)(e - rt->private_files.entry);
    bool directory = e->kind == HD_PRIVATE_DIRECTORY;
    into->st_mode = (directory ? S_IFDIR : S_IFSOCK) | e->mode;
    into->st_nlink = directory ? 2 : 1;
    into->st_uid = (uid_t)hd_syscall(SYS_geteuid, 0, 0, 0, 0, 0, 0);
    into->st_gid = (gid_t)hd_syscall(SYS_getegid, 0, 0, 0, 0, 0, 0);
    into->st_blksize = 4096;
    return 0;
}

/* How many names the file has: a file in memory says 0. */
static void count_names(struct stat *of)
{
    const struct hd_private_files *all = &rt->private_files;
    struct stat is;
    if (!all->device || of->st_dev != all->device || of->st_nlink)
        return;
    for (uint32_t i = 0; i < all->n; i++)
        if (all->entry[i].kind == HD_PRIVATE_FILE &&
            hd_syscall(SYS_fstat, all->entry[i].fd, AT(&is), 0, 0, 0, 0) == 0 &&
            is.st_ino == of->st_ino)
            of->st_nlink++;
}

static int stat_at(int at, const char *path, struct stat *into, int flags)
{
    struct hd_place p;
    if (!hd_private_on() || (flags & AT_EMPTY_PATH && !*path)) {
        int done = (int)hd_syscall(SYS_newfstatat, at, AT(path), AT(into), flags, 0, 0);
        if (done == 0 && hd_ready)
            count_names(into);
        return done;
    }
    if (!hd_place_find(&p, at, path, !(flags & AT_SYMLINK_NOFOLLOW)))
        return -1;
    if (!hd_place_exists(&p))
        return fail(ENOENT);
    if (!p.entry)
        return (int)hd_syscall(SYS_newfstatat, AT_FDCWD, AT(p.path), AT(into), flags, 0, 0);
    if (p.entry->kind != HD_PRIVATE_FILE)
        return stat_other(p.entry, into);
    int done = (int)hd_syscall(SYS_fstat, p.entry->fd, AT(into), 0, 0, 0, 0);
    count_names(into);
    return done;
}

int stat(const char *restrict path, struct stat *restrict into)
{
    return stat_at(AT_FDCWD, path, into, 0);
}

int lstat(const char *restrict path, struct stat *restrict into)
{
    return stat_at(AT_FDCWD, path, into, AT_SYMLINK_NOFOLLOW);
}

int fstatat(int at, const char *restrict path, struct stat *restrict into, int flags)
{
    return stat_at(at, path, into, flags);
}

int fstat(int fd, struct stat *into)
{
    int done = (int)hd_syscall(SYS_fstat, fd, AT(into), 0, 0, 0, 0);
    if (done == 0 && hd_ready)
        count_names(into);
    return done;
}

/* Of what is private: the file system of its memory, or the root's. */
static int statfs_at(const char *path, struct statfs *into)
{
    struct hd_place p;
    if (!hd_private_on())
        return (int)hd_syscall(SYS_statfs, AT(path), AT(into), 0, 0, 0, 0);
    if (!hd_place_find(&p, AT_FDCWD, path, true))
        return -1;
    if (!hd_place_exists(&p))
        return fail(ENOENT);
    if (p.entry && p.entry->kind == HD_PRIVATE_FILE)
        return (int)hd_syscall(SYS_fstatfs, p.entry->fd, AT(into), 0, 0, 0, 0);
    return (int)hd_syscall(SYS_statfs, AT(p.entry ? "/" : p.path), AT(into), 0, 0, 0, 0);
}

int statfs(const char *path, struct statfs *into) { return statfs_at(path, into); }

int statfs64(const char *path, struct statfs64 *into)
{
    return statfs_at(path, (struct statfs *)into);
}

/* The same structure on this machine. */
int stat64(const char *restrict path, struct stat64 *restrict into)
{
    return stat_at(AT_FDCWD, path, (struct stat *)into, 0);
}

int lstat64(const char *restrict path, struct stat64 *restrict into)
{
    return stat_at(AT_FDCWD, path, (struct stat *)into, AT_SYMLINK_NOFOLLOW);
}

int fstatat64(int at, const char *restrict path, struct stat64 *restrict into, int flags)
{
    return stat_at(at, path, (struct stat *)into, flags);
}

int fstat64(int fd, struct stat64 *into) { return fstat(fd, (struct stat *)into); }

int faccessat(int at, const char *path, int mode, int flags)
{
    struct hd_place p;
    char link[HD_PRIVATE_LINK];
    if (!hd_private_on())
        return REAL(int (*)(int, const char *, int, int), "faccessat")(at, path, mode, flags);
    if (!hd_place_find(&p, at, path, !(flags & AT_SYMLINK_NOFOLLOW)))
        return -1;
    if (!hd_place_exists(&p))
        return fail(ENOENT);
    if (p.entry && p.entry->kind != HD_PRIVATE_FILE)
        return 0;
    if (p.entry)
        hd_private_link(p.entry->fd, link);
    const char *there = p.entry ? link : p.path;
    return (int)hd_syscall(SYS_faccessat, AT_FDCWD, AT(there), mode, 0, 0, 0);
}

int access(const char *path, int mode) { return faccessat(AT_FDCWD, path, mode, 0); }
int euidaccess(const char *path, int mode) { return faccessat(AT_FDCWD, path, mode, AT_EACCESS); }
int eaccess(const char *path, int mode) { return faccessat(AT_FDCWD, path, mode, AT_EACCESS); }

ssize_t readlinkat(int at, const char *restrict path, char *restrict into, size_t n)
{
    struct hd_place p;
    if (!hd_private_on())
        return hd_syscall(SYS_readlinkat, at, AT(path), AT(into), (long)n, 0, 0);
    if (!hd_place_find(&p, at, path, false))
        return -1;
    if (p.entry || !p.real)
        return fail(hd_place_exists(&p) ? EINVAL : ENOENT);
    return hd_syscall(SYS_readlinkat, AT_FDCWD, AT(p.path), AT(into), (long)n, 0, 0);
}

ssize_t readlink(const char *restrict path, char *restrict into, size_t n)
{
    return readlinkat(AT_FDCWD, path, into, n);
}

char *realpath(const char *restrict path, char *restrict into)
{
    struct hd_place p;
    if (!hd_private_on())
        return REAL(char *(*)(const char *, char *), "realpath")(path, into);
    if (!path) {
        errno = EINVAL;
        return NULL;
    }
    if (!hd_place_find(&p, AT_FDCWD, path, true))
        return NULL;
    if (!hd_place_exists(&p)) {
        errno = ENOENT;
        return NULL;
    }
    return into ? strcpy(into, p.path) : strdup(p.path);
}

char *canonicalize_file_name(const char *path) { return realpath(path, NULL); }

DIR *opendir(const char *path)
{
    struct hd_place p;
    if (!hd_private_on())
        return REAL(DIR * (*)(const char *), "opendir")(path);
    if (!hd_place_find(&p, AT_FDCWD, path, true))
        return NULL;
    if (!hd_place_exists(&p) || (p.entry && p.entry->kind != HD_PRIVATE_DIRECTORY)) {
        errno = hd_place_exists(&p) ? ENOTDIR : ENOENT;
        return NULL;
    }
    if (p.entry || hd_private_below(p.path))
        hd_private_refuse("opendir", p.path,
                          "the list of a directory that the program has changed is "
                          "not modelled by this version of heddle");
    return REAL(DIR * (*)(const char *), "opendir")(p.path);
}

/* ---- temporary files: the names are the same in every run ---- */

static char *six(char *template, int suffix)
{
    size_t n = strlen(template);
    if (suffix < 0 || n < 6 + (size_t)suffix ||
        memcmp(template + n - 6 - (size_t)suffix, "XXXXXX", 6) != 0) {
        errno = EINVAL;
        return NULL;
    }
    return template + n - 6 - (size_t)suffix;
}

static void number_name(char *at, uint32_t number)
{
    for (int i = 5; i >= 0; i--, number /= 10)
        at[i] = (char)('0' + number % 10);
}

static int make_temporary(char *template, int suffix, int flags)
{
    char *at = six(template, suffix);
    for (uint32_t i = 0; at && i < 1000000; i++) {
        number_name(at, i);
        int fd = open(template, flags | O_CREAT | O_EXCL | O_RDWR, 0600);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return at ? fail(EEXIST) : -1;
}

#define MKSTEMP(name, parameters, arguments, suffix, flags)                                      \
    int name parameters                                                                          \
    {                                                                                            \
        return hd_private_on() ? make_temporary(template, suffix, flags)                         \
                               : REAL(int(*) parameters, #name) arguments;                       \
    }
MKSTEMP(mkstemp, (char *template), (template), 0, 0)
MKSTEMP(mkstemp64, (char *template), (template), 0, 0)
MKSTEMP(mkostemp, (char *template, int flags), (template, flags), 0, flags)
MKSTEMP(mkostemp64, (char *template, int flags), (template, flags), 0, flags)
MKSTEMP(mkstemps, (char *template, int suffix), (template, suffix), suffix, 0)
MKSTEMP(mkstemps64, (char *template, int suffix), (template, suffix), suffix, 0)
MKSTEMP(mkostemps, (char *template, int suffix, int flags), (template, suffix, flags), suffix,
        flags)
MKSTEMP(mkostemps64, (char *template, int suffix, int flags), (template, suffix, flags), suffix,
        flags)

char *mkdtemp(char *template)
{
    if (!hd_private_on())
        return REAL(char *(*)(char *), "mkdtemp")(template);
    char *at = six(template, 0);
    for (uint32_t i = 0; at && i < 1000000; i++) {
        number_name(at, i);
        if (mkdir(template, 0700) == 0)
            return template;
        if (errno != EEXIST)
            break;
    }
    return NULL;
}

FILE *tmpfile(void)
{
    if (!hd_private_on())
        return REAL(FILE * (*)(void), "tmpfile")();
    int fd = hd_private_file(0600);
    return fd < 0 ? NULL : REAL(FILE * (*)(int, const char *), "fdopen")(fd, "w+");
}

FILE *tmpfile64(void) { return tmpfile(); }

int memfd_create(const char *name, unsigned flags)
{
    struct stat is;
    int fd = (int)hd_syscall(SYS_memfd_create, AT(name), flags, 0, 0, 0, 0);
    if (fd >= 0 && hd_private_on() && !(flags & MFD_HUGETLB) &&
        hd_syscall(SYS_fstat, fd, AT(&is), 0, 0, 0, 0) == 0)
        rt->private_files.device = is.st_dev;
    return fd;
}

/* Memory with a name is a file of a file system of its own. */
static bool shared_path(char *into, const char *name)
{
    size_t n = strlen(name + strspn(name, "/"));
    if (n == 0 || n > NAME_MAX || strchr(name + strspn(name, "/"), '/')) {
        errno = EINVAL;
        return false;
    }
    strcpy(into, "/dev/shm/");
    memcpy(into + 9, name + strspn(name, "/"), n + 1);
    return true;
}

int shm_open(const char *name, int flags, mode_t mode)
{
    char path[NAME_MAX + 16];
    return shared_path(path, name) ? open(path, flags | O_CLOEXEC | O_NOFOLLOW, mode) : -1;
}

int shm_unlink(const char *name)
{
    char path[NAME_MAX + 16];
    return shared_path(path, name) ? unlink(path) : -1;
}
