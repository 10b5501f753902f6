/* Synchronisation objects in the graph (docs/design/019-graph.md): each operation is a
 * read-modify-write of the object's state, 64 bits (core/enabled.h). */
#ifndef HD_EXPLORE_GRAPH_OBJECTS_H
#define HD_EXPLORE_GRAPH_OBJECTS_H

#include "explore/graph/graph.h"

/* Why the graph search cannot take the operation; NULL: it can. */
const char *hd_object_refusal(const struct hd_action *a);

/* The operation's load part reads that state: outcome, part, order, blocked, gathers. */
void hd_object_turns_out(struct hd_event *e, uint64_t state);

/* In how many ways the operation can go on from the state that the store left: whom a signal
 * wakes, who becomes the serial thread of a barrier.  At least 1. */
uint32_t hd_object_choices(const struct hd_graph *g, uint32_t load, uint32_t store);

/* The store that has woken the thread from the wait that it entered last; 0: there is none. */
uint32_t hd_object_waker(const struct hd_graph *g, uint32_t thread);

/* The store part of an operation that has a second synchronisation object, if the thread has
 * done that operation and the second object's events are not in the graph; otherwise 0.  The
 * action on the second object. */
uint32_t hd_object_first_half(const struct hd_graph *g, uint32_t thread);
struct hd_action hd_object_second(const struct hd_action *a);

#endif
