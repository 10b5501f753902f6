#include "explore/jobs/state_edges.h"

#include "core/pack.h"

#define CHUNK (256u << 10)
#define LONGEST 10u /* bytes of an edge */

/* Most steps leave the state that the one before came to, or one near it, and come to a new
 * state, whose number is the next.  So an edge is two differences: between the states that it
 * and the edge before it leave, and between its own states.  Small ones take a byte. */
struct hd_edge_chunk {
    struct hd_edge_chunk *older;
    uint32_t n;       /* edges */
    uint32_t n_bytes; /* of them */
    uint32_t from;    /* of the newest */
    uint8_t bytes[CHUNK];
};

bool hd_state_edges_have_room(const struct hd_state_edges *e, uint32_t worker)
{
    return e->newest[worker] && e->newest[worker]->n_bytes <= CHUNK - LONGEST;
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

/* The difference of two numbers, modulo 2^32, seven bits a byte; the sign is the lowest. */
static uint8_t *write_difference(uint8_t *at, uint32_t difference)
{
    uint32_t left = difference << 1 ^ (difference >> 31 ? UINT32_MAX : 0);
    for (; left >= 128; left >>= 7)
        *at++ = (uint8_t)(left | 128);
    *at++ = (uint8_t)left;
    return at;
}

static const uint8_t *read_difference(const uint8_t *at, uint32_t *difference)
{
    uint32_t read = 0, shift = 0;
    for (; *at & 128; shift += 7)
        read |= (uint32_t)(*at++ & 127) << shift;
    read |= (uint32_t)*at++ << shift;
    *difference = read >> 1 ^ (read & 1 ? UINT32_MAX : 0);
    return at;
}

void hd_state_edges_add(struct hd_state_edges *e, uint32_t worker, uint32_t from, uint32_t to)
{
    struct hd_edge_chunk *chunk = e->newest[worker];
    if (!hd_state_edges_have_room(e, worker)) {
        e->lost = true;
        return;
    }
    uint8_t *at = write_difference(chunk->bytes + chunk->n_bytes, from - chunk->from);
    chunk->n_bytes = (uint32_t)(write_difference(at, to - from) - chunk->bytes);
    chunk->from = from;
    chunk->n++;
}

/* All edges, one after the other. */
struct edges {
    const struct hd_state_edges *all;
    const struct hd_edge_chunk *chunk; /* NULL: go on with that of `worker` */
    const uint8_t *at;
    uint32_t worker, n; /* edges of the chunk that have been read */
    uint32_t from, to;  /* the newest */
};

static bool next_edge(struct edges *i)
{
    while (!i->chunk || i->n == i->chunk->n) {
        i->chunk = i->chunk ? i->chunk->older : i->all->newest[i->worker];
        if (!i->chunk && ++i->worker == HD_MAX_JOBS)
            return false;
        i->n = i->from = 0;
        i->at = i->chunk ? i->chunk->bytes : NULL;
    }
    uint32_t further, length;
    i->at = read_difference(i->at, &further);
    i->at = read_difference(i->at, &length);
    i->from += further;
    i->to = i->from + length;
    i->n++;
    return true;
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
    for (struct edges i = { .all = e }; next_edge(&i);) {
        if (i.from >= g->n || i.to >= g->n)
            return false;
        g->first[i.from]++;
        g->n_into[i.to]++;
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
    for (struct edges i = { .all = e }; next_edge(&i);)
        g->to[--g->first[i.from]] = i.to;
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
    for (struct edges i = { .all = e }; !p->reading && next_edge(&i);) {
        hd_pack_u32(p, &i.from, UINT32_MAX);
        hd_pack_u32(p, &i.to, UINT32_MAX);
    }
}
