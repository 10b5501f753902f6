/* Partial deadlocks: some threads wait for each other for ever, others can still move.  A check: it
 * looks at what is explored and changes nothing of it. */
#ifndef HD_EXPLORE_CHECKS_PARTIAL_DEADLOCK_H
#define HD_EXPLORE_CHECKS_PARTIAL_DEADLOCK_H

#include "explore/loop/explorer.h"

/* At a new node, in which the thread of the last step cannot move and another one can. */
void hd_partial_deadlock_at_node(struct hd_explorer *ex);

/* An execution has been cut in a loop that does not end, after as many steps as there is room for or
 * because a thread polled for too long: can some threads never move again? */
void hd_stuck_at_end(struct hd_explorer *ex);

#endif
