/* Reads-from equivalence under sequential consistency (docs/design/027-reads-from.md).
 *
 * Two executions are the same if each load reads the same store, and the operations on each
 * synchronisation object are in the same order.  In this mode mo of a variable is no part of
 * the graph: it is that of a *witness*, an order of all events in which each load reads the
 * newest store.  A graph is consistent if there is a witness. */
#ifndef HD_EXPLORE_GRAPH_READS_FROM_H
#define HD_EXPLORE_GRAPH_READS_FROM_H

#include "explore/graph/graph.h"

#define HD_READS_FROM_HELD 4096u

/* Is the mo of the place that of a witness? */
static inline bool hd_reads_from_free(const struct hd_graph *g, uint32_t place)
{
    return g->reads_from && g->places[place].space == HD_SPACE_MEM;
}

/* The store of a variable that comes after `at` in the order in which loads try them: by
 * thread, the initial value last.  0: the first one. */
uint32_t hd_reads_from_next(const struct hd_graph *g, uint32_t place, uint32_t at);

/* The event is a load of a variable.  The newest store there, according to the first witness
 * of the events that were added before it or that `before` counts.  Which store that is follows
 * from these events alone, and not from the order in which they were added.  0: there is no
 * witness, which must not be. */
uint32_t hd_reads_from_newest(const struct hd_graph *g, uint32_t load, const hd_count *before);

/* In witnesses from now on the store is the last one of its variable; false: no room.  That
 * ends for all stores. */
bool hd_reads_from_hold(struct hd_graph *g, uint32_t store);
void hd_reads_from_let_go(struct hd_graph *g);

/* Is one store of the place the last one, whatever the witness: are all others before it in po
 * and rf? */
bool hd_reads_from_is_settled(const struct hd_graph *g, uint32_t place);

#endif
