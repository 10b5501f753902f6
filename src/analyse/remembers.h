/* The state that the library keeps between calls, besides memory and locks: descriptors,
 * streams, time, random numbers, signals.  Slices do not distinguish these: one such call may
 * affect another. */
#ifndef HD_ANALYSE_REMEMBERS_H
#define HD_ANALYSE_REMEMBERS_H

#include "analyse/facts.h"

enum hd_remembers {
    HD_REMEMBERS_NONE,
    HD_REMEMBERS,
    HD_REMEMBERS_INTERRUPTS, /* and cancels threads or sends them signals */
};

enum hd_remembers hd_slice_remembers(const struct hd_facts *facts, uint32_t point);

#endif
