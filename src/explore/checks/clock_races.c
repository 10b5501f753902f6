/* Data races of execution graphs, by the clocks of the graph (explore/order/access_order.h).
 * They find the pairs that happens-before as sync_order.h computes it does not order, without
 * computing it a second time.  With --paranoid both are asked, and compared (races.c).  Reports
 * are judged without the graph (supervise/judge.h). */
#include "explore/checks/races.h"

struct hd_access_order *hd_clock_races_create(struct hd_explorer *ex,
                                              void (*unordered)(void *self, uint32_t early,
                                                                uint32_t late))
{
    struct hd_access_order *order = hd_arena_take(&ex->arena, sizeof *order);
    return order && hd_access_order_init(order, &ex->arena, unordered, ex) ? order : NULL;
}

/* May the step be a plain access of a word that had none? */
static inline bool learns(const struct hd_access_order *order, const struct hd_action *a,
                          enum hd_weak_steps steps)
{
    if (steps != HD_STEPS_PLAIN)
        return a->object2 && a->op != HD_OP_AWAIT;
    return a->object2 || a->size > 8 || !hd_access_order_is_plain(order, a->object) ||
           !hd_access_order_is_plain(order, a->object + a->size - 1);
}

/* Look for operations that are not known, and for plain accesses of words that had none: atomic
 * accesses of these are to be added, too, from the beginning of the path on. */
static bool survey(struct hd_access_order *order, const struct hd_path *path, const uint8_t *ops)
{
    bool news = false;
    for (uint32_t d = order->depth; d < path->depth; d++) {
        const struct hd_action *a = &path->nodes[d].action;
        if (ops[a->op] == HD_STEPS_UNKNOWN || hd_order_fences(a->order) != HD_FENCE_NONE)
            return false;
        if (learns(order, a, (enum hd_weak_steps)ops[a->op]))
            news |= hd_access_order_learn(order, a);
    }
    if (news)
        hd_access_order_back(order, 0);
    return true;
}

/* Has the step to be added? */
static inline bool asks(const struct hd_access_order *order, const struct hd_action *a,
                        enum hd_weak_steps steps)
{
    switch (steps) {
    case HD_STEPS_ATOMIC:
        return hd_access_order_asks(order, a);
    case HD_STEPS_PLAIN:
        return true;
    case HD_STEPS_END:
        return order->stacks_begin != order->stacks_end;
    default:
        return a->object2 && a->op != HD_OP_AWAIT;
    }
}

bool hd_clock_races_look(struct hd_races *r, struct hd_explorer *ex)
{
    struct hd_access_order *order = r->by_clocks;
    const uint8_t *ops;
    uint32_t at, place;
    enum hd_weak_order known = hd_explorer_weak_order(ex, order->depth, &ops, &at);
    if (known == HD_WEAK_ORDER_NOT_NOW)
        return false;
    if (known == HD_WEAK_ORDER_NEVER || !survey(order, &ex->path, ops)) {
        r->by_clocks = NULL;
        return false;
    }
    at = order->depth ? at : 0;
    for (uint32_t d = order->depth; d < ex->path.depth; d++) {
        const struct hd_action *a = &ex->path.nodes[d].action;
        if (!asks(order, a, (enum hd_weak_steps)ops[a->op])) {
            hd_access_order_skip(order);
            continue;
        }
        const uint16_t *clock = hd_explorer_weak_clock(ex, d, &at, &place);
        hd_access_order_ran(order, HD_STEP_THREAD(ex->path.steps[d]), a, clock, place);
    }
    if (order->full)
        r->by_clocks = NULL;
    return r->by_clocks != NULL;
}
