/* A filter is one reduction or bound (SCALE 4.2): one file in filters/, one table of functions
 * and one row in core/filters.def, which also fixes its place in a chain. */
#ifndef HD_EXPLORE_LOOP_FILTER_H
#define HD_EXPLORE_LOOP_FILTER_H

#include "explore/loop/explorer.h"

struct hd_pack;
struct hd_shared_tree_node;

#define HD_NO_SINGLE (~0u)
#define HD_STATE_MET (~1u) /* fast_path.h */

struct hd_filter {
    enum hd_filter_index index; /* its row of core/filters.def */
    /* State lives in the explorer's arena; there is no destroy, the arena goes as a whole. */
    void *(*create)(struct hd_explorer *ex);
    /* At a new node (depth = ex->path.depth): move the alternatives to keep to the front of
     * alts[0 .. n), without changing their order, and return their number.  NULL: the filter
     * drops nothing. */
    uint32_t (*admit)(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n);
    /* May the running thread, enabled, run its next action without a decision?  That is, would
     * it be the only one admitted here, until something is opened?  NULL: no, if there is an
     * `admit`. */
    bool (*goes_on)(void *self, struct hd_explorer *ex, uint32_t thread);
    /* The only thread that would be admitted at the new node until something is opened,
     * whatever its action is; HD_NO_SINGLE: `admit` must be asked.  A filter has both this and
     * `goes_on`, or neither. */
    uint32_t (*single)(void *self, struct hd_explorer *ex);
    /* The taken alternative of node `depth` is about to run (for the first time or again);
     * node.action is set.  May be NULL. */
    void (*ran)(void *self, struct hd_explorer *ex, uint32_t depth);
    /* The current execution is complete; `finding` is the violation that ended it, or NULL.
     * May be NULL. */
    void (*ended)(void *self, struct hd_explorer *ex, const struct hd_finding *finding);
    /* The state is again the one before step `depth`.  May be NULL. */
    void (*back)(void *self, struct hd_explorer *ex, uint32_t depth);
    /* An execution is over, in any way: the search is about to choose the next.  May be
     * NULL. */
    void (*turn)(void *self, struct hd_explorer *ex);
    /* Everything has been explored.  May be NULL. */
    void (*over)(void *self, struct hd_explorer *ex);
    /* Everything has been explored: must it be explored again, with what has been learnt? NULL:
     * no. */
    bool (*again)(void *self, struct hd_explorer *ex);
    /* Node `depth` belongs to all workers (split.h): `share` writes into `node` what running
     * its taken alternative has shown; `adopt` reads what other workers have written (`anew`:
     * the node has just come onto the path, so what is kept for its depth belongs to another
     * node).  NULL: the filter keeps nothing for a node that `ran` does not compute. */
    void (*share)(void *self, struct hd_explorer *ex, uint32_t depth,
                  struct hd_shared_tree_node *node);
    /* May node `depth` belong to all workers?  NULL: any may. */
    bool (*common)(void *self, const struct hd_explorer *ex, uint32_t depth);
    /* May the next open alternative of node `depth` be explored while the taken one is? NULL:
     * any may. */
    bool (*beside)(void *self, const struct hd_explorer *ex, uint32_t depth);
    /* How many parts of what it keeps are copied, at most, when nodes of the path become
     * common?  NULL: none. */
    uint64_t (*weight)(const void *self);
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
    /* Write into a work unit, or read from it, what running the path again does not compute;
     * both use the same calls (core/pack.h). hd_pack_nothing: there is no such state.  NULL:
     * not possible, so there are no checkpoints with this filter. */
    void (*pack)(void *self, struct hd_explorer *ex, struct hd_pack *p);
};

void hd_pack_nothing(void *self, struct hd_explorer *ex, struct hd_pack *p);

extern const struct hd_filter *const hd_filters[HD_N_FILTERS];

/* Note what the execution repeated when it was cut: most likely a loop that does not end. */
void hd_explorer_note_repeated(struct hd_explorer *ex);

#endif
