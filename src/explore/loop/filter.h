/* A filter: one reduction or bound (SCALE 4.2).  One file in filters/, one table of functions,
 * one row in core/filters.def, which also fixes its place in a chain. */
#ifndef HD_EXPLORE_LOOP_FILTER_H
#define HD_EXPLORE_LOOP_FILTER_H

#include "explore/loop/explorer.h"

struct hd_pack;
struct hd_shared_tree_node;

#define HD_NO_SINGLE (~0u)

struct hd_filter {
    enum hd_filter_index index; /* its row of core/filters.def */
    /* State lives in the explorer's arena; there is no destroy, the arena goes as a whole. */
    void *(*create)(struct hd_explorer *ex);
    /* At a new node (depth = ex->path.depth): keep the first `n_kept` of the alternatives
     * alts[0 .. n), after moving those to keep in front, the order among them unchanged; the
     * rest follow.  Returns n_kept.  NULL: drops nothing. */
    uint32_t (*admit)(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n);
    /* May the running thread, enabled, do its next action without a decision: would it be
     * admitted here alone, until something is opened? NULL: no, if there is an `admit`. */
    bool (*straight)(void *self, struct hd_explorer *ex, uint32_t thread);
    /* The thread that would be admitted at the new node alone, until something is opened,
     * whatever its action is; HD_NO_SINGLE: `admit` must be asked.  A filter has both this and
     * `straight`, or neither. */
    uint32_t (*single)(void *self, struct hd_explorer *ex);
    /* The taken alternative of node `depth` is about to run (for the first time or again);
     * node.action is set.  May be NULL. */
    void (*ran)(void *self, struct hd_explorer *ex, uint32_t depth);
    /* The current execution is complete; `finding` is the violation that ended it, or NULL.
     * May be NULL. */
    void (*ended)(void *self, struct hd_explorer *ex, const struct hd_finding *finding);
    /* The state is again the one before step `depth`.  May be NULL. */
    void (*back)(void *self, struct hd_explorer *ex, uint32_t depth);
    /* An execution is over, in whatever way: the search is about to turn to another.  May be
     * NULL. */
    void (*turn)(void *self, struct hd_explorer *ex);
    /* Everything has been explored.  May be NULL. */
    void (*over)(void *self, struct hd_explorer *ex);
    /* Everything has been explored: must it be explored again, with what has been learnt? NULL:
     * no. */
    bool (*again)(void *self, struct hd_explorer *ex);
    /* Node `depth` belongs to all workers (split.h): write what was learnt of it by running its
     * taken alternative into `node`; read what others have learnt (`anew`: the node has just
     * come onto the path, what is remembered of its depth is another's).  NULL: nothing is kept
     * by node but what `ran` makes. */
    void (*share)(void *self, struct hd_explorer *ex, uint32_t depth,
                  struct hd_shared_tree_node *node);
    /* May node `depth` belong to all workers?  NULL: any may. */
    bool (*common)(void *self, const struct hd_explorer *ex, uint32_t depth);
    /* May the next open alternative of node `depth` be explored while the taken one is? NULL:
     * any may. */
    bool (*beside)(void *self, const struct hd_explorer *ex, uint32_t depth);
    /* The choices of all threads have been listed at node `depth`, where they are all open.
     * May be NULL. */
    void (*listed)(void *self, struct hd_explorer *ex, uint32_t depth);
    void (*adopt)(void *self, struct hd_explorer *ex, uint32_t depth,
                  const struct hd_shared_tree_node *node, bool anew);
    /* Node `depth`, adopted, belongs to this worker alone again: `node` will be freed.  May be
     * NULL. */
    void (*reclaim)(void *self, struct hd_explorer *ex, uint32_t depth,
                    struct hd_shared_tree_node *node);
    /* NULL, or the invariant of what it keeps that does not hold.  Asked with --paranoid.
     * May be NULL. */
    const char *(*check)(const void *self, const struct hd_explorer *ex);
    /* NULL: it has none. */
    const struct hd_fast_paths *fast;
    /* Write into a work unit, or read from one, what running the path again does not make: both
     * by the same calls (core/pack.h).  hd_pack_nothing: there is no such thing.  NULL: it
     * cannot, and there are no checkpoints. */
    void (*pack)(void *self, struct hd_explorer *ex, struct hd_pack *p);
};

void hd_pack_nothing(void *self, struct hd_explorer *ex, struct hd_pack *p);

extern const struct hd_filter *const hd_filters[HD_N_FILTERS];

#endif
