#include "runtime/files.h"

#include "runtime/private.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Spare descriptors are above those that programs get, if the limit permits. */
#define FIRST_SPARE 768

/* Which of 64 descriptors are open: one system call for all of them, unless the limit is
 * lower. */
static uint64_t descriptors_open(int first)
{
    struct pollfd all[64];
    uint64_t open = 0;
    for (int i = 0; i < 64; i++)
        all[i] = (struct pollfd){ .fd = first + i };
    bool asked = hd_syscall(SYS_poll, (long)(uintptr_t)all, 64, 0, 0, 0, 0) >= 0;
    for (int i = 0; i < 64; i++)
        if (asked ? !(all[i].revents & POLLNVAL)
                  : hd_syscall(SYS_fcntl, first + i, F_GETFD, 0, 0, 0, 0) >= 0)
            open |= 1ull << i;
    return open;
}

/* Another descriptor of the same open file: it shares the position, and stays when the program
 * closes its own. */
static uint16_t spare_of(uint32_t fd)
{
    for (long from = FIRST_SPARE; from >= 3; from /= 2) {
        long spare = hd_syscall(SYS_fcntl, fd, F_DUPFD_CLOEXEC, from, 0, 0, 0);
        if (spare >= 0)
            return spare < HD_MAX_DESCRIPTORS ? (uint16_t)spare : 0;
    }
    return 0;
}

void hd_files_make_room(int fd)
{
    uint16_t spare = spare_of((uint32_t)fd);
    if (spare)
        hd_syscall(SYS_close, spare, 0, 0, 0, 0, 0);
}

static bool kept(uint32_t fd)
{
    return fd < HD_MAX_DESCRIPTORS && (rt->descriptors[fd / 64] >> (fd % 64) & 1);
}

static struct hd_touched_file *touched(const struct stat *file)
{
    for (uint32_t i = 0; i < rt->n_touched; i++)
        if (rt->touched[i].device == file->st_dev && rt->touched[i].inode == file->st_ino)
            return &rt->touched[i];
    if (rt->n_touched == HD_MAX_TOUCHED_FILES)
        return NULL;
    struct hd_touched_file *t = &rt->touched[rt->n_touched++];
    *t = (struct hd_touched_file){ .device = file->st_dev, .inode = file->st_ino };
    return t;
}

void hd_files_opened(int fd, bool exclusive)
{
    struct stat file;
    if (fd < 0 || !rt->rooted ||
        hd_syscall(SYS_fstat, fd, (long)(uintptr_t)&file, 0, 0, 0, 0) != 0 ||
        !S_ISREG(file.st_mode))
        return;
    if (hd_private_on())
        return;
    struct hd_touched_file *t = touched(&file);
    int mode = (int)hd_syscall(SYS_fcntl, fd, F_GETFL, 0, 0, 0, 0) & O_ACCMODE;
    if (t) {
        t->read |= mode != O_WRONLY;
        t->written |= mode != O_RDONLY;
    }
    if (!t || exclusive || (t->read && t->written))
        rt->shared->cnt.left_out |= HD_LEFT_FILES;
}

void hd_files_remember(void)
{
    hd_private_remember();
    for (int first = 0; first < HD_MAX_DESCRIPTORS; first += 64)
        rt->descriptors[first / 64] = descriptors_open(first);
    uint64_t spares[HD_MAX_DESCRIPTORS / 64] = { 0 };
    for (uint32_t fd = 0; fd < HD_MAX_DESCRIPTORS; fd++) {
        if (!kept(fd))
            continue;
        rt->offsets[fd] = hd_syscall(SYS_lseek, fd, 0, SEEK_CUR, 0, 0, 0);
        rt->spares[fd] = spare_of(fd);
        hd_files_opened((int)fd, false);
        spares[rt->spares[fd] / 64] |= 1ull << (rt->spares[fd] % 64);
    }
    for (uint32_t i = 0; i < HD_MAX_DESCRIPTORS / 64; i++)
        rt->descriptors[i] |= i ? spares[i] : spares[i] & ~1ull; /* 0: 0 stands for none */
    hd_mappings_remember();
}

static void close_range_of(uint32_t from, uint32_t to)
{
    if (from <= to)
        hd_syscall(SYS_close_range, from, to, 0, 0, 0, 0);
}

void hd_files_restore(void)
{
    uint32_t from = 0;
    for (uint32_t fd = 0; fd < HD_MAX_DESCRIPTORS; fd++) {
        if (!kept(fd))
            continue;
        if (fd > from)
            close_range_of(from, fd - 1);
        from = fd + 1;
        if (rt->spares[fd])
            hd_syscall(SYS_dup3, rt->spares[fd], fd, 0, 0, 0, 0);
        if (rt->spares[fd] && rt->offsets[fd] >= 0)
            hd_syscall(SYS_lseek, fd, rt->offsets[fd], SEEK_SET, 0, 0, 0);
    }
    close_range_of(from, ~0u);
    hd_private_restore();
}
