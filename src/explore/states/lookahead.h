/* Lookahead: what other threads may do before a thread moves. */
#ifndef HD_EXPLORE_STATES_LOOKAHEAD_H
#define HD_EXPLORE_STATES_LOOKAHEAD_H

#include "explore/loop/explorer.h"

/* The thread, and those that cannot move before it does: they wait for a lock that it holds,
 * for its end, or for another thread of this set. */
struct hd_tset hd_lookahead_stuck(const struct hd_explorer *ex, uint32_t thread);

/* May `other` still reach the point `bit` (+ 1; 0: not known) while none of `stuck` moves?  If
 * `other` does not exist yet: may some thread create it meanwhile? */
bool hd_lookahead_comes(const struct hd_explorer *ex, const struct hd_tset *stuck, uint32_t other,
                        uint32_t bit);

/* May a thread that is not stuck, or one that it creates, still reach a point of the row? */
bool hd_lookahead_meets(const struct hd_explorer *ex, const struct hd_tset *stuck, uint32_t row);

/* Can other threads reach what the action touches, by pointers that look like pointers? */
bool hd_lookahead_reached(const struct hd_explorer *ex, uint32_t thread,
                          const struct hd_action *a);

#endif
