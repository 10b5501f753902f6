#include "enumerate.h"

#include <string.h>

/* Let a stand before b, both at one place (ax_before: before ; eco? is irreflexive).  Let x be
 * a, if it writes, or what a reads from, and y the same for b.  If x ≠ y, then x is before y in
 * mo: mo is total, and with y before x in mo there would be a path b eco a, hence a cycle:
 *   a and b write            y = b mo x = a
 *   a writes, b reads y      b fr x = a
 *   a reads x, b writes      y = b mo x rf a
 *   a reads x, b reads y     b fr x rf a
 * A write that is read by an RMW is before it in mo, and two RMWs never read one write
 * (atomicity). */
bool ax_forced(enum ax_model model, const struct ax_graph *g, const struct ax_orders *o,
               struct ax_rel *forced)
{
    struct ax_rel before;
    ax_set taken = 0;
    ax_before(model, g, o, &before);
    ax_empty(forced);
    for (uint32_t a = 0; a < g->n; a++) {
        const struct ax_event *e = &g->e[a];
        ax_set xs = (e->kind & AX_WRITE ? ax_bit(a) : 0) |
                    (e->kind & AX_READ ? ax_bit(e->from) : 0);
        if (e->kind == (AX_READ | AX_WRITE)) {
            if (ax_in(taken, e->from))
                return false;
            taken |= ax_bit(e->from);
            ax_add(forced, e->from, a);
        }
        for (ax_set s = before.row[a] & o->loc.row[a]; s; s &= s - 1) {
            uint32_t b = (uint32_t)__builtin_ctzll(s);
            const struct ax_event *f = &g->e[b];
            if (ax_is_woken(f)) /* it has no fr */
                continue;
            ax_set ys = (f->kind & AX_WRITE ? ax_bit(b) : 0) |
                        (f->kind & AX_READ ? ax_bit(f->from) : 0);
            for (ax_set x = xs; x; x &= x - 1)
                forced->row[__builtin_ctzll(x)] |= ys & ~(x & -x);
        }
    }
    ax_closure(forced, g->n);
    return ax_irreflexive(forced, g->n);
}

struct search {
    struct ax_enumeration *x;
    struct ax_orders orders; /* of the graph that is whole but for mo */
    struct ax_rel forced;
    enum ax_ending ending;
};

static bool stop(const struct ax_enumeration *x) { return x->gave_up || x->too_long; }

static bool waits(const struct ax_instr *in) { return in->op == AX_LEAVE || in->op == AX_PASS; }

static bool is_woken(const struct ax_graph *g, uint32_t thread, uint8_t place)
{
    for (uint32_t i = 0; i < g->n_mo[place]; i++)
        if (ax_wakes(g, thread, g->mo[place][i]))
            return true;
    return false;
}

/* Whether every thread that has not ended stands before an operation that cannot run in the
 * last state of its object. */
static bool all_stand(const struct ax_graph *g)
{
    for (uint32_t t = 0; t < g->p->n_threads; t++) {
        const struct ax_instr *in = ax_next(&g->p->threads[t], &g->cpu[t]);
        if (!in)
            continue;
        int32_t last = g->e[g->mo[in->place][g->n_mo[in->place] - 1]].writes;
        if (waits(in) ? is_woken(g, t, in->place) : ax_effect(in, &g->cpu[t], t, last, 0).runs)
            return false;
    }
    return true;
}

static void judge(struct search *s, const struct ax_graph *g)
{
    struct ax_enumeration *x = s->x;
    ax_orders_mo(g, &s->orders);
    if (!ax_consistent(x->model, g, &s->orders) || (s->ending == AX_DEADLOCK && !all_stand(g)))
        return;
    if (x->most && x->found == x->most) {
        x->gave_up = true;
        return;
    }
    x->found++;
    x->visit(x->context, g, &s->orders, s->ending);
}

/* All orders of the writes of this place and those behind it. */
static void order_writes(struct search *s, struct ax_graph *g, uint32_t place, ax_set left)
{
    if (place == g->p->n_places) {
        judge(s, g);
        return;
    }
    if (!left) {
        uint32_t next = place + 1;
        ax_set writes = 0;
        for (uint32_t i = g->p->n_places; next < g->p->n_places && i < g->n; i++)
            if ((g->e[i].kind & AX_WRITE) && g->e[i].place == next)
                writes |= ax_bit(i);
        if (next < g->p->n_places) {
            g->mo[next][0] = (uint8_t)next;
            g->n_mo[next] = 1;
        }
        order_writes(s, g, next, writes);
        return;
    }
    for (ax_set rest = left; rest && !stop(s->x); rest &= rest - 1) {
        uint32_t w = (uint32_t)__builtin_ctzll(rest);
        bool must_wait = false;
        for (ax_set others = left; others && !s->x->naive; others &= others - 1)
            must_wait = must_wait || ax_has(&s->forced, (uint32_t)__builtin_ctzll(others), w);
        if (must_wait)
            continue;
        g->mo[place][g->n_mo[place]++] = (uint8_t)w;
        order_writes(s, g, place, left & ~ax_bit(w));
        g->n_mo[place]--;
    }
}

/* Every write of place 0 is handled like those of the others: a pseudo place before it has
 * none. */
static void all_mo(struct search *s, struct ax_graph *g) { order_writes(s, g, UINT32_MAX, 0); }

/* Whether the graph, as far as it has been built, may be whole. */
static bool whole(const struct ax_graph *g, enum ax_ending *ending)
{
    *ending = AX_COMPLETE;
    for (uint32_t t = 0; t < g->p->n_threads; t++) {
        const struct ax_instr *in = ax_next(&g->p->threads[t], &g->cpu[t]);
        if (!in)
            continue;
        if (in->op != AX_LOCK && in->op != AX_UNLOCK && in->op != AX_WAIT && !waits(in))
            return false;
        *ending = AX_DEADLOCK;
    }
    return true;
}

/* An order of building is the lexicographically least of its graph exactly when no event can be
 * moved before one of a later thread: all events that were added since both its predecessor in
 * the thread and the write it reads are of earlier threads. */
static bool is_least(const struct ax_graph *g, uint32_t thread, uint32_t from)
{
    uint32_t newest = g->last[thread];
    if (from > newest)
        newest = from;
    for (uint32_t i = newest + 1; i < g->n; i++)
        if (g->e[i].thread > thread)
            return false;
    return true;
}

static void build(struct ax_enumeration *x, const struct ax_graph *g);

static void extend(struct ax_enumeration *x, const struct ax_graph *g, uint32_t t, uint8_t from)
{
    const struct ax_instr *in = ax_next(&g->p->threads[t], &g->cpu[t]);
    if (waits(in) && !ax_wakes(g, t, from))
        return;
    int32_t value = ax_reads(in) ? g->e[from].writes : 0;
    for (uint32_t choice = 0; choice < ax_choices(in, &g->cpu[t], value); choice++) {
        struct ax_effect effect = ax_effect(in, &g->cpu[t], t, value, choice);
        if (!effect.runs)
            return;
        if (g->n == AX_EVENTS) {
            x->too_long = true;
            return;
        }
        struct ax_graph next = *g;
        ax_graph_append(&next, t, &effect, from);
        build(x, &next);
    }
}

static void build(struct ax_enumeration *x, const struct ax_graph *g)
{
    struct search s = { .x = x };
    if (stop(x))
        return;
    ax_orders(g, &s.orders);
    if (!x->naive && !ax_forced(x->model, g, &s.orders, &s.forced))
        return;
    if (whole(g, &s.ending)) {
        struct ax_graph copy = *g;
        all_mo(&s, &copy);
    }
    for (uint32_t t = 0; t < g->p->n_threads; t++) {
        const struct ax_instr *in = ax_next(&g->p->threads[t], &g->cpu[t]);
        if (in && !ax_reads(in) && is_least(g, t, 0))
            extend(x, g, t, 0);
        for (uint32_t w = 0; in && ax_reads(in) && w < g->n; w++)
            if ((g->e[w].kind & AX_WRITE) && g->e[w].place == in->place && is_least(g, t, w))
                extend(x, g, t, (uint8_t)w);
    }
}

void ax_enumerate(struct ax_enumeration *x)
{
    struct ax_graph g;
    x->found = 0;
    x->gave_up = x->too_long = false;
    ax_graph_init(&g, x->program);
    build(x, &g);
}
