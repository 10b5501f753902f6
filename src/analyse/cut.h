/* A program without what a slice leaves out.
 *
 * What a slice promises is that everything else has no influence on whether its targets are
 * reached.  This makes the promise a program: every instruction outside the slice is taken
 * away, and a branch outside it goes the shortest way to where its ways meet again;
 * heddle_target() stands before the targets.  They must be reachable exactly when they are in
 * the whole program. */
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
