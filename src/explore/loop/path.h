/* The current path: a node per step, and below each node its alternatives.
 *
 * Invariants (hd_path_check):
 *  P1  node d's alternatives are alts[node.alts .. node.alts + node.n_alts), and
 *      node d+1's begin where node d's end
 *  P2  taken < n_open <= n_allowed <= n_alts: [0, taken) are explored, `taken` is on the path,
 *      (taken, n_open) are to be explored, [n_open, n_alts) were not admitted
 *  P3  shared->steps[d] is the taken alternative of node d, for every d < depth
 *  P4  depth <= n_nodes; n_nodes is depth, or more while a prefix is being re-executed
 *
 * All alternatives of the state are kept, admitted or not, so that a reduction may add one to
 * an ancestor later by moving it in front of n_open.
 *
 * A node at which a single thread is admitted lists that one alternative, and keeps the enabled
 * threads in `enabled` for the case that another is opened there later (hd_path_all).  If
 * the thread of the step before went on without a decision (`went_on`), the other threads are
 * listed with one choice each when something is opened there; how many choices a thread has is
 * known when the node is reached again (`unsure`). */
#ifndef HD_EXPLORE_LOOP_PATH_H
#define HD_EXPLORE_LOOP_PATH_H

#include "core/tset.h"
#include "core/worker_memory.h"

struct hd_node {
    struct hd_action action; /* of the taken alternative, as it turned out */
    uint64_t alts;           /* index of the first alternative */
    uint32_t n_alts, n_open, taken;
    uint32_t n_allowed; /* [0, n_allowed) are within the bounds: they may be opened later */
    uint32_t last;      /* thread of the step before */
    bool unsure;        /* the choices of its threads have not been counted */
    /* The thread of the step before went on without a decision: the state was not kept, and can
     * only be reached again from an earlier one. */
    bool went_on;
    /* Enabled threads from 64 on are in hd_path.more until they are listed.  (With two bytes, a
     * new node sets this and the two above in one store.) */
    uint16_t many;
    uint64_t enabled; /* the enabled threads, by bit, until they are listed; then 0 */
};

/* Of a node with more than 64 threads: those from 64 on that are enabled, by bit. */
struct hd_path_more {
    uint64_t w[HD_TSET_WORDS - 1];
};

struct hd_path {
    struct hd_node *nodes;     /* [HD_MAX_STEPS]; before them is one without alternatives */
    struct hd_path_more *more; /* [HD_MAX_STEPS] */
    uint32_t *alts;            /* HD_STEP_PACK(thread, choice) each */
    uint32_t *steps;           /* shared->steps */
    uint32_t depth;            /* steps done in the current execution */
    uint32_t n_nodes;
    uint32_t open; /* no node from here on has anything open */
};

static inline uint32_t *hd_path_alts(const struct hd_path *p, uint32_t depth)
{
    return p->alts + p->nodes[depth].alts;
}

/* Does the node list one alternative where more threads can move? */
static inline bool hd_node_unlisted(const struct hd_node *node)
{
    return node->enabled || node->many;
}

/* Something has been opened at node `depth`. */
static inline void hd_path_opened(struct hd_path *p, uint32_t depth)
{
    p->open = p->open > depth ? p->open : depth + 1;
}

/* List every thread that could move at node `depth`, if that has not been done. */
void hd_path_all(struct hd_path *p, uint32_t depth);

/* Is the taken step of node `depth` a preemption: did it leave a thread that could have gone
 * on? A thread that has just yielded or slept is left freely. */
bool hd_path_preempts(const struct hd_path *p, uint32_t depth, uint32_t alternative);

/* Has the thread of the step before node `depth` just yielded or slept? */
bool hd_path_left_freely(const struct hd_path *p, uint32_t depth);

/* Preemptions in steps [0, depth). */
uint32_t hd_path_preemptions(const struct hd_path *p, uint32_t depth);

/* Does the thread make one of the steps from `depth` on? */
bool hd_path_moves(const struct hd_path *p, uint32_t thread, uint32_t depth);

/* NULL, or the invariant that does not hold. */
const char *hd_path_check(const struct hd_path *p);

/* Move the alternatives of `thread` to the front, and return their number. */
uint32_t hd_path_of_thread(uint32_t *alts, uint32_t n, uint32_t thread);

#endif
