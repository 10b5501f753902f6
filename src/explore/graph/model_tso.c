/* The total store order of x86 (docs/weak-memory.md): po without the pairs of a store and a
 * later load between which there is no barrier, rf between threads, mo and fr together have no
 * cycle; and no load or store goes back in mo past what its own thread did to the location.
 *
 * As under sequential consistency (model_sc.c), a new event makes a cycle exactly if the next
 * store in mo is before it already.  But a store waits in the buffer of its thread: later loads
 * are not after it.  So what is before an event is two prefixes of every thread: one has the
 * loads and fences, the other, which may be shorter, the stores that have left the buffer. */
#include "explore/graph/graph.h"

#include <string.h>

struct past {
    uint32_t loads[HD_MAX_THREADS], stores[HD_MAX_THREADS]; /* prefixes of the thread */
    uint32_t loads_done[HD_MAX_THREADS], stores_done[HD_MAX_THREADS];
};

static void raise(uint32_t *count, uint32_t to)
{
    if (*count < to)
        *count = to;
}

/* A store is after all that its thread did before it. */
static void join_store(const struct hd_graph *g, struct past *past, uint32_t id)
{
    const struct hd_event *e = hd_event(g, id);
    if (e->thread == HD_MAX_THREADS)
        return;
    raise(&past->loads[e->thread], e->index + 1);
    raise(&past->stores[e->thread], e->index + 1);
}

/* Anything else is after the stores before the last barrier. */
static void join_load(const struct hd_graph *g, struct past *past, uint32_t id)
{
    const struct hd_event *e = hd_event(g, id);
    raise(&past->loads[e->thread], e->index + 1);
    raise(&past->stores[e->thread], e->fenced);
}

/* What is before the event because threads are alike: where both are stores, that is mo. */
static void join_alike(const struct hd_graph *g, struct past *past, const struct hd_event *e)
{
    uint32_t before = hd_graph_after_alike(g, e);
    if (hd_event(g, before)->kind == HD_EVENT_STORE)
        join_store(g, past, before);
    else
        join_load(g, past, before);
}

/* A block was freed, and its stores have left the buffer, before another thread gets it. */
static void pass_allocation(const struct hd_graph *g, struct past *past, const struct hd_event *e)
{
    uint32_t given = e->kind == HD_EVENT_LOAD
                         ? hd_object_given(g, g->by_thread[e->thread].events[e->index])
                         : 0;
    if (given && hd_event(g, given)->thread != e->thread)
        join_store(g, past, given);
}

static void pass_load(const struct hd_graph *g, struct past *past, const struct hd_event *e)
{
    if (hd_event_of_heap(e)) {
        pass_allocation(g, past, e);
        return;
    }
    if (e->kind == HD_EVENT_LOAD && hd_event(g, e->rf)->thread != e->thread)
        join_store(g, past, e->rf);
    if (e->kind == HD_EVENT_LOCAL && e->rf && e->action.op == HD_OP_JOIN)
        join_store(g, past, e->rf); /* the thread has ended: its buffer is empty */
    else if (e->kind == HD_EVENT_LOCAL && e->rf)
        join_load(g, past, e->rf);
    if (e->after)
        join_store(g, past, e->after);
    if (e->alike && e->kind != HD_EVENT_STORE)
        join_alike(g, past, e);
    uint32_t operation = hd_futex_previous(g, e);
    if (operation)
        join_store(g, past, operation);
}

static void pass_store(const struct hd_graph *g, struct past *past, const struct hd_event *e)
{
    if (e->kind != HD_EVENT_STORE || hd_event_of_heap(e))
        return;
    for (uint32_t w = e->mo_prev; w; w = hd_graph_older(g, e, w)) {
        if (!hd_event_is_apart(e, hd_event(g, w)))
            join_store(g, past, w);
        for (uint32_t r = hd_event(g, w)->reader; r; r = hd_event(g, r)->reader_next)
            if (!g->looks || !hd_event_is_pass(hd_event(g, r)))
                join_load(g, past, r);
    }
}

/* Is the store among what is before the event? */
static bool has_store(const struct past *past, const struct hd_event *store)
{
    return past->stores[store->thread] > store->index;
}

/* Add what is before the events that are there, until that is all of it or has the store. */
static void close_past(const struct hd_graph *g, struct past *past, const struct hd_event *until)
{
    bool more = true;
    while (more && !(until && has_store(past, until))) {
        more = false;
        for (uint32_t t = 0; t < g->used; t++) {
            const uint32_t *events = g->by_thread[t].events;
            for (; past->loads_done[t] < past->loads[t]; more = true)
                pass_load(g, past, hd_event(g, events[past->loads_done[t]++]));
            for (; past->stores_done[t] < past->stores[t]; more = true)
                pass_store(g, past, hd_event(g, events[past->stores_done[t]++]));
        }
    }
}

/* Does the thread wait until its stores have left the buffer? */
static bool is_barrier(const struct hd_graph *g, const struct hd_event *e)
{
    if (e->action.op == HD_OP_READ || e->action.op == HD_OP_ATOMIC_READ || hd_event_of_heap(e))
        return false;
    switch (e->kind) {
    case HD_EVENT_FENCE:
        return e->order & HD_ORDER_SEQ_CST;
    case HD_EVENT_STORE: /* seq_cst: xchg */
        return e->part == HD_PART_RMW || e->action.order & HD_ORDER_SEQ_CST ||
               g->places[e->place].space == HD_SPACE_SYNC;
    case HD_EVENT_LOAD: /* a compare-exchange that fails is one, too; a failed join is not */
        if (g->places[e->place].space == HD_SPACE_THREAD || e->action.op == HD_OP_CANCEL_POINT ||
            e->action.op == HD_OP_SIGNAL_POINT)
            return e->part == HD_PART_RMW;
        return e->action.op == HD_OP_RMW || e->action.op == HD_OP_CAS ||
               e->action.op == HD_OP_FUTEX_READ || g->places[e->place].space == HD_SPACE_SYNC;
    case HD_EVENT_LOCAL:
        return e->action.op == HD_OP_CREATE || e->action.op == HD_OP_START ||
               e->action.op == HD_OP_JOIN || e->action.op == HD_OP_EXIT;
    default:
        return false;
    }
}

void hd_model_tso_fence(const struct hd_graph *g, struct hd_event *e)
{
    uint32_t before = e->index ? g->by_thread[e->thread].events[e->index - 1] : 0;
    e->fenced = is_barrier(g, e) ? e->index + 1 : before ? hd_event(g, before)->fenced : 0;
}

static void clear(const struct hd_graph *g, struct past *past)
{
    uint64_t bytes = sizeof *past->loads * g->lanes;
    memset(past->loads, 0, bytes);
    memset(past->stores, 0, bytes);
    memset(past->loads_done, 0, bytes);
    memset(past->stores_done, 0, bytes);
}

bool hd_model_tso_before(const struct hd_graph *g, uint32_t load, uint32_t store)
{
    struct past past;
    clear(g, &past);
    join_store(g, &past, store);
    close_past(g, &past, NULL);
    return past.loads[hd_event(g, load)->thread] > hd_event(g, load)->index;
}

uint32_t hd_model_tso_oldest(const struct hd_graph *g, uint32_t event)
{
    const struct hd_event *e = hd_event(g, event);
    uint32_t w = g->places[e->place].last;
    if (hd_event(g, w)->thread == HD_MAX_THREADS || hd_event(g, w)->thread == e->thread)
        return w;
    struct past past;
    clear(g, &past);
    uint32_t before = e->index ? g->by_thread[e->thread].events[e->index - 1] : 0;
    past.loads[e->thread] = e->index;
    past.stores[e->thread] = e->kind == HD_EVENT_STORE || is_barrier(g, e) ? e->index
                             : before ? hd_event(g, before)->fenced
                                      : 0;
    if (e->after)
        join_store(g, &past, e->after);
    if (e->alike)
        join_alike(g, &past, e);
    close_past(g, &past, hd_event(g, w));
    for (;; w = hd_event(g, w)->mo_prev) {
        const struct hd_event *s = hd_event(g, w);
        if (s->thread == HD_MAX_THREADS || s->thread == e->thread || has_store(&past, s))
            return w;
    }
}
