/* The locations of actions in the search over graphs, and which steps may be halves of data
 * races. */
#include "core/enabled.h"
#include "explore/loop/explorer_inner.h"
#include "explore/searches/graph_inner.h"

static bool on_a_stack(const struct hd_action *a)
{
    return a->object - HD_STACK_BASE < HD_MAX_THREADS * HD_STACK_STRIDE;
}

uint64_t hd_graph_object(const struct hd_explorer *ex, const struct hd_action *a)
{
    const struct hd_graph *g = &mine(ex)->g;
    const struct hd_world *world = &ex->world;
    bool futex = g->requeues &&
                 (hd_op_futex((enum hd_op)a->op) ||
                  (a->op == HD_OP_WAKE && world->is_futex(world->self, a->object)));
    return futex ? HD_ALL_FUTEXES : a->object;
}

uint32_t hd_graph_place_of(struct hd_explorer *ex, const struct hd_action *a, uint32_t thread)
{
    uint64_t value[2] = { 0, 0 };
    uint64_t object = hd_graph_object(ex, a);
    uint32_t known = hd_graph_find(&mine(ex)->g, object, hd_op_table[a->op].space);
    if (known && hd_graph_is_used(&mine(ex)->g, known))
        return known;
    if (hd_op_table[a->op].space == HD_SPACE_MEM) {
        /* A stack ends with its thread, and calls write files, as by a plain store. */
        ex->plain_steps |= on_a_stack(a) || HD_IS_MAPPED(a->object);
        ex->world.peek(ex->world.self, thread, a->object, a->size, value);
    } else {
        value[0] = hd_graph_state(ex, a);
        value[1] = hd_graph_more_state(ex, a);
    }
    struct hd_graph *g = &mine(ex)->g;
    uint32_t p = hd_graph_place(g, object, a->size, hd_op_table[a->op].space, value);
    g->places[p].site = g->places[p].site ? g->places[p].site : a->site;
    return p;
}

__attribute__((always_inline)) uint32_t hd_graph_known_place(struct hd_explorer *ex,
                                                             const struct hd_action *a)
{
    struct hd_graph *g = &mine(ex)->g;
    bool event = a->op >= (g->plain_events ? HD_OP_READ : HD_OP_ATOMIC_READ);
    if (!event || a->op > HD_OP_CAS || a->choices > 1 || ex->world.config->section ||
        (a->op < HD_OP_ATOMIC_READ && hd_action_on_memory(a)))
        return 0;
    g->section = 0;
    uint32_t place = hd_graph_find(g, a->object, HD_SPACE_MEM);
    return place && g->places[place].size == a->size && hd_graph_is_used(g, place) ? place : 0;
}

void hd_graph_list_plain_ops(struct hd_graph_search *s)
{
    for (uint32_t op = 0; op < HD_OP_COUNT; op++)
        s->plain_op[op] = (hd_op_table[op].space == HD_SPACE_MEM &&
                           !hd_op_atomic((enum hd_op)op)) ||
                          hd_op_table[op].access == HD_ACCESS_ALL || op == HD_OP_LEAVE;
}

/* Does the action access its thread's stack only, beside its object? */
static bool is_own_stack(uint32_t thread, const struct hd_action *a)
{
    uint64_t stack = HD_STACK_BASE + thread * HD_STACK_STRIDE;
    return a->object2 >= stack && a->object2 + a->size <= stack + HD_STACK_STRIDE;
}

void hd_graph_may_race(struct hd_explorer *ex, uint32_t thread, const struct hd_action *a)
{
    ex->plain_steps |= mine(ex)->plain_op[a->op] || !is_own_stack(thread, a);
}
