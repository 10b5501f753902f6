/* The memory order of an atomic access or a fence, and the fences that follow a step, as one
 * byte of an action.
 *
 *   bits 0-2  what the access or fence does: it acquires, it releases, it is seq_cst (then it
 *             does both)
 *   bit 3     a compare-exchange that fails acquires
 *   bits 4-6  the fences that the thread executed after the access and before its next action
 *   bit 7     a compare-exchange that fails is seq_cst (then bit 3 is set, too)
 *
 * A relaxed access has none of these bits, like a plain one; the operation distinguishes
 * them. */
#ifndef HD_CORE_MEMORY_ORDER_H
#define HD_CORE_MEMORY_ORDER_H

#include <stdbool.h>
#include <stdint.h>

enum {
    HD_ORDER_RELAXED = 0,
    HD_ORDER_ACQUIRE = 1,
    HD_ORDER_RELEASE = 2,
    HD_ORDER_SEQ_CST = 4,
    HD_ORDER_FAIL_ACQUIRE = 8,
    HD_ORDER_FAIL_SEQ_CST = 128,
    HD_ORDER_STRONG = 143, /* seq_cst, also when it fails: all of the above */
    HD_ORDER_FENCE_SHIFT = 4,
    HD_ORDER_RANGE = 128, /* weak memory: the search gives no values to the access */
    HD_ORDER_FENCES = 7,  /* after the shift */
};

/* The fences of one thread between two of its actions.  Of several only this matters: whether
 * what the thread had read before an acquire fence is part of what its last release fence
 * publishes. */
enum hd_fences {
    HD_FENCE_NONE,
    HD_FENCE_ACQUIRE,
    HD_FENCE_RELEASE,
    HD_FENCE_RELEASE_ACQUIRE, /* the acquire fence comes last */
    HD_FENCE_ACQUIRE_RELEASE, /* the release fence comes last, or one fence is both */
};

/* The fences of an action's order. */
static inline enum hd_fences hd_order_fences(uint32_t order)
{
    return (enum hd_fences)(order >> HD_ORDER_FENCE_SHIFT & HD_ORDER_FENCES);
}

/* The order of a compare-exchange that fails, as that of a load. */
static inline uint32_t hd_order_of_failure(uint32_t order)
{
    return (order & HD_ORDER_FAIL_ACQUIRE ? HD_ORDER_ACQUIRE : HD_ORDER_RELAXED) |
           (order & HD_ORDER_FAIL_SEQ_CST ? HD_ORDER_ACQUIRE | HD_ORDER_SEQ_CST : 0);
}

/* `fences`, and then a fence of that order. */
static inline enum hd_fences hd_fences_add(enum hd_fences fences, uint32_t order)
{
    bool acquires = order & HD_ORDER_ACQUIRE, releases = order & HD_ORDER_RELEASE;
    bool acquired = fences == HD_FENCE_ACQUIRE || fences >= HD_FENCE_RELEASE_ACQUIRE;
    if (releases)
        return acquires || acquired ? HD_FENCE_ACQUIRE_RELEASE : HD_FENCE_RELEASE;
    if (!acquires || fences == HD_FENCE_ACQUIRE_RELEASE)
        return fences;
    return fences >= HD_FENCE_RELEASE ? HD_FENCE_RELEASE_ACQUIRE : HD_FENCE_ACQUIRE;
}

#endif
