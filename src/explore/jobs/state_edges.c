#include "explore/jobs/state_edges.h"

#include "core/pack.h"

#define CHUNK 65536u

struct hd_edge_chunk {
    struct hd_edge_chunk *older;
    uint64_t n;
    struct {
        uint32_t from, to;
    } edges[CHUNK];
};

bool hd_state_edges_have_room(const struct hd_state_edges *e, uint32_t worker)
{
    return e->newest[worker] && e->newest[worker]->n < CHUNK;
}

void hd_state_edges_make_room(struct hd_state_edges *e, uint32_t worker, struct hd_arena *arena)
{
    struct hd_edge_chunk *made = hd_arena_take(arena, sizeof *made);
    if (!made) {
        e->lost = true;
        return;
    }
    made->older = e->newest[worker];
    e->newest[worker] = made;
}

void hd_state_edges_add(struct hd_state_edges *e, uint32_t worker, uint32_t from, uint32_t to)
{
    struct hd_edge_chunk *chunk = e->newest[worker];
    if (!hd_state_edges_have_room(e, worker)) {
        e->lost = true;
        return;
    }
    chunk->edges[chunk->n].from = from;
    chunk->edges[chunk->n++].to = to;
}

/* ---- cycles ---- */

struct graph {
    uint64_t *first; /* by state, and one more: where its successors begin in `to` */
    uint32_t *to;
    uint32_t *n_into; /* by state: edges that lead to it */
    uint32_t *queue;
    uint32_t n;
    uint64_t m;
};

/* Count the edges by the state that they leave; false: one is of a damaged work unit. */
static bool count(const struct hd_state_edges *e, struct graph *g)
{
    for (uint32_t w = 0; w < HD_MAX_JOBS; w++)
        for (const struct hd_edge_chunk *c = e->newest[w]; c; c = c->older)
            for (uint64_t i = 0; i < c->n; i++) {
                if (c->edges[i].from >= g->n || c->edges[i].to >= g->n)
                    return false;
                g->first[c->edges[i].from]++;
                g->n_into[c->edges[i].to]++;
            }
    return true;
}

static void fill(const struct hd_state_edges *e, struct graph *g)
{
    uint64_t sum = 0;
    for (uint32_t s = 0; s <= g->n; s++) {
        uint64_t n = g->first[s];
        g->first[s] = sum += n; /* where they end: filled from there */
    }
    for (uint32_t w = 0; w < HD_MAX_JOBS; w++)
        for (const struct hd_edge_chunk *c = e->newest[w]; c; c = c->older)
            for (uint64_t i = 0; i < c->n; i++)
                g->to[--g->first[c->edges[i].from]] = c->edges[i].to;
}

/* Kahn: what can be taken away, state by state, because no edge leads to it any more, is on no
 * cycle. */
static bool all_can_go(struct graph *g)
{
    uint32_t gone = 0, n = 0;
    for (uint32_t s = 0; s < g->n; s++)
        if (!g->n_into[s])
            g->queue[n++] = s;
    while (gone < n) {
        uint32_t s = g->queue[gone++];
        for (uint64_t i = g->first[s]; i < g->first[s + 1]; i++)
            if (--g->n_into[g->to[i]] == 0)
                g->queue[n++] = g->to[i];
    }
    return n == g->n;
}

static bool make(struct graph *g, struct hd_arena *arena)
{
    g->first = hd_arena_take(arena, (g->n + 1ull) * sizeof *g->first);
    g->to = hd_arena_take(arena, g->m * sizeof *g->to);
    g->n_into = hd_arena_take(arena, (uint64_t)g->n * sizeof *g->n_into);
    g->queue = hd_arena_take(arena, (uint64_t)g->n * sizeof *g->queue);
    return g->first && g->to && g->n_into && g->queue;
}

static uint64_t sum_of(const struct hd_state_edges *e)
{
    uint64_t sum = 0;
    for (uint32_t w = 0; w < HD_MAX_JOBS; w++)
        for (const struct hd_edge_chunk *c = e->newest[w]; c; c = c->older)
            sum += c->n;
    return sum;
}

enum hd_cyclic hd_state_edges_cyclic(const struct hd_state_edges *e, uint32_t n,
                                     struct hd_arena *arena)
{
    struct graph g = { .n = n, .m = sum_of(e) };
    struct hd_arena before = *arena;
    enum hd_cyclic found = HD_CYCLIC_UNKNOWN;
    if (!e->lost && make(&g, arena) && count(e, &g)) {
        fill(e, &g);
        found = all_can_go(&g) ? HD_CYCLIC_NOT : HD_CYCLIC;
    }
    hd_arena_give_back(before.base + before.used, arena->used - before.used);
    return found;
}

/* ---- work units ---- */

/* All of them as those of the first worker. */
void hd_state_edges_pack(struct hd_state_edges *e, struct hd_arena *arena, struct hd_pack *p)
{
    uint64_t n = p->reading ? 0 : sum_of(e);
    hd_pack_bool(p, &e->lost);
    hd_pack_count64(p, &n, UINT64_MAX);
    for (uint64_t i = 0; p->reading && i < n && !p->bad; i++) {
        uint32_t from = 0, to = 0;
        hd_pack_u32(p, &from, UINT32_MAX);
        hd_pack_u32(p, &to, UINT32_MAX);
        if (!hd_state_edges_have_room(e, 0))
            hd_state_edges_make_room(e, 0, arena);
        hd_state_edges_add(e, 0, from, to);
    }
    for (uint32_t w = 0; w < HD_MAX_JOBS && !p->reading; w++)
        for (struct hd_edge_chunk *c = e->newest[w]; c; c = c->older)
            for (uint64_t i = 0; i < c->n; i++) {
                hd_pack_u32(p, &c->edges[i].from, UINT32_MAX);
                hd_pack_u32(p, &c->edges[i].to, UINT32_MAX);
            }
}
