/* How promising a state is: a number, the lower the better.  Searches that go where they are
 * guided (best_first.c, greedy.c) ask it of every state that they meet. */
#ifndef HD_EXPLORE_GUIDED_HEURISTIC_H
#define HD_EXPLORE_GUIDED_HEURISTIC_H

#include "explore/loop/explorer.h"

/* Of the state that the world is in.  `place`: where to go, of the route's places; ~0u: the
 * targets, or what fails.  `stays`: steps of the way here that went on with the thread of the
 * step before. */
uint32_t hd_heuristic(struct hd_explorer *ex, uint32_t place, uint32_t stays);

#endif
