/* A search decides in which order the alternatives of a node are taken, and to which node of
 * the path to go back when an execution is over.  It is one file in searches/, one table and
 * one row in core/searches.def. */
#ifndef HD_EXPLORE_LOOP_SEARCH_H
#define HD_EXPLORE_LOOP_SEARCH_H

#include "explore/loop/explorer.h"

struct hd_pack;

#define HD_UNIT_MISFIT "the work unit does not fit this search, or is damaged"

struct hd_search_ops {
    bool keeps_order; /* it keeps the filters' order, so steps need no decision */
    /* What it keeps (ex->search_state), in the explorer's arena.  May be NULL: nothing. */
    void *(*create)(struct hd_explorer *ex);
    /* Order the admitted alternatives of a new node; the first is taken.  May be NULL. */
    void (*order)(struct hd_explorer *ex, uint32_t *alts, uint32_t n);
    /* At a new node, after the filters: is the execution to go on from here? May be NULL:
     * yes. */
    bool (*visit)(struct hd_explorer *ex, const uint32_t *alts, uint32_t n);
    /* The same and more, instead of `order`: move the alternatives that are explored to the
     * front, in the order in which they are, and return their number; 0: the execution ends
     * here.  May be NULL. */
    uint32_t (*select)(struct hd_explorer *ex, uint32_t *alts, uint32_t n);
    /* hd_explorer.prefer.  May be NULL. */
    uint32_t (*prefer)(struct hd_explorer *ex, const uint32_t *alts, uint32_t n);
    /* The state is again the one before step `depth`.  May be NULL. */
    void (*back)(struct hd_explorer *ex, uint32_t depth);
    /* After an execution: the depth of the node whose next alternative is to be taken (its
     * `taken` already advanced), or -1 when there is none. */
    int64_t (*resume)(struct hd_explorer *ex);
    /* The execution is complete and counts: is there an objection to it?  The finding is filled
     * in.  May be NULL: there is none. */
    bool (*objects)(struct hd_explorer *ex, struct hd_finding *objection);
    /* For a search that decides alone, without nodes and filters: the next decision; and
     * whether the running thread may run its next action at once.  NULL: other searches. */
    struct hd_decision (*decide)(struct hd_explorer *ex);
    bool (*go_on)(struct hd_explorer *ex, uint32_t thread);
    /* The same: hd_explorer_exits, hd_explorer_row and hd_explorer_row_over.  May be NULL. */
    bool (*exits)(struct hd_explorer *ex, uint32_t thread);
    struct hd_node *(*row)(struct hd_explorer *ex, uint32_t thread);
    void (*row_over)(struct hd_explorer *ex);
    /* The same: an execution has ended, with the finding or, NULL, without. */
    void (*ended)(struct hd_explorer *ex, const struct hd_finding *finding);
    /* The same: may `resume` follow at once if that was without a finding?  Then the execution
     * counts, and `ended` is left out.  May be NULL: no. */
    bool (*ends_quietly)(struct hd_explorer *ex);
    /* The same: does the execution not count?  It is a probe, or the violation that ends it has
     * been counted before, by the one who wrote the work unit that is being followed. */
    bool (*is_known)(struct hd_explorer *ex, bool violation);
    /* The same, instead of the path: what is left of the search, or of what is being given
     * to another worker, as bytes.  `give`: choose that; false: there is nothing.  `gave`: it
     * is no longer ours, if it was taken. */
    void (*pack_part)(struct hd_explorer *ex, struct hd_pack *p);
    bool (*give)(struct hd_explorer *ex);
    void (*gave)(struct hd_explorer *ex, bool taken);
    /* Write what it keeps into a work unit, or read it (filter.h).  May be NULL if it keeps
     * nothing. */
    void (*pack)(struct hd_explorer *ex, struct hd_pack *p);
    /* NULL, or the invariant of what it keeps that does not hold.  Asked with --paranoid.
     * May be NULL. */
    const char *(*check)(const struct hd_explorer *ex);
};

extern const struct hd_search_ops *const hd_searches[HD_N_SEARCHES]; /* by enum hd_search */
extern const struct hd_search_ops hd_search_shuffled; /* dfs with options.shuffled */
extern const struct hd_search_ops
    hd_search_reversed; /* dfs of some workers (hd_split_reverses) */
extern const struct hd_search_ops hd_search_plugin, hd_search_plugin_samples;
extern const struct hd_search_ops hd_search_graph_sampled; /* random, pct under a weak model */

/* dfs.c: `prefer` of the first execution with options.first_random. */
#define HD_DRAWN_SEED (1ull << 33)
uint32_t hd_search_drawn(struct hd_explorer *ex, const uint32_t *alts, uint32_t n);

/* dfs.c: `resume` of a depth-first search. */
int64_t hd_search_deepest_open(struct hd_explorer *ex);

/* Are the alternatives of a node branches of a wakeup tree?  Their order is part of it: what
 * comes first covers what comes later, so no search may change it.  What is free is the thread
 * that a node without a tree begins with (hd_explorer.prefer). */
static inline bool hd_search_keeps_trees(const struct hd_explorer *ex)
{
    return ex->opt->filters & (HD_FILTER_OPTIMAL | HD_FILTER_OBSERVERS);
}

/* dfs.c: move the alternatives of each thread to its first one.  A thread sleeps when it has
 * been explored, with all its choices, so nothing of another thread may come between them. */
void hd_search_together(uint32_t *alts, uint32_t n);

/* For a search that samples: take alternative `i` only, and begin every execution at the
 * root. */
static inline void hd_search_take(uint32_t *alts, uint32_t i)
{
    uint32_t kept = alts[0];
    alts[0] = alts[i];
    alts[i] = kept;
}

static inline int64_t hd_search_root_again(struct hd_explorer *ex)
{
    if (ex->path.n_nodes == 0) /* there is nothing to sample */
        return -1;
    ex->path.n_nodes = 0;
    ex->marks.target = 0;
    return 0;
}

#endif
