/* Tails of threads: the points from which on a thread only reads.  Nothing that may come after
 * such a point, in its function, in what that calls, or after it returns, writes an atomic
 * variable that is shared, or synchronises in another way than by joining threads.  What it
 * writes otherwise (a result that is looked at after the join) nobody reads meanwhile, or there
 * is a race.
 *
 * This says in which order a search over graphs lets threads run (searches/graph_choose.c),
 * nothing else: where it is wrong, the search is slower. */
#ifndef HD_ANALYSE_TAILS_H
#define HD_ANALYSE_TAILS_H

#include "analyse/facts.h"

struct hd_tails {
    bool *of; /* by point: it is in a tail */
};

void hd_tails_init(struct hd_tails *tails, const struct hd_facts *facts);
void hd_tails_release(struct hd_tails *tails);

#endif
