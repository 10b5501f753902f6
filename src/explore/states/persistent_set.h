/* Persistent sets by lookahead: a thread goes on alone while nothing that others may do before
 * it moves interferes with its next action; elsewhere all enabled threads are tried (a choice).
 *
 * Completeness: let t go on alone at s with action a.  A sequence of actions of others from s,
 * up to the first one that conflicts with a, could as well come after a.  Then the conflicting
 * action is met as the next action of a thread, which is enough (it need not run).  So when
 * everything is explored, and every next action that was met has been considered wherever a
 * thread went on alone, none conflicts, and what the others do is explored after a.  No cycle
 * of states may be without a choice: after LONGEST steps of this kind in a row there is a
 * choice in any case, and only choices are stored as visited.
 *
 * What is considered grows while the search runs (`seen`, and in hybrid `futures`).  Then nodes
 * of the path at which a thread went on alone, and should not have, become choices.  Nothing
 * more is needed for a node that has been left: everything after it has been explored, and what
 * conflicts with its step has been met.  The exception is a node after which a state led back
 * to one before it (`low`, by the components of livelock.h): more may be met later on another
 * path.  If that conflicts with a step that was taken alone at such a node, everything is
 * explored again with what is known then.  This ends, because what can be known is finite.
 *
 * The end of the process conflicts with everything that the existing threads do: it touches
 * their `life`, which every action of a thread reads.  Other operations that conflict with
 * everything touch `all`. */
#ifndef HD_EXPLORE_STATES_PERSISTENT_SET_H
#define HD_EXPLORE_STATES_PERSISTENT_SET_H

#include "explore/loop/filter.h"
#include "explore/order/access_summary.h"
#include "explore/states/futures.h"
#include "explore/states/lookahead.h"

#define HD_MAX_BREAKS 64
#define HD_MAX_LOCKS 64 /* that are distinguished; others count as not held */

struct hd_persistent_set_step { /* by depth */
    struct hd_action action;
    uint64_t held; /* by its thread, after it: by bit */
    uint32_t thread;
    uint32_t before; /* the thread's step before, + 1 */
    uint32_t run;    /* steps alone that led here */
    uint32_t low;    /* the lowest depth to which a state after it leads back */
    bool alone;      /* others could have moved, and were not tried */
    bool by_futures; /* because of their futures */
};

struct hd_persistent_set {
    /* Does anything that other threads may do first conflict with the thread's next action?
     * Not asked of the end of the process and of operations that conflict with everything:
     * these are looked at for every filter. */
    bool (*interferes)(struct hd_persistent_set *self, const struct hd_explorer *ex,
                       uint32_t thread, const struct hd_tset *stuck);
    bool objects;      /* `seen` is kept of what every action touches */
    bool current_only; /* only the thread of the last step may go on alone */
    struct hd_explorer *ex;
    struct hd_persistent_set_step *at;
    uint32_t newest[HD_MAX_THREADS]; /* by thread: its newest step + 1 */
    uint32_t n_ran, n_nodes;
    uint64_t locks[HD_MAX_LOCKS];
    uint32_t n_locks;
    struct hd_access_summary seen;   /* next actions that were met */
    struct hd_access_summary passed; /* what was done alone at nodes that were left too early */
    struct hd_action breaks[HD_MAX_BREAKS]; /* that have broken the program, done alone */
    uint32_t breaker[HD_MAX_BREAKS];        /* the thread of that step */
    uint32_t n_breaks;
    struct hd_futures *futures; /* NULL: not kept */
    uint32_t relies;            /* what `interferes` has relied on futures for, otherwise 0 */
    struct hd_action noted[HD_MAX_THREADS];
    uint64_t noted_held[HD_MAX_THREADS];
    bool again;
};

struct hd_persistent_set *hd_persistent_set_create(struct hd_explorer *ex, size_t bytes);

/* Keep futures from now on.  False if memory is used up. */
bool hd_persistent_set_keep_futures(struct hd_persistent_set *s);
uint32_t hd_persistent_set_admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n);
void hd_persistent_set_ran(void *self, struct hd_explorer *ex, uint32_t depth);
void hd_persistent_set_back(void *self, struct hd_explorer *ex, uint32_t depth);
void hd_persistent_set_ended(void *self, struct hd_explorer *ex,
                             const struct hd_finding *finding);
bool hd_persistent_set_again(void *self, struct hd_explorer *ex);
void hd_persistent_set_pack(void *self, struct hd_explorer *ex, struct hd_pack *p);

/* Defines a filter from these functions. */
#define HD_PERSISTENT_SET_FILTER(which, make)                                                    \
    {                                                                                            \
        .index = HD_FILTER_INDEX_##which,                                                        \
        .create = make,                                                                          \
        .admit = hd_persistent_set_admit,                                                        \
        .ran = hd_persistent_set_ran,                                                            \
        .back = hd_persistent_set_back,                                                          \
        .ended = hd_persistent_set_ended,                                                        \
        .again = hd_persistent_set_again,                                                        \
        .pack = hd_persistent_set_pack,                                                          \
    }

/* Step `depth` has led to the new node: what does its thread hold now? */
void hd_persistent_set_take_locks(struct hd_persistent_set *s, uint32_t depth);

/* Make the node a choice. */
void hd_persistent_set_open(struct hd_persistent_set *s, uint32_t depth);

/* The locks that the thread holds, by bit. */
uint64_t hd_persistent_set_held(const struct hd_persistent_set *s, uint32_t thread);

/* The locks that the thread holds, and the one that its next action takes, for which it may
 * have to wait: while others hold one of them, the action cannot run. */
uint64_t hd_persistent_set_needs(struct hd_persistent_set *s, uint32_t thread);

/* Has something been seen that touches the range, conflicts, and may come before the thread
 * moves? */
bool hd_persistent_set_meets(struct hd_persistent_set *s, const struct hd_touch *range,
                             uint32_t thread, const struct hd_tset *stuck);

#endif
