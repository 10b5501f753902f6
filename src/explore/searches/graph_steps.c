/* What the steps of the path are for events of the graph: the choice that a step makes, and how
 * it turns out. */
#include "explore/searches/graph_inner.h"

uint32_t hd_graph_newer(const struct hd_graph *g, uint32_t store)
{
    uint32_t n = 0;
    for (uint32_t w = hd_event(g, store)->mo_next; w; w = hd_event(g, w)->mo_next)
        n += hd_event_executed(g, w);
    return n;
}

uint32_t hd_graph_choice(const struct hd_explorer *ex, uint32_t id)
{
    const struct hd_graph *g = &mine(ex)->g;
    const struct hd_event *e = hd_event(g, id);
    if (e->kind == HD_EVENT_CHOICE)
        return e->choice;
    if (e->kind == HD_EVENT_LOAD && g->places[e->place].space == HD_SPACE_MEM)
        return hd_graph_newer(g, e->rf);
    if (e->kind == HD_EVENT_LOAD && e->part != HD_PART_FAILED)
        return e->choice;
    if (e->kind == HD_EVENT_LOAD) /* an attempt may fail because of a state that is past */
        return ex->world.outcome(ex->world.self, e->thread) == e->action.op;
    return e->kind == HD_EVENT_STORE ? hd_graph_newer(g, id) : 0;
}

void hd_graph_turn_out(const struct hd_explorer *ex, uint32_t id, struct hd_action *a)
{
    if (!hd_op_has_outcome((enum hd_op)a->op))
        return;
    const struct hd_event *e = hd_event(&mine(ex)->g, id);
    if (id && e->kind == HD_EVENT_LOAD)
        a->op = e->action.op == HD_OP_CAS ? (uint8_t)(HD_OP_CAS + (e->part == HD_PART_FAILED))
                                          : e->outcome;
}

bool hd_explorer_weak_stands(const struct hd_explorer *ex) { return mine(ex)->finished; }

/* Another read-modify-write that has stored directly after the store that this one reads: the
 * two cannot both have read it (atomicity).  NULL: there is none. */
static const struct hd_event *rival(const struct hd_graph *g, const struct hd_event *rmw)
{
    if (rmw->kind != HD_EVENT_LOAD || rmw->part != HD_PART_RMW)
        return NULL;
    uint32_t next = hd_event(g, rmw->rf)->mo_next;
    const struct hd_event *store = hd_event(g, next);
    if (!next || !store->index)
        return NULL;
    const struct hd_event *load = hd_event(g,
                                           g->by_thread[store->thread].events[store->index - 1]);
    bool same = load != rmw && load->kind == HD_EVENT_LOAD && load->part == HD_PART_RMW &&
                load->place == rmw->place && load->rf == rmw->rf;
    return same ? load : NULL;
}

/* How many steps of the path can be made before the thread's: those before its rival's. */
static uint32_t steps_before(const struct hd_explorer *ex, uint32_t thread,
                             const struct hd_event *e)
{
    const struct hd_graph_search *s = mine(ex);
    const struct hd_event *other = rival(&s->g, e);
    if (!other)
        return ex->path.depth;
    uint32_t until = other->run < s->n_run ? s->run[other->run].depth : 0;
    return hd_path_moves(&ex->path, thread, until) ? 0 : until; /* it comes to its step later */
}

bool hd_explorer_weak_breaks(const struct hd_explorer *ex, uint32_t thread, struct hd_action *a,
                             uint32_t *newer, uint32_t *until)
{
    const struct hd_graph *g = &mine(ex)->g;
    uint32_t id = thread < g->lanes ? hd_graph_newest(g, thread) : 0;
    if (!id || !hd_event_is_broken(hd_event(g, id)))
        return false;
    *a = ex->world.config->next[thread];
    *newer = 0;
    *until = ex->path.depth;
    if (!hd_event(g, id)->breaks)
        return true;
    *until = steps_before(ex, thread, hd_event(g, id));
    hd_graph_turn_out(ex, id, a);
    *newer = hd_op_table[a->op].space == HD_SPACE_MEM ? hd_graph_choice(ex, id) : 0;
    return true;
}
