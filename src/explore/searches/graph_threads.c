/* Threads as objects of the graph (docs/design/019-graph.md): their state, and their ends. */
#include "core/enabled.h"
#include "explore/searches/graph_inner.h"

uint64_t hd_graph_state(const struct hd_explorer *ex, const struct hd_action *a)
{
    if (hd_op_table[a->op].space != HD_SPACE_THREAD)
        return ex->world.sync_state(ex->world.self, hd_graph_object(ex, a));
    if (hd_tset_has(&ex->world.config->live, (uint32_t)a->object))
        return 0;
    bool joined = ex->world.is_joined(ex->world.self, (uint32_t)a->object);
    return HD_THREAD_HAS_ENDED | (joined ? HD_THREAD_WAS_JOINED : 0);
}

uint64_t hd_graph_more_state(const struct hd_explorer *ex, const struct hd_action *a)
{
    switch (a->op) {
    case HD_OP_SIGNAL_SEND:
    case HD_OP_SIGNAL_TAKE:
    case HD_OP_SIGNAL_CHANGE:
    case HD_OP_SIGNAL_LOOK:
    case HD_OP_SIGNAL_POINT:
        return ex->world.signals_of_process ? ex->world.signals_of_process(ex->world.self) : 0;
    default:
        return 0;
    }
}

uint64_t hd_graph_state_after(const struct hd_explorer *ex, const struct hd_action *a)
{
    uint64_t ended = a->op == HD_OP_EXIT ? HD_THREAD_HAS_ENDED : 0; /* the last one lives on */
    return hd_graph_state(ex, a) | ended;
}

void hd_graph_knows_ends(const struct hd_explorer *ex, uint32_t thread)
{
    struct hd_graph *g = &mine(ex)->g;
    uint32_t end = hd_graph_newest(g, thread);
    if (ex->world.config->live.w[0] != 1ull << thread)
        return;
    const hd_count *hb = hd_clock(g, end, HD_CLOCK_HB);
    mine(ex)->other_order = true;
    for (uint32_t t = 0; t < g->used; t++)
        for (uint32_t i = HD_CLOCK_PORF; i <= HD_CLOCK_HB && hb[t] < g->by_thread[t].n; i++)
            hd_clock_join(g, hd_clock(g, end, (enum hd_clock)i),
                          hd_clock(g, hd_graph_newest(g, t), (enum hd_clock)i));
}

/* The end of the last thread may revisit attempts to join it, so what it knows of the others is
 * an event of its own, which comes after it. */
bool hd_graph_begin_end(struct hd_explorer *ex, uint32_t thread)
{
    static const struct hd_action nothing = { .op = HD_OP_NONE };
    struct hd_graph_search *s = mine(ex);
    const struct hd_event *e = hd_event(&s->g, hd_graph_newest(&s->g, thread));
    if (e->action.op != HD_OP_EXIT || e->kind != HD_EVENT_STORE)
        return true;
    if (!hd_search_once(s, thread, &nothing, 0, 0))
        return false;
    struct hd_event *knows = hd_event(&s->g, hd_graph_newest(&s->g, thread));
    knows->attached = true;
    knows->run = 0;
    hd_graph_knows_ends(ex, thread);
    return true;
}
