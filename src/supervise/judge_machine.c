/* A step is two events: it is *issued* in program order, and its store *reaches memory*.  Under
 * sequential consistency, and of a barrier, nothing of its thread comes between the two.  Under
 * TSO the stores of a thread reach memory in their order, and a barrier waits for all of them.
 *
 * Edges: program order; a store before the loads of other threads that read it; the
 * modification order of each location; a load before the store that overwrites what it reads;
 * a thread's creation before its start, and its end before a join.  The run is impossible if
 * they have a cycle.  A thread that reads its own store may do so before others can; that it
 * reads no older one is looked at by itself. */
#include "supervise/judge_machine.h"

#include "core/enabled.h"

#include <stdlib.h>

struct edge {
    uint32_t from, to;
};

struct machine {
    const struct hd_run_graph *g;
    const struct hd_step *log;
    uint32_t n;
    bool buffers; /* TSO */
    struct edge *edges;
    uint32_t n_edges, room;
};

static uint32_t issued(uint32_t step) { return 2 * step; }

static uint32_t in_memory(uint32_t step) { return 2 * step + 1; }

static void add(struct machine *m, uint32_t from, uint32_t to)
{
    if (m->n_edges == m->room) {
        m->room = m->room ? 2 * m->room : 256;
        m->edges = hd_realloc(m->edges, m->room * sizeof *m->edges);
    }
    m->edges[m->n_edges++] = (struct edge){ from, to };
}

static bool stores(const struct machine *m, uint32_t step)
{
    const struct hd_graph_access *a = hd_run_graph_access(m->g, step);
    return a && a->stores != HD_NO_STORE;
}

static bool is_barrier(const struct hd_step *s)
{
    switch ((int)s->action.op) {
    case HD_OP_RMW:
    case HD_OP_CAS:
    case HD_OP_CAS_FAIL:
    case HD_OP_CREATE:
    case HD_OP_START:
    case HD_OP_JOIN:
        return true;
    case HD_OP_FENCE:
    case HD_OP_ATOMIC_WRITE:
        return s->action.order & HD_ORDER_SEQ_CST;
    default:
        return false;
    }
}

/* Program order; `before` and `stored` are the thread's last step and last store, + 1. */
static void add_step(struct machine *m, uint32_t i, uint32_t before, uint32_t stored)
{
    bool waits = !m->buffers || is_barrier(&m->log[i]);
    add(m, issued(i), in_memory(i));
    if (before)
        add(m, issued(before - 1), issued(i));
    if (before && (!m->buffers || is_barrier(&m->log[before - 1])))
        add(m, in_memory(before - 1), issued(i));
    if (stored)
        add(m, in_memory(stored - 1), waits ? issued(i) : in_memory(i));
}

static void add_threads(struct machine *m, uint32_t n_threads)
{
    uint32_t *before = hd_alloc((n_threads + 1) * sizeof *before);
    uint32_t *stored = hd_alloc((n_threads + 1) * sizeof *stored);
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t t = m->log[i].thread;
        add_step(m, i, before[t], stored[t]);
        before[t] = i + 1;
        if (stores(m, i))
            stored[t] = i + 1;
    }
    free(before);
    free(stored);
}

/* The last step before `step` with that operation on the same thread, + 1; 0: there is none. */
static uint32_t last_of(const struct machine *m, uint32_t op, uint32_t step)
{
    uint32_t k = step;
    while (k && (m->log[k - 1].action.op != op ||
                 m->log[k - 1].action.object != m->log[step].action.object))
        k--;
    return k;
}

/* A thread's creation before its start, and its end before a join. */
static void add_lives(struct machine *m)
{
    for (uint32_t i = 0; i < m->n; i++) {
        uint32_t op = m->log[i].action.op, before = 0;
        if (op == HD_OP_START)
            before = last_of(m, HD_OP_CREATE, i);
        else if (op == HD_OP_JOIN)
            before = last_of(m, HD_OP_EXIT, i);
        if (before)
            add(m, in_memory(before - 1), issued(i));
    }
}

static void add_places(struct machine *m)
{
    for (uint32_t p = 0; p < m->g->n_places; p++) {
        const struct hd_graph_place *place = &m->g->places[p];
        for (uint32_t k = 1; k < place->n_mo; k++) {
            uint32_t a = m->g->stores[place->mo[k - 1]].step, b = m->g->stores[place->mo[k]].step;
            if (a && b && a != b)
                add(m, in_memory(a - 1), in_memory(b - 1));
        }
    }
}

/* A load: where it reads from, and what overwrites that. */
static void add_load(struct machine *m, const struct hd_graph_access *load)
{
    const struct hd_graph_place *place = &m->g->places[load->place];
    uint32_t at = hd_graph_read_at(m->g, load), from = m->g->stores[load->reads].step;
    if (from && (!m->buffers || m->log[from - 1].thread != m->log[load->step].thread))
        add(m, in_memory(from - 1), issued(load->step));
    uint32_t next = at + 1 < place->n_mo ? m->g->stores[place->mo[at + 1]].step : 0;
    if (next && next - 1 != load->step)
        add(m, issued(load->step), in_memory(next - 1));
}

/* Does a load read an older store than one that its thread made before? */
static bool misses_own(const struct machine *m, uint32_t n_threads)
{
    const struct hd_run_graph *g = m->g;
    bool missed = false;
    /* by location and thread: the newest store of the thread so far, + 1 */
    uint32_t *own = hd_alloc(((size_t)g->n_places * n_threads + 1) * sizeof *own);
    for (uint32_t i = 0; i < g->n_accesses && !missed; i++) {
        const struct hd_graph_access *a = &g->accesses[i];
        uint32_t *newest = &own[(size_t)a->place * n_threads + m->log[a->step].thread];
        missed = a->reads != HD_NO_STORE && *newest > hd_graph_read_at(g, a) + 1;
        if (a->stores != HD_NO_STORE && *newest < hd_graph_store_at(g, a) + 1)
            *newest = hd_graph_store_at(g, a) + 1;
    }
    free(own);
    return missed;
}

/* Kahn: events to which no edge leads are taken away.  A cycle, and what is after it, stays. */
static bool has_cycle(const struct machine *m)
{
    uint32_t events = 2 * m->n, n = 0, left = events;
    uint32_t *into = hd_alloc((events + 1) * sizeof *into);
    uint32_t *first = hd_alloc((events + 2) * sizeof *first);
    uint32_t *to = hd_alloc((m->n_edges + 1) * sizeof *to);
    uint32_t *free_ones = hd_alloc((events + 1) * sizeof *free_ones);
    for (uint32_t i = 0; i < m->n_edges; i++) {
        first[m->edges[i].from + 2]++;
        into[m->edges[i].to]++;
    }
    for (uint32_t i = 2; i < events + 2; i++)
        first[i] += first[i - 1];
    for (uint32_t i = 0; i < m->n_edges; i++)
        to[first[m->edges[i].from + 1]++] = m->edges[i].to;
    for (uint32_t i = 0; i < events; i++)
        if (into[i] == 0)
            free_ones[n++] = i;
    for (; n; left--) {
        uint32_t event = free_ones[--n];
        for (uint32_t i = first[event]; i < first[event + 1]; i++)
            if (--into[to[i]] == 0)
                free_ones[n++] = to[i];
    }
    free(into);
    free(first);
    free(to);
    free(free_ones);
    return left != 0;
}

bool hd_judge_machine(const struct hd_run_graph *g)
{
    struct machine m = { .g = g, .log = g->run->log, .n = g->run->n_log };
    m.buffers = g->run->memory == HD_MEMORY_TSO;
    uint32_t n_threads = 0;
    for (uint32_t i = 0; i < m.n; i++)
        n_threads = m.log[i].thread >= n_threads ? m.log[i].thread + 1 : n_threads;
    if (misses_own(&m, n_threads))
        return false;
    add_threads(&m, n_threads);
    add_lives(&m);
    add_places(&m);
    for (uint32_t i = 0; i < g->n_accesses; i++)
        if (g->accesses[i].reads != HD_NO_STORE)
            add_load(&m, &g->accesses[i]);
    bool possible = !has_cycle(&m);
    free(m.edges);
    return possible;
}
