#include "core/arena.h"

#include <stddef.h>
#include <sys/mman.h>

void *hd_arena_take(struct hd_arena *arena, uint64_t bytes)
{
    uint64_t begin = (arena->used + 15) & ~15ull;
    if (begin > arena->size || bytes > arena->size - begin)
        return NULL;
    arena->used = begin + bytes;
    return arena->base + begin;
}

void hd_arena_give_back(void *memory, uint64_t bytes)
{
    uintptr_t begin = ((uintptr_t)memory + 4095) & ~(uintptr_t)4095;
    uintptr_t end = ((uintptr_t)memory + bytes) & ~(uintptr_t)4095;
    if (begin < end && madvise((void *)begin, end - begin, MADV_REMOVE) != 0)
        madvise((void *)begin, end - begin, MADV_DONTNEED);
}
