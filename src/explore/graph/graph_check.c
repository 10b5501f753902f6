/* The invariants of graph.h, by plain loops: asked at every decision with --paranoid. */
#include "explore/graph/graph.h"

static bool is_reader(const struct hd_graph *g, uint32_t load)
{
    for (uint32_t r = hd_event(g, hd_event(g, load)->rf)->reader; r;
         r = hd_event(g, r)->reader_next)
        if (r == load)
            return true;
    return false;
}

static bool has_own_readers(const struct hd_graph *g, uint32_t store)
{
    for (uint32_t r = hd_event(g, store)->reader; r; r = hd_event(g, r)->reader_next)
        if (hd_event(g, r)->rf != store)
            return false;
    return true;
}

/* po, rf and `alike` lead from what is before an event to the event. */
static bool knows(const struct hd_graph *g, uint32_t id)
{
    const struct hd_event *e = hd_event(g, id);
    const hd_count *porf = hd_clock(g, id, HD_CLOCK_PORF);
    if (porf[e->thread] != e->index + 1)
        return false;
    uint32_t before[3] = { e->index ? g->by_thread[e->thread].events[e->index - 1] : 0,
                           e->kind == HD_EVENT_LOAD ? e->rf : 0,
                           e->alike ? hd_graph_after_alike(g, e) : 0 };
    for (uint32_t i = 0; i < 3; i++) {
        const hd_count *other = hd_clock(g, before[i], HD_CLOCK_PORF);
        for (uint32_t t = 0; before[i] && t < g->lanes; t++)
            if (other[t] > porf[t])
                return false;
    }
    return true;
}

/* Is there no store of the thread between the event and the one that it names? */
static bool knows_store_before(const struct hd_graph *g, const struct hd_event *e)
{
    const uint32_t *events = g->by_thread[e->thread].events;
    for (uint32_t i = e->index; i-- > 0;)
        if (hd_event(g, events[i])->kind == HD_EVENT_STORE)
            return e->store_before == events[i];
    return !e->store_before;
}

static uint32_t check_event(const struct hd_graph *g, uint32_t thread, uint32_t index)
{
    uint32_t id = g->by_thread[thread].events[index];
    const struct hd_event *e = hd_event(g, id);
    if (e->thread != thread || e->index != index || !knows_store_before(g, e))
        return 1;
    if (e->kind == HD_EVENT_LOAD ? !is_reader(g, id)
                                 : e->kind == HD_EVENT_STORE && !has_own_readers(g, id))
        return 2;
    if (e->kind == HD_EVENT_STORE && e->part == HD_PART_RMW &&
        e->mo_prev != hd_event(g, hd_graph_load_of(g, id))->rf)
        return 3;
    return knows(g, id) ? 0 : 5;
}

static bool is_initial(const struct hd_event *e) { return e->thread == HD_MAX_THREADS; }

static bool is_in_graph(const struct hd_graph *g, uint32_t id)
{
    const struct hd_event *e = hd_event(g, id);
    return is_initial(e) || (e->index < g->by_thread[e->thread].n &&
                             g->by_thread[e->thread].events[e->index] == id);
}

/* G6 for one location; returns how many stores of threads it has, ~0u: it does not hold. */
static uint32_t count_stores(const struct hd_graph *g, uint32_t place)
{
    const struct hd_place *p = &g->places[place];
    uint32_t n = 0, before = 0;
    for (uint32_t w = p->first; w; before = w, w = hd_event(g, w)->mo_next) {
        const struct hd_event *e = hd_event(g, w);
        if (e->kind != HD_EVENT_STORE || e->place != place || e->mo_prev != before ||
            !is_in_graph(g, w) || is_initial(e) != (w == p->first))
            return ~0u;
        n += w != p->first;
    }
    return before == p->last ? n : ~0u;
}

static bool has_all_stores(const struct hd_graph *g)
{
    uint32_t linked = 0, stores = 0;
    for (uint32_t p = 1; p < g->n_places; p++) {
        uint32_t n = count_stores(g, p);
        if (n == ~0u)
            return false;
        linked += n;
    }
    for (uint32_t i = 0; i < g->n_order; i++)
        stores += hd_event(g, g->order[i])->kind == HD_EVENT_STORE;
    return linked == stores;
}

/* G7: no store that is newer than `store` happens before the event. */
static bool is_coherent(const struct hd_graph *g, uint32_t event, uint32_t store)
{
    const hd_count *hb = hd_clock(g, event, HD_CLOCK_HB);
    for (uint32_t w = hd_event(g, store)->mo_next; w; w = hd_event(g, w)->mo_next)
        if (w != event && hd_clock_has(g, hb, w))
            return false;
    return true;
}

static bool is_all_coherent(const struct hd_graph *g)
{
    for (uint32_t i = 0; i < g->n_order; i++) {
        const struct hd_event *e = hd_event(g, g->order[i]);
        bool pass = e->kind == HD_EVENT_LOAD && hd_event_is_pass(e);
        if (pass && e->rf != hd_look_base(g, g->order[i]))
            return false;
        if ((e->kind == HD_EVENT_LOAD && !pass && !is_coherent(g, g->order[i], e->rf)) ||
            (e->kind == HD_EVENT_STORE && !is_coherent(g, g->order[i], g->order[i])))
            return false;
    }
    return true;
}

static bool knows_accesses(const struct hd_graph *g, uint32_t thread)
{
    uint32_t n = g->by_thread[thread].n;
    while (n && hd_event(g, g->by_thread[thread].events[n - 1])->kind != HD_EVENT_LOAD)
        n--;
    uint32_t before = 0;
    while (before < g->by_thread[thread].n &&
           hd_event(g, g->by_thread[thread].events[before])->kind != HD_EVENT_STORE)
        before++;
    return g->loads[thread] == n &&
           g->before_stores[thread] == (before < g->by_thread[thread].n ? before : HD_NO_STORE);
}

uint32_t hd_graph_check(const struct hd_graph *g)
{
    uint32_t n = 0;
    for (uint32_t t = 0; t < g->lanes; t++) {
        n += g->by_thread[t].n;
        if (!knows_accesses(g, t))
            return 1;
        for (uint32_t i = 0; i < g->by_thread[t].n; i++) {
            uint32_t wrong = check_event(g, t, i);
            if (wrong)
                return wrong;
        }
    }
    if (n != g->n_order)
        return 4;
    for (uint32_t i = 1; i < n; i++)
        if (hd_event(g, g->order[i - 1])->stamp >= hd_event(g, g->order[i])->stamp)
            return 4;
    if (!has_all_stores(g))
        return 6;
    return is_all_coherent(g) ? 0 : 7;
}
