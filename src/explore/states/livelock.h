/* Livelocks: fair cycles of the states that a depth-first search visits, looked for when a
 * strongly connected component is complete (fair_cycles.h).  On a fair cycle every thread that
 * can move does, and no new state is reached.  An exception is a cycle in which a thread backs
 * off in a library function that is known to succeed in the end (hd_world.backs_off). */
#ifndef HD_EXPLORE_STATES_LIVELOCK_H
#define HD_EXPLORE_STATES_LIVELOCK_H

#include "explore/loop/explorer.h"
#include "explore/states/fingerprint_set.h"

struct hd_livelock;

/* NULL when memory is used up. */
struct hd_livelock *hd_livelock_create(struct hd_explorer *ex);

/* The search has backtracked: nodes from `depth` on are no longer on the path, though the path
 * still holds the steps that led to them. 0: the search is over. */
void hd_livelock_leave(struct hd_livelock *c, struct hd_explorer *ex, uint32_t depth);

/* Is the state of the new node one whose component is not complete yet?  Then the edge is
 * noted, and ex->leads_back is the depth at which the component begins. */
bool hd_livelock_closes(struct hd_livelock *c, struct hd_explorer *ex,
                        struct hd_fingerprint print);

/* May one thread alone move in a state whose component is not complete yet?  If not, a state
 * in which one can move alone closes nothing. */
bool hd_livelock_has_narrow(const struct hd_livelock *c);

/* The state of the new node is new. */
void hd_livelock_enter(struct hd_livelock *c, struct hd_explorer *ex,
                       struct hd_fingerprint print);

/* Write the cycles into a work unit, or read them (loop/filter.h). */
void hd_livelock_pack(struct hd_livelock *c, struct hd_explorer *ex, struct hd_pack *p);

#endif
