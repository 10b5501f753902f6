/* Work units of the search over graphs (docs/design/018-unit.md).
 *
 * What is left of the search is its stack of frames.  A frame is known by the numbers of its
 * alternative: the search adds events in a fixed order and tries alternatives in a fixed order,
 * so the same numbers lead to the same graph in another process.  A unit is this list of
 * numbers; no event, clock or address is in it.  Whoever reads it lets the program run from the
 * root and takes, for each frame that it makes, the alternative of the unit at once. */
#include "core/pack_parts.h"
#include "explore/graph/search.h"

static bool is_operation(const struct hd_graph_frame *f)
{
    return f->kind == HD_FRAME_RMW || f->kind == HD_FRAME_PART;
}

/* Leave out the other graphs in which the operation reads the same store and makes the same
 * choice, as after a step that breaks the program.  Whether that step did is not known here. */
static void skip_rest(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    struct hd_event *e = hd_event(&s->g, f->event);
    if (!is_operation(f) || e->part != HD_PART_RMW || e->blocked)
        return;
    hd_search_drop_part(s, f);
    e->breaks = e->blocked = true;
}

/* Apply that alternative, or the first one after it. */
static bool go_to(struct hd_graph_search *s, struct hd_graph_frame *f,
                  const struct hd_alternative *to)
{
    while (hd_alternative_is_before(&f->now, to)) {
        if (f->now.source < to->source || f->now.way < to->way)
            skip_rest(s, f);
        if (!hd_search_advance(s, f))
            return false;
    }
    return true;
}

/* A probe follows the script up to one frame, and draws from there on. */
static bool probe(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    uint32_t at = s->n_frames - 1;
    if (at < s->probed)
        return go_to(s, f, &s->script[at].alternative);
    static const struct hd_alternative none;
    bool leaves = at == s->probed && at < s->n_script;
    return hd_search_draw(s, f, leaves ? &s->script[at].alternative : &none);
}

/* Is it another store of a step that is going to break the program?  Such frames are dropped
 * then (broken.c), and the unit does not have them. */
static bool is_dropped(const struct hd_graph_search *s, const struct hd_graph_frame *f)
{
    return f->kind == HD_FRAME_PLAIN && hd_event(&s->g, f->event)->attached && s->scripted &&
           s->script[s->scripted - 1].broke;
}

bool hd_search_chosen(struct hd_graph_search *s, struct hd_graph_frame *f)
{
    static const struct hd_alternative none;
    if (s->rng)
        return s->sample ? hd_search_draw(s, f, &none) : probe(s, f);
    if (is_dropped(s, f))
        return true;
    const struct hd_script_entry *entry = &s->script[s->scripted];
    bool fits = s->scripted == s->n_frames - 1;
    s->scripted++;
    bool may_end = !hd_search_follows_script(s) && s->script_may_end;
    if (fits && !go_to(s, f, &entry->alternative)) {
        s->misfit = !may_end;
        return false;
    }
    f->closed = entry->closed;
    s->misfit = !fits || (!may_end && hd_alternative_is_before(&entry->alternative, &f->now));
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

static bool part_may_revisit(const struct hd_graph_search *s, const struct hd_graph_frame *f)
{
    if (f->broke) /* such a step has no store part */
        return false;
    return f->revisits ? has_targets(f) : may_revisit(&s->g, f->part);
}

bool hd_search_may_have_more(const struct hd_graph_search *s, const struct hd_graph_frame *f)
{
    if (f->closed)
        return false;
    /* The event itself may be that of a revisit, which has nothing to do with the frame. */
    if ((is_operation(f) ? f->now.way + 1 : f->now.tried) < f->choices)
        return true;
    const struct hd_action *a = &hd_event(&s->g, f->event)->action;
    switch (f->kind) {
    case HD_FRAME_LOAD:
        return f->at != f->oldest;
    case HD_FRAME_STORE:
        return f->revisits ? has_targets(f) : f->at != f->oldest || may_revisit(&s->g, f->event);
    case HD_FRAME_RMW:
        return f->at != f->oldest || (a->op == HD_OP_SIGNAL_POINT && !f->passed) ||
               part_may_revisit(s, f);
    case HD_FRAME_PART:
        return part_may_revisit(s, f);
    default:
        return false;
    }
}

uint32_t hd_search_to_give(const struct hd_graph_search *s)
{
    /* After a step that broke the program, it is not settled which alternatives are left. */
    if (hd_search_follows_script(s) || s->breaks_follow || s->broke)
        return ~0u;
    for (uint32_t i = 0; i < s->n_frames; i++)
        if (hd_search_may_have_more(s, &s->frames[i]))
            return i;
    return ~0u;
}

/* The alternative after the one that is applied, or one between the two that is not there. */
static struct hd_alternative next_of(const struct hd_graph_frame *f)
{
    struct hd_alternative next = f->now;
    if (is_operation(f) && f->broke)
        return (struct hd_alternative){ next.source, next.way + 1, 1 };
    next.tried++;
    return next;
}

/* The frames as they are, and what is still to be followed of a unit. */
static void write_script(struct hd_graph_search *s)
{
    uint32_t n = hd_search_probes(s) ? 0 : s->giving ? s->giving : s->n_frames;
    for (uint32_t i = 0; i < n; i++)
        s->script[i] = (struct hd_script_entry){ s->frames[i].now,
                                                 s->frames[i].closed || s->giving,
                                                 s->frames[i].broke };
    if (s->giving) /* and those after it */
        s->script[n - 1] = (struct hd_script_entry){ next_of(&s->frames[n - 1]), false, false };
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
    s->script_may_end = false;
    s->breaks_follow = 0;
    hd_search_clear(s);
}

void hd_search_pack(struct hd_graph_search *s, struct hd_pack *p)
{
    uint32_t n_script = s->n_script, scripted = s->scripted, follow = s->breaks_follow;
    bool ends = s->script_may_end;
    if (!p->reading) {
        if (!hd_search_follows_script(s))
            follow = s->giving ? 0 : follow + hd_search_count_breaks(s);
        ends = hd_search_follows_script(s) ? ends : s->giving != 0;
        write_script(s);
    }
    hd_pack_bool(p, &ends);
    hd_pack_u32(p, &follow, HD_MAX_THREADS);
    hd_pack_count(p, &s->n_script, HD_GRAPH_FRAMES);
    for (uint32_t i = 0; i < s->n_script && !p->bad; i++) {
        struct hd_alternative *a = &s->script[i].alternative;
        hd_pack_u32(p, &a->source, UINT32_MAX);
        hd_pack_u32(p, &a->way, UINT32_MAX);
        hd_pack_u32(p, &a->tried, UINT32_MAX);
        hd_pack_bool(p, &s->script[i].closed);
        hd_pack_bool(p, &s->script[i].broke);
        hd_pack_want(p, a->tried != 0);
    }
    if (!p->reading) {
        s->n_script = n_script;
        s->scripted = scripted;
        return;
    }
    hd_pack_want(p, s->n_frames == 0);
    s->script_may_end = ends;
    s->breaks_follow = follow;
    s->scripted = 0;
    hd_search_clear(s);
}
