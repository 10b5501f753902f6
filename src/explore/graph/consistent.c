/* RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017).
 *
 * Coherence and atomicity hold by construction: hd_graph_oldest, and the place of a store
 * part. po and rf have no cycle, because a load reads what is there.  What is left is the
 * order of seq_cst events, psc:
 *
 * scb = po ∪ (po to another place; hb; po from another place) ∪ hb within a place ∪ mo ∪ fr
 * psc = ([E] ∪ [F]; hb?); scb; ([E] ∪ hb?; [F])  ∪  [F]; (hb ∪ hb; eco; hb); [F]
 *
 * where E are the seq_cst events and F the seq_cst fences among them.  A new event is the
 * last in po, and nobody reads it; so edges lead out of it only by mo and fr, to stores
 * after it or after what it reads.  If there are none, there is no new cycle.  Otherwise a
 * new cycle goes through the new event: as an element of E, or between hb and scb (or eco)
 * after a fence.  Both are looked for by a walk along psc that begins with these edges.
 *
 * Of two seq_cst events of a thread the later one follows in psc.  So what is reached is, in
 * each thread, all seq_cst events from some index on; and what happens after a reached fence
 * is all events from some index on.  The walk moves these indices down, and looks at every
 * event twice at most.
 *
 * Synchronisation objects are no atomic objects of C: psc has no mo and no fr of them.  The
 * creation, start, end and join of a thread are events of no place.  Plain accesses are no
 * events, and so nothing to another place: a few more graphs are consistent than in the
 * paper. */
#include "explore/graph/graph.h"

#include <string.h>

/* Indices in each thread. */
struct front {
    uint32_t reached; /* the seq_cst events from here on are reached */
    uint32_t walked;  /* and what follows from those from here on has been added */
    uint32_t after;   /* the events from here on happen after a reached fence */
    uint32_t looked;  /* and what follows from those from here on has been added */
    uint32_t goal;    /* there is a cycle if an event before this one is reached */
};

enum mark { ARRIVED = 1, AFTER_MO = 2, AFTER_ECO = 4 };

struct hd_psc {
    struct front fronts[HD_MAX_THREADS];
    bool cycle;                      /* a goal has been reached */
    uint32_t walk;                   /* the number of this walk */
    uint32_t marks[HD_GRAPH_EVENTS]; /* of events in this walk: its number * 8 + enum mark */
};

static bool strong(const struct hd_event *e)
{
    return e->kind <= HD_EVENT_FENCE && e->order & HD_ORDER_SEQ_CST;
}

bool hd_psc_counts(const struct hd_event *e)
{
    if (e->kind != HD_EVENT_LOCAL)
        return e->kind <= HD_EVENT_FENCE && !hd_event_of_heap(e);
    return e->action.op == HD_OP_CREATE || e->action.op == HD_OP_START ||
           e->action.op == HD_OP_EXIT || e->action.op == HD_OP_JOIN ||
           e->action.op == HD_OP_LEAVE;
}

static bool same_place(const struct hd_event *a, const struct hd_event *b)
{
    return a->kind <= HD_EVENT_STORE && b->kind <= HD_EVENT_STORE && a->place == b->place;
}

static struct hd_event *event_at(const struct hd_graph *g, uint32_t thread, uint32_t index)
{
    return hd_event(g, g->by_thread[thread].events[index]);
}

/* Mark the event; false: it was marked. */
static bool mark(struct hd_psc *p, uint32_t id, enum mark with)
{
    uint32_t *m = &p->marks[id];
    if (*m / 8 != p->walk)
        *m = p->walk * 8;
    bool first = !(*m & with);
    *m |= with;
    return first;
}

/* The index of the first event of the thread that comes after the event in hb; `end` if that is
 * not before it.  Mostly the event before the end tells. */
static uint32_t first_after(const struct hd_graph *g, const struct hd_event *e, uint32_t thread,
                            uint32_t end)
{
    if (thread == e->thread)
        return e->index + 1 < end ? e->index + 1 : end;
    const uint32_t *events = g->by_thread[thread].events;
    uint32_t low = 0, high = end;
    if (!end || hd_clock(g, events[end - 1], HD_CLOCK_HB)[e->thread] <= e->index)
        return end;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (hd_clock(g, events[middle], HD_CLOCK_HB)[e->thread] > e->index)
            high = middle;
        else
            low = middle + 1;
    }
    return low;
}

static void reach_at(struct hd_psc *p, uint32_t thread, uint32_t index)
{
    struct front *f = &p->fronts[thread];
    if (index >= f->reached)
        return;
    f->reached = index;
    p->cycle |= index < f->goal;
}

static void reach(struct hd_psc *p, const struct hd_event *e)
{
    reach_at(p, e->thread, e->index);
}

/* The first seq_cst event of the thread from that index on is reached. */
static void reach_from(struct hd_psc *p, const struct hd_graph *g, uint32_t thread,
                       uint32_t index)
{
    for (; index < p->fronts[thread].reached; index++)
        if (strong(event_at(g, thread, index))) {
            reach_at(p, thread, index);
            return;
        }
}

/* The fences after the event in hb are reached. */
static void reach_fences(struct hd_psc *p, const struct hd_graph *g, uint32_t id)
{
    const struct hd_event *e = hd_event(g, id);
    if (!g->strong_fences || !mark(p, id, ARRIVED))
        return;
    for (uint32_t t = 0; t < g->used; t++)
        for (uint32_t i = first_after(g, e, t, p->fronts[t].reached); i < p->fronts[t].reached;
             i++) {
            const struct hd_event *b = event_at(g, t, i);
            if (b->kind == HD_EVENT_FENCE && strong(b))
                reach(p, b);
        }
}

/* scb, or eco, leads to the event. */
static void arrive(struct hd_psc *p, const struct hd_graph *g, uint32_t id)
{
    if (strong(hd_event(g, id)))
        reach(p, hd_event(g, id));
    reach_fences(p, g, id);
}

static void reach_readers(struct hd_psc *p, const struct hd_graph *g, uint32_t store)
{
    for (uint32_t r = hd_event(g, store)->reader; r; r = hd_event(g, r)->reader_next)
        reach_fences(p, g, r);
}

/* mo and fr from the event.  With `eco` it comes after a fence in hb: eco leads from it,
 * too. */
static void follow_stores(struct hd_psc *p, const struct hd_graph *g, uint32_t id, bool eco)
{
    const struct hd_event *e = hd_event(g, id);
    if (e->kind > HD_EVENT_STORE || g->places[e->place].space != HD_SPACE_MEM)
        return;
    eco = eco && g->strong_fences;
    if (eco && e->kind == HD_EVENT_STORE)
        reach_readers(p, g, id);
    uint32_t w = e->kind == HD_EVENT_LOAD ? e->rf : id;
    for (uint32_t v = hd_event(g, w)->mo_next; v; v = hd_event(g, v)->mo_next) {
        bool plain = hd_event(g, v)->plain;
        if (plain && hd_event_is_apart(hd_event(g, w), hd_event(g, v)))
            continue;
        if (!mark(p, v, eco ? AFTER_ECO : AFTER_MO) && !plain)
            return; /* and so were those after it */
        arrive(p, g, v);
        if (eco)
            reach_readers(p, g, v);
    }
}

/* hb within a place. */
static void follow_place(struct hd_psc *p, const struct hd_graph *g, const struct hd_event *x)
{
    if (x->kind > HD_EVENT_STORE)
        return;
    for (uint32_t t = 0; t < g->used; t++) {
        bool fences = g->strong_fences;
        for (uint32_t i = first_after(g, x, t, p->fronts[t].reached); i < p->fronts[t].reached;
             i++) {
            const struct hd_event *d = event_at(g, t, i);
            if (!same_place(x, d))
                continue;
            if (strong(d))
                reach(p, d);
            if (fences)
                reach_fences(p, g, g->by_thread[t].events[i]);
            fences = false; /* those after this one are after the first */
        }
    }
}

/* From the event d at that index on: po from another place.  What is after it in hb and
 * a fence is reached, too. */
static void leave_place(struct hd_psc *p, const struct hd_graph *g, uint32_t thread,
                        uint32_t index)
{
    const struct hd_event *d = NULL;
    bool other = false, fences = g->strong_fences;
    for (; index < g->by_thread[thread].n; index++) {
        const struct hd_event *b = event_at(g, thread, index);
        if (!hd_psc_counts(b))
            continue;
        other = other || (d && !same_place(b, d));
        if (other && fences)
            reach_fences(p, g, g->by_thread[thread].events[index]);
        fences = fences && !other;
        if (other && strong(b))
            reach(p, b);
        if ((other && !fences && strong(b)) || index >= p->fronts[thread].reached)
            return;
        d = d ? d : b;
    }
}

/* From the events after c in hb on. */
static void leave_places(struct hd_psc *p, const struct hd_graph *g, const struct hd_event *c)
{
    for (uint32_t t = 0; t < g->used; t++) {
        uint32_t end = p->fronts[t].reached, first = first_after(g, c, t, end);
        if (first < end)
            leave_place(p, g, t, first);
    }
}

/* From the end of the thread on: from where it is joined. */
static void leave_thread(struct hd_psc *p, const struct hd_graph *g, uint32_t thread)
{
    for (uint32_t t = 0; t < g->used && g->has_joins; t++)
        for (uint32_t i = 0; i < g->by_thread[t].n; i++) {
            const struct hd_event *e = event_at(g, t, i);
            if (e->action.op != HD_OP_JOIN || e->action.object != thread)
                continue;
            leave_place(p, g, t, i);
            leave_places(p, g, e);
        }
}

/* po to another place; hb; po from another place. */
static void follow_hb(struct hd_psc *p, const struct hd_graph *g, const struct hd_event *x)
{
    const struct hd_graph_thread *own = &g->by_thread[x->thread];
    const struct hd_event *c = NULL;
    for (uint32_t i = x->index + 1; i < own->n && !c; i++) {
        const struct hd_event *e = hd_event(g, own->events[i]);
        if (hd_psc_counts(e) && !same_place(x, e))
            c = e;
    }
    if (c)
        leave_places(p, g, c);
    else
        leave_thread(p, g, x->thread);
}

/* scb from the event. */
static void follow(struct hd_psc *p, const struct hd_graph *g, uint32_t id, bool eco)
{
    const struct hd_event *x = hd_event(g, id);
    follow_stores(p, g, id, eco);
    follow_place(p, g, x);
    follow_hb(p, g, x);
}

static void walk_from(struct hd_psc *p, const struct hd_graph *g, uint32_t id)
{
    const struct hd_event *a = hd_event(g, id);
    if (!strong(a))
        return;
    follow(p, g, id, false);
    if (a->kind != HD_EVENT_FENCE) {
        const struct hd_graph_thread *own = &g->by_thread[a->thread];
        for (uint32_t i = a->index + 1; i < own->n; i++)
            if (hd_event(g, own->events[i])->kind <= HD_EVENT_FENCE) {
                reach_fences(p, g, own->events[i]);
                break;
            }
        return;
    }
    for (uint32_t t = 0; t < g->used; t++) {
        p->fronts[t].after = first_after(g, a, t, p->fronts[t].after);
    }
}

static void look_from(struct hd_psc *p, const struct hd_graph *g, uint32_t id)
{
    const struct hd_event *x = hd_event(g, id);
    if (x->kind > HD_EVENT_FENCE)
        return;
    if (x->kind == HD_EVENT_FENCE && strong(x))
        reach(p, x);
    reach_from(p, g, x->thread, x->index + 1);
    follow(p, g, id, true);
}

/* Everything that psc leads to from what has been reached, until that is a goal. */
static bool walk_on(struct hd_psc *p, const struct hd_graph *g)
{
    for (bool more = true; more && !p->cycle;) {
        more = false;
        for (uint32_t t = 0; t < g->used && !p->cycle; t++) {
            struct front *f = &p->fronts[t];
            const uint32_t *events = g->by_thread[t].events;
            for (; f->walked > f->reached; more = true)
                walk_from(p, g, events[--f->walked]);
            for (; f->looked > f->after; more = true)
                look_from(p, g, events[--f->looked]);
        }
    }
    return p->cycle;
}

static void begin_walk(struct hd_psc *p, const struct hd_graph *g)
{
    if (++p->walk == UINT32_MAX / 8) {
        memset(p->marks, 0, sizeof p->marks);
        p->walk = 1;
    }
    p->cycle = false;
    for (uint32_t t = 0; t < g->used; t++) {
        uint32_t n = g->by_thread[t].n;
        p->fronts[t] = (struct front){ n, n, n, n, 0 };
    }
}

/* The goals are the fences that happen before the event.  Returns whether there is one. */
static bool seek_fences(struct hd_psc *p, const struct hd_graph *g, uint32_t id)
{
    const hd_count *hb = hd_clock(g, id, HD_CLOCK_HB);
    bool found = false;
    for (uint32_t t = 0; t < g->used; t++) {
        uint32_t i = hb[t] < g->by_thread[t].n ? hb[t] : g->by_thread[t].n;
        for (; i > 0; i--) {
            const struct hd_event *e = event_at(g, t, i - 1);
            if (e->kind == HD_EVENT_FENCE && strong(e))
                break;
        }
        p->fronts[t].goal = i;
        found |= i > 0;
    }
    return found;
}

static bool psc_has_cycle(struct hd_psc *p, const struct hd_graph *g, uint32_t id)
{
    const struct hd_event *e = hd_event(g, id);
    if (strong(e)) {
        begin_walk(p, g);
        p->fronts[e->thread].goal = e->index + 1;
        follow_stores(p, g, id, false);
        if (walk_on(p, g))
            return true;
    }
    if (!g->strong_fences)
        return false;
    begin_walk(p, g);
    if (!seek_fences(p, g, id))
        return false;
    follow_stores(p, g, id, true);
    return walk_on(p, g);
}

bool hd_graph_keeps_axioms(struct hd_graph *g, uint32_t event)
{
    const struct hd_event *e = hd_event(g, event);
    if (g->futexes && hd_futex_missed(g, event))
        return false;
    uint32_t w = e->kind == HD_EVENT_LOAD ? e->rf : event;
    if (e->kind > HD_EVENT_STORE || !hd_event(g, w)->mo_next)
        return true;
    bool psc = g->model == HD_MEMORY_RC11 && g->seq_cst &&
               g->places[e->place].space == HD_SPACE_MEM;
    return (!psc || !psc_has_cycle(g->psc, g, event)) &&
           (!g->has_membarriers || hd_membarrier_has_places(g));
}

uint64_t hd_graph_psc_bytes(void) { return sizeof(struct hd_psc); }
