/* The frontier: states that have been met and not expanded, for searches that jump.  A state is
 * stored as the step that leads to it from another one, so that the path to it can be run
 * again.  A state is met once (fingerprints as in filters/states.c).
 *
 * Invariants (hd_frontier_check):
 *  F1  a kept state's parent has a lower number; the chain ends at number 0, the root
 *  F2  at[d], for d <= the depth of `open`, is the state whose node is node d of the path */
#ifndef HD_EXPLORE_GUIDED_FRONTIER_H
#define HD_EXPLORE_GUIDED_FRONTIER_H

#include "explore/jobs/state_edges.h"
#include "explore/loop/explorer.h"
#include "explore/states/fingerprint_set.h"

#define HD_NO_STATE UINT32_MAX

struct hd_kept {
    struct hd_action action; /* of the step that leads here */
    struct hd_fingerprint memory;
    uint64_t alts; /* its alternatives, in the pool */
    uint32_t parent, depth;
    uint32_t taken; /* the alternative of the parent */
    uint32_t n_alts;
    uint32_t last;
    uint32_t h, level;
    uint32_t stays;
    bool unknown; /* the path here had unknown effects: its identity is not known */
};

struct hd_entry_of_queue {
    uint32_t h, tie, state;
};

struct hd_queue { /* a heap: the least h, ties at random */
    struct hd_entry_of_queue *items;
    uint32_t n, room;
};

struct hd_numbered { /* a state that is kept, by its fingerprint */
    struct hd_fingerprint print;
    uint32_t state;
    bool used;
};

struct hd_frontier {
    struct hd_fingerprint_set seen;
    struct hd_numbered *numbers; /* a hash table of the states that are kept */
    struct hd_state_edges edges; /* steps between them, those that lead to a known one too */
    struct hd_kept *kept;
    uint32_t n, room;
    uint32_t *alts;
    uint64_t n_alts, alt_room;
    uint32_t open; /* the state whose successors are being met; HD_NO_STATE: none */
    uint32_t *at;
};

bool hd_frontier_init(struct hd_frontier *f, struct hd_explorer *ex);

/* The world is in a state with these alternatives, a successor of `open` or the root.  Returns
 * its number, or HD_NO_STATE when it has been met before or there is no room.  The caller sets
 * h and level. */
uint32_t hd_frontier_meet(struct hd_frontier *f, struct hd_explorer *ex, const uint32_t *alts,
                          uint32_t n);

/* The node at which another successor of `open` is to be taken, as a search's resume returns
 * it; -1 if there is none. */
int64_t hd_frontier_next(struct hd_frontier *f, struct hd_explorer *ex);

/* Expand that state: put the path to it on the explorer's path.  Returns what a search's resume
 * is to return. */
int64_t hd_frontier_open(struct hd_frontier *f, struct hd_explorer *ex, uint32_t state);

/* Everything has been expanded.  May a step lead back to a state from which it can be reached?
 * Then an execution may have no end. */
bool hd_frontier_may_cycle(const struct hd_frontier *f, struct hd_explorer *ex);

/* NULL, or the invariant that does not hold for the newest state and the path to `open`. */
const char *hd_frontier_check(const struct hd_frontier *f, const struct hd_explorer *ex);

bool hd_queue_init(struct hd_queue *q, struct hd_explorer *ex, uint32_t room);
/* Add a state.  When the queue is full, the worst makes room unless it is better; counted. */
void hd_queue_add(struct hd_queue *q, struct hd_explorer *ex, uint32_t h, uint32_t state);
uint32_t hd_queue_take(struct hd_queue *q); /* q->n > 0 */

/* Write it into a work unit, or read it (loop/filter.h). */
void hd_frontier_pack(struct hd_frontier *f, const struct hd_explorer *ex, struct hd_pack *p);
void hd_queue_pack(struct hd_queue *q, const struct hd_frontier *f, struct hd_pack *p);

#endif
