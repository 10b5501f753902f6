/* What the files of the explorer share: the way a step is taken. */
#ifndef HD_EXPLORE_LOOP_EXPLORER_INNER_H
#define HD_EXPLORE_LOOP_EXPLORER_INNER_H

#include "explore/checks/lock_order.h"
#include "explore/checks/races.h"
#include "explore/loop/filter.h"

void hd_explorer_digest(struct hd_explorer *ex, uint32_t alternative, const struct hd_action *a);

/* Tell of the steps that have not been told of (fast_path.c). */
void hd_explorer_notify_late(struct hd_explorer *ex);
HD_HOT void hd_explorer_catch_up(struct hd_explorer *ex)
{
    if (ex->notified != ex->path.depth)
        hd_explorer_notify_late(ex);
}

void hd_explorer_notify_rest(struct hd_explorer *ex);
HD_HOT void hd_explorer_notify_in_time(struct hd_explorer *ex)
{
    if (ex->notified < ex->notify_until)
        hd_explorer_notify_rest(ex);
}

/* Step `depth` is about to be made: who wants to hear of it does.  Calls of the default
 * reduction are spelt out, so that the optimiser knows whom they reach. */
HD_HOT void hd_explorer_notify(struct hd_explorer *ex, uint32_t depth)
{
    hd_explorer_catch_up(ex);
    ex->notified = depth + 1;
    if (__builtin_expect(ex->optimal != NULL, 1))
        hd_optimal_ran(ex->optimal, ex, depth);
    else
        for (uint32_t i = 0; i < ex->n_ran; i++)
            ex->filters[ex->ran[i]]->ran(ex->filter_state[ex->ran[i]], ex, depth);
    if (ex->races && ex->races->hears)
        hd_races_ran(ex->races, ex, depth);
    if (ex->lock_orders && hd_lock_orders_concern(ex->path.nodes[depth].action.op))
        hd_lock_orders_ran(ex->lock_orders, ex, depth);
}

/* By the site of an action: has something been opened at a straight node there? */
HD_HOT uint8_t *hd_explorer_decided(const struct hd_explorer *ex, const struct hd_action *a)
{
    return &ex->decided[(a->site ? a->site : HD_DECIDED - a->op) % HD_DECIDED];
}

HD_HOT void hd_explorer_set_action(const struct hd_explorer *ex, struct hd_node *node,
                                   uint32_t thread)
{
    node->action = ex->world.config->next[thread];
    if (hd_op_has_outcome((enum hd_op)node->action.op))
        node->action.op = (uint8_t)ex->world.outcome(ex->world.self, thread);
}

/* backtrack.c: the node was straight and something has been opened: now that its state is there, list the
 * other choices behind the first of every thread.  It is the last node of the path. */
void hd_explorer_list_choices(struct hd_explorer *ex, uint32_t depth);

/* fast_path.c: if a single thread is to be taken at the new node, the others being listed when
 * they are needed, its step is taken.  Which; HD_NO_SINGLE: the filters must look at all. */
uint32_t hd_explorer_take_alone(struct hd_explorer *ex);
/* … the depth is below `quick_until`. */
uint32_t hd_explorer_take_alone_quickly(struct hd_explorer *ex);

/* checks/invariant.c: the invariants have been evaluated.  False: they have read what nobody knew
 * of, and steps that write it were taken for independent. */
bool hd_invariants_known(struct hd_explorer *ex);

#endif
