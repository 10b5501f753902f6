/* Which objects are shared: two threads may access them, one of them writing.
 *
 * An object is not shared when
 *  1. no other thread can reach it: a local, or something on the heap, that cannot be reached
 *     from a variable, from what a thread is started with, from what the library keeps, or from
 *     unknown code; or
 *  2. all that can run while there are several threads, and touches it, belongs to one thread;
 *     or
 *  3. nothing of that writes it.
 * What main does before it may have started a thread does not count for 2 and 3, unless an
 * invariant may look at the object: those are evaluated at every step.  Functions that code
 * outside may call, and functions that could be invariants (int f(void)), count as threads of
 * their own.
 *
 * A local is shared in any case if threads access it that may outlive its thread, or the call
 * of a function other than main: its memory ends then. */
#ifndef HD_ANALYSE_SHARING_H
#define HD_ANALYSE_SHARING_H

#include "analyse/access.h"
#include "analyse/threads.h"

enum hd_share {
    HD_SHARED,
    HD_OWN,       /* one thread's only */
    HD_OWN_LOCAL, /* one thread's only, and on its stack */
    HD_READ_ONLY, /* while there are several threads */
};

struct hd_sharing {
    struct hd_points_to *p;
    uint8_t *objects;     /* by object: enum hd_share */
    uint32_t *concurrent; /* by block: the first point that may run beside another thread, or
                             HD_NO_POINT */
    uint32_t n_objects;
};

void hd_sharing_init(struct hd_sharing *s, struct hd_points_to *p, const struct hd_cfg *cfg,
                     const struct hd_entries *threads, const struct hd_accesses *accesses);
void hd_sharing_release(struct hd_sharing *s);

/* Of all that the pointer may point to: the least private. */
enum hd_share hd_sharing_of(const struct hd_sharing *s, LLVMValueRef pointer);

/* Of an access; reads of what is only read are HD_READ_ONLY, synchronisation is HD_SHARED. */
enum hd_share hd_sharing_access(const struct hd_sharing *s, const struct hd_mem_access *access);

/* May the point run beside another thread? */
static inline bool hd_sharing_beside(const struct hd_sharing *s, uint32_t point)
{
    return point >= s->concurrent[s->p->code->block_of[point]];
}

#endif
