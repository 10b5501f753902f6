/* hd_view_peek: reading memory before the program does (view.h). */
#include "runtime/view.h"

#include "runtime/heap.h"
#include "runtime/memory.h"

/* Is the range inside a block of the heap, on a stack, or in the data of the program or a
 * library? */
static bool is_known(uint64_t at, uint32_t bytes)
{
    const struct hd_block *b = hd_block_at(at);
    if (b && b->state != HD_BLOCK_NONE && at >= b->at && at + bytes <= b->at + b->size)
        return true;
    uint64_t owner = (at - HD_STACK_BASE) / HD_STACK_STRIDE;
    if (owner < HD_MAX_THREADS && rt->fibers[owner].top && at + bytes <= rt->fibers[owner].top &&
        at >= rt->fibers[owner].top - rt->fibers[owner].bytes + 4096)
        return true;
    for (uint32_t i = 0; i < rt->n_ranges; i++) {
        uint64_t begin = (uint64_t)(uintptr_t)rt->ranges[i].begin;
        if (at - begin < rt->ranges[i].bytes && bytes <= rt->ranges[i].bytes - (at - begin))
            return true;
    }
    /* Constants, such as tables of virtual functions, and what libraries have mapped. */
    if (at + bytes > HD_OWN_BEGIN && at < HD_LAYOUT_END)
        return false;
    return hd_probe((const void *)at, (const void *)(at + bytes - 1), false) == UINT64_MAX;
}

void hd_view_peek(uint32_t thread, uint64_t at, uint32_t bytes, uint64_t out[2])
{
    (void)thread;
    out[0] = out[1] = 0;
    const struct hd_range *globals = &rt->ranges[0]; /* the program's own, where most are */
    uint64_t begin = (uint64_t)(uintptr_t)globals->begin;
    if (HD_LIKELY(at - begin < globals->bytes && at + bytes <= begin + globals->bytes)) {
        if (bytes == 4)
            memcpy(out, (const void *)at, 4);
        else
            memcpy(out, (const void *)at, bytes);
        return;
    }
    if (is_known(at, bytes))
        memcpy(out, (const void *)at, bytes);
}
