/* Tails of threads: the points from which on a thread does less than others do (core/site.h).
 * What may come after such a point is what its function does, what that calls, and what comes
 * after it has returned.
 *
 * In a tail that reads (HD_TAIL_READS) nothing writes an atomic variable that is shared, or
 * synchronises in another way than by joining threads.  What it writes otherwise (a result that
 * is looked at after the join) nobody reads meanwhile, or there is a race.  This says in which
 * order a search over graphs lets threads run (searches/graph_choose.c), nothing else: where it
 * is wrong, the search is slower.
 *
 * In a tail that joins (HD_TAIL_JOINS) nothing accesses memory that is shared, or that holds a
 * lock or the like, and nothing is called that is not here, but pthread_join without a result.
 * So what the thread does there follows from its own state: searches/graph_row.c relies on
 * that. */
#ifndef HD_ANALYSE_TAILS_H
#define HD_ANALYSE_TAILS_H

#include "analyse/facts.h"
#include "core/site.h"

struct hd_tails {
    uint8_t *of; /* by point: HD_TAIL_READS, HD_TAIL_JOINS */
};

void hd_tails_init(struct hd_tails *tails, const struct hd_facts *facts);
void hd_tails_release(struct hd_tails *tails);

#endif
