#include "explore/states/scale.h"

#include "core/dependence.h"

static bool on_a_stack(const struct hd_action *action)
{
    return hd_op_table[action->op].space == HD_SPACE_MEM && action->object >= HD_STACK_BASE &&
           action->object < HD_HEAP_BASE;
}

static bool looks_at_ends(const struct hd_world *world)
{
    return world->looks_at_ends && world->looks_at_ends(world->self);
}

bool hd_scale_is_hidden(const struct hd_explorer *ex, const struct hd_action *action)
{
    bool start_or_end = action->op == HD_OP_START || action->op == HD_OP_EXIT;
    if (action->size2 >= HD_WATCHED_WRITE)
        return false;
    if (ex->opt->filters & HD_FILTER_LIKE_SCALE)
        return start_or_end || on_a_stack(action);
    if (ex->opt->filters & HD_FILTER_EAGER)
        return (start_or_end && !(action->op == HD_OP_EXIT && looks_at_ends(&ex->world))) ||
               ((action->op == HD_OP_JOIN || action->op == HD_OP_CREATE) && action->object2 == 0);
    return false;
}

uint32_t hd_scale_last(const struct hd_explorer *ex, uint32_t depth)
{
    while (depth-- > 0)
        if (!hd_scale_hidden(ex, &ex->path.nodes[depth].action))
            return depth;
    return HD_NO_STEP;
}

static bool same_sync_object(const struct hd_action *a, const struct hd_action *b)
{
    return hd_op_table[a->op].space == HD_SPACE_SYNC &&
           hd_op_table[b->op].space == HD_SPACE_SYNC && a->object == b->object;
}

bool hd_scale_dependent(const struct hd_explorer *ex, const struct hd_action *a,
                        const struct hd_action *b)
{
    if (ex->world.config->invariants & HD_WATCHES_TARGETS &&
        (hd_op_table[a->op].space == HD_SPACE_MEM || hd_op_table[b->op].space == HD_SPACE_MEM))
        return true;
    if (ex->opt->scale_dependence && same_sync_object(a, b))
        return true;
    return hd_action_dependent(a, b);
}
