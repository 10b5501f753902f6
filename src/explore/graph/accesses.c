/* Which accesses of memory are events of the graph, and which locations they touch. */
#include "explore/graph/search.h"

#include "core/enabled.h"

/* Is the place an atomic variable, now, that shares a byte with the access? */
static bool meets(const struct hd_graph *g, const struct hd_place *place,
                  const struct hd_action *a)
{
    return place->era == g->era && place->space == HD_SPACE_MEM &&
           a->object < place->object + place->size && place->object < a->object + a->size;
}

/* C does not say what a load of the one reads after a store of the other. */
uint32_t hd_access_overlaps(const struct hd_graph *g, const struct hd_action *a)
{
    for (uint32_t p = 1; p < g->n_places; p++) {
        const struct hd_place *place = &g->places[p];
        if (meets(g, place, a) && (a->object != place->object || a->size != place->size))
            return p;
    }
    return 0;
}

bool hd_access_is_mixed(const struct hd_graph *g, const struct hd_action *a)
{
    if (hd_op_table[a->op].space != HD_SPACE_MEM)
        return false;
    uint32_t known = hd_graph_find(g, a->object, HD_SPACE_MEM);
    if (known && g->places[known].size == a->size) /* places do not overlap */
        return false;
    return a->size > 2 * sizeof(uint64_t) || hd_access_overlaps(g, a);
}

/* Is it a plain access that reads and writes memory, and no event? */
bool hd_access_is_plain(const struct hd_graph *g, const struct hd_action *a)
{
    if (hd_op_table[a->op].space != HD_SPACE_MEM || hd_op_atomic((enum hd_op)a->op) ||
        a->op == HD_OP_AWAIT)
        return false;
    bool event = g->plain_events && (a->op == HD_OP_READ || a->op == HD_OP_WRITE) &&
                 !hd_action_on_memory(a);
    return !event || hd_access_is_mixed(g, a);
}

uint32_t hd_access_written(const struct hd_graph *g, const struct hd_action *a, uint32_t from)
{
    return hd_op_table[a->op].access == HD_ACCESS_WRITE ? hd_access_meets(g, a, from) : 0;
}

uint32_t hd_access_meets(const struct hd_graph *g, const struct hd_action *a, uint32_t from)
{
    if (hd_op_table[a->op].space != HD_SPACE_MEM)
        return 0;
    for (uint32_t p = from; p < g->n_places; p++) {
        const struct hd_place *place = &g->places[p];
        if (meets(g, place, a) && hd_graph_is_used(g, p))
            return p;
    }
    return 0;
}
