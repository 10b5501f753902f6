/* mmap of memory that is nobody's file: blocks of the heap, whole pages of zeros, so that
 * going back brings them back too; munmap frees, or cuts off the end.  Mappings of files are
 * outside, and stay where they are.
 *
 * Another part of a mapping that is unmapped stays as it is, and nothing is protected: the result
 * says so. */
#include "runtime/fault.h"
#include "runtime/heap.h"
#include "runtime/memory.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>

#define PAGE 4096ull

extern uint32_t __heddle_call_site;
void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off_t offset);

void *hd_mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return (void *)hd_syscall(SYS_mmap, (long)(uintptr_t)at, (long)bytes, protection, flags, fd,
                              offset);
}

int hd_mprotect(void *at, size_t bytes, int protection)
{
    return (int)hd_syscall(SYS_mprotect, (long)(uintptr_t)at, (long)bytes, protection, 0, 0, 0);
}

static void leave_out(enum hd_left_out what)
{
    if (rt->shared)
        rt->shared->cnt.left_out |= what;
}

static bool is_protected(int protection)
{
    return (protection & (PROT_READ | PROT_WRITE)) != (PROT_READ | PROT_WRITE);
}

static size_t whole_pages(size_t bytes) { return (bytes + PAGE - 1) & ~(PAGE - 1); }

/* Calls of the program have a site. */
void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    const int fixed = MAP_FIXED | MAP_FIXED_NOREPLACE;
    if (!hd_ready || rt->mode == HD_PLAIN || !__heddle_call_site)
        return hd_mmap(at, bytes, protection, flags, fd, offset);
    if (!(flags & MAP_ANONYMOUS) || (flags & fixed)) {
        __heddle_opaque(hd_take_site());
        return hd_mmap(at, bytes, protection, flags, fd, offset);
    }
    if (bytes == 0) {
        hd_take_site();
        errno = EINVAL;
        return MAP_FAILED;
    }
    if (is_protected(protection))
        leave_out(HD_LEFT_PROTECTED);
    bytes = whole_pages(bytes);
    void *p = HD_HEAP_FAILS() ? NULL : hd_heap_take(bytes, PAGE, HD_FAMILY_MAPPED);
    if (!p) {
        errno = ENOMEM;
        return MAP_FAILED;
    }
    /* a slot that is handed out for the first time has nothing in it but what marks a new block */
    memset(p, 0, bytes);
    return p;
}

void *mmap64(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    return mmap(at, bytes, protection, flags, fd, offset);
}

/* The mapping that the address lies in; NULL: none of ours. */
static struct hd_block *mapping_at(const void *at)
{
    struct hd_block *b = hd_ready ? hd_block_at((uint64_t)(uintptr_t)at) : NULL;
    return b && b->state != HD_BLOCK_NONE && b->family == HD_FAMILY_MAPPED ? b : NULL;
}

/* The end of the mapping from `at` on is no more. */
static void cut_off(struct hd_block *b, void *at, uint32_t site)
{
    uint64_t left = (uint64_t)(uintptr_t)at - b->at;
    if (!rt->solo_fast)
        hd_act_full(HD_OP_FREE, at, NULL, (uint32_t)(b->size - left), site, 1);
    if (b->state == HD_BLOCK_LIVE && b->size > left)
        HD_SET(b->size, left);
}

int munmap(void *at, size_t bytes)
{
    struct hd_block *b = mapping_at(at);
    if (!b) {
        if (hd_ready && __heddle_call_site)
            __heddle_opaque(hd_take_site());
        return (int)hd_syscall(SYS_munmap, (long)(uintptr_t)at, (long)bytes, 0, 0, 0, 0);
    }
    uint64_t begin = (uint64_t)(uintptr_t)at;
    bool to_end = begin + whole_pages(bytes) >= b->at + b->size;
    if (b->state == HD_BLOCK_LIVE && (b->at != begin || !to_end)) {
        uint32_t site = hd_take_site();
        if (to_end && begin > b->at && begin % PAGE == 0)
            cut_off(b, at, site);
        else
            leave_out(HD_LEFT_UNMAPPED);
        return 0;
    }
    hd_heap_free(at, HD_FAMILY_MAPPED, "munmap", __builtin_return_address(0));
    return 0;
}

/* The explorer calls these too: what is not a mapping of the program's is the system's at once. */
int mprotect(void *at, size_t bytes, int protection)
{
    if (!mapping_at(at))
        return hd_mprotect(at, bytes, protection);
    if (is_protected(protection))
        leave_out(HD_LEFT_PROTECTED);
    return 0;
}

/* Memory that is given up reads as zeros from then on. */
static void give_up(const struct hd_block *b, void *at, size_t bytes)
{
    uint32_t site = hd_take_site();
    uint64_t begin = (uint64_t)(uintptr_t)at, end = b->at + b->size;
    if (begin >= end)
        return;
    bytes = whole_pages(bytes);
    bytes = bytes < end - begin ? bytes : end - begin;
    __heddle_will_write(at, bytes, site);
    memset(at, 0, bytes);
}

int madvise(void *at, size_t bytes, int advice)
{
    const struct hd_block *b = mapping_at(at);
    if (b && advice == MADV_DONTNEED)
        give_up(b, at, bytes);
    else if (b && (advice == MADV_FREE || advice == MADV_REMOVE))
        leave_out(HD_LEFT_ADVISED);
    if (b)
        return 0;
    return (int)hd_syscall(SYS_madvise, (long)(uintptr_t)at, (long)bytes, advice, 0, 0, 0);
}
