/* How values come from the search over graphs to the program, and back
 * (docs/design/019-graph.md#how-values-reach-loads). */
#include "explore/searches/graph_inner.h"

#include <string.h>

static uint32_t part_of(const struct hd_graph *g, uint32_t load)
{
    const struct hd_event *e = hd_event(g, load);
    return g->by_thread[e->thread].events[e->index + 1];
}

bool hd_explorer_weak_gives(const struct hd_explorer *ex)
{
    const struct hd_event *e = hd_event(&mine(ex)->g, mine(ex)->now);
    return mine(ex)->now && !e->plain;
}

unsigned __int128 hd_explorer_weak_load(const struct hd_explorer *ex)
{
    const struct hd_graph *g = &mine(ex)->g;
    unsigned __int128 value;
    memcpy(&value, hd_event(g, hd_event(g, mine(ex)->now)->rf)->value, sizeof value);
    return value;
}

bool hd_explorer_weak_store(struct hd_explorer *ex, unsigned __int128 value)
{
    struct hd_graph *g = &mine(ex)->g;
    uint32_t id = mine(ex)->now;
    struct hd_event *e = hd_event(g, id);
    memcpy(e->value, &value, sizeof value);
    if (e->kind == HD_EVENT_LOAD) {
        id = part_of(g, id);
        memcpy(hd_event(g, id)->value, e->value, sizeof e->value);
    }
    return hd_graph_newer(g, id) == 0;
}

/* The plain step has run: what has it left in the locations that are also used atomically?
 * Memory has what was stored until now: stores of other bytes that are newer in mo may have run
 * before it, and older ones may run after it.  Whoever reads the whole location does so when
 * all of them have run. */
static void settle_plain(struct hd_explorer *ex, uint32_t head)
{
    struct hd_graph *g = &mine(ex)->g;
    const struct hd_event *e = hd_event(g, head);
    const struct hd_graph_thread *t = &g->by_thread[e->thread];
    for (uint32_t i = e->index; i < t->n; i++) {
        struct hd_event *w = hd_event(g, t->events[i]);
        if (i > e->index && !w->attached)
            return;
        const struct hd_place *p = &g->places[w->place];
        if (p->space != HD_SPACE_MEM)
            continue;
        ex->world.peek(ex->world.self, e->thread, p->object, p->size, w->value);
        hd_graph_carry_parts(g, t->events[i]);
    }
}

/* The step has run: what state has it left its synchronisation object in? */
void hd_graph_settle_now(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    struct hd_event *e = hd_event(&s->g, s->now);
    if (e->plain)
        settle_plain(ex, s->now);
    if (e->kind == HD_EVENT_LOAD && e->part == HD_PART_RMW &&
        s->g.places[e->place].space != HD_SPACE_MEM) {
        struct hd_event *part = hd_event(&s->g, part_of(&s->g, s->now));
        e->value[0] = part->value[0] = hd_graph_state_after(ex, &e->action);
        e->value[1] = part->value[1] = hd_graph_more_state(ex, &e->action);
    }
}

bool hd_explorer_weak_explores(const struct hd_explorer *ex, const struct hd_action *a)
{
    return hd_op_table[a->op].space == HD_SPACE_MEM && !hd_access_is_plain(&mine(ex)->g, a);
}
