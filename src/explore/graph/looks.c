/* Signals that run handlers in other threads (docs/design/019-graph.md): a thread looks for
 * signals before each of its operations. */
#include "explore/graph/objects.h"
#include "explore/graph/search.h"

/* Signals of the process are there for every thread that does not block them. */
bool hd_look_finds(const struct hd_event *look, const struct hd_event *store)
{
    return store->value[0] >> look->thread & 1 || store->value[1] & ~look->expected[0];
}

uint32_t hd_look_base(const struct hd_graph *g, uint32_t look)
{
    const struct hd_event *e = hd_event(g, look);
    for (uint32_t i = e->index; i > 0; i--) {
        uint32_t id = g->by_thread[e->thread].events[i - 1];
        const struct hd_event *before = hd_event(g, id);
        if (before->place != e->place || before->kind > HD_EVENT_STORE)
            continue;
        return before->kind == HD_EVENT_STORE ? id : before->rf;
    }
    return g->places[e->place].first;
}

/* The look reads that store, if that is consistent. */
static bool reads(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t store, bool finds)
{
    struct hd_graph *g = &s->g;
    struct hd_event *e = hd_event(g, f->event);
    hd_search_mend(e);
    e->blocked = false;
    hd_object_turns_out(e, finds);
    if (finds && store != g->places[e->place].last && hd_revisit_is_hopeless(s, f->event, store))
        return false;
    hd_graph_clock_begin(g, f->event);
    hd_graph_read(g, f->event, store);
    hd_graph_push(g, f->event);
    e->run = ~0u;
    f->choices = 1;
    if (!finds || hd_graph_consistent(g, f->event))
        return f->entered = true;
    hd_graph_pop(g, f->event);
    hd_graph_unread(g, f->event);
    return false;
}

bool hd_look_enter(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    const struct hd_graph *g = &s->g;
    const struct hd_event *e = hd_event(g, f->event);
    while (f->at != f->oldest) {
        f->at = f->at ? hd_event(g, f->at)->mo_prev : g->places[e->place].last;
        if (hd_look_finds(e, hd_event(g, f->at)) && reads(s, f, f->at, true))
            return true;
    }
    if (f->passed)
        return false;
    f->passed = true;
    return reads(s, f, hd_look_base(g, f->event), false);
}
