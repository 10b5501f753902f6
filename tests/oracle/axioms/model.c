#include "model.h"

const char *const ax_model_names[] = { "sc", "tso", "rc11" };

/* An RMW stands in mo directly behind the write it reads. */
static bool atomic(const struct ax_graph *g)
{
    for (uint32_t p = 0; p < g->p->n_places; p++)
        for (uint32_t i = 1; i < g->n_mo[p]; i++) {
            const struct ax_event *e = &g->e[g->mo[p][i]];
            if ((e->kind & AX_READ) && g->mo[p][i - 1] != e->from)
                return false;
        }
    return true;
}

static void remaining(struct ax_rel *to, const struct ax_rel *without, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        to->row[i] &= ~without->row[i];
}

/* SC: po ∪ rf ∪ mo ∪ fr is acyclic. */
static bool sc(const struct ax_graph *g, const struct ax_orders *o)
{
    struct ax_rel all = o->po;
    ax_union(&all, &o->eco, g->n);
    return ax_acyclic(&all, g->n);
}

/* Program order as an x86 keeps it: all of po but a write before a later read, where neither is
 * and between them stands no full barrier. */
static void preserved(const struct ax_graph *g, const struct ax_orders *o, struct ax_rel *to)
{
    struct ax_rel across, before = o->po, after = o->po;
    ax_set full = 0, all = ~(ax_set)0, rmw = o->reads & o->writes;
    for (uint32_t i = 0; i < g->n; i++)
        if (g->e[i].full)
            full |= ax_bit(i);
    ax_restrict(&before, all, full, g->n);
    ax_restrict(&after, full, all, g->n);
    ax_compose(&across, &before, &after, g->n); /* po ; [full] ; po */
    ax_union(&across, &before, g->n);
    ax_union(&across, &after, g->n);
    struct ax_rel late = o->po;
    ax_restrict(&late, o->writes & ~rmw, o->reads & ~rmw, g->n);
    remaining(&late, &across, g->n);
    /* The initial writes were there before the threads. */
    for (uint32_t i = 0; i < g->p->n_places; i++)
        late.row[i] = 0;
    *to = o->po;
    remaining(to, &late, g->n);
    /* Events that are neither read nor write nor full barrier are nothing to the machine. */
    ax_set seen = o->reads | o->writes | full;
    ax_restrict(to, seen, seen, g->n);
}

/* TSO: what is kept of po ∪ rf between threads ∪ mo ∪ fr is acyclic; so is, for each place, the
 * whole of them. */
static bool tso(const struct ax_graph *g, const struct ax_orders *o)
{
    struct ax_rel all, external = o->rf, local = o->po;
    preserved(g, o, &all);
    for (uint32_t i = g->p->n_places; i < g->n; i++)
        for (uint32_t k = g->p->n_places; k < g->n; k++)
            if (g->e[i].thread == g->e[k].thread)
                external.row[i] &= ~ax_bit(k);
    ax_union(&all, &external, g->n);
    ax_union(&all, &o->mo, g->n);
    ax_union(&all, &o->fr, g->n);
    for (uint32_t i = 0; i < g->n; i++)
        local.row[i] &= o->loc.row[i];
    ax_union(&local, &o->eco, g->n);
    return ax_acyclic(&all, g->n) && ax_acyclic(&local, g->n);
}

/* psc_base and psc_F.  mo, fr and eco are those of atomic locations: mutexes, semaphores and
 * condition variables are no atomic objects, and order what hb says. */
static bool psc_acyclic(const struct ax_graph *g, const struct ax_orders *o)
{
    uint32_t n = g->n;
    ax_set all = ~(ax_set)0, f_sc = o->fences & o->seq_cst;
    struct ax_rel scb, away = o->po, part, left, right, psc, hbq = o->hb;
    /* scb = po ∪ (po≠loc ; hb ; po≠loc) ∪ hb|loc ∪ mo ∪ fr */
    remaining(&away, &o->loc, n);
    ax_compose(&scb, &away, &o->hb, n);
    ax_compose(&scb, &scb, &away, n);
    ax_union(&scb, &o->po, n);
    for (uint32_t i = 0; i < n; i++)
        scb.row[i] |= o->hb.row[i] & o->loc.row[i];
    part = o->mo;
    ax_union(&part, &o->fr, n);
    ax_restrict(&part, o->locations, o->locations, n);
    ax_union(&scb, &part, n);
    /* psc_base = ([E_sc] ∪ [F_sc] ; hb?) ; scb ; ([E_sc] ∪ hb? ; [F_sc]) */
    ax_reflexive(&hbq, n);
    left = right = hbq;
    ax_restrict(&left, f_sc, all, n);
    ax_restrict(&right, all, f_sc, n);
    for (uint32_t i = 0; i < n; i++)
        if (ax_in(o->seq_cst, i)) {
            ax_add(&left, i, i);
            ax_add(&right, i, i);
        }
    ax_compose(&psc, &left, &scb, n);
    ax_compose(&psc, &psc, &right, n);
    /* psc_F = [F_sc] ; (hb ∪ hb ; eco ; hb) ; [F_sc] */
    part = o->eco;
    ax_restrict(&part, o->locations, o->locations, n);
    ax_compose(&part, &o->hb, &part, n);
    ax_compose(&part, &part, &o->hb, n);
    ax_union(&part, &o->hb, n);
    ax_restrict(&part, f_sc, f_sc, n);
    ax_union(&psc, &part, n);
    return ax_acyclic(&psc, n);
}

/* RC11: hb ; eco? is irreflexive, po ∪ rf and psc are acyclic. */
static bool rc11(const struct ax_graph *g, const struct ax_orders *o)
{
    struct ax_rel eco = o->eco, porf = o->po;
    ax_reflexive(&eco, g->n);
    ax_compose(&eco, &o->hb, &eco, g->n);
    ax_union(&porf, &o->rf, g->n);
    return ax_irreflexive(&eco, g->n) && ax_acyclic(&porf, g->n) && psc_acyclic(g, o);
}

bool ax_consistent(enum ax_model model, const struct ax_graph *g, const struct ax_orders *o)
{
    static bool (*const axioms[])(const struct ax_graph *, const struct ax_orders *) = { sc, tso,
                                                                                         rc11 };
    return atomic(g) && axioms[model](g, o);
}

/* SC: po and rf are parts of an acyclic union with eco.  TSO: so is po of one place.  RC11: it
 * is the axiom of coherence. */
void ax_before(enum ax_model model, const struct ax_graph *g, const struct ax_orders *o,
               struct ax_rel *before)
{
    *before = model == AX_RC11 ? o->hb : o->po;
    if (model == AX_SC) {
        ax_union(before, &o->rf, g->n);
        ax_closure(before, g->n);
    }
    for (uint32_t i = 0; model == AX_TSO && i < g->n; i++)
        before->row[i] &= o->loc.row[i];
}
