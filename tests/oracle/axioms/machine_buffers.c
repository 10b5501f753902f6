/* SC and TSO: one memory, with or without buffers before it.  A run is written down as a graph:
 * a store enters mo when it reaches the memory.  What a graph says so far determines the state,
 * so a part of a graph that was met before is not gone on with. */
#include "machine.h"

#include <stdlib.h>

struct machine {
    struct ax_runs *runs;
    struct ax_lines seen;
    bool buffered;
};

struct state {
    struct ax_graph g;
    ax_set in_memory; /* writes that have left their buffer */
};

static char *text_of(const struct ax_graph *g)
{
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    if (!f)
        abort();
    ax_graph_line(g, f);
    fclose(f);
    return text;
}

void ax_runs_add(struct ax_runs *runs, const struct ax_graph *g, bool complete)
{
    char *text = text_of(g);
    ax_lines_add(complete ? &runs->graphs : &runs->deadlocks, text);
    free(text);
}

void ax_runs_release(struct ax_runs *runs)
{
    ax_lines_release(&runs->graphs);
    ax_lines_release(&runs->deadlocks);
}

/* The oldest or the newest store of the thread that is still in its buffer, of that place or
 * (-1) of any; AX_EVENTS: there is none. */
static uint32_t buffered_store(const struct state *s, uint32_t thread, int place, bool newest)
{
    uint32_t found = AX_EVENTS;
    for (uint32_t i = s->g.p->n_places; i < s->g.n; i++) {
        const struct ax_event *e = &s->g.e[i];
        if (e->thread == thread && (e->kind & AX_WRITE) && !ax_in(s->in_memory, i) &&
            (place < 0 || e->place == place) && (newest || found == AX_EVENTS))
            found = i;
    }
    return found;
}

static void reach_memory(struct state *s, uint32_t write)
{
    uint8_t place = s->g.e[write].place;
    s->g.mo[place][s->g.n_mo[place]++] = (uint8_t)write;
    s->in_memory |= ax_bit(write);
}

static bool run(struct machine *m, const struct state *s);

/* The thread's next instruction.  Returns whether it has run, in at least one way. */
static bool step(struct machine *m, const struct state *s, uint32_t t)
{
    const struct ax_instr *in = ax_next(&s->g.p->threads[t], &s->g.cpu[t]);
    bool drained = buffered_store(s, t, -1, true) == AX_EVENTS, any = false;
    if (!in)
        return false;
    uint32_t from = ax_reads(in) ? buffered_store(s, t, in->place, true) : 0;
    if (from == AX_EVENTS)
        from = s->g.mo[in->place][s->g.n_mo[in->place] - 1];
    if (in->op == AX_LEAVE || in->op == AX_PASS) {
        for (uint32_t i = s->g.n_mo[in->place]; !ax_wakes(&s->g, t, from) && i > 0; i--)
            from = s->g.mo[in->place][i - 1];
        if (!ax_wakes(&s->g, t, from))
            return false;
    }
    int32_t value = s->g.e[from].writes;
    for (uint32_t c = 0; c < ax_choices(in, &s->g.cpu[t], value); c++) {
        struct ax_effect effect = ax_effect(in, &s->g.cpu[t], t, value, c);
        if (!effect.runs || (effect.full && !drained))
            continue;
        struct state next = *s;
        ax_graph_append(&next.g, t, &effect, (uint8_t)from);
        if ((effect.kind & AX_WRITE) && (effect.full || !m->buffered))
            reach_memory(&next, next.g.n - 1);
        any = true;
        if (!run(m, &next))
            m->runs->most = 0;
    }
    return any;
}

static bool run(struct machine *m, const struct state *s)
{
    char *text = text_of(&s->g);
    bool fresh = ax_lines_add(&m->seen, text), moves = false, complete = true;
    free(text);
    if (!fresh)
        return true;
    if (m->runs->steps++ >= m->runs->most || s->g.n == AX_EVENTS)
        return false;
    for (uint32_t t = 0; t < s->g.p->n_threads; t++) {
        uint32_t oldest = buffered_store(s, t, -1, false);
        moves = step(m, s, t) || moves;
        complete = complete && !ax_next(&s->g.p->threads[t], &s->g.cpu[t]);
        if (oldest == AX_EVENTS)
            continue;
        struct state next = *s;
        reach_memory(&next, oldest);
        moves = true;
        if (!run(m, &next))
            return false;
    }
    if (!moves)
        ax_runs_add(m->runs, &s->g, complete);
    return m->runs->most > 0;
}

static bool machine(const struct ax_program *p, struct ax_runs *runs, bool buffered)
{
    struct machine m = { .runs = runs, .buffered = buffered };
    struct state s = { 0 };
    ax_graph_init(&s.g, p);
    for (uint32_t i = 0; i < p->n_places; i++)
        reach_memory(&s, i);
    bool good = run(&m, &s);
    ax_lines_release(&m.seen);
    return good;
}

bool ax_machine_sc(const struct ax_program *p, struct ax_runs *runs)
{
    return machine(p, runs, false);
}

bool ax_machine_tso(const struct ax_program *p, struct ax_runs *runs)
{
    return machine(p, runs, true);
}
