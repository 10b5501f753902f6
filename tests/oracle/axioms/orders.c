/* The relations of a graph, by their definitions (Lahav, Vafeiadis, Kang, Hur, Dreyer:
 * Repairing sequential consistency in C/C++11, PLDI 2017; release sequences as in C++20). */
#include "graph.h"

#include <string.h>

static void sets(const struct ax_graph *g, struct ax_orders *o)
{
    o->reads = o->writes = o->locations = o->fences = o->seq_cst = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct ax_event *e = &g->e[i];
        if (e->kind & AX_READ)
            o->reads |= ax_bit(i);
        if (e->kind & AX_WRITE)
            o->writes |= ax_bit(i);
        if (e->kind == AX_BARRIER)
            o->fences |= ax_bit(i);
        else if (e->place < g->p->n_locations)
            o->locations |= ax_bit(i);
        if (e->order == AX_SEQ_CST)
            o->seq_cst |= ax_bit(i);
    }
}

static void given(const struct ax_graph *g, struct ax_orders *o)
{
    ax_empty(&o->po);
    ax_empty(&o->loc);
    ax_empty(&o->rf);
    for (uint32_t a = 0; a < g->n; a++) {
        const struct ax_event *x = &g->e[a];
        for (uint32_t b = 0; b < g->n; b++) {
            const struct ax_event *y = &g->e[b];
            bool initial = x->thread == AX_NOBODY && y->thread != AX_NOBODY;
            if (initial ||
                (x->thread != AX_NOBODY && x->thread == y->thread && x->index < y->index))
                ax_add(&o->po, a, b);
            if (x->kind != AX_BARRIER && y->kind != AX_BARRIER && x->place == y->place)
                ax_add(&o->loc, a, b);
        }
        if (x->kind & AX_READ)
            ax_add(&o->rf, x->from, a);
    }
}

/* sw: a release write, or a release fence before an atomic write; then that write's release
 * sequence, which is the write and the read-modify-writes that read from it one behind the
 * other; then an atomic read from it that acquires, or an acquire fence behind such a read.
 * Fences work through atomic objects only, not through mutexes, semaphores, condition variables
 * and barriers.  A round of a barrier goes on with no release sequence of the round before. */
static void synchronises(const struct ax_graph *g, struct ax_orders *o)
{
    struct ax_rel left, sequence, right;
    ax_set rmw = o->reads & o->writes, atomic = 0, at_fence, rel = 0, acq = 0;
    for (uint32_t i = 0; i < g->n; i++) {
        const struct ax_event *e = &g->e[i];
        if (e->kind != AX_BARRIER && e->order != AX_PLAIN)
            atomic |= ax_bit(i);
        if (ax_releases(e->order))
            rel |= ax_bit(i);
        if (ax_acquires(e->order))
            acq |= ax_bit(i);
    }
    at_fence = atomic & o->locations;
    /* left: from a release event to the write that publishes it */
    left = o->po;
    ax_restrict(&left, rel & o->fences, at_fence & o->writes, g->n);
    for (ax_set s = rel & atomic & o->writes; s; s &= s - 1)
        ax_add(&left, (uint32_t)__builtin_ctzll(s), (uint32_t)__builtin_ctzll(s));
    /* sequence: (rf ; [RMW])* */
    sequence = o->rf;
    for (uint32_t i = 0; i < g->n; i++)
        if (ax_begins_round(g, i))
            rmw &= ~ax_bit(i);
    ax_restrict(&sequence, o->writes, rmw, g->n);
    ax_closure(&sequence, g->n);
    ax_reflexive(&sequence, g->n);
    /* right: from an atomic read to the acquire event */
    right = o->po;
    ax_restrict(&right, at_fence & o->reads, acq & o->fences, g->n);
    for (ax_set s = acq & atomic & o->reads; s; s &= s - 1)
        ax_add(&right, (uint32_t)__builtin_ctzll(s), (uint32_t)__builtin_ctzll(s));
    ax_compose(&o->sw, &left, &sequence, g->n);
    ax_compose(&o->sw, &o->sw, &o->rf, g->n);
    ax_compose(&o->sw, &o->sw, &right, g->n);
}

void ax_orders(const struct ax_graph *g, struct ax_orders *o)
{
    sets(g, o);
    given(g, o);
    synchronises(g, o);
    /* Creation and join of threads order the initial writes, which po has, and what main does
     * behind the joins, which is no part of a graph. */
    o->hb = o->po;
    ax_union(&o->hb, &o->sw, g->n);
    ax_closure(&o->hb, g->n);
}

void ax_orders_mo(const struct ax_graph *g, struct ax_orders *o)
{
    ax_empty(&o->mo);
    for (uint32_t p = 0; p < g->p->n_places; p++)
        for (uint32_t a = 0; a < g->n_mo[p]; a++)
            for (uint32_t b = a + 1; b < g->n_mo[p]; b++)
                ax_add(&o->mo, g->mo[p][a], g->mo[p][b]);
    ax_inverse(&o->fr, &o->rf, g->n);
    ax_compose(&o->fr, &o->fr, &o->mo, g->n);
    for (uint32_t i = 0; i < g->n; i++)
        o->fr.row[i] &= ax_is_woken(&g->e[i]) ? 0 : ~ax_bit(i);
    o->eco = o->rf;
    ax_union(&o->eco, &o->mo, g->n);
    ax_union(&o->eco, &o->fr, g->n);
    ax_closure(&o->eco, g->n);
}

bool ax_races(const struct ax_graph *g, const struct ax_orders *o, uint32_t a, uint32_t b)
{
    const struct ax_event *x = &g->e[a], *y = &g->e[b];
    return x->thread != y->thread && ax_has(&o->loc, a, b) && ax_in(o->locations, a) &&
           ((x->kind | y->kind) & AX_WRITE) && (x->order == AX_PLAIN || y->order == AX_PLAIN) &&
           !ax_has(&o->hb, a, b) && !ax_has(&o->hb, b, a);
}
