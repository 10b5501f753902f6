/* Emptiness of Streett automata, as far as strong fairness needs it: a component in which a
 * thread can move and never does is split, until each that is left is fair or has no edge. */
#include "explore/states/fair_cycles.h"

#include <string.h>

#define NONE (~0u)

bool hd_fair_init(struct hd_fair *f, struct hd_arena *arena, uint32_t states, uint32_t edges)
{
    uint64_t by_state = sizeof(uint32_t) * (states + 1ull), by_edge = sizeof(uint32_t) * edges;
    *f = (struct hd_fair){ .most_states = states, .most_edges = edges };
    f->part = hd_arena_take(arena, by_state);
    f->index = hd_arena_take(arena, by_state);
    f->low = hd_arena_take(arena, by_state);
    f->stack = hd_arena_take(arena, by_state);
    f->calls = hd_arena_take(arena, by_state);
    f->next = hd_arena_take(arena, by_state);
    f->begin = hd_arena_take(arena, by_state);
    f->order = hd_arena_take(arena, by_edge);
    f->dropped = hd_arena_take(arena, edges);
    f->sums = hd_arena_take(arena, sizeof *f->sums * (states + 1ull));
    f->walk = hd_arena_take(arena, 130 * by_state); /* to each of 64 threads and back */
    return f->sums && f->part && f->index && f->low && f->stack && f->calls && f->next &&
           f->begin && f->order && f->dropped && f->walk;
}

/* The edges by the states that they leave. */
static void sort(struct hd_fair *f, uint32_t n, const struct hd_fair_edge *edges, uint32_t m)
{
    memset(f->begin, 0, sizeof *f->begin * (n + 1ull));
    for (uint32_t e = 0; e < m; e++)
        f->begin[edges[e].from + 1]++;
    for (uint32_t v = 0; v < n; v++)
        f->begin[v + 1] += f->begin[v];
    memcpy(f->next, f->begin, sizeof *f->next * n);
    for (uint32_t e = 0; e < m; e++)
        f->order[f->next[edges[e].from]++] = e;
}

/* Is the edge inside one part? */
static bool inside(const struct hd_fair *f, const struct hd_fair_edge *edges, uint32_t e)
{
    return !f->dropped[e] && f->part[edges[e].from] &&
           f->part[edges[e].from] == f->part[edges[e].to];
}

/* Tarjan's algorithm from one state, inside its part; the components are numbered from *number
 * on and put into low[], of states that are done. */
static void visit(struct hd_fair *f, const struct hd_fair_edge *edges, uint32_t root,
                  uint32_t *met, uint32_t *number)
{
    uint32_t n_calls = 0, n_stack = 0;
    uint32_t v = root;
    for (;;) {
        if (!f->index[v]) {
            f->index[v] = f->low[v] = ++*met;
            f->stack[n_stack++] = v;
            f->calls[n_calls++] = v;
            f->next[v] = f->begin[v];
        }
        uint32_t to = NONE;
        while (f->next[v] < f->begin[v + 1] && to == NONE) {
            uint32_t e = f->order[f->next[v]++], w = edges[e].to;
            if (!inside(f, edges, e) || f->index[w] == NONE)
                continue;
            if (!f->index[w])
                to = w;
            else if (f->low[w] < f->low[v])
                f->low[v] = f->low[w];
        }
        if (to != NONE) {
            v = to;
            continue;
        }
        n_calls--;
        if (f->low[v] == f->index[v]) {
            uint32_t w;
            ++*number;
            do {
                w = f->stack[--n_stack];
                f->index[w] = NONE;
                f->low[w] = *number;
            } while (w != v);
        }
        if (n_calls == 0)
            return;
        uint32_t above = f->calls[n_calls - 1];
        if (f->index[v] != NONE && f->low[v] < f->low[above])
            f->low[above] = f->low[v];
        v = above;
    }
}

static uint32_t split_parts(struct hd_fair *f, uint32_t n, const struct hd_fair_edge *edges)
{
    uint32_t met = 0, number = 0;
    memset(f->index, 0, sizeof *f->index * n);
    for (uint32_t v = 0; v < n; v++)
        if (f->part[v] && !f->index[v])
            visit(f, edges, v, &met, &number);
    for (uint32_t v = 0; v < n; v++)
        if (f->part[v])
            f->part[v] = f->low[v];
    return number;
}

static void sum_up(struct hd_fair *f, uint32_t parts, const uint64_t *enabled, uint32_t n,
                   const struct hd_fair_edge *edges, uint32_t m)
{
    memset(f->sums, 0, sizeof *f->sums * (parts + 1ull));
    for (uint32_t v = 0; v < n; v++)
        f->sums[f->part[v]].can |= enabled[v];
    for (uint32_t e = 0; e < m; e++)
        if (inside(f, edges, e)) {
            f->sums[f->part[edges[e].from]].can |= edges[e].enabled;
            f->sums[f->part[edges[e].from]].does |= edges[e].movers;
        }
}

static uint64_t never(const struct hd_fair_sum *s) { return s->can & ~s->does; }

/* Remove edges that no fair cycle can use.  Returns whether there were any. */
static bool take_apart(struct hd_fair *f, const uint64_t *enabled, uint32_t n,
                       const struct hd_fair_edge *edges, uint32_t m)
{
    bool changed = false;
    for (uint32_t e = 0; e < m; e++)
        if (inside(f, edges, e) && edges[e].enabled & never(&f->sums[f->part[edges[e].from]])) {
            f->dropped[e] = 1;
            changed = true;
        }
    for (uint32_t v = 0; v < n; v++) {
        const struct hd_fair_sum *s = &f->sums[f->part[v]];
        if (!f->part[v] || (s->does && !(enabled[v] & never(s))))
            continue;
        changed = changed || s->does;
        f->part[v] = 0;
    }
    return changed;
}

/* The goal of a path search: a state of a part, one state, or a step of a thread. */
struct goal {
    uint32_t within; /* edges inside this part only; 0: all edges */
    uint32_t part, state;
    uint64_t mover;
};

static bool reached(const struct hd_fair *f, const struct goal *g, uint32_t state)
{
    return (g->part && f->part[state] == g->part) || g->state == state;
}

/* Append the path from `from` to the nearest goal to the walk.  Returns where it ends, NONE if
 * there is no path. */
static uint32_t go(struct hd_fair *f, const struct hd_fair_edge *edges, uint32_t n, uint32_t from,
                   const struct goal *g)
{
    uint32_t head = 0, tail = 0, last = NONE;
    if (reached(f, g, from))
        return from;
    memset(f->next, 0xff, sizeof *f->next * n); /* the edge by which a state was met */
    memset(f->index, 0, sizeof *f->index * n);
    f->index[from] = 1;
    f->stack[tail++] = from;
    while (head < tail && last == NONE) {
        uint32_t v = f->stack[head++];
        for (uint32_t i = f->begin[v]; i < f->begin[v + 1] && last == NONE; i++) {
            uint32_t e = f->order[i], w = edges[e].to;
            if (g->within && (!inside(f, edges, e) || f->part[v] != g->within))
                continue;
            if (g->mover ? (edges[e].movers & g->mover) != 0 : reached(f, g, w))
                last = e;
            else if (!f->index[w]) {
                f->index[w] = 1;
                f->next[w] = e;
                f->stack[tail++] = w;
            }
        }
    }
    if (last == NONE)
        return NONE;
    uint32_t length = 1;
    for (uint32_t v = edges[last].from; v != from; v = edges[f->next[v]].from)
        length++;
    f->n_walk += length;
    uint32_t at = f->n_walk;
    f->walk[--at] = last;
    for (uint32_t v = edges[last].from; v != from; v = edges[f->next[v]].from)
        f->walk[--at] = f->next[v];
    return edges[last].to;
}

/* Find a path to the part, and a cycle in it on which every thread that can move does.  False
 * if there is none. */
static bool make_walk(struct hd_fair *f, uint32_t part, const uint64_t *enabled, uint32_t n,
                      const struct hd_fair_edge *edges)
{
    f->n_walk = 0;
    uint32_t begin = go(f, edges, n, 0, &(struct goal){ .part = part, .state = NONE });
    if (begin == NONE)
        return false;
    f->n_stem = f->n_walk;
    uint64_t moved = 0, can = enabled[begin];
    uint32_t at = begin;
    while (can & ~moved || at != begin) {
        uint64_t one = (can & ~moved) & -(can & ~moved);
        struct goal goal = { .within = part, .state = one ? NONE : begin, .mover = one };
        uint32_t before = f->n_walk;
        at = go(f, edges, n, at, &goal);
        if (at == NONE)
            return false;
        for (uint32_t i = before; i < f->n_walk; i++) {
            const struct hd_fair_edge *e = &edges[f->walk[i]];
            moved |= e->movers;
            can |= e->enabled | enabled[e->to];
        }
    }
    return true;
}

bool hd_fair_find(struct hd_fair *f, const uint64_t *enabled, uint32_t n,
                  const struct hd_fair_edge *edges, uint32_t m)
{
    sort(f, n, edges, m);
    for (uint32_t e = 0; e < m; e++)
        f->dropped[e] = edges[e].excused != 0;
    for (uint32_t v = 0; v < n; v++)
        f->part[v] = 1;
    do {
        uint32_t parts = split_parts(f, n, edges);
        sum_up(f, parts, enabled, n, edges, m);
        for (uint32_t part = 1; part <= parts; part++)
            if (f->sums[part].does && !never(&f->sums[part]))
                return make_walk(f, part, enabled, n, edges);
    } while (take_apart(f, enabled, n, edges, m));
    return false;
}
