/* Undefined values: which bits of memory have never been stored to.
 *
 * There is one byte of shadow for every byte of the heaps and of the stacks, with a bit for
 * every bit.  Globals, thread-local variables and everything else always have a value.
 *
 *   heap:  a bit that is set has a value.  So a block that is handed out for the first time
 *          needs no work, however large it is.  Only blocks that the program's own code
 *          allocates, other than with calloc or mmap, are looked at (hd_block.tracked).
 *   stack: a bit that is set has no value.  Nothing is set but in variables that the program
 *   has
 *          declared without an initial value (__heddle_declare).
 *
 * The shadow is world memory: every change of it is logged and undone like a store of the
 * program.  docs/design/014-shadow.md says how it is used. */
#ifndef HD_RUNTIME_UNDEFINED_H
#define HD_RUNTIME_UNDEFINED_H

#include "core/use.h"
#include "runtime/block.h"

static inline bool hd_in_stacks(uint64_t at)
{
    return at - HD_STACK_BASE < HD_MAX_THREADS * HD_STACK_STRIDE;
}

/* Something of the running thread's stack is marked, here or in zones.c. */
static inline void hd_stack_marked(uint64_t at)
{
    uint64_t depth = rt->fibers[rt->cur].top - at, *deepest = &model->telling[rt->cur].deepest;
    if (HD_UNLIKELY(depth > *deepest && depth < HD_STACK_STRIDE))
        HD_SET(*deepest, depth);
}

/* Mark all bytes as defined: they are written. */
void hd_define(uint64_t at, uint64_t bytes);

/* A block that has just been taken: its bytes have no value.  `caller` is the return address of
 * the allocating function; blocks of libraries are not tracked. */
void hd_undefined_block(void *block, const void *caller);
/* The block takes over the first bytes of another, with their shadow. */
void hd_undefined_inherit(void *block, const struct hd_block *from, uint64_t bytes);

/* A compare-exchange or an arithmetic read-modify-write: a violation if none of the bytes has a
 * value. */
void hd_undefined_atomic(uint64_t at, uint64_t bytes, uint32_t site);

void hd_undefined_map_heap(uint32_t thread);
void hd_undefined_map_stacks(uint32_t first, uint32_t n);

#endif
