#include "supervise/run_graph.h"

#include "core/enabled.h"

#include <stdlib.h>
#include <string.h>

#define MOST_ACCESSES 20000u /* of a run that is looked at */
#define MOST_PLACES 4096u

/* Room for one more item after `n` of them. */
static void *grow(void *items, uint32_t n, uint32_t *room, size_t bytes)
{
    if (n < *room)
        return items;
    *room = *room ? 2 * *room : 16;
    return hd_realloc(items, *room * bytes);
}

static uint32_t add_store(struct hd_run_graph *g, uint32_t place, uint32_t step, uint32_t newer)
{
    struct hd_graph_place *p = &g->places[place];
    uint32_t at = p->n_mo - newer;
    g->stores = grow(g->stores, g->n_stores, &g->room_stores, sizeof *g->stores);
    g->stores[g->n_stores] = (struct hd_graph_store){ .step = step, .place = place };
    p->mo = grow(p->mo, p->n_mo, &p->room, sizeof *p->mo);
    memmove(p->mo + at + 1, p->mo + at, newer * sizeof *p->mo);
    p->mo[at] = g->n_stores;
    p->n_mo++;
    return g->n_stores++;
}

static bool overlap(const struct hd_graph_place *p, const struct hd_action *a)
{
    return a->object < p->object + p->size && p->object < a->object + a->size;
}

/* Under some models a plain access reads or makes a store of its own choice, too. */
static bool is_access(const struct hd_run *run, const struct hd_action *a)
{
    if (hd_memory_plain_events(run->memory) && (a->op == HD_OP_READ || a->op == HD_OP_WRITE) &&
        !hd_action_on_memory(a))
        return true;
    return hd_op_table[a->op].space == HD_SPACE_MEM &&
           hd_op_table[a->op].orders == HD_ORDERS_BY_ACTION && hd_op_atomic((enum hd_op)a->op);
}

static bool is_plain_store(const struct hd_action *a)
{
    return hd_op_table[a->op].space == HD_SPACE_MEM &&
           hd_op_table[a->op].access == HD_ACCESS_WRITE && !hd_op_atomic((enum hd_op)a->op);
}

/* The step before `step` that wrote what the location holds; 0: none. */
static uint32_t written_by(const struct hd_run *run, uint32_t step,
                           const struct hd_graph_place *p)
{
    for (uint32_t i = step; i-- > 0;)
        if (is_plain_store(&run->log[i].action) && overlap(p, &run->log[i].action))
            return i + 1;
    return 0;
}

static uint32_t place_of(struct hd_run_graph *g, const struct hd_action *a, uint32_t step)
{
    for (uint32_t i = 0; i < g->n_places; i++)
        if (g->places[i].object == a->object && g->places[i].size == a->size)
            return i;
    g->places = grow(g->places, g->n_places, &g->room_places, sizeof *g->places);
    struct hd_graph_place *p = &g->places[g->n_places];
    *p = (struct hd_graph_place){ .object = a->object, .size = a->size };
    add_store(g, g->n_places, written_by(g->run, step, p), 0);
    return g->n_places++;
}

static void add_access(struct hd_run_graph *g, uint32_t step, uint32_t place, uint32_t reads,
                       uint32_t stores)
{
    g->accesses = grow(g->accesses, g->n_accesses, &g->room_accesses, sizeof *g->accesses);
    g->accesses[g->n_accesses++] = (struct hd_graph_access){ step, place, reads, stores };
}

/* Does the value that the step read differ from what the store made?  Then this is not the
 * graph of the run. */
static bool contradicts(const struct hd_run_graph *g, const struct hd_step *s, uint32_t store)
{
    uint32_t by = g->stores[store].step;
    const struct hd_step *w = by ? &g->run->log[by - 1] : NULL;
    if (!w || !is_access(g->run, &w->action) || s->size > 8)
        return false;
    return s->flags & HD_STEP_HAS_READ && w->flags & HD_STEP_HAS_WRITTEN &&
           s->value_read != w->value_written;
}

static bool add_atomic(struct hd_run_graph *g, uint32_t step)
{
    const struct hd_step *s = &g->run->log[step];
    const struct hd_action *a = &s->action;
    uint32_t place = place_of(g, a, step), newer = g->run->memory ? s->choice : 0;
    const struct hd_graph_place *p = &g->places[place];
    if (newer >= p->n_mo || g->n_places > MOST_PLACES)
        return false;
    uint32_t reads = HD_NO_STORE, stores = HD_NO_STORE;
    if (a->op != HD_OP_ATOMIC_WRITE && a->op != HD_OP_WRITE)
        reads = p->mo[p->n_mo - 1 - newer];
    if (reads != HD_NO_STORE && contradicts(g, s, reads))
        return false;
    if (hd_op_table[a->op].access == HD_ACCESS_WRITE)
        stores = add_store(g, place, step + 1, newer);
    add_access(g, step, place, reads, stores);
    return true;
}

static void add_plain(struct hd_run_graph *g, uint32_t step, uint32_t own)
{
    for (uint32_t i = 0; i < g->n_places; i++)
        if (i != own && overlap(&g->places[i], &g->run->log[step].action))
            add_access(g, step, i, HD_NO_STORE, add_store(g, i, step + 1, 0));
}

bool hd_run_graph_init(struct hd_run_graph *g, const struct hd_run *run)
{
    bool known = !run->scheduled_only;
    *g = (struct hd_run_graph){ .run = run };
    for (uint32_t i = 0; i < run->n_log && known; i++) {
        const struct hd_action *a = &run->log[i].action;
        uint32_t own = HD_NO_STORE;
        if (is_access(run, a)) {
            known = add_atomic(g, i);
            own = g->n_accesses ? g->accesses[g->n_accesses - 1].place : own;
        }
        if (is_plain_store(a))
            add_plain(g, i, own);
        known = known && g->n_accesses <= MOST_ACCESSES;
    }
    for (uint32_t i = 0; i < g->n_places; i++)
        for (uint32_t k = 0; k < g->places[i].n_mo; k++)
            g->stores[g->places[i].mo[k]].position = k;
    if (!known)
        hd_run_graph_release(g);
    return known;
}

void hd_run_graph_release(struct hd_run_graph *g)
{
    for (uint32_t i = 0; i < g->n_places; i++)
        free(g->places[i].mo);
    free(g->places);
    free(g->stores);
    free(g->accesses);
    *g = (struct hd_run_graph){ 0 };
}

const struct hd_graph_access *hd_run_graph_access(const struct hd_run_graph *g, uint32_t step)
{
    uint32_t low = 0, high = g->n_accesses;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (g->accesses[middle].step < step)
            low = middle + 1;
        else
            high = middle;
    }
    return low < g->n_accesses && g->accesses[low].step == step ? &g->accesses[low] : NULL;
}

/* A read-modify-write stands directly after what it reads, so its store decides. */
bool hd_run_graph_eco(const struct hd_run_graph *g, const struct hd_graph_access *a,
                      const struct hd_graph_access *b)
{
    uint32_t from = a->stores != HD_NO_STORE ? hd_graph_store_at(g, a) : hd_graph_read_at(g, a);
    if (b->stores != HD_NO_STORE)
        return from < hd_graph_store_at(g, b);
    return a->stores != HD_NO_STORE ? from <= hd_graph_read_at(g, b)
                                    : from < hd_graph_read_at(g, b);
}
