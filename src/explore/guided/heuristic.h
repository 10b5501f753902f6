/* A heuristic value of a state: the lower, the more promising.  Guided searches (best_first.c,
 * greedy.c) compute it for every state that they meet. */
#ifndef HD_EXPLORE_GUIDED_HEURISTIC_H
#define HD_EXPLORE_GUIDED_HEURISTIC_H

#include "explore/loop/explorer.h"

/* The value of the world's current state.  `place`: where to go, an index of the route's
 * places; ~0u: the targets, or what fails.  `stays`: how many steps of the path were by the
 * same thread as the step before. */
uint32_t hd_heuristic(struct hd_explorer *ex, uint32_t place, uint32_t stays);

#endif
