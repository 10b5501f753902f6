/* Interchangeable threads in the graph (docs/design/028-graph-symmetry.md).
 *
 * Of the graphs that differ in the names of interchangeable threads alone, one is explored:
 * that in which none of the threads is greater than the next one.  They are compared by the
 * first event in which they differ: the one that reads the older store, or whose store stands
 * earlier in mo, is less.  That is the same as another edge of the order: as long as two
 * threads have done the same, the next event of the first is before that of the second. */
#include "explore/graph/graph.h"

/* Threads that have done the same are about to do the same, except to their own memory.  How
 * many choices they have then may depend on others. */
static bool same_label(const struct hd_action *a, const struct hd_action *b)
{
    return a->op == b->op && a->object == b->object && a->object2 == b->object2 &&
           a->size == b->size && a->order == b->order && a->site == b->site;
}

/* Have the two events, which are the first in which their threads may differ, the same
 * effect? */
static bool same_outcome(const struct hd_event *a, const struct hd_event *b)
{
    switch (a->kind) {
    case HD_EVENT_LOAD:
        return a->rf == b->rf && a->part == b->part && a->blocked == b->blocked;
    case HD_EVENT_CHOICE:
        return a->choice == b->choice;
    case HD_EVENT_FENCE:
        return true;
    case HD_EVENT_LOCAL:
        return a->rf == b->rf || a->action.op == HD_OP_START;
    default: /* two stores have different places in mo */
        return false;
    }
}

/* Has the thread done the same as the one before it in its class, as far as it has come? */
static bool does_the_same(const struct hd_graph *g, uint32_t thread)
{
    const struct hd_event *e = hd_event(g, hd_graph_newest(g, thread));
    if (!g->by_thread[thread].n || !g->like[thread])
        return false;
    if (e->index == 0)
        return e->action.op == HD_OP_START && g->by_thread[g->like[thread] - 1].n > 0;
    return e->alike && same_outcome(hd_event(g, e->alike), e);
}

uint32_t hd_graph_alike(const struct hd_graph *g, uint32_t thread, const struct hd_action *action)
{
    uint32_t index = g->by_thread[thread].n;
    if (!does_the_same(g, thread))
        return 0;
    const struct hd_graph_thread *first = &g->by_thread[g->like[thread] - 1];
    if (index >= first->n)
        return 0;
    uint32_t id = first->events[index];
    return same_label(&hd_event(g, id)->action, action) ? id : 0;
}

bool hd_graph_overtakes(const struct hd_graph *g, uint32_t thread)
{
    return does_the_same(g, thread) &&
           g->by_thread[g->like[thread] - 1].n <= g->by_thread[thread].n;
}

uint32_t hd_graph_after_alike(const struct hd_graph *g, const struct hd_event *e)
{
    const struct hd_event *a = hd_event(g, e->alike);
    const struct hd_graph_thread *t = &g->by_thread[a->thread];
    bool stores = a->kind == HD_EVENT_LOAD && a->part == HD_PART_RMW && !a->blocked &&
                  a->index + 1 < t->n;
    return stores ? t->events[a->index + 1] : e->alike;
}

uint32_t hd_graph_alike_choices(const struct hd_graph *g, uint32_t event, uint32_t n)
{
    uint32_t alike = event ? hd_event(g, event)->alike : 0;
    return alike ? hd_event(g, alike)->choice + 1 : n;
}
