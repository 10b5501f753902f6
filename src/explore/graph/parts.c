/* Plain stores of some bytes of a location, such as members of a structure that is also
 * accessed as a whole.
 *
 * Two of different bytes need no order, and without a data race happens-before may leave them
 * unordered.  mo has one all the same: that in which they were added.  Nothing follows from it,
 * and they may run in the other order. */
#include "explore/graph/graph.h"

#include <string.h>

static bool writes_memory(const struct hd_event *e)
{
    return hd_op_table[e->action.op].space == HD_SPACE_MEM;
}

bool hd_event_is_apart(const struct hd_event *a, const struct hd_event *b)
{
    const struct hd_action *x = &a->action, *y = &b->action;
    return a->plain && b->plain && writes_memory(a) && writes_memory(b) &&
           (x->object + x->size <= y->object || y->object + y->size <= x->object);
}

bool hd_event_covers(const struct hd_event *a, const struct hd_event *b)
{
    const struct hd_action *x = &a->action, *y = &b->action;
    return writes_memory(a) && writes_memory(b) && x->object <= y->object &&
           y->object + y->size <= x->object + x->size;
}

/* The bytes that the store does not write are those of the store before it in mo. */
static void take_over(struct hd_graph *g, struct hd_event *w)
{
    const struct hd_place *p = &g->places[w->place];
    uint64_t begin = w->action.object, end = begin + w->action.size, last = p->object + p->size;
    begin = begin > p->object ? begin - p->object : 0;
    end = end < last ? end - p->object : p->size;
    const char *older = (const char *)hd_event(g, w->mo_prev)->value;
    memcpy(w->value, older, begin);
    memcpy((char *)w->value + end, older + end, p->size - end);
}

void hd_graph_carry_parts(struct hd_graph *g, uint32_t store)
{
    for (uint32_t w = store; w && hd_event(g, w)->plain; w = hd_event(g, w)->mo_next)
        if (g->places[hd_event(g, w)->place].space == HD_SPACE_MEM)
            take_over(g, hd_event(g, w));
}
