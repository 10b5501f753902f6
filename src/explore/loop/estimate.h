/* How much of the tree is explored?  Weighted backtracking (Kilby, Slaney, Thiébaux & Walsh,
 * AAAI 2006; after Knuth, Mathematics of Computation 29, 1975): a node shares its weight
 * equally among its branches, and what a depth-first search has left behind is explored.  The
 * number of executions so far divided by this share estimates the number of all; for a tree
 * whose branches are known, and explored in random order, without bias.
 *
 * Deviation: a reduction opens branches while it explores, so that the share of what is
 * explored is known only from the branches opened so far.  At every depth the mean number of
 * branches that nodes had in the end is kept, and a node that is still open is taken to come
 * to at least that.  Near the root, where no node has been left behind yet, the branches to
 * come are not foreseen: early estimates are too low (docs/progress.md has figures).
 *
 * No share can be given of an infinite tree: neither where an execution was cut at the depth
 * bound, nor while executions become longer and longer, as in a loop that other threads keep
 * going. */
#ifndef HD_EXPLORE_LOOP_ESTIMATE_H
#define HD_EXPLORE_LOOP_ESTIMATE_H

#include "explore/loop/path.h"

#define HD_ESTIMATE_DEPTH 512 /* nodes below share too little weight to matter */

struct hd_estimate {
    uint64_t deepest, looks, deeper; /* how many of the looks found a longer execution */
    struct {
        double branches; /* of all nodes left behind at this depth, together */
        double nodes;
    } at[HD_ESTIMATE_DEPTH];
};

/* The nodes from `depth` on are left behind. */
void hd_estimate_left(struct hd_estimate *estimate, const struct hd_path *path, uint32_t depth);

/* Does the tree seem to be finite?  `max_depth` is the length of the longest execution so
 * far. */
bool hd_estimate_ends(struct hd_estimate *estimate, uint64_t max_depth);

/* The explored share, 0 to 1; the taken branch of the last node is not explored yet. */
double hd_estimate_explored(const struct hd_estimate *estimate, const struct hd_path *path);

#endif
