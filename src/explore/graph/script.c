/* Work units of the search over graphs (docs/design/018-unit.md).
 *
 * What is left of the search is its stack of frames.  A frame is known by the number of its
 * alternative: the search adds events in a fixed order and tries alternatives in a fixed order,
 * so the same numbers lead to the same graph in another process.  A unit is this list of
 * numbers; no event, clock or address is in it.  Whoever reads it lets the program run from the
 * root and takes, for each frame that it makes, the alternative of the unit at once. */
#include "core/pack_parts.h"
#include "explore/graph/search.h"

/* Apply the alternative with that number. */
static bool go_to(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t tried)
{
    while (f->tried < tried)
        if (!hd_search_advance(s, f))
            return false;
    return true;
}

/* A probe follows the script up to one frame, and draws from there on. */
static bool probe(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    uint32_t at = s->n_frames - 1;
    if (at < s->probed)
        return go_to(s, f, s->script[at].tried);
    bool leaves = at == s->probed && at < s->n_script;
    return hd_search_draw(s, f, leaves ? s->script[at].tried : 0);
}

bool hd_search_chosen(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    if (s->rng)
        return s->sample ? hd_search_draw(s, f, 0) : probe(s, f);
    const struct hd_script_entry *entry = &s->script[s->scripted];
    bool fits = s->scripted == s->n_frames - 1;
    s->scripted++;
    if (fits && !go_to(s, f, entry->tried)) {
        s->misfit = hd_search_follows_script(s) || !s->script_may_end;
        return false;
    }
    f->closed = entry->closed;
    s->misfit = !fits;
    return true;
}

/* Is there an earlier load of the location that the store might revisit, as far as the graph
 * shows it now? */
static bool may_revisit(const struct hd_graph *g, uint32_t store)
{
    const struct hd_event *w = hd_event(g, store);
    for (uint32_t i = 0; i < g->n_order; i++) {
        const struct hd_event *r = hd_event(g, g->order[i]);
        if (r->stamp < w->stamp && r->kind == HD_EVENT_LOAD && r->place == w->place &&
            !hd_clock_has(g, hd_clock(g, store, HD_CLOCK_PORF), g->order[i]))
            return true;
    }
    return false;
}

static bool has_targets(const struct hd_graph_frame *f) { return f->least != UINT32_MAX; }

bool hd_search_may_have_more(const struct hd_graph_search *s, const struct hd_graph_frame *f)
{
    if (f->closed)
        return false;
    if (hd_event(&s->g, f->event)->choice + 1 < f->choices)
        return true;
    switch (f->kind) {
    case HD_FRAME_LOAD:
        return f->at != f->oldest;
    case HD_FRAME_STORE:
        return f->revisits ? has_targets(f) : f->at != f->oldest || may_revisit(&s->g, f->event);
    case HD_FRAME_RMW:
        return f->at != f->oldest || (!f->revisits && may_revisit(&s->g, f->part)) ||
               (hd_event(&s->g, f->event)->action.op == HD_OP_SIGNAL_POINT && !f->passed) ||
               (f->revisits && has_targets(f));
    case HD_FRAME_PART:
        return f->revisits ? has_targets(f) : may_revisit(&s->g, f->part);
    default:
        return false;
    }
}

uint32_t hd_search_to_give(const struct hd_graph_search *s)
{
    /* After a step that broke the program, it is not settled which alternatives are left. */
    if (hd_search_follows_script(s) || s->break_follows || s->broke)
        return ~0u;
    for (uint32_t i = 0; i < s->n_frames; i++)
        if (hd_search_may_have_more(s, &s->frames[i]))
            return i;
    return ~0u;
}

/* The frames as they are, and what is still to be followed of a unit. */
static void write_script(struct hd_graph_search *s)
{
    uint32_t n = hd_search_probes(s) ? 0 : s->giving ? s->giving : s->n_frames;
    for (uint32_t i = 0; i < n; i++)
        s->script[i] = (struct hd_script_entry){ s->frames[i].tried,
                                                 s->frames[i].closed || s->giving };
    if (s->giving) /* the next alternative, and those after it */
        s->script[n - 1] = (struct hd_script_entry){ s->frames[n - 1].tried + 1, false };
    if (!hd_search_follows_script(s) || s->giving)
        s->scripted = s->n_script = n;
}

void hd_search_clear(struct hd_graph_search *s)
{
    while (s->n_frames) {
        struct hd_graph_frame *f = &s->frames[--s->n_frames];
        hd_search_unwind(s, f);
        s->g.n_events = f->pool;
    }
    s->now = s->n_run = s->dirty = s->n_want = s->wanted = s->joining = s->at_once = 0;
    s->g.era = s->g.stamp = s->g.pos = 0;
    s->broke = s->finished = false;
}

void hd_search_suspend(struct hd_graph_search *s)
{
    write_script(s);
    s->scripted = 0;
    s->script_may_end = s->break_follows = false;
    hd_search_clear(s);
}

void hd_search_pack(struct hd_graph_search *s, struct hd_pack *p)
{
    uint32_t n_script = s->n_script, scripted = s->scripted;
    bool ends = s->script_may_end, follows = s->break_follows;
    if (!p->reading) {
        follows = hd_search_follows_script(s) ? follows : s->after_break && !s->giving;
        ends = hd_search_follows_script(s) ? ends : s->giving != 0;
        write_script(s);
    }
    hd_pack_bool(p, &ends);
    hd_pack_bool(p, &follows);
    hd_pack_count(p, &s->n_script, HD_GRAPH_FRAMES);
    for (uint32_t i = 0; i < s->n_script && !p->bad; i++) {
        hd_pack_u32(p, &s->script[i].tried, UINT32_MAX);
        hd_pack_bool(p, &s->script[i].closed);
        hd_pack_want(p, s->script[i].tried != 0);
    }
    if (!p->reading) {
        s->n_script = n_script;
        s->scripted = scripted;
        return;
    }
    hd_pack_want(p, s->n_frames == 0);
    s->script_may_end = ends;
    s->break_follows = follows;
    s->scripted = 0;
    s->after_break = false;
    hd_search_clear(s);
}
