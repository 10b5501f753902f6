/* The fast paths of one filter (fast_path.h).  In the filter's file:
 *
 *     static const struct hd_fast_filter answers = { … };
 *     HD_FAST_PATHS(hd_fast_paths_of_mine, answers)
 *
 * Every function here is inlined with a constant `way`, so that the filter's answers are called
 * directly, and inlined in turn. */
#ifndef HD_EXPLORE_LOOP_FAST_PATH_FOR_H
#define HD_EXPLORE_LOOP_FAST_PATH_FOR_H

#include "explore/loop/explorer_inner.h"

/* The differences between the instances.  Rare parts of a step are kept out of line, in
 * functions that are called last and return `result`. */
struct hd_fast_way {
    const struct hd_fast_filter *f;
    bool watched;
    uint32_t (*tell)(struct hd_explorer *ex, uint32_t depth, uint32_t result);
    uint32_t (*tell_of_any)(struct hd_explorer *ex, uint32_t depth, uint32_t result);
    uint32_t (*take_waiting)(struct hd_explorer *ex, uint32_t thread);
};

HD_HOT void hd_fast_notify(struct hd_explorer *ex, uint32_t to, const struct hd_fast_filter *f)
{
    uint32_t from = ex->marks.notified;
    ex->marks.notified = to;
    if (f->heard(ex->fast_self, ex, from, to) && to < ex->path.depth) {
        ex->marks.notified = ex->path.depth;
        f->heard(ex->fast_self, ex, to, ex->path.depth);
    }
}

/* Tell the filter of step `depth`, and of those before it that it has not been told of. */
HD_HOT void hd_fast_tell(struct hd_explorer *ex, uint32_t depth, const struct hd_fast_filter *f)
{
    uint32_t from = ex->marks.notified;
    ex->marks.notified = depth + 1;
    if (from < depth)
        f->heard(ex->fast_self, ex, from, depth);
    f->ran(ex->fast_self, ex, depth);
}

/* The same for a step that has two outcomes, or that checks may ask for. */
HD_HOT void hd_fast_tell_of_any(struct hd_explorer *ex, uint32_t depth,
                                const struct hd_fast_filter *f)
{
    struct hd_action *a = &ex->path.nodes[depth].action;
    if (hd_op_has_outcome((enum hd_op)a->op))
        a->op = (uint8_t)ex->world.outcome(ex->world.self, ex->path.steps[depth]);
    hd_checks_ran(ex, depth);
    hd_fast_tell(ex, depth, f);
}

HD_HOT bool hd_fast_left_out(struct hd_explorer *ex, const struct hd_action *a,
                             const struct hd_fast_filter *f)
{
    return (a->op == HD_OP_JOIN || a->op == HD_OP_EXIT) && !a->object2 &&
           f->can_be_left_out(ex->fast_self, ex, a);
}

/* Take the thread's step at the new node. */
HD_HOT uint32_t hd_fast_take(struct hd_explorer *ex, uint32_t thread, bool went_on,
                             uint32_t result, const struct hd_fast_way *way)
{
    uint32_t depth = ex->path.depth;
    const struct hd_action *a = &hd_explorer_append(ex, thread, thread, went_on)->action;
    bool postponed = way->f->can_wait(ex->fast_self, ex, a);
    bool later = postponed || hd_fast_left_out(ex, a, way->f);
    ex->cnt->events++;
    ex->path.depth = ex->shared->depth = depth + 1;
    if (postponed)
        ex->marks.notify_until = depth + 1;
    if (way->watched) {
        if (!later)
            way->tell_of_any(ex, depth, result);
        hd_explorer_watch(ex, depth);
        return result;
    }
    if (later)
        return result;
    return a->op <= HD_OP_RMW ? way->tell(ex, depth, result)
                              : way->tell_of_any(ex, depth, result);
}

HD_HOT uint32_t hd_fast_take_single(struct hd_explorer *ex, const struct hd_fast_way *way)
{
    const struct hd_config *config = ex->world.config;
    uint32_t thread = way->f->single(ex->fast_self, ex);
    if (thread == HD_NO_SINGLE || config->next[thread].choices > 1 ||
        !hd_explorer_may_be_others(ex))
        return HD_NO_SINGLE;
    if (__builtin_expect(hd_explorer_waits_like_others(config), 0))
        return way->take_waiting(ex, thread);
    return hd_fast_take(ex, thread, false, thread, way);
}

HD_HOT bool hd_fast_go_on(struct hd_explorer *ex, uint32_t thread, const struct hd_fast_way *way)
{
    const struct hd_action *a = &ex->world.config->next[thread];
    if (a->choices > 1 || *hd_explorer_decided(ex, a) || !hd_explorer_may_be_others(ex) ||
        !way->f->goes_on(ex->fast_self, ex, thread))
        return false;
    return hd_fast_take(ex, thread, true, true, way);
}

HD_HOT bool hd_fast_exits(struct hd_explorer *ex, uint32_t thread, const struct hd_fast_way *way)
{
    static const struct hd_action exit = { .op = HD_OP_EXIT, .choices = 1 };
    uint32_t depth = ex->path.depth;
    if (!hd_explorer_may_be_others(ex) || *hd_explorer_decided(ex, &exit) ||
        !way->f->exits(ex->fast_self, ex, thread))
        return false;
    struct hd_node *node = &ex->path.nodes[depth];
    node->action = exit;
    node->action.object = thread;
    node->last = thread;
    node->enabled = ex->world.config->enabled.w[0];
    hd_explorer_one_alternative(&ex->path, node, depth, thread, true);
    ex->cnt->events++;
    ex->path.depth = ex->shared->depth = depth + 1;
    if (way->watched)
        hd_explorer_watch(ex, depth);
    return true;
}

HD_HOT void hd_fast_row_over(struct hd_explorer *ex, const struct hd_fast_way *way)
{
    struct hd_path *p = &ex->path;
    for (uint32_t end = ex->shared->depth, d = p->depth; d < end; d++) {
        struct hd_node *node = &p->nodes[d];
        node->action = (struct hd_action){ .object = node->action.object,
                                           .site = node->action.site,
                                           .op = HD_OP_JOIN,
                                           .choices = 1 };
        node->last = ex->row_thread;
        node->enabled = ex->row_enabled;
        hd_explorer_one_alternative(p, node, d, ex->row_thread, true);
        if (!way->f->joins_on(ex->fast_self, ex))
            hd_explorer_notify(ex, d);
        p->depth = d + 1;
        if (way->watched)
            hd_explorer_watch(ex, d);
    }
}

/* Defines the table NAME from the answers F. */
#define HD_FAST_PATHS(NAME, F)                                                                   \
    static __attribute__((noinline)) uint32_t NAME##_tell(struct hd_explorer *ex,                \
                                                          uint32_t depth, uint32_t result)       \
    {                                                                                            \
        hd_fast_tell(ex, depth, &(F));                                                           \
        return result;                                                                           \
    }                                                                                            \
    static __attribute__((noinline)) uint32_t NAME##_tell_of_any(                                \
        struct hd_explorer *ex, uint32_t depth, uint32_t result)                                 \
    {                                                                                            \
        hd_fast_tell_of_any(ex, depth, &(F));                                                    \
        return result;                                                                           \
    }                                                                                            \
    static void NAME##_notify(struct hd_explorer *ex, uint32_t to)                               \
    {                                                                                            \
        hd_fast_notify(ex, to, &(F));                                                            \
    }                                                                                            \
    static bool NAME##_may_row(struct hd_explorer *ex)                                           \
    {                                                                                            \
        return (F).joins_on(ex->fast_self, ex);                                                  \
    }                                                                                            \
    HD_FAST_FUNCTIONS(NAME, F, plain, false)                                                     \
    HD_FAST_FUNCTIONS(NAME, F, watched, true)                                                    \
    const struct hd_fast_paths NAME = { HD_FAST_TABLE(NAME, plain),                              \
                                        HD_FAST_TABLE(NAME, watched) };

#define HD_FAST_FUNCTIONS(NAME, F, WAY, WATCHED)                                                 \
    static uint32_t NAME##_waiting_##WAY(struct hd_explorer *ex, uint32_t thread);               \
    static const struct hd_fast_way NAME##_##WAY = { &(F), WATCHED, NAME##_tell,                 \
                                                     NAME##_tell_of_any, NAME##_waiting_##WAY }; \
    static __attribute__((noinline)) uint32_t NAME##_waiting_##WAY(struct hd_explorer *ex,       \
                                                                   uint32_t thread)              \
    {                                                                                            \
        hd_checks_waits(ex);                                                                     \
        return hd_fast_take(ex, thread, false, thread, &NAME##_##WAY);                           \
    }                                                                                            \
    static uint32_t NAME##_single_##WAY(struct hd_explorer *ex)                                  \
    {                                                                                            \
        return hd_fast_take_single(ex, &NAME##_##WAY);                                           \
    }                                                                                            \
    static bool NAME##_go_on_##WAY(struct hd_explorer *ex, uint32_t thread)                      \
    {                                                                                            \
        return hd_fast_go_on(ex, thread, &NAME##_##WAY);                                         \
    }                                                                                            \
    static bool NAME##_exits_##WAY(struct hd_explorer *ex, uint32_t thread)                      \
    {                                                                                            \
        return hd_fast_exits(ex, thread, &NAME##_##WAY);                                         \
    }                                                                                            \
    static void NAME##_row_over_##WAY(struct hd_explorer *ex)                                    \
    {                                                                                            \
        hd_fast_row_over(ex, &NAME##_##WAY);                                                     \
    }

#define HD_FAST_TABLE(NAME, WAY)                                                                 \
    { NAME##_single_##WAY, NAME##_go_on_##WAY,    NAME##_exits_##WAY,                            \
      NAME##_may_row,      NAME##_row_over_##WAY, NAME##_notify }

#endif
