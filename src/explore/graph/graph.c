#include "explore/graph/graph.h"

#include <stdlib.h>
#include <string.h>

static uint64_t clock_bytes(uint32_t lanes) { return sizeof(hd_count) * HD_N_CLOCKS * lanes; }

/* Lists of the events of threads [from, to). */
static bool add_threads(struct hd_graph *g, uint32_t from, uint32_t to)
{
    for (uint32_t t = from; t < to; t++)
        if (!(g->by_thread[t].events = hd_arena_take(g->arena, sizeof(uint32_t) * UINT16_MAX)))
            return false;
    return true;
}

bool hd_graph_init(struct hd_graph *g, struct hd_arena *arena, enum hd_memory model)
{
    g->model = model == HD_MEMORY_RC11_PLAIN ? HD_MEMORY_RC11 : model;
    g->plain_events = hd_memory_plain_events(model);
    g->arena = arena;
    g->lanes = HD_LANES;
    g->events = hd_arena_take(arena, sizeof *g->events * HD_GRAPH_EVENTS);
    g->clocks = hd_arena_take(arena, clock_bytes(HD_LANES) * HD_GRAPH_EVENTS);
    g->order = hd_arena_take(arena, sizeof *g->order * HD_GRAPH_EVENTS);
    g->places = hd_arena_take(arena, sizeof *g->places * HD_GRAPH_PLACES);
    g->psc = hd_arena_take(arena, hd_graph_psc_bytes());
    g->membarriers = hd_arena_take(arena, hd_membarrier_bytes());
    bool reads_from = model == HD_MEMORY_SC_RF;
    g->reads_from = reads_from ? hd_reads_from_create(arena) : NULL;
    memset(g->before_stores, 0xff, sizeof g->before_stores); /* HD_NO_STORE */
    g->n_events = g->n_places = 1;
    g->first_initial = HD_GRAPH_EVENTS;
    return g->events && g->clocks && g->order && g->places && g->psc && g->membarriers &&
           (g->reads_from || !reads_from) && add_threads(g, 0, HD_LANES);
}

static void copy_clocks(hd_count *to, uint32_t wide, const hd_count *from, uint32_t narrow,
                        uint32_t event)
{
    for (uint64_t i = (uint64_t)event * HD_N_CLOCKS; i < (event + 1ull) * HD_N_CLOCKS; i++)
        memcpy(to + i * wide, from + i * narrow, narrow * sizeof *to);
}

static __attribute__((noinline)) void widen(struct hd_graph *g, uint32_t thread)
{
    uint32_t wide = thread / HD_LANES * HD_LANES + HD_LANES;
    hd_count *clocks = hd_arena_take(g->arena, clock_bytes(wide) * HD_GRAPH_EVENTS);
    if (!clocks || !add_threads(g, g->lanes, wide)) {
        g->full = true;
        return;
    }
    for (uint32_t i = 1; i < g->n_events; i++)
        copy_clocks(clocks, wide, g->clocks, g->lanes, i);
    for (uint32_t i = g->first_initial; i < HD_GRAPH_EVENTS; i++)
        copy_clocks(clocks, wide, g->clocks, g->lanes, i);
    hd_arena_give_back(g->clocks, clock_bytes(g->lanes) * HD_GRAPH_EVENTS);
    g->clocks = clocks;
    g->lanes = wide;
}

void hd_graph_widen(struct hd_graph *g, uint32_t thread)
{
    if (__builtin_expect(thread >= g->lanes, 0))
        widen(g, thread);
}

static uint32_t bucket(uint64_t object)
{
    return (uint32_t)((object * 0x9e3779b97f4a7c15ull) >> 48);
}

uint32_t hd_graph_find(const struct hd_graph *g, uint64_t object, uint32_t space)
{
    for (uint32_t p = g->hash[bucket(object)]; p; p = g->places[p].next)
        if (g->places[p].object == object && g->places[p].space == space &&
            g->places[p].era == g->era)
            return p;
    return 0;
}

uint32_t hd_graph_place(struct hd_graph *g, uint64_t object, uint32_t size, uint32_t space,
                        const uint64_t value[2])
{
    uint32_t *head = &g->hash[bucket(object)], found = hd_graph_find(g, object, space);
    if (found) {
        struct hd_event *first = &g->events[g->places[found].first];
        if (!hd_graph_is_used(g, found))
            memcpy(first->value, value, sizeof first->value);
        return found;
    }
    if (g->n_places == HD_GRAPH_PLACES || g->n_events >= g->first_initial) {
        g->full = true;
        return 0;
    }
    uint32_t p = g->n_places++, id = --g->first_initial;
    struct hd_event *e = &g->events[id];
    *e = (struct hd_event){ .thread = HD_MAX_THREADS,
                            .kind = HD_EVENT_STORE,
                            .place = p,
                            .run = 0,
                            .value = { value[0], value[1] } };
    memset(hd_clock(g, id, HD_CLOCK_PORF), 0, sizeof(hd_count) * HD_N_CLOCKS * g->lanes);
    g->places[p] = (struct hd_place){ .object = object,
                                      .size = size,
                                      .space = space,
                                      .first = id,
                                      .last = id,
                                      .next = *head,
                                      .era = g->era };
    *head = p;
    return p;
}

/* What the graph has had: a new event. */
static inline void note_kind(struct hd_graph *g, const struct hd_event *e)
{
    bool strong = e->order & HD_ORDER_SEQ_CST;
    switch (e->kind) {
    case HD_EVENT_LOCAL:
        g->has_joins |= e->action.op == HD_OP_JOIN;
        return;
    case HD_EVENT_FENCE:
        g->strong_fences |= strong;
        g->has_membarriers |= hd_begins_membarrier(e) && !hd_memory_is_sc(g->model);
        break;
    case HD_EVENT_LOAD:
        g->has_joins |= e->action.op == HD_OP_JOIN; /* an operation on a thread */
        g->looks |= e->action.op == HD_OP_SIGNAL_POINT;
        break;
    default:
        break;
    }
    if (strong && !hd_memory_is_sc(g->model))
        g->seq_cst = true;
}

uint32_t hd_graph_make(struct hd_graph *g, uint32_t thread, enum hd_event_kind kind,
                       const struct hd_action *action, uint32_t order)
{
    hd_graph_widen(g, thread);
    g->used = g->used > thread ? g->used : thread + 1;
    /* The two parts of a read-modify-write are made before either is in the thread. */
    if (g->full || g->n_events >= g->first_initial || g->by_thread[thread].n >= UINT16_MAX - 2) {
        g->full = true;
        return 0;
    }
    uint32_t id = g->n_events++, before = hd_graph_newest(g, thread);
    struct hd_event *e = &g->events[id];
    *e = (struct hd_event){ .stamp = ++g->stamp,
                            .pos = ++g->pos,
                            .run = ~0u,
                            .index = g->by_thread[thread].n,
                            .thread = (uint16_t)thread,
                            .kind = (uint8_t)kind,
                            .order = (uint8_t)order };
    e->action = *action;
    if (before) {
        const struct hd_event *last = &g->events[before];
        e->release_fence = last->release_fence;
        e->store_before = last->kind == HD_EVENT_STORE ? before : last->store_before;
        e->inside = last->inside;
    }
    if (__builtin_expect(g->like[thread] != 0, 0))
        e->alike = hd_graph_alike(g, thread, action);
    if (__builtin_expect(g->section != 0, 0) && action->object == g->section)
        e->inside = action->op == HD_OP_LOCK;
    note_kind(g, e);
    return id;
}

void hd_graph_clock_begin(struct hd_graph *g, uint32_t id)
{
    const struct hd_event *e = &g->events[id];
    hd_count *clocks = hd_clock(g, id, HD_CLOCK_PORF);
    uint32_t n = HD_CLOCK_RELEASE * g->lanes; /* those before it */
    if (e->index) {
        uint32_t before = g->by_thread[e->thread].events[e->index - 1];
        const hd_count *from = hd_clock(g, before, HD_CLOCK_PORF);
        for (uint32_t i = 0; i < n; i += HD_CLOCK_RELEASE * HD_LANES) {
            hd_lanes *to = (hd_lanes *)(clocks + i);
            const hd_lanes *of = (const hd_lanes *)(from + i);
            hd_lanes a = of[0], b = of[1], c = of[2];
            to[0] = a;
            to[1] = b;
            to[2] = c;
        }
    } else {
        memset(clocks, 0, sizeof *clocks * n);
    }
    if (e->after)
        hd_clock_join(g, clocks, hd_clock(g, e->after, HD_CLOCK_PORF));
    if (e->alike)
        hd_clock_join(g, clocks, hd_clock(g, hd_graph_after_alike(g, e), HD_CLOCK_PORF));
    clocks[e->thread] = hd_clock(g, id, HD_CLOCK_HB)[e->thread] = (hd_count)(e->index + 1);
}

void hd_graph_push(struct hd_graph *g, uint32_t id)
{
    hd_graph_append(g, id);
    g->order[g->n_order++] = id;
    if (g->model == HD_MEMORY_TSO)
        hd_model_tso_fence(g, &g->events[id]);
}

void hd_graph_pop(struct hd_graph *g, uint32_t id)
{
    hd_graph_remove(g, id);
    g->n_order--;
}

void hd_graph_relink(struct hd_graph *g, uint32_t load)
{
    struct hd_event *r = &g->events[load], *w = &g->events[r->rf];
    r->reader_prev = 0;
    r->reader_next = w->reader;
    if (w->reader)
        g->events[w->reader].reader_prev = load;
    w->reader = load;
}

void hd_graph_unread(struct hd_graph *g, uint32_t load)
{
    struct hd_event *r = &g->events[load];
    if (r->reader_prev)
        g->events[r->reader_prev].reader_next = r->reader_next;
    else
        g->events[r->rf].reader = r->reader_next;
    if (r->reader_next)
        g->events[r->reader_next].reader_prev = r->reader_prev;
}

/* Plain accesses synchronise with nothing, also not through fences. */
static bool is_plain(const struct hd_event *e)
{
    return e->plain || e->action.op == HD_OP_READ || e->action.op == HD_OP_WRITE;
}

void hd_graph_read(struct hd_graph *g, uint32_t load, uint32_t store)
{
    struct hd_event *r = &g->events[load];
    r->rf = store;
    hd_graph_relink(g, load);
    if (g->events[store].thread == HD_MAX_THREADS) /* the initial value: its clocks are empty */
        return;
    hd_clock_join(g, hd_clock(g, load, HD_CLOCK_PORF), hd_clock(g, store, HD_CLOCK_PORF));
    if (g->places[r->place].space != HD_SPACE_MEM) { /* fences do not work through locks */
        hd_object_acquire(g, load, store);
        return;
    }
    if (!g->events[store].releases || is_plain(r))
        return;
    const hd_count *released = hd_clock(g, store, HD_CLOCK_RELEASE);
    if (r->order & HD_ORDER_ACQUIRE)
        hd_clock_join(g, hd_clock(g, load, HD_CLOCK_HB), released);
    hd_clock_join(g, hd_clock(g, load, HD_CLOCK_ACQUIRE), released);
}

static inline hd_lanes lanes_of(const hd_count *clock) { return *(const hd_lanes *)clock; }

void hd_graph_read_anew(struct hd_graph *g, uint32_t load, uint32_t store)
{
    struct hd_event *r = &g->events[load];
    if (!r->index || r->after | r->alike) {
        hd_graph_clock_begin(g, load);
        hd_graph_read(g, load, store);
        return;
    }
    uint64_t lanes = g->lanes;
    uint32_t before = g->by_thread[r->thread].events[r->index - 1];
    const hd_count *from = hd_clock(g, before, HD_CLOCK_PORF);
    const hd_count *read = hd_clock(g, store, HD_CLOCK_PORF);
    hd_count *to = hd_clock(g, load, HD_CLOCK_PORF);
    bool learns = g->events[store].releases && !is_plain(r),
         acquires = r->order & HD_ORDER_ACQUIRE;
    uint64_t i = 0;
    do {
        hd_lanes porf = lanes_of(from + i), hb = lanes_of(from + lanes + i);
        hd_lanes acquire = lanes_of(from + HD_CLOCK_ACQUIRE * lanes + i);
        porf = __builtin_elementwise_max(porf, lanes_of(read + i));
        if (learns) {
            hd_lanes released = lanes_of(read + HD_CLOCK_RELEASE * lanes + i);
            acquire = __builtin_elementwise_max(acquire, released);
            if (acquires)
                hb = __builtin_elementwise_max(hb, released);
        }
        *(hd_lanes *)(to + i) = porf;
        *(hd_lanes *)(to + lanes + i) = hb;
        *(hd_lanes *)(to + HD_CLOCK_ACQUIRE * lanes + i) = acquire;
    } while ((i += HD_LANES) < lanes);
    to[r->thread] = to[lanes + r->thread] = (hd_count)(r->index + 1);
    r->rf = store;
    hd_graph_relink(g, load);
}

void hd_graph_release(struct hd_graph *g, uint32_t store, uint32_t load)
{
    struct hd_event *w = &g->events[store];
    uint32_t sequence = load ? g->events[load].rf : 0; /* the release sequence goes on */
    bool object = load && g->places[w->place].space != HD_SPACE_MEM;
    bool itself = (w->order & HD_ORDER_RELEASE || w->release_fence) && !is_plain(w);
    sequence = g->events[sequence].releases ? sequence : 0;
    w->releases = object || itself || sequence;
    if (!w->releases)
        return;
    hd_count *out = hd_clock(g, store, HD_CLOCK_RELEASE);
    uint64_t bytes = sizeof *out * g->lanes;
    memset(out, 0, bytes);
    if (object) {
        hd_object_release(g, store, load);
        return;
    }
    if (itself)
        memcpy(out,
               hd_clock(g, w->order & HD_ORDER_RELEASE ? store : w->release_fence, HD_CLOCK_HB),
               bytes);
    if (sequence)
        hd_clock_join(g, out, hd_clock(g, sequence, HD_CLOCK_RELEASE));
}

void hd_graph_fence(struct hd_graph *g, uint32_t fence)
{
    struct hd_event *f = &g->events[fence];
    if (f->order & HD_ORDER_ACQUIRE)
        hd_clock_join(g, hd_clock(g, fence, HD_CLOCK_HB), hd_clock(g, fence, HD_CLOCK_ACQUIRE));
    if (f->order & HD_ORDER_RELEASE)
        f->release_fence = fence;
}

void hd_graph_link(struct hd_graph *g, uint32_t store, uint32_t after)
{
    uint32_t next = g->events[after].mo_next;
    g->events[store].mo_prev = after;
    g->events[store].mo_next = next;
    g->events[after].mo_next = store;
    if (next)
        g->events[next].mo_prev = store;
    else
        g->places[g->events[store].place].last = store;
    if (__builtin_expect(g->parts, 0)) /* a witness may have moved the store itself */
        hd_graph_carry_parts(g, g->events[store].plain ? store : next);
}

void hd_graph_unlink(struct hd_graph *g, uint32_t store)
{
    uint32_t before = g->events[store].mo_prev, next = g->events[store].mo_next;
    g->events[before].mo_next = next;
    if (next)
        g->events[next].mo_prev = before;
    else
        g->places[g->events[store].place].last = before;
    if (__builtin_expect(g->parts, 0))
        hd_graph_carry_parts(g, next);
}

bool hd_graph_knows(const struct hd_graph *g, const hd_count *clock, uint32_t store)
{
    if (hd_clock_has(g, clock, store))
        return true;
    for (uint32_t r = g->events[store].reader; r; r = g->events[r].reader_next)
        if (hd_clock_has(g, clock, r))
            return true;
    return false;
}

static uint32_t oldest_by_hb(const struct hd_graph *g, uint32_t event)
{
    const struct hd_event *e = &g->events[event];
    uint32_t before = e->index ? g->by_thread[e->thread].events[e->index - 1] : 0;
    static const hd_count nothing[HD_MAX_THREADS];
    const hd_count *hb = before ? hd_clock(g, before, HD_CLOCK_HB) : nothing;
    uint32_t w = g->places[e->place].last;
    while (!hd_graph_knows(g, hb, w))
        w = g->events[w].mo_prev;
    return w;
}

uint32_t hd_graph_oldest(const struct hd_graph *g, uint32_t event)
{
    switch (g->model) {
    case HD_MEMORY_SC_RF:
        return hd_reads_from_oldest(g, event);
    case HD_MEMORY_TSO:
        return hd_model_tso_oldest(g, event);
    case HD_MEMORY_RC11:
        return oldest_by_hb(g, event);
    default:
        return hd_model_sc_oldest(g, event);
    }
}

uint32_t hd_graph_taken(const struct hd_graph *g, uint32_t store, uint32_t load)
{
    for (uint32_t r = g->events[store].reader; r; r = g->events[r].reader_next) {
        const struct hd_event *e = &g->events[r];
        const struct hd_graph_thread *t = &g->by_thread[e->thread];
        if (r != load && e->part == HD_PART_RMW && !e->blocked && e->index + 1 < t->n)
            return t->events[e->index + 1];
    }
    return 0;
}

bool hd_graph_closed(const struct hd_graph *g, uint32_t store)
{
    uint32_t next = g->events[store].mo_next;
    return next && g->events[next].part == HD_PART_RMW &&
           g->events[hd_graph_load_of(g, next)].rf == store;
}
