/* Data races of execution graphs, by the clocks of the graph (explore/order/access_order.h).
 * They find the pairs that happens-before as sync_order.h computes it does not order, without
 * computing it a second time.  With --paranoid both are asked, and compared (races.c).  Reports
 * are judged without the graph (supervise/judge.h). */
#include "explore/checks/races.h"

#include <string.h>

struct hd_access_order *hd_clock_races_create(struct hd_explorer *ex,
                                              void (*unordered)(void *self, uint32_t early,
                                                                uint32_t late))
{
    struct hd_access_order *order = hd_arena_take(&ex->arena, sizeof *order);
    return order && hd_access_order_init(order, &ex->arena, unordered, ex) ? order : NULL;
}

/* May the step be a plain access of a word that had none? */
static inline bool learns(const struct hd_access_order *order, const struct hd_action *a)
{
    return a->object2 || a->size > 8 || !hd_access_order_is_plain(order, a->object) ||
           !hd_access_order_is_plain(order, a->object + a->size - 1);
}

/* Pairs whose later step comes before this one are not reported again. */
static void reported(struct hd_races *r, uint32_t step)
{
    memset(r->pairs, 0, sizeof r->pairs);
    if (!r->silent && r->looked < step)
        r->looked = step;
}

/* Has the step to be added? */
static inline bool asks(const struct hd_access_order *order, const struct hd_action *a,
                        enum hd_weak_steps steps)
{
    if (steps == HD_STEPS_ATOMIC)
        return hd_access_order_asks(order, a);
    if (steps == HD_STEPS_END)
        return order->stacks_begin != order->stacks_end;
    return steps == HD_STEPS_PLAIN || (a->object2 && a->op != HD_OP_AWAIT) ||
           hd_access_order_asks_object(order, a);
}

/* Add the steps of the path.  After a plain access of a word that had none, atomic accesses of
 * the word are added, too, from the beginning of the path on.  False: there is an operation
 * that is not known. */
static bool add_steps(struct hd_races *r, struct hd_explorer *ex, const uint8_t *ops, uint32_t at)
{
    struct hd_access_order *order = r->by_clocks;
    while (order->depth < ex->path.depth && !order->full) {
        uint32_t d = order->depth, place;
        const struct hd_action *a = &ex->path.nodes[d].action;
        enum hd_weak_steps steps = (enum hd_weak_steps)ops[a->op];
        if (steps == HD_STEPS_UNKNOWN || hd_order_fences(a->order) != HD_FENCE_NONE) {
            reported(r, d);
            return false;
        }
        if (!asks(order, a, steps)) {
            hd_access_order_skip(order);
            continue;
        }
        if ((steps == HD_STEPS_PLAIN || steps == HD_STEPS_NONE) && learns(order, a) &&
            hd_access_order_learn(order, a)) {
            reported(r, d);
            hd_access_order_back(order, 0);
            at = 0;
            continue;
        }
        const uint16_t *clock = hd_explorer_weak_clock(ex, d, &at, &place);
        hd_access_order_ran(order, HD_STEP_THREAD(ex->path.steps[d]), a, clock, place);
    }
    return !order->full;
}

bool hd_clock_races_look(struct hd_races *r, struct hd_explorer *ex)
{
    const uint8_t *ops;
    uint32_t at;
    enum hd_weak_order known = hd_explorer_weak_order(ex, r->by_clocks->depth, &ops, &at);
    if (known == HD_WEAK_ORDER_KNOWN && add_steps(r, ex, ops, at))
        return true;
    if (known != HD_WEAK_ORDER_NOT_NOW)
        r->by_clocks = NULL;
    return false;
}
