/* Makes the way into a livelock short.  The steps in front of the cycle are a script that
 * must be done as it is: parts of it are left out, or put next to each other, as long as the
 * cycle still leads back to the state that it began in (delta debugging: Zeller &
 * Hildebrandt, TSE 2002). */
#ifndef HD_SUPERVISE_SHORTEN_CYCLE_H
#define HD_SUPERVISE_SHORTEN_CYCLE_H

#include "supervise/regroup.h"

void hd_shorten_cycle(struct hd_trial *trial, struct hd_run *run, hd_regroup_take *take);

#endif
