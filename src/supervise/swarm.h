/* A swarm: workers that sample one program side by side, each in another way, within one budget
 * (Holzmann, Joshi, Groce: Swarm verification, ASE 2008). */
#ifndef HD_SUPERVISE_SWARM_H
#define HD_SUPERVISE_SWARM_H

#include "core/options.h"

/* The options of one worker: *options, with the search of its number. */
void hd_swarm_member(struct hd_options *options, uint32_t worker);

#endif
