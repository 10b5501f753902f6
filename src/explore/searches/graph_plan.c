/* What has to be executed after the graph has changed, and from where
 * (docs/design/019-graph.md). */
#include "explore/graph/reads_from.h"
#include "explore/searches/graph_inner.h"

static bool by_pos(const struct hd_graph *g, uint32_t a, uint32_t b)
{
    return hd_event(g, a)->pos < hd_event(g, b)->pos;
}

/* Has the event of the newest frame another alternative, forwards, and is it the first that
 * is no longer right?  Then it is the only one to be executed.  All other events of the graph
 * were there before it.  They have been executed, and before it, unless a revisit has changed
 * that. */
static bool replaces_newest(const struct hd_graph_search *s)
{
    if (s->dirty >= s->n_run || s->dirty < s->mixed || !s->n_frames || s->missing ||
        s->wanted < s->n_want)
        return false;
    const struct hd_graph_frame *f = &s->frames[s->n_frames - 1];
    return (f->kind == HD_FRAME_LOAD || f->kind == HD_FRAME_STORE) && !f->revisits &&
           s->run[s->dirty].event == f->event && !hd_event(&s->g, f->event)->blocked;
}

static bool has_step(const struct hd_event *e) { return !e->attached && !e->blocked; }

/* Has it been executed, and is that what the graph wants? */
static bool is_right(const struct hd_graph_search *s, const struct hd_event *e)
{
    return has_step(e) && e->run < s->dirty;
}

/* List the events that the graph has and the world has not executed, by `pos`.  Those of a
 * thread are in this order; the list is merged with them from its end. */
static void collect(struct hd_graph_search *s)
{
    struct hd_graph *g = &s->g;
    for (uint32_t t = 0; t < g->used; t++) {
        const uint32_t *events = g->by_thread[t].events;
        uint32_t first = g->by_thread[t].n, more = 0;
        if (!first || is_right(s, hd_event(g, events[first - 1]))) /* most threads */
            continue;
        for (; first > 0; first--) {
            struct hd_event *e = hd_event(g, events[first - 1]);
            if (is_right(s, e))
                break;
            e->run = has_step(e) ? ~0u : e->run;
            more += has_step(e);
        }
        uint32_t left = s->n_want, to = s->n_want += more;
        for (uint32_t i = g->by_thread[t].n; i-- > first;) {
            if (!has_step(hd_event(g, events[i])))
                continue;
            while (left && by_pos(g, events[i], s->want[left - 1]))
                s->want[--to] = s->want[--left];
            s->want[--to] = events[i];
        }
    }
}

/* How many stores that ran before entry `i` of the list of executed events are newer in mo than
 * what its event reads or makes? */
static uint32_t newer_then(const struct hd_graph_search *s, uint32_t i)
{
    const struct hd_graph *g = &s->g;
    const struct hd_event *e = hd_event(g, s->run[i].event);
    uint32_t from = e->kind == HD_EVENT_LOAD ? e->rf : s->run[i].event, n = 0;
    for (uint32_t w = hd_event(g, from)->mo_next; w; w = hd_event(g, w)->mo_next) {
        const struct hd_event *head = hd_event(g, w);
        while (head->attached)
            head = hd_event(g, g->by_thread[head->thread].events[head->index - 1]);
        n += head->run < i;
    }
    return n;
}

void hd_graph_compare_witness(struct hd_graph_search *s)
{
    const struct hd_graph *g = &s->g;
    for (uint32_t i = 0; g->reads_from && i < s->dirty && i < s->n_run; i++) {
        const struct hd_event *e = hd_event(g, s->run[i].event);
        if (e->kind <= HD_EVENT_STORE && !e->plain && hd_reads_from_free(g, e->place) &&
            newer_then(s, i) != s->run[i].choice)
            s->dirty = i;
    }
}

static __attribute__((noinline)) uint32_t plan_any(struct hd_graph_search *s, uint32_t depth)
{
    struct hd_graph *g = &s->g;
    collect(s);
    if (s->dirty < s->n_run)
        g->era = s->run[s->dirty].era;
    s->n_run = s->dirty;
    s->mixed = s->mixed < s->n_run ? s->mixed : s->n_run;
    if (s->n_want && s->n_run && by_pos(g, s->want[0], s->run[s->n_run - 1].event))
        s->mixed = s->n_run + s->n_want - 1;
    return depth;
}

uint32_t hd_graph_plan(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    struct hd_graph *g = &s->g;
    if (g->reads_from)
        hd_graph_compare_witness(s);
    uint32_t here = s->joining ? s->joining - 1 : ex->path.depth;
    uint32_t depth = s->dirty < s->n_run ? s->run[s->dirty].depth : here;
    bool one = replaces_newest(s);
    s->n_want = s->wanted = s->joining = 0;
    s->at_once = one ? depth + 1 : 0;
    s->missing = false;
    if (one) {
        s->want[s->n_want++] = s->run[s->dirty].event;
        g->era = s->run[s->dirty].era;
        s->n_run = s->dirty;
        return depth;
    }
    return plan_any(s, depth);
}
