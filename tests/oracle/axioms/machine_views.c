/* RC11 without seq_cst, as a machine with views.
 *
 * A view names a write for each place: an older one must not be read any more.  A thread has
 *   now   what it must have seen
 *   may   what it will have seen behind an acquire fence
 *   rel   what it had seen at its newest release fence
 * and every write has the view that it gives to who acquires it.  A write is put into mo
 * anywhere behind the thread's view of its place, but never between a write and the read-
 * modify-write that reads it. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

struct view {
    uint8_t at[AX_PLACES]; /* a write */
};

struct state {
    struct ax_graph g;
    struct view now[AX_THREADS], may[AX_THREADS], rel[AX_THREADS], gives[AX_EVENTS];
};

struct machine {
    struct ax_runs *runs;
    struct ax_lines seen;
};

static uint32_t position(const struct ax_graph *g, uint32_t write)
{
    uint8_t place = g->e[write].place;
    for (uint32_t i = 0; i < g->n_mo[place]; i++)
        if (g->mo[place][i] == write)
            return i;
    abort();
}

static void join(const struct ax_graph *g, struct view *to, const struct view *more)
{
    for (uint32_t p = 0; p < g->p->n_places; p++)
        if (position(g, more->at[p]) > position(g, to->at[p]))
            to->at[p] = more->at[p];
}

static bool is_updated(const struct ax_graph *g, uint32_t write)
{
    for (uint32_t i = 0; i < g->n; i++)
        if (g->e[i].kind == (AX_READ | AX_WRITE) && g->e[i].from == write)
            return true;
    return false;
}

static void insert(struct ax_graph *g, uint32_t write, uint32_t at)
{
    uint8_t place = g->e[write].place, *mo = g->mo[place];
    memmove(&mo[at + 1], &mo[at], g->n_mo[place] - at);
    mo[at] = (uint8_t)write;
    g->n_mo[place]++;
}

static bool run(struct machine *m, const struct state *s);

static void read_from(struct state *s, uint32_t t, const struct ax_effect *e, uint32_t from)
{
    uint8_t place = s->g.e[from].place;
    bool object = place >= s->g.p->n_locations;
    struct view one = s->now[t];
    one.at[place] = (uint8_t)from;
    join(&s->g, &s->now[t], &one);
    join(&s->g, &s->may[t], &one);
    if (e->order != AX_PLAIN && !object) /* acquire fences work through atomics only */
        join(&s->g, &s->may[t], &s->gives[from]);
    if (ax_acquires(e->order)) {
        join(&s->g, &s->now[t], &s->gives[from]);
        join(&s->g, &s->may[t], &s->gives[from]);
    }
}

/* The newest event, a write, has been put into mo. */
static void write_view(struct state *s, uint32_t t, const struct ax_effect *e, uint32_t from)
{
    uint32_t w = s->g.n - 1;
    uint8_t place = s->g.e[w].place;
    bool object = place >= s->g.p->n_locations;
    struct view *gives = &s->gives[w];
    s->now[t].at[place] = (uint8_t)w;
    join(&s->g, &s->may[t], &s->now[t]); /* which may have a later write of the place already */
    for (uint8_t p = 0; p < s->g.p->n_places; p++)
        gives->at[p] = p; /* the initial writes: nothing */
    if (ax_releases(e->order))
        *gives = s->now[t];
    else if (e->order != AX_PLAIN && !object)
        *gives = s->rel[t];
    if ((e->kind & AX_READ) && !ax_begins_round(&s->g, w))
        join(&s->g, gives, &s->gives[from]); /* its release sequences go on */
    gives->at[place] = (uint8_t)w;
}

static bool put(struct machine *m, const struct state *s, uint32_t t, const struct ax_effect *e,
                uint32_t from, uint32_t at)
{
    struct state next = *s;
    ax_graph_append(&next.g, t, e, (uint8_t)from);
    if (e->kind & AX_READ)
        read_from(&next, t, e, from);
    if (e->kind & AX_WRITE) {
        insert(&next.g, next.g.n - 1, at);
        write_view(&next, t, e, from);
    }
    if (e->kind == AX_BARRIER && ax_acquires(e->order))
        next.now[t] = next.may[t];
    if (e->kind == AX_BARRIER && ax_releases(e->order))
        next.rel[t] = next.now[t];
    if (!run(m, &next))
        m->runs->most = 0;
    return true;
}

/* Every way to run the thread's next instruction; returns whether there is one. */
static bool step(struct machine *m, const struct state *s, uint32_t t)
{
    const struct ax_graph *g = &s->g;
    const struct ax_instr *in = ax_next(&g->p->threads[t], &g->cpu[t]);
    bool any = false;
    if (!in)
        return false;
    struct ax_effect e = ax_effect(in, &g->cpu[t], t, 0, 0);
    if (in->op == AX_FENCE)
        return put(m, s, t, &e, 0, 0);
    for (uint32_t i = position(g, s->now[t].at[in->place]); i < g->n_mo[in->place]; i++) {
        uint32_t w = g->mo[in->place][i];
        if (!ax_reads(in)) {
            any = (!is_updated(g, w) && put(m, s, t, &e, 0, i + 1)) || any;
            continue;
        }
        if ((in->op == AX_LEAVE || in->op == AX_PASS) && !ax_wakes(g, t, w))
            continue;
        for (uint32_t c = 0; c < ax_choices(in, &g->cpu[t], g->e[w].writes); c++) {
            e = ax_effect(in, &g->cpu[t], t, g->e[w].writes, c);
            if (e.runs && (!(e.kind & AX_WRITE) || !is_updated(g, w)))
                any = put(m, s, t, &e, w, i + 1) || any;
        }
    }
    return any;
}

static bool run(struct machine *m, const struct state *s)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        abort();
    ax_graph_line(&s->g, f);
    fclose(f);
    bool fresh = ax_lines_add(&m->seen, text), moves = false, complete = true;
    free(text);
    if (!fresh)
        return true;
    if (m->runs->steps++ >= m->runs->most || s->g.n == AX_EVENTS)
        return false;
    for (uint32_t t = 0; t < s->g.p->n_threads; t++) {
        moves = step(m, s, t) || moves;
        complete = complete && !ax_next(&s->g.p->threads[t], &s->g.cpu[t]);
    }
    if (!moves)
        ax_runs_add(m->runs, &s->g, complete);
    return m->runs->most > 0;
}

bool ax_machine_views(const struct ax_program *p, struct ax_runs *runs)
{
    struct machine m = { .runs = runs };
    struct state s = { 0 };
    ax_graph_init(&s.g, p);
    for (uint8_t i = 0; i < p->n_places; i++)
        insert(&s.g, i, 0);
    for (uint32_t t = 0; t < AX_EVENTS; t++)
        for (uint8_t i = 0; i < p->n_places; i++)
            s.gives[t].at[i] = i;
    for (uint32_t t = 0; t < AX_THREADS; t++)
        s.now[t] = s.may[t] = s.rel[t] = s.gives[0];
    bool good = run(&m, &s);
    ax_lines_release(&m.seen);
    return good;
}
