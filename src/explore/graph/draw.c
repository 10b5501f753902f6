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
    f->at = f->scan = 0;
    f->now = (struct hd_alternative){ 0 };
    f->entered = f->passed = f->revisits = f->forward = false;
    hd_event(&s->g, f->event)->choice = 0;
}

bool hd_search_draw(struct hd_graph_search *s, struct hd_graph_frame *f,
                    const struct hd_alternative *after)
{
    if (!has_alternatives(f)) {
        if (after->tried != 0) /* a data race has led to another event than before */
            hd_search_unwind(s, f);
        return after->tried == 0;
    }
    uint32_t n = hd_alternative_is_before(after, &f->now), store = f->part ? f->part : f->event;
    uint32_t stamp = hd_event(&s->g, store)->stamp, pos = hd_event(&s->g, store)->pos;
    while (hd_search_advance(s, f))
        n += hd_alternative_is_before(after, &f->now);
    begin_anew(s, f);
    hd_event(&s->g, store)->stamp = stamp; /* a revisit makes it newer */
    hd_event(&s->g, store)->pos = pos;
    if (!n)
        return false;
    s->weight *= n;
    uint32_t left = 1 + (uint32_t)hd_rng_below(s->rng, n);
    bool there = !s->g.full;
    while (there && left) {
        there = hd_search_advance(s, f);
        left -= there && hd_alternative_is_before(after, &f->now);
    }
    return there;
}
