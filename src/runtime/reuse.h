/* Reuse of addresses: an allocation may get the address of a block that was freed before
 * (core/reuse.h; docs/design/015-reuse.md).
 *
 * In a class that is on, allocating is the step ALLOC and putting a freed block back is the
 * step GIVE, both on one object per class.  Every thread keeps the blocks that it has freed,
 * the newest first; choice n of ALLOC is the newest fitting block of the nth thread that has
 * one, choice 0 an address that was never used.
 *
 * In a search over graphs the choices follow from the state of the object: which threads have
 * blocks.  Choice n is the newest block of the nth such thread, which must fit. */
#ifndef HD_RUNTIME_REUSE_H
#define HD_RUNTIME_REUSE_H

#include "core/reuse.h"
#include "runtime/block.h"

/* Is the class of a block of that size on? */
static inline bool hd_reuse_on(uint64_t size)
{
    return HD_UNLIKELY(rt->reuse.classes) && rt->reuse.classes >> hd_reuse_class(size) & 1;
}

/* For the program's call at `site` (0: another caller), before any effect: the freed block
 * whose address it gets, removed from its list; NULL for a fresh address.  `front` bytes lie
 * before the program's.  A scheduling point where the class is on. */
struct hd_block *hd_reuse_take(uint64_t size, uint64_t front, uint32_t site);

/* The running thread's next action is an ALLOC: how many choices has it now? */
void hd_reuse_recount(void);

/* The state of the object in a search over graphs: bit t is set if thread t has blocks. */
uint64_t hd_reuse_state(uint64_t object);

/* In a search over graphs, before `size` bytes from `at` on become a new block, which were one
 * before: locations of atomics in it get new values.  A scheduling point. */
void hd_reuse_renew(uint64_t at, uint64_t size, uint32_t site);

/* The block is about to be freed.  In a search over graphs: if its address was compared, that
 * may come after the free as well, and the program can tell. */
void hd_reuse_ends(const struct hd_block *block);

/* The block has been freed: others may get its address from now on.  A scheduling point. */
void hd_reuse_give(struct hd_block *block, uint32_t site);

/* Two values that differ have been compared.  If both are addresses of blocks of one class, and
 * one of the blocks has been freed, the program can tell whether the address comes back: then
 * the class is to be turned on.  A scheduling point if both blocks still live: one may be freed
 * concurrently. */
void hd_reuse_differ(uint64_t a, uint64_t b, uint32_t site);
static inline void hd_reuse_compared(uint64_t a, uint64_t b, uint32_t site)
{
    if (HD_UNLIKELY(a != b && hd_in_heap(a & HD_REUSE_ADDRESS) &&
                    hd_in_heap(b & HD_REUSE_ADDRESS)))
        hd_reuse_differ(a, b, site);
}

#endif
