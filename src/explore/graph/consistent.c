/* RC11 (Lahav, Vafeiadis, Kang, Hur, Dreyer, PLDI 2017).
 *
 * Coherence and atomicity hold by construction: hd_graph_oldest, and the place of a store part.
 * po and rf have no cycle, because a load reads what is there.  What is left is the order
 * of seq_cst events, psc.  A new event is the last in po, and nobody reads it; so edges lead
 * out of it only by mo and fr, to stores after it or after what it reads.  If there are
 * none, there is no new cycle.
 *
 * Synchronisation objects are no atomic objects of C: psc has no mo and no fr of them. */
#include "explore/graph/graph.h"

#include <string.h>

#define MOST 1024u
#define WORDS (MOST / 64)

enum relation { HB, ECO, SCB, PSC, N_RELATIONS };

struct relations {
    uint32_t ids[MOST], n;
    uint32_t number[HD_GRAPH_EVENTS];
    uint64_t bits[N_RELATIONS][MOST][WORDS];
};

static bool has(const struct relations *m, enum relation r, uint32_t a, uint32_t b)
{
    return m->bits[r][a][b / 64] >> (b % 64) & 1;
}

static void set(struct relations *m, enum relation r, uint32_t a, uint32_t b)
{
    m->bits[r][a][b / 64] |= 1ull << (b % 64);
}

static void close_transitively(struct relations *m, enum relation r)
{
    for (uint32_t k = 0; k < m->n; k++)
        for (uint32_t i = 0; i < m->n; i++)
            if (has(m, r, i, k))
                for (uint32_t w = 0; w <= (m->n - 1) / 64; w++)
                    m->bits[r][i][w] |= m->bits[r][k][w];
}

/* False: there are not two seq_cst events, or too many events to tell. */
static bool number_events(struct relations *m, struct hd_graph *g)
{
    m->n = 0;
    uint32_t strong = 0;
    for (uint32_t i = 0; i < g->n_order; i++) {
        const struct hd_event *e = hd_event(g, g->order[i]);
        if (e->kind > HD_EVENT_FENCE)
            continue;
        if (m->n == MOST) {
            g->full = true;
            return false;
        }
        m->number[g->order[i]] = m->n;
        m->ids[m->n++] = g->order[i];
        strong += e->order & HD_ORDER_SEQ_CST ? 1 : 0;
    }
    for (uint32_t r = 0; r < N_RELATIONS; r++)
        for (uint32_t i = 0; i < m->n; i++)
            memset(m->bits[r][i], 0, sizeof m->bits[r][i]);
    return strong > 1;
}

static void fill_hb(struct relations *m, const struct hd_graph *g)
{
    for (uint32_t i = 0; i < m->n; i++)
        for (uint32_t j = 0; j < m->n; j++)
            if (i != j && hd_clock_has(g, hd_clock(g, m->ids[j], HD_CLOCK_HB), m->ids[i]))
                set(m, HB, i, j);
}

/* mo and fr, which are also part of scb; eco is their closure with rf.  The initial stores are
 * before everything, so no cycle goes through them. */
static void fill_eco(struct relations *m, const struct hd_graph *g)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct hd_event *e = hd_event(g, m->ids[i]);
        if (e->kind == HD_EVENT_FENCE || g->places[e->place].space != HD_SPACE_MEM)
            continue;
        uint32_t w = e->kind == HD_EVENT_LOAD ? e->rf : m->ids[i];
        for (uint32_t v = hd_event(g, w)->mo_next; v; v = hd_event(g, v)->mo_next) {
            set(m, ECO, i, m->number[v]);
            set(m, SCB, i, m->number[v]);
        }
        if (e->kind == HD_EVENT_STORE)
            for (uint32_t r = e->reader; r; r = hd_event(g, r)->reader_next)
                set(m, ECO, i, m->number[r]);
    }
    close_transitively(m, ECO);
}

static bool same_place(const struct hd_event *a, const struct hd_event *b)
{
    return a->kind <= HD_EVENT_STORE && b->kind <= HD_EVENT_STORE && a->place == b->place;
}

static void fill_scb(struct relations *m, const struct hd_graph *g)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct hd_event *a = hd_event(g, m->ids[i]);
        for (uint32_t j = 0; j < m->n; j++) {
            const struct hd_event *b = hd_event(g, m->ids[j]);
            if (has(m, HB, i, j) && (a->thread == b->thread || same_place(a, b)))
                set(m, SCB, i, j);
        }
    }
    for (uint32_t c = 0; c < m->n; c++) /* po to another place; hb; po from another place */
        for (uint32_t d = 0; d < m->n; d++) {
            if (!has(m, HB, c, d))
                continue;
            const struct hd_event *ec = hd_event(g, m->ids[c]), *ed = hd_event(g, m->ids[d]);
            for (uint32_t i = 0; i < m->n; i++) {
                const struct hd_event *a = hd_event(g, m->ids[i]);
                if (a->thread != ec->thread || a->index >= ec->index || same_place(a, ec))
                    continue;
                for (uint32_t j = 0; j < m->n; j++) {
                    const struct hd_event *b = hd_event(g, m->ids[j]);
                    if (b->thread == ed->thread && b->index > ed->index && !same_place(b, ed))
                        set(m, SCB, i, j);
                }
            }
        }
}

/* psc_base: from a, or what is after the fence a, by scb to b, or what is before the fence
 * b. */
static bool base_edge(const struct relations *m, uint32_t a, bool fence_a, uint32_t b,
                      bool fence_b)
{
    for (uint32_t x = 0; x < m->n; x++) {
        if (x != a && !(fence_a && has(m, HB, a, x)))
            continue;
        for (uint32_t y = 0; y < m->n; y++)
            if ((y == b || (fence_b && has(m, HB, y, b))) && has(m, SCB, x, y))
                return true;
    }
    return false;
}

static bool fence_edge(const struct relations *m, uint32_t a, uint32_t b)
{
    if (has(m, HB, a, b))
        return true;
    for (uint32_t x = 0; x < m->n; x++)
        for (uint32_t y = 0; y < m->n && has(m, HB, a, x); y++)
            if (has(m, ECO, x, y) && has(m, HB, y, b))
                return true;
    return false;
}

static bool psc_has_cycle(struct relations *m, const struct hd_graph *g)
{
    for (uint32_t i = 0; i < m->n; i++) {
        const struct hd_event *a = hd_event(g, m->ids[i]);
        bool fence_a = a->kind == HD_EVENT_FENCE;
        for (uint32_t j = 0; j < m->n && a->order & HD_ORDER_SEQ_CST; j++) {
            const struct hd_event *b = hd_event(g, m->ids[j]);
            bool fence_b = b->kind == HD_EVENT_FENCE;
            if (b->order & HD_ORDER_SEQ_CST && (base_edge(m, i, fence_a, j, fence_b) ||
                                                (fence_a && fence_b && fence_edge(m, i, j))))
                set(m, PSC, i, j);
        }
    }
    close_transitively(m, PSC);
    for (uint32_t i = 0; i < m->n; i++)
        if (has(m, PSC, i, i))
            return true;
    return false;
}

bool hd_graph_consistent(struct hd_graph *g, uint32_t event)
{
    const struct hd_event *e = hd_event(g, event);
    if (g->futexes && hd_futex_missed(g, event))
        return false;
    if (g->model != HD_MEMORY_RC11 || !g->seq_cst || e->kind > HD_EVENT_STORE)
        return true;
    uint32_t w = e->kind == HD_EVENT_LOAD ? e->rf : event;
    if (!hd_event(g, w)->mo_next)
        return true;
    struct relations *m = (struct relations *)g->matrix;
    if (!number_events(m, g))
        return true;
    fill_hb(m, g);
    fill_eco(m, g);
    fill_scb(m, g);
    return !psc_has_cycle(m, g);
}

uint64_t hd_graph_matrix_bytes(void) { return sizeof(struct relations); }
