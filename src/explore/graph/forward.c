/* The alternatives of loads and stores, forwards: which store a load reads, and where in mo a
 * store stands.
 *
 * An event that goes on to another alternative stays where it is in its thread and in `order`:
 * it is the newest of both. */
#include "explore/graph/reads_from.h"
#include "explore/graph/search.h"

uint32_t hd_search_next_source(const struct hd_graph_search *s, struct hd_graph_frame *f)
{
    const struct hd_graph *g = &s->g;
    uint32_t place = hd_event(g, f->event)->place;
    if (!hd_reads_from_free(g, place))
        return f->at ? hd_event(g, f->at)->mo_prev : g->places[place].last;
    if (s->closing)
        return f->oldest = g->places[place].last;
    return hd_reads_from_next(g, place, f->at);
}

bool hd_search_next_load(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_graph *g = &s->g;
    struct hd_event *e = hd_event(g, f->event);
    bool inside = f->at != 0;
    if (inside) {
        hd_search_touch(s, e);
        hd_graph_unread(g, f->event);
    }
    while (f->at != f->oldest) {
        if (__builtin_expect(g->reads_from != NULL, 0)) {
            if (inside)
                hd_graph_pop(g, f->event);
            inside = false;
            f->at = hd_search_next_source(s, f);
        } else {
            f->at = inside ? hd_event(g, f->at)->mo_prev : g->places[e->place].last;
        }
        hd_graph_read_anew(g, f->event, f->at);
        if (!inside)
            hd_graph_push(g, f->event);
        inside = true;
        e->run = ~0u;
        hd_search_mend(e);
        if (hd_graph_consistent(g, f->event))
            return true;
        hd_graph_unread(g, f->event);
    }
    if (inside)
        hd_graph_pop(g, f->event);
    return false;
}

bool hd_search_next_store(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_graph *g = &s->g;
    struct hd_event *e = hd_event(g, f->event);
    if (f->revisits)
        return hd_revisit_next(s, f, f->event);
    bool inside = f->forward;
    if (inside) {
        hd_search_touch(s, e);
        hd_graph_unlink(g, f->event);
    }
    if (!f->at && hd_reads_from_free(g, e->place)) /* it stands anywhere */
        f->oldest = g->places[e->place].last;
    while (f->at != f->oldest) {
        f->at = f->at ? hd_event(g, f->at)->mo_prev : g->places[e->place].last;
        if (hd_graph_closed(g, f->at))
            continue;
        e->reader = 0;
        e->run = ~0u;
        hd_graph_link(g, f->event, f->at);
        if (!inside)
            hd_graph_push(g, f->event);
        inside = f->forward = true;
        if (hd_graph_consistent(g, f->event))
            return true;
        hd_graph_unlink(g, f->event);
    }
    if (inside)
        hd_graph_pop(g, f->event);
    f->forward = false;
    hd_revisit_begin(s, f, f->event);
    return hd_revisit_next(s, f, f->event);
}
