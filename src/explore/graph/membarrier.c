/* membarrier(2): a fence in every thread of the process (docs/design/019-graph.md).
 *
 * The call is two seq_cst fences of its thread, `enter` and `leave`.  Between them every other
 * thread passes a seq_cst fence, somewhere in its program order, and which place that is cannot
 * be observed but by what the fence orders.  So a graph is consistent if there is a place for
 * each of these fences, its *cut*, with which it is: enter, then the fence, then leave in the
 * order of seq_cst events, or in that of the machine.  The fences do not synchronise: the cuts
 * change nothing in happens-before.
 *
 * The cuts are tried one after the other.  What has a cycle with some of the fences has one
 * with more of them.
 *
 * A new event without an edge to others keeps the cuts that there were.  It is behind them. */
#include "explore/graph/graph.h"

#include <string.h>

#define NODES 256u
#define WORDS (NODES / 64)

struct set {
    uint64_t w[WORDS];
};

/* An event, or a fence of a membarrier before the event `index` of the thread. */
struct node {
    uint32_t id; /* 0: such a fence */
    uint32_t thread, index;
    uint32_t rank;         /* load, store: of the store that it reads or is, in mo */
    uint32_t enter, leave; /* a fence: nodes; `leave` may be missing */
};

struct hd_membarriers {
    struct node nodes[NODES];
    uint32_t n;
    uint32_t first[HD_MAX_THREADS]; /* node of the thread's first event */
    struct set hb[NODES], scb[NODES], other[NODES], work[NODES], edges[NODES];
};

static bool has(const struct set *s, uint32_t i) { return s->w[i / 64] >> i % 64 & 1; }

static void put(struct set *s, uint32_t i) { s->w[i / 64] |= 1ull << i % 64; }

static void unite(struct set *into, const struct set *other)
{
    for (uint32_t i = 0; i < WORDS; i++)
        into->w[i] |= other->w[i];
}

static const struct hd_event *event_of(const struct hd_graph *g, const struct node *a)
{
    return hd_event(g, a->id); /* [0] is all zeros */
}

static bool is_access(const struct hd_graph *g, const struct node *a)
{
    const struct hd_event *e = event_of(g, a);
    return a->id && e->kind <= HD_EVENT_STORE && g->places[e->place].space == HD_SPACE_MEM;
}

static bool same_place(const struct hd_graph *g, const struct node *a, const struct node *b)
{
    return a->id && b->id && event_of(g, a)->kind <= HD_EVENT_STORE &&
           event_of(g, b)->kind <= HD_EVENT_STORE &&
           event_of(g, a)->place == event_of(g, b)->place;
}

static bool is_fence(const struct hd_graph *g, const struct node *a)
{
    const struct hd_event *e = event_of(g, a);
    return !a->id || (e->kind == HD_EVENT_FENCE && e->order & HD_ORDER_SEQ_CST);
}

static bool is_strong(const struct hd_graph *g, const struct node *a)
{
    const struct hd_event *e = event_of(g, a);
    return !a->id || (e->kind <= HD_EVENT_FENCE && e->order & HD_ORDER_SEQ_CST);
}

static bool in_po(const struct node *a, const struct node *b)
{
    return a->thread == b->thread && 2 * a->index + (a->id != 0) < 2 * b->index + (b->id != 0);
}

static bool in_hb(const struct hd_graph *g, const struct node *a, const struct node *b)
{
    uint32_t last = b->id;
    if (a->thread == b->thread)
        return in_po(a, b);
    if (!last && !b->index)
        return false;
    if (!last)
        last = g->by_thread[b->thread].events[b->index - 1];
    return hd_clock(g, last, HD_CLOCK_HB)[a->thread] > a->index;
}

/* mo, or fr. */
static bool is_newer(const struct hd_graph *g, const struct node *a, const struct node *b)
{
    return is_access(g, a) && is_access(g, b) && same_place(g, a, b) &&
           event_of(g, b)->kind == HD_EVENT_STORE && a->rank < b->rank &&
           !hd_event_is_apart(event_of(g, a), event_of(g, b));
}

static bool in_eco(const struct hd_graph *g, const struct node *a, const struct node *b)
{
    if (!is_access(g, a) || !is_access(g, b) || !same_place(g, a, b) ||
        hd_event_is_apart(event_of(g, a), event_of(g, b)))
        return false;
    bool reads = event_of(g, a)->kind == HD_EVENT_STORE && event_of(g, b)->kind == HD_EVENT_LOAD;
    return a->rank < b->rank || (reads && a->rank == b->rank);
}

/* into = into; by */
static void compose(struct hd_membarriers *m, struct set *into, const struct set *by)
{
    for (uint32_t i = 0; i < m->n; i++) {
        struct set out = { { 0 } };
        for (uint32_t w = 0; w < WORDS; w++)
            for (uint64_t left = into[i].w[w]; left; left &= left - 1)
                unite(&out, &by[64 * w + (uint32_t)__builtin_ctzll(left)]);
        into[i] = out;
    }
}

static void fill(const struct hd_graph *g, struct hd_membarriers *m, struct set *into,
                 bool (*relation)(const struct hd_graph *, const struct node *,
                                  const struct node *))
{
    for (uint32_t i = 0; i < m->n; i++) {
        memset(&into[i], 0, sizeof into[i]);
        for (uint32_t k = 0; k < m->n; k++)
            if (relation(g, &m->nodes[i], &m->nodes[k]))
                put(&into[i], k);
    }
}

static bool to_another(const struct hd_graph *g, const struct node *a, const struct node *b)
{
    return in_po(a, b) && hd_psc_counts(event_of(g, a)) && hd_psc_counts(event_of(g, b)) &&
           !same_place(g, a, b);
}

static bool in_scb(const struct hd_graph *g, const struct node *a, const struct node *b)
{
    return (in_po(a, b) && hd_psc_counts(event_of(g, a)) && hd_psc_counts(event_of(g, b))) ||
           (same_place(g, a, b) && in_hb(g, a, b)) || is_newer(g, a, b);
}

/* po to another place; hb; po from another place.  A thread ends where it is joined. */
static void add_far(const struct hd_graph *g, struct hd_membarriers *m)
{
    static const struct set none;
    fill(g, m, m->other, to_another);
    memcpy(m->work, m->other, m->n * sizeof *m->work);
    compose(m, m->work, m->hb);
    for (uint32_t j = 0; j < m->n; j++) {
        const struct hd_event *join = event_of(g, &m->nodes[j]);
        for (uint32_t i = 0; i < m->n && join->action.op == HD_OP_JOIN; i++) {
            if (m->nodes[i].thread != join->action.object ||
                memcmp(&m->other[i], &none, sizeof none) != 0)
                continue;
            put(&m->work[i], j);
            unite(&m->work[i], &m->hb[j]);
        }
    }
    compose(m, m->work, m->other);
    for (uint32_t i = 0; i < m->n; i++)
        unite(&m->scb[i], &m->work[i]);
}

/* The order of seq_cst events (consistent.c). */
static void add_psc(const struct hd_graph *g, struct hd_membarriers *m, uint32_t a,
                    const struct set *strong, const struct set *fences)
{
    struct set at = m->scb[a], by_hb = { { 0 } };
    bool fence = has(fences, a);
    for (uint32_t x = 0; x < m->n && fence; x++) {
        if (!has(&m->hb[a], x))
            continue;
        unite(&at, &m->scb[x]);
        for (uint32_t z = 0; z < m->n; z++)
            if (in_eco(g, &m->nodes[x], &m->nodes[z]))
                unite(&by_hb, &m->hb[z]);
    }
    for (uint32_t y = 0; y < m->n; y++)
        if (has(&at, y))
            unite(&by_hb, &m->hb[y]);
    if (fence)
        unite(&by_hb, &m->hb[a]);
    for (uint32_t i = 0; i < WORDS; i++)
        m->edges[a].w[i] = (at.w[i] & strong->w[i]) | (by_hb.w[i] & fences->w[i]);
}

static void order_rc11(const struct hd_graph *g, struct hd_membarriers *m)
{
    struct set strong = { { 0 } }, fences = { { 0 } };
    fill(g, m, m->hb, in_hb);
    fill(g, m, m->scb, in_scb);
    add_far(g, m);
    for (uint32_t i = 0; i < m->n; i++) {
        if (is_strong(g, &m->nodes[i]))
            put(&strong, i);
        if (is_fence(g, &m->nodes[i]))
            put(&fences, i);
    }
    for (uint32_t i = 0; i < m->n; i++) {
        memset(&m->edges[i], 0, sizeof m->edges[i]);
        if (has(&strong, i))
            add_psc(g, m, i, &strong, &fences);
    }
}

/* A later load is not after a store that may still be in the buffer. */
static bool is_kept(const struct hd_graph *g, const struct node *a, const struct node *b)
{
    const struct hd_event *e = event_of(g, a), *f = event_of(g, b);
    return in_po(a, b) && (!a->id || !b->id || e->kind != HD_EVENT_STORE ||
                           f->kind == HD_EVENT_STORE || f->fenced > a->index);
}

static void from(const struct hd_graph *g, struct hd_membarriers *m, uint32_t id, uint32_t to)
{
    const struct hd_event *e = hd_event(g, id);
    if (id && e->thread < HD_MAX_THREADS)
        put(&m->edges[m->first[e->thread] + e->index], to);
}

/* The order of the machine (model_tso.c). */
static void order_tso(const struct hd_graph *g, struct hd_membarriers *m)
{
    fill(g, m, m->edges, is_kept);
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t id = m->nodes[i].id;
        const struct hd_event *e = hd_event(g, id);
        if (!id)
            continue;
        from(g, m, e->after, i);
        from(g, m, hd_futex_previous(g, e), i);
        if (hd_event_of_heap(e)) {
            from(g, m, e->kind == HD_EVENT_LOAD ? hd_object_given(g, id) : 0, i);
            continue;
        }
        bool reads = e->kind == HD_EVENT_LOAD && hd_event(g, e->rf)->thread != e->thread;
        if (reads || e->kind == HD_EVENT_LOCAL)
            from(g, m, e->rf, i);
        if (e->kind != HD_EVENT_STORE)
            continue;
        for (uint32_t w = e->mo_prev; w; w = hd_graph_older(g, e, w)) {
            if (!hd_event_is_apart(e, hd_event(g, w)))
                from(g, m, w, i);
            for (uint32_t r = hd_event(g, w)->reader; r; r = hd_event(g, r)->reader_next)
                if (!hd_event_is_pass(hd_event(g, r)))
                    from(g, m, r, i);
        }
    }
}

static bool has_cycle(const struct hd_graph *g, struct hd_membarriers *m)
{
    if (g->model == HD_MEMORY_TSO)
        order_tso(g, m);
    else
        order_rc11(g, m);
    for (uint32_t i = 0; i < m->n; i++)
        if (!m->nodes[i].id) {
            put(&m->edges[m->nodes[i].enter], i);
            if (m->nodes[i].leave != ~0u)
                put(&m->edges[i], m->nodes[i].leave);
        }
    for (uint32_t k = 0; k < m->n; k++)
        for (uint32_t i = 0; i < m->n; i++)
            if (has(&m->edges[i], k))
                unite(&m->edges[i], &m->edges[k]);
    for (uint32_t i = 0; i < m->n; i++)
        if (has(&m->edges[i], i))
            return true;
    return false;
}

/* Is there a place for the fence of the membarrier `enter` in that thread, and for all that
 * come after it? */
static bool place_from(const struct hd_graph *g, struct hd_membarriers *m, uint32_t n_events,
                       uint32_t enter, uint32_t thread)
{
    for (; enter < n_events; enter++, thread = 0) {
        const struct hd_event *e = event_of(g, &m->nodes[enter]);
        if (!hd_begins_membarrier(e))
            continue;
        for (; thread < g->used; thread++)
            if (thread != e->thread && g->by_thread[thread].n)
                break;
        if (thread < g->used)
            break;
    }
    if (enter == n_events)
        return true;
    bool last = event_of(g, &m->nodes[enter])->index + 1 ==
                g->by_thread[m->nodes[enter].thread].n;
    uint32_t i = m->n++;
    bool found = false;
    for (uint32_t cut = 0; cut <= g->by_thread[thread].n && !found; cut++) {
        m->nodes[i] = (struct node){
            .thread = thread, .index = cut, .enter = enter, .leave = last ? ~0u : enter + 1
        };
        found = !has_cycle(g, m) && place_from(g, m, n_events, enter, thread + 1);
    }
    m->n = i;
    return found;
}

static uint32_t rank_of(const struct hd_graph *g, const struct hd_event *e, uint32_t id)
{
    uint32_t n = 0;
    if (e->kind > HD_EVENT_STORE)
        return 0;
    for (uint32_t w = e->kind == HD_EVENT_LOAD ? e->rf : id; w; w = hd_event(g, w)->mo_prev)
        n++;
    return n;
}

bool hd_membarrier_has_places(struct hd_graph *g)
{
    struct hd_membarriers *m = g->membarriers;
    uint32_t most = g->n_order, n_fences = 0;
    for (uint32_t i = 0; i < g->n_order; i++)
        n_fences += hd_begins_membarrier(hd_event(g, g->order[i]));
    most += n_fences * g->used;
    if (most > NODES) {
        g->full = true;
        return true;
    }
    m->n = 0;
    for (uint32_t t = 0; t < g->used; t++) {
        m->first[t] = m->n;
        for (uint32_t i = 0; i < g->by_thread[t].n; i++) {
            uint32_t id = g->by_thread[t].events[i];
            m->nodes[m->n++] = (struct node){
                .id = id, .thread = t, .index = i, .rank = rank_of(g, hd_event(g, id), id)
            };
        }
    }
    return place_from(g, m, m->n, 0, 0);
}

uint64_t hd_membarrier_bytes(void) { return sizeof(struct hd_membarriers); }
