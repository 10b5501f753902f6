/* Backward slices: what may influence whether, and with which values, a point is reached.
 *
 * A slice is kept per thread entry, because the same code may matter in one thread and not in
 * another.  Inside a thread an instruction depends on
 *  - the operands it uses, through calls and returns;
 *  - the writes whose value a read may see: those on a way to it (through calls and returns)
 *    that are not overwritten for certain in between;
 *  - the branches that decide whether it runs, and the calls that its function is called by;
 *  - what may keep the thread from getting there: waiting, joining, ending, and loops that run
 *    until shared memory changes (counting loops are assumed to end);
 *  - taking and releasing the locks held around a shared access of the slice, and the calls
 *    that initialised the locks.
 * Between threads (interference): a read of shared memory depends on the writes of other
 * threads, a thread on its creation, waiting on waking, calls of the library that keeps
 * something (descriptors, streams, time) on each other, and everything on code that cancels
 * threads or sends signals.
 *
 * Slicing is interprocedural and does not distinguish calling contexts. */
#ifndef HD_ANALYSE_SLICE_H
#define HD_ANALYSE_SLICE_H

#include "analyse/facts.h"

struct hd_slice {
    struct hd_facts *facts;
    bool whole;  /* with interference */
    bool values; /* only what the targets' values come from, up to the reads of shared memory */
    uint8_t *flags; /* by entry and point: of the following */
};

enum {
    HD_SLICE_IN = 1,
    HD_SLICE_RESULT = 2, /* of a call: its result matters */
    HD_SLICE_TARGET = 4,
};

void hd_slice_init(struct hd_slice *slice, struct hd_facts *facts, bool whole);
void hd_slice_release(struct hd_slice *slice);

/* Adds the targets and what they depend on, in that entry as far as it may run them, or in
 * every one (HD_NO_POINT).  May be called several times. */
void hd_slice_add(struct hd_slice *slice, uint32_t entry, const uint32_t *targets, uint32_t n);

static inline unsigned hd_slice_at(const struct hd_slice *slice, uint32_t entry, uint32_t point)
{
    return slice->flags[(size_t)entry * slice->facts->code.n_insts + point];
}

/* Does the point do something that other threads can see? */
bool hd_slice_is_visible(const struct hd_facts *facts, uint32_t point);

/* A write of another thread that a read of shared memory may see. */
struct hd_interference {
    uint32_t entry, point;
};

/* The interference with the reads at the point, when entry executes it; the caller frees. */
struct hd_interference *hd_slice_interference(struct hd_facts *facts, uint32_t entry,
                                              uint32_t point, uint32_t *n);

#endif
