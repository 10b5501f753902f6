/* mmap of memory that is nobody's file: blocks of the heap, whole pages of zeros, so that
 * going back brings them back too; munmap frees.  Mappings of files are outside, and stay
 * where they are.
 *
 * A part of a mapping that is unmapped stays as it is; what mprotect and madvise ask for changes
 * nothing but the answer. */
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
    bytes = (bytes + PAGE - 1) & ~(PAGE - 1);
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
static const struct hd_block *mapping_at(const void *at)
{
    const struct hd_block *b = hd_ready ? hd_block_at((uint64_t)(uintptr_t)at) : NULL;
    return b && b->state != HD_BLOCK_NONE && b->family == HD_FAMILY_MAPPED ? b : NULL;
}

int munmap(void *at, size_t bytes)
{
    const struct hd_block *b = mapping_at(at);
    if (!b) {
        if (hd_ready && __heddle_call_site)
            __heddle_opaque(hd_take_site());
        return (int)hd_syscall(SYS_munmap, (long)(uintptr_t)at, (long)bytes, 0, 0, 0, 0);
    }
    if (b->state == HD_BLOCK_LIVE && (b->at != (uint64_t)(uintptr_t)at || bytes < b->size)) {
        hd_take_site();
        return 0;
    }
    hd_heap_free(at, HD_FAMILY_MAPPED, "munmap", __builtin_return_address(0));
    return 0;
}

/* The explorer calls these too: what is not a mapping of the program's is the system's at once. */
int mprotect(void *at, size_t bytes, int protection)
{
    return mapping_at(at) ? 0 : hd_mprotect(at, bytes, protection);
}

int madvise(void *at, size_t bytes, int advice)
{
    if (mapping_at(at))
        return 0;
    return (int)hd_syscall(SYS_madvise, (long)(uintptr_t)at, (long)bytes, advice, 0, 0, 0);
}
