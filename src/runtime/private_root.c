/* Files in memory as they were at the root: every one that is open there, by the table or by
 * the program, is put back in place, so that descriptors and mappings of it stay. */
#include "runtime/private.h"
#include "runtime/rt.h"

#include <fcntl.h>
#include <linux/falloc.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#define AT(p) ((long)(uintptr_t)(p))
#define MOST_BYTES (1ull << 30)

static bool is_saved(uint64_t inode)
{
    const struct hd_private_files *all = &rt->private_files;
    for (uint32_t i = 0; i < all->n_saved; i++)
        if (all->saved[i].inode == inode)
            return true;
    return false;
}

/* Is it a descriptor that this file has made? */
static bool is_own(int fd)
{
    const struct hd_private_files *all = &rt->private_files;
    for (uint32_t i = 0; i < all->n_saved; i++)
        if (all->saved[i].fd == fd || all->saved[i].copy == fd)
            return true;
    return false;
}

/* The bytes from `from` on that are no hole; false: there are none. */
static bool data_after(int fd, uint64_t from, uint64_t *begin, uint64_t *end)
{
    long at = hd_syscall(SYS_lseek, fd, (long)from, SEEK_DATA, 0, 0, 0);
    if (at < 0)
        return false;
    *begin = (uint64_t)at;
    *end = (uint64_t)hd_syscall(SYS_lseek, fd, at, SEEK_HOLE, 0, 0, 0);
    return true;
}

/* All that holds bytes in one file, into the other. */
static void copy_data(int from, int to, uint64_t size)
{
    char bytes[16384];
    uint64_t begin, end = 0;
    while (end < size && data_after(from, end, &begin, &end))
        for (uint64_t at = begin; at < end;) {
            uint64_t n = end - at < sizeof bytes ? end - at : sizeof bytes;
            long got = hd_syscall(SYS_pread64, from, AT(bytes), (long)n, (long)at, 0, 0);
            if (got <= 0 || hd_syscall(SYS_pwrite64, to, AT(bytes), got, (long)at, 0, 0) != got)
                hd_fatal("a file that the program writes cannot be put back: there is not enough "
                         "memory");
            at += (uint64_t)got;
        }
}

/* A descriptor of our own, which can be read and written whatever the program's can. */
static int own_descriptor(int fd, uint32_t mode)
{
    hd_syscall(SYS_fchmod, fd, 0600, 0, 0, 0, 0);
    int own = hd_private_reopen(fd, O_RDWR | O_CLOEXEC);
    hd_syscall(SYS_fchmod, fd, mode, 0, 0, 0, 0);
    return own;
}

static void save(int fd, const struct stat *is)
{
    struct hd_private_files *all = &rt->private_files;
    if (is_saved(is->st_ino))
        return;
    if (all->n_saved == HD_MAX_SAVED || (uint64_t)is->st_blocks * 512 > MOST_BYTES)
        hd_fatal("the program has written more to files before its first thread than heddle can "
                 "put back");
    uint32_t mode = is->st_mode & 07777;
    struct hd_saved_file *s = &all->saved[all->n_saved++];
    *s = (struct hd_saved_file){ .fd = own_descriptor(fd, mode),
                                 .copy = hd_private_file(0600),
                                 .inode = is->st_ino,
                                 .mode = mode,
                                 .size = (uint64_t)is->st_size };
    if (s->fd < 0 || s->copy < 0)
        hd_fatal("the program has too many files open: heddle cannot put them back");
    s->copy = hd_private_aside(s->copy);
    s->fd = hd_private_aside(s->fd);
    hd_syscall(SYS_ftruncate, s->copy, (long)s->size, 0, 0, 0, 0);
    copy_data(s->fd, s->copy, s->size);
}

void hd_private_remember(void)
{
    struct hd_private_files *all = &rt->private_files;
    struct stat is;
    memcpy(all->root, all->entry, all->n * sizeof *all->entry);
    all->n_root = all->n;
    all->n_saved = 0;
    if (!all->device)
        return;
    for (int fd = 3; fd < HD_MAX_DESCRIPTORS; fd++)
        if (!is_own(fd) && hd_syscall(SYS_fstat, fd, AT(&is), 0, 0, 0, 0) == 0 &&
            S_ISREG(is.st_mode) && is.st_dev == all->device)
            save(fd, &is);
}

/* Holes and bytes in the same pages: descriptors and mappings of the file stay.  (Cutting it
 * down to nothing would drop pages that a private mapping has changed.) */
static void put_back(const struct hd_saved_file *s)
{
    uint64_t begin, end = 0;
    struct stat is;
    if (hd_syscall(SYS_fstat, s->fd, AT(&is), 0, 0, 0, 0) == 0 && (uint64_t)is.st_size != s->size)
        hd_syscall(SYS_ftruncate, s->fd, (long)s->size, 0, 0, 0, 0);
    hd_syscall(SYS_fchmod, s->fd, s->mode, 0, 0, 0, 0);
    while (end < s->size && data_after(s->fd, end, &begin, &end))
        hd_syscall(SYS_fallocate, s->fd, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE, (long)begin,
                   (long)(end - begin), 0, 0);
    copy_data(s->copy, s->fd, s->size);
}

void hd_private_lengthen(void)
{
    const struct hd_private_files *all = &rt->private_files;
    struct stat is;
    for (uint32_t i = 0; i < all->n_saved; i++)
        if (hd_syscall(SYS_fstat, all->saved[i].fd, AT(&is), 0, 0, 0, 0) == 0 &&
            (uint64_t)is.st_size < all->saved[i].size)
            hd_syscall(SYS_ftruncate, all->saved[i].fd, (long)all->saved[i].size, 0, 0, 0, 0);
}

void hd_private_restore(void)
{
    struct hd_private_files *all = &rt->private_files;
    for (uint32_t i = 0; i < all->n_saved; i++)
        put_back(&all->saved[i]);
    memcpy(all->entry, all->root, all->n_root * sizeof *all->entry);
    all->n = all->n_root;
}
