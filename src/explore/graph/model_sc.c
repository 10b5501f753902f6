/* Sequential consistency: po, rf, mo and fr together have no cycle.
 *
 * A new event is the last of its thread, and nobody reads it.  Edges lead out of it only by mo
 * and fr, to the next store in mo after the one that it reads, or after which it stands.  The
 * graph stays without cycles exactly if that store is not before the event already.  What is
 * before an event is a prefix of every thread: the least one that has what is before the
 * thread's newest event in po and rf, and for each of its stores the one before it in mo with
 * its readers. */
#include "explore/graph/graph.h"

struct past {
    hd_count n[HD_MAX_THREADS]; /* events of the thread that are before the new event */
    /* Those of them whose stores have been looked at; before its first store there are none. */
    hd_count done[HD_MAX_THREADS];
};

static bool has(const struct past *past, const struct hd_event *e)
{
    return past->n[e->thread] > e->index;
}

static void join(const struct hd_graph *g, struct past *past, uint32_t id)
{
    const struct hd_event *e = hd_event(g, id);
    if (e->thread != HD_MAX_THREADS && !has(past, e))
        hd_clock_join(g, past->n, hd_clock(g, id, HD_CLOCK_PORF));
}

static void join_readers(const struct hd_graph *g, struct past *past, uint32_t store)
{
    for (uint32_t r = hd_event(g, store)->reader; r; r = hd_event(g, r)->reader_next)
        if (!g->looks || !hd_event_is_pass(hd_event(g, r)))
            join(g, past, r);
}

/* The older stores of a location that has stores of some of its bytes, and their readers. */
static __attribute__((noinline)) void join_parts(const struct hd_graph *g, struct past *past,
                                                 const struct hd_event *store)
{
    for (uint32_t w = store->mo_prev; w; w = hd_graph_older(g, store, w)) {
        if (!hd_event_is_apart(store, hd_event(g, w)))
            join(g, past, w);
        join_readers(g, past, w);
    }
}

/* What is before the stores of the thread that have not been looked at. */
static void join_stores(const struct hd_graph *g, struct past *past, uint32_t thread)
{
    uint32_t from = past->done[thread], id = g->by_thread[thread].events[past->n[thread] - 1];
    const struct hd_event *e = hd_event(g, id);
    past->done[thread] = past->n[thread];
    if (e->kind != HD_EVENT_STORE)
        e = hd_event(g, e->store_before);
    for (; e->kind == HD_EVENT_STORE && e->index >= from; e = hd_event(g, e->store_before)) {
        if (__builtin_expect(g->parts, 0)) {
            join_parts(g, past, e);
            continue;
        }
        join(g, past, e->mo_prev);
        join_readers(g, past, e->mo_prev);
    }
}

/* Add what is before the events that are there, until that is all of it or has the event. */
static void close_past(const struct hd_graph *g, struct past *past, const struct hd_event *until)
{
    uint32_t t;
    while (!has(past, until) && (t = hd_clock_exceeds(g, past->n, past->done)) < HD_MAX_THREADS)
        join_stores(g, past, t);
}

/* The past begins with what is before an event in po and rf. */
static void begin(const struct hd_graph *g, struct past *past, const hd_count *before)
{
    for (uint32_t i = 0; i < g->lanes; i += HD_LANES) {
        *(hd_lanes *)(past->n + i) = *(const hd_lanes *)(before + i);
        *(hd_lanes *)(past->done + i) = *(const hd_lanes *)(g->before_stores + i);
    }
}

uint32_t hd_model_sc_oldest(const struct hd_graph *g, uint32_t event)
{
    const struct hd_event *e = hd_event(g, event);
    uint32_t w = g->places[e->place].last, after = e->after;
    uint32_t alike = e->alike ? hd_graph_after_alike(g, e) : 0;
    const struct hd_event *last = hd_event(g, w);
    if (last->thread == HD_MAX_THREADS || last->thread == e->thread)
        return w;
    if (!e->index && !after && !alike)
        return g->places[e->place].first;
    uint32_t before = e->index ? g->by_thread[e->thread].events[e->index - 1]
                      : after  ? after
                               : alike;
    const hd_count *porf = hd_clock(g, before, HD_CLOCK_PORF);
    if (porf[last->thread] > last->index)
        return w;
    struct past past;
    begin(g, &past, porf);
    if (after)
        join(g, &past, after);
    if (alike)
        join(g, &past, alike);
    close_past(g, &past, last);
    while (hd_event(g, w)->thread != HD_MAX_THREADS && !has(&past, hd_event(g, w)))
        w = hd_event(g, w)->mo_prev;
    return w;
}
