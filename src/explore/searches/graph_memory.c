/* What memory holds when an event runs again (docs/design/019-graph.md). */
#include "explore/searches/graph_inner.h"

#include <string.h>

/* The initial value of the location, if none of its stores has run before the event; 0
 * otherwise. */
static uint32_t untouched(const struct hd_graph *g, uint32_t id, uint32_t newer)
{
    const struct hd_event *e = hd_event(g, id);
    if (newer || e->plain || !e->place || g->places[e->place].space != HD_SPACE_MEM)
        return 0;
    uint32_t first = g->places[e->place].first;
    uint32_t w = e->kind == HD_EVENT_LOAD ? e->rf : e->mo_prev;
    while (w != first && !hd_event_executed(g, w))
        w = hd_event(g, w)->mo_prev;
    return w == first ? first : 0;
}

/* The initial value of a location was read from memory when its first event was added.  After a
 * revisit the event may run earlier.  If it races with a plain store that is no event, memory
 * may then hold another value; a replay reads that. */
static void read_again(struct hd_explorer *ex, uint32_t id, uint32_t newer)
{
    struct hd_graph *g = &mine(ex)->g;
    uint32_t first = untouched(g, id, newer);
    const struct hd_event *e = hd_event(g, id);
    if (first)
        ex->world.peek(ex->world.self, e->thread, g->places[e->place].object,
                       g->places[e->place].size, hd_event(g, first)->value);
}

bool hd_graph_fits(struct hd_explorer *ex, uint32_t id, uint32_t newer)
{
    struct hd_graph *g = &mine(ex)->g;
    const struct hd_event *e = hd_event(g, id);
    uint64_t expected[2];
    read_again(ex, id, newer);
    if (e->action.op != HD_OP_CAS || e->kind != HD_EVENT_LOAD)
        return true;
    ex->world.expected(ex->world.self, e->thread, expected);
    bool succeeds = memcmp(hd_event(g, e->rf)->value, expected, sizeof expected) == 0;
    return succeeds == (e->part == HD_PART_RMW);
}
