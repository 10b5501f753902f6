/* Backward revisits: an earlier load reads a store that was added after it. */
#include "explore/graph/reads_from.h"
#include "explore/graph/search.h"

#include <string.h>

/* Is the event in P: added no later than stamp, or before the store in po and rf? */
static bool in_p(const struct hd_graph *g, uint32_t id, uint32_t stamp, const hd_count *before)
{
    const struct hd_event *e = hd_event(g, id);
    return e->thread == HD_MAX_THREADS || e->stamp <= stamp || before[e->thread] > e->index;
}

/* Is the store the newest in P? */
static bool newest(const struct hd_graph *g, uint32_t w, uint32_t stamp, const hd_count *before)
{
    if (!in_p(g, w, stamp, before))
        return false;
    for (uint32_t v = hd_event(g, w)->mo_next; v; v = hd_event(g, v)->mo_next)
        if (in_p(g, v, stamp, before))
            return false;
    return true;
}

/* Is the store the newest in P, but for those that mo does not order with it? */
static bool is_newest(const struct hd_graph *g, uint32_t w, const hd_count *before)
{
    const struct hd_event *e = hd_event(g, w);
    for (uint32_t v = e->mo_next; v; v = hd_event(g, v)->mo_next)
        if (in_p(g, v, e->stamp, before) && !hd_event_is_apart(e, hd_event(g, v)))
            return false;
    return true;
}

/* The newest store in P of the event's location. */
static uint32_t newest_of(const struct hd_graph *g, const struct hd_event *e,
                          const hd_count *before)
{
    uint32_t w = g->places[e->place].last;
    while (!in_p(g, w, e->stamp, before))
        w = hd_event(g, w)->mo_prev;
    return w;
}

/* Does an event of P read the store?  A lock that has waited for its base (grant.c) counts as a
 * reader of that: without the store that it reads it would wait for it again. */
static bool is_read(const struct hd_graph *g, uint32_t id, const hd_count *before)
{
    const struct hd_event *e = hd_event(g, id);
    for (uint32_t r = e->reader; r; r = hd_event(g, r)->reader_next)
        if (!hd_event(g, r)->base && in_p(g, r, e->stamp, before))
            return true;
    for (uint32_t r = e->mo_next ? hd_event(g, e->mo_next)->reader : 0; r;
         r = hd_event(g, r)->reader_next)
        if (hd_event(g, r)->base == id && in_p(g, r, e->stamp, before))
            return true;
    return false;
}

/* The same of an event of a variable whose mo is free: has the load read what the first witness
 * of P has there? */
static bool is_canonical(struct hd_graph *g, uint32_t id, const hd_count *before)
{
    if (hd_event(g, id)->kind == HD_EVENT_STORE)
        return !is_read(g, id, before);
    uint32_t newest_there = hd_reads_from_newest(g, id, before);
    g->no_witness |= !newest_there;
    return hd_event(g, id)->rf == newest_there;
}

/* Has the event made the choice that it would make without the events outside of P? */
static bool maximal(struct hd_graph *g, uint32_t id, const hd_count *before)
{
    const struct hd_event *e = hd_event(g, id);
    if (e->choice && e->kind != HD_EVENT_LOCAL)
        return false;
    if (e->kind <= HD_EVENT_STORE && hd_reads_from_free(g, e->place))
        return is_canonical(g, id, before);
    switch (e->kind) {
    case HD_EVENT_STORE:
        return !is_read(g, id, before) && is_newest(g, id, before);
    case HD_EVENT_LOAD:
        if (hd_event_is_pass(e))
            return !hd_look_finds(e, hd_event(g, newest_of(g, e, before)));
        return newest(g, e->rf, e->stamp, before) ||
               (e->base && newest(g, e->base, e->stamp, before));
    default:
        return true;
    }
}

void hd_event_copy(struct hd_graph *g, uint32_t to, uint32_t from)
{
    *hd_event(g, to) = *hd_event(g, from);
    memcpy(hd_clock(g, to, HD_CLOCK_PORF), hd_clock(g, from, HD_CLOCK_PORF),
           sizeof(hd_count) * HD_N_CLOCKS * g->lanes);
}

/* Take the events out that were added after the load order[at] and are not before the store. */
static bool take_out(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t at, uint32_t a)
{
    struct hd_graph *g = &s->g;
    const hd_count *before = hd_clock(g, a, HD_CLOCK_PORF);
    uint32_t n = g->n_order - at;
    if (s->n_saved + n > HD_GRAPH_SAVED || g->n_events + n >= g->first_initial) {
        g->full = true;
        return false;
    }
    f->saved = s->n_saved;
    f->n_saved = n;
    memcpy(s->saved + f->saved, g->order + at, n * sizeof *s->saved);
    s->n_saved += n;
    f->target = g->order[at];
    f->was = g->n_events++;
    hd_event_copy(g, f->was, f->target);
    const uint32_t *saved = s->saved + f->saved;
    for (uint32_t i = n - 1; i > 0; i--) {
        struct hd_event *e = hd_event(g, saved[i]);
        if (before[e->thread] > e->index)
            continue;
        hd_search_touch(s, e);
        if (e->kind == HD_EVENT_STORE) {
            hd_grant_suspend(s, saved[i], hd_event(g, f->target)->stamp);
            hd_graph_unlink(g, saved[i]);
        }
        if (e->kind == HD_EVENT_LOAD)
            hd_graph_unread(g, saved[i]);
        hd_graph_remove(g, saved[i]);
    }
    hd_search_touch(s, hd_event(g, f->target));
    hd_graph_unread(g, f->target);
    g->n_order = at + 1;
    for (uint32_t i = 1; i < n; i++) {
        const struct hd_event *e = hd_event(g, saved[i]);
        if (before[e->thread] > e->index)
            g->order[g->n_order++] = saved[i];
    }
    f->deleted = s->halves = true;
    return true;
}

static void put_back(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t a)
{
    struct hd_graph *g = &s->g;
    const hd_count *before = hd_clock(g, a, HD_CLOCK_PORF);
    const uint32_t *saved = s->saved + f->saved;
    hd_event_copy(g, f->target, f->was);
    hd_event(g, f->target)->run = ~0u;
    for (uint32_t i = 1; i < f->n_saved; i++) {
        struct hd_event *e = hd_event(g, saved[i]);
        if (before[e->thread] > e->index)
            continue;
        if (e->kind == HD_EVENT_STORE) {
            e->reader = 0;
            hd_graph_link(g, saved[i], e->mo_prev);
        }
        hd_graph_append(g, saved[i]);
        e->run = ~0u;
    }
    for (uint32_t i = 0; i < f->n_saved; i++) {
        struct hd_event *e = hd_event(g, saved[i]);
        if ((i == 0 || before[e->thread] <= e->index) && e->kind == HD_EVENT_LOAD)
            hd_graph_relink(g, saved[i]);
    }
    hd_grant_restore(s, f->was + 1);
    g->n_events = f->was;
    uint32_t at = f->scan; /* where the load is */
    memcpy(g->order + at, saved, f->n_saved * sizeof *saved);
    g->n_order = at + f->n_saved;
    s->n_saved = f->saved;
    f->deleted = false;
    s->missing = true;
}

/* Undo the revisit that is on: the store and the load leave the graph. */
static void leave(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t a)
{
    hd_graph_unread(&s->g, f->target);
    hd_search_touch(s, hd_event(&s->g, f->target));
    hd_search_touch(s, hd_event(&s->g, a));
    hd_graph_pop(&s->g, a);
    hd_graph_unlink(&s->g, a);
    hd_event(&s->g, a)->run = ~0u;
    f->revisiting = false;
}

/* Is `old` the store `at`, or before it in mo? */
static bool not_before(const struct hd_graph *g, uint32_t at, uint32_t old)
{
    for (uint32_t w = at; w; w = hd_event(g, w)->mo_prev)
        if (w == old)
            return true;
    return false;
}

/* The store stands after `at`, the load reads it.  False: that is not consistent. */
static bool enter(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t a, uint32_t at)
{
    struct hd_graph *g = &s->g;
    struct hd_event *r = hd_event(g, f->target), *w = hd_event(g, a);
    if (w->part != HD_PART_RMW && hd_graph_closed(g, at))
        return false;
    if (!not_before(g, at, hd_graph_oldest(g, f->target)))
        return false;
    w->reader = 0;
    w->run = ~0u;
    w->stamp = ++g->stamp;
    w->pos = ++g->pos;
    hd_graph_link(g, a, at);
    hd_graph_push(g, a);
    hd_graph_clock_begin(g, f->target);
    hd_search_mend(r);
    r->base = 0;
    r->open = hd_op_table[r->action.op].access != HD_ACCESS_READ ||
              hd_op_table[r->action.op].space != HD_SPACE_MEM;
    if (r->open) {
        r->part = HD_PART_NONE;
        r->blocked = false;
    }
    hd_graph_read(g, f->target, a);
    r->pos = ++g->pos;
    r->run = ~0u;
    f->revisiting = true;
    if (hd_graph_consistent(g, a) && (r->open || hd_graph_consistent(g, f->target)))
        return true;
    leave(s, f, a);
    return false;
}

/* Try the next place in mo for the store. */
static bool next_place(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t a)
{
    struct hd_graph *g = &s->g;
    const struct hd_event *w = hd_event(g, a);
    bool rmw = w->part == HD_PART_RMW;
    while (f->place_at != f->place_oldest || f->place_at == 0) {
        if (f->place_at == 0) {
            uint32_t before = g->by_thread[w->thread].events[w->index - 1];
            uint32_t read = rmw ? hd_event(g, before)->rf : 0;
            if (rmw && hd_graph_taken(g, read, before))
                return false;
            f->place_at = rmw ? read : g->places[w->place].last;
            bool anywhere = hd_reads_from_free(g, w->place);
            f->place_oldest = rmw || anywhere ? f->place_at : hd_graph_oldest(g, a);
        } else {
            f->place_at = hd_event(g, f->place_at)->mo_prev;
        }
        if (enter(s, f, a, f->place_at))
            return true;
        if (g->full)
            return false;
    }
    return false;
}

/* A store part stands directly after what its load part reads.  If another one stands there,
 * the revisit must take it out. */
static uint32_t taken_at(const struct hd_graph *g, uint32_t a)
{
    uint32_t load = hd_event(g, a)->part == HD_PART_RMW ? hd_graph_load_of(g, a) : 0;
    uint32_t other = load ? hd_graph_taken(g, hd_event(g, load)->rf, load) : 0;
    return other ? hd_event(g, other)->stamp : UINT32_MAX;
}

/* A look that has taken no signal passes this store, too, unless it sends one to its thread. */
static bool still_passes(const struct hd_graph *g, const struct hd_event *look, uint32_t store)
{
    const struct hd_action *a = &hd_event(g, store)->action;
    return hd_event_is_pass(look) &&
           (a->op != HD_OP_SIGNAL_SEND || (a->size && a->size != look->thread + 1u));
}

/* May the store revisit the load, if everything that would be taken out is maximal? */
static bool is_target(const struct hd_graph *g, const struct hd_graph_frame *f, uint32_t load,
                      uint32_t store)
{
    const struct hd_event *e = hd_event(g, load);
    return hd_clock(g, store, HD_CLOCK_PORF)[e->thread] <= e->index && e->stamp < f->until &&
           load != f->granted && !still_passes(g, e, store) &&
           !e->attached; /* of a mutex that its thread holds */
}

/* The stamp of the oldest load that the store may revisit; UINT32_MAX: there is none. */
static uint32_t oldest_target(const struct hd_graph *g, const struct hd_graph_frame *f,
                              uint32_t a)
{
    const hd_count *before = hd_clock(g, a, HD_CLOCK_PORF);
    uint32_t oldest = UINT32_MAX;
    if (hd_clock_exceeds(g, g->loads, before) == HD_MAX_THREADS) /* all loads are before it */
        return oldest;
    for (uint32_t w = g->places[hd_event(g, a)->place].last; w; w = hd_event(g, w)->mo_prev)
        for (uint32_t r = hd_event(g, w)->reader; r; r = hd_event(g, r)->reader_next) {
            uint32_t stamp = hd_event(g, r)->stamp;
            if (stamp < oldest && is_target(g, f, r, a))
                oldest = stamp;
        }
    return oldest;
}

void hd_revisit_begin(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t a)
{
    f->revisits = true;
    f->scan = s->g.n_order;
    f->until = s->sample ? 0 : taken_at(&s->g, a);
    f->least = s->sample ? UINT32_MAX : oldest_target(&s->g, f, a);
}

bool hd_revisit_is_hopeless(struct hd_graph_search *s, uint32_t load, uint32_t store)
{
    struct hd_graph *g = &s->g;
    const struct hd_event *e = hd_event(g, load);
    uint32_t other = hd_graph_taken(g, store, load);
    if (!other || s->sample || !e->index || g->reads_from)
        return false; /* canonical is what the load would take part in */
    uint32_t previous = g->by_thread[e->thread].events[e->index - 1];
    hd_count before[HD_MAX_THREADS]; /* the store part, in po and rf */
    memcpy(before, hd_clock(g, previous, HD_CLOCK_PORF), sizeof *before * g->lanes);
    hd_clock_join(g, before, hd_clock(g, store, HD_CLOCK_PORF));
    if (e->after)
        hd_clock_join(g, before, hd_clock(g, e->after, HD_CLOCK_PORF));
    if (e->alike)
        hd_clock_join(g, before, hd_clock(g, hd_graph_after_alike(g, e), HD_CLOCK_PORF));
    uint32_t stamp = hd_event(g, other)->stamp;
    for (uint32_t i = g->n_order; i > 0; i--) {
        const struct hd_event *x = hd_event(g, g->order[i - 1]);
        if (x->stamp < stamp)
            return false;
        if (before[x->thread] <= x->index && !maximal(g, g->order[i - 1], before))
            return true;
    }
    return false;
}

void hd_revisit_undo(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t a)
{
    if (f->revisiting)
        leave(s, f, a);
    if (f->deleted)
        put_back(s, f, a);
}

bool hd_revisit_next(struct hd_graph_search *s, struct hd_graph_frame *f, uint32_t a)
{
    struct hd_graph *g = &s->g;
    if (f->revisiting)
        leave(s, f, a);
    for (;;) {
        if (f->deleted) {
            if (next_place(s, f, a))
                return true;
            put_back(s, f, a);
        }
        if (g->full)
            return false;
        const hd_count *before = hd_clock(g, a, HD_CLOCK_PORF);
        bool found = false;
        while (f->least != UINT32_MAX && !found) {
            uint32_t id = g->order[--f->scan];
            const struct hd_event *e = hd_event(g, id);
            if (before[e->thread] > e->index)
                continue;
            if (!maximal(g, id, before)) {
                f->least = UINT32_MAX;
                return false;
            }
            found = e->kind == HD_EVENT_LOAD && e->place == hd_event(g, a)->place &&
                    is_target(g, f, id, a);
            if (e->stamp == f->least)
                f->least = UINT32_MAX;
        }
        if (!found)
            return false;
        f->place_at = 0;
        if (!take_out(s, f, f->scan, a))
            return false;
    }
}
