/* A filter: one reduction or bound (SCALE 4.2).  One file in filters/, one table, one line in
 * filters.def.  `stage` fixes the order in a chain, whatever the user's order. */
#ifndef HD_EXPLORE_FILTER_H
#define HD_EXPLORE_FILTER_H

#include "explore/explorer.h"

enum hd_filter_trait {
    HD_TRAIT_BOUND = 1,   /* may drop behaviours; a counter says when it has */
    HD_TRAIT_SLEEPS = 4, /* an execution it cuts is *blocked*: equivalent to an explored one */
    HD_TRAIT_UNSOUND = 2, /* may drop behaviours without noticing: never `verified` */
};

struct hd_filter {
    const char *name;
    const char *summary;
    uint32_t bit;   /* enum hd_filter_bit */
    uint32_t stage; /* lower runs first */
    uint32_t traits;
    /* State lives in the explorer's arena; there is no destroy, the arena goes as a whole. */
    void *(*create)(struct hd_explorer *ex);
    /* At a new node (depth = ex->path.depth): keep the first `n_kept` of the alternatives
     * alts[0 .. n), after moving those to keep in front, the order among them unchanged; the rest
     * stay behind them.  Returns n_kept.  NULL: drops nothing. */
    uint32_t (*admit)(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n);
    /* The taken alternative of node `depth` is about to run (for the first time or again);
     * node.action is set.  May be NULL. */
    void (*ran)(void *self, struct hd_explorer *ex, uint32_t depth);
    /* The current execution is complete; `finding` is the violation that ended it, or NULL.  May be
     * NULL. */
    void (*ended)(void *self, struct hd_explorer *ex, const struct hd_finding *finding);
    /* The state is again the one before step `depth`.  May be NULL. */
    void (*back)(void *self, struct hd_explorer *ex, uint32_t depth);
};

extern const struct hd_filter *const hd_filters[];
extern const uint32_t hd_n_filters;

#endif
