/* A program without what a slice leaves out.
 *
 * A slice claims that everything else has no influence on whether its targets are reached.
 * This makes a program to test the claim: every instruction outside the slice is removed, a
 * branch outside it takes the shortest path to where its paths meet again, and heddle_target()
 * is put before the targets.  They must be reachable exactly if they are in the whole
 * program. */
#ifndef HD_ANALYSE_CUT_H
#define HD_ANALYSE_CUT_H

#include "analyse/slice.h"

struct hd_cut_numbers {
    uint32_t kept, removed, turned; /* instructions; branches that have one way left */
};

/* Changes the module: of the slice's facts, none is good afterwards.  `marked`, by point: where
 * heddle_target() is put. */
struct hd_cut_numbers hd_cut(const struct hd_slice *slice, const bool *marked);

#endif
