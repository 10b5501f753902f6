/* Sampling: a random one of the alternatives that a new frame has forwards.  Nothing is
 * revisited: as the threads run in a random order, every graph can come about. */
#include "explore/graph/search.h"

static bool has_alternatives(const struct hd_graph_frame *f)
{
    return f->kind != HD_FRAME_ONCE && f->kind != HD_FRAME_PLAIN;
}

/* The frame has left the graph: as if it had tried nothing. */
static void begin_anew(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    f->at = f->tried = f->scan = 0;
    f->entered = f->passed = f->revisits = f->forward = false;
    hd_event(&s->g, f->event)->choice = 0;
}

bool hd_search_draw(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t tried)
{
    if (!has_alternatives(f))
        return tried == 0;
    uint32_t n = 1, store = f->part ? f->part : f->event;
    uint32_t stamp = hd_event(&s->g, store)->stamp, pos = hd_event(&s->g, store)->pos;
    while (hd_search_advance(s, f))
        n++;
    begin_anew(s, f);
    hd_event(&s->g, store)->stamp = stamp; /* a revisit makes it newer */
    hd_event(&s->g, store)->pos = pos;
    if (n <= tried)
        return false;
    s->weight *= n - tried;
    uint32_t chosen = tried + 1 + hd_rng_below(s->rng, n - tried);
    bool there = !s->g.full;
    while (there && f->tried < chosen)
        there = hd_search_advance(s, f);
    return there;
}
