/* The fast paths of one filter (fast_path.h).  In the filter's file:
 *
 *     static const struct hd_fast_filter answers = { … }, answers_to_many = { … };
 *     HD_FAST_PATHS(hd_fast_paths_of_mine, answers, answers_to_many)
 *
 * The first answers are for up to 64 threads, whose sets are one word.
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
    bool many; /* there may be more than 64 threads */
    uint32_t (*tell)(struct hd_explorer *ex, uint32_t depth, uint32_t result);
    uint32_t (*tell_of_any)(struct hd_explorer *ex, uint32_t depth, uint32_t result);
    uint32_t (*take_waiting)(struct hd_explorer *ex, uint32_t thread);
    uint32_t (*go_on)(struct hd_explorer *ex, uint32_t thread);
};

HD_HOT void hd_fast_notify(struct hd_explorer *ex, uint32_t to, const struct hd_fast_filter *f)
{
    uint32_t from = ex->marks.notified;
    ex->marks.notified = to;
    if (f->heard && f->heard(ex->fast_self, ex, from, to) && to < ex->path.depth) {
        ex->marks.notified = ex->path.depth;
        f->heard(ex->fast_self, ex, to, ex->path.depth);
    }
}

/* Tell the filter of step `depth`, and of those before it that it has not been told of. */
HD_HOT void hd_fast_tell(struct hd_explorer *ex, uint32_t depth, const struct hd_fast_filter *f)
{
    uint32_t from = ex->marks.notified;
    ex->marks.notified = depth + 1;
    if (from < depth && f->heard)
        f->heard(ex->fast_self, ex, from, depth);
    if (f->ran)
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
    return f->can_be_left_out && (a->op == HD_OP_JOIN || a->op == HD_OP_EXIT) && !a->object2 &&
           f->can_be_left_out(ex->fast_self, ex, a);
}

/* Take the thread's step at the new node. */
HD_HOT uint32_t hd_fast_take(struct hd_explorer *ex, uint32_t thread, bool went_on,
                             uint32_t result, const struct hd_fast_way *way)
{
    uint32_t depth = ex->path.depth;
    struct hd_node *node = hd_explorer_append(ex, thread, thread, went_on);
    const struct hd_action *a = &node->action;
    if (way->many)
        hd_explorer_keep_many(ex, node);
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
    if (thread >= HD_STATE_MET)
        return thread;
    if (config->next[thread].choices > 1 || !hd_explorer_may_be_others(ex))
        return HD_NO_SINGLE;
    if (way->many ? hd_explorer_waits_like_many(config)
                  : __builtin_expect(hd_explorer_waits_like_others(config), 0))
        return way->take_waiting(ex, thread);
    return hd_fast_take(ex, thread, false, thread, way);
}

HD_HOT uint32_t hd_fast_go_on(struct hd_explorer *ex, uint32_t thread,
                              const struct hd_fast_way *way)
{
    const struct hd_action *a = &ex->world.config->next[thread];
    if (a->choices > 1 || *hd_explorer_decided(ex, a) || !hd_explorer_may_be_others(ex) ||
        !way->f->goes_on(ex->fast_self, ex, thread))
        return 0;
    return hd_fast_take(ex, thread, true, 1, way);
}

/* Most steps of a search over states are such accesses: while a thread holds a lock, often no
 * other can move.  What was opened where a thread went on (hd_explorer_decided) was never at an
 * access then.  Everything is read before something is written: what is kept by depth may be
 * bytes, which may lie anywhere as far as the compiler knows. */
HD_HOT uint32_t hd_fast_go_on_alone(struct hd_explorer *ex, uint32_t thread,
                                    const struct hd_fast_way *way)
{
    struct hd_path *p = &ex->path;
    uint32_t depth = p->depth;
    const struct hd_action *a = &ex->world.config->next[thread];
    if (way->watched || !way->f->goes_on_alone || a->op > HD_OP_RMW || a->choices > 1 ||
        ex->split || !way->f->goes_on_alone(ex->fast_self, ex, depth))
        return way->go_on(ex, thread);
    struct hd_node *node = hd_explorer_append(ex, thread, thread, true);
    (void)node;
    ex->cnt->events++;
    p->depth = ex->shared->depth = ex->marks.notify_until = depth + 1;
    return 1;
}

HD_HOT bool hd_fast_exits(struct hd_explorer *ex, uint32_t thread, const struct hd_fast_way *way)
{
    static const struct hd_action exit = { .op = HD_OP_EXIT, .choices = 1 };
    uint32_t depth = ex->path.depth;
    if (!way->f->exits || !hd_explorer_may_be_others(ex) || *hd_explorer_decided(ex, &exit) ||
        !way->f->exits(ex->fast_self, ex, thread))
        return false;
    struct hd_node *node = &ex->path.nodes[depth];
    node->action = exit;
    node->action.object = thread;
    node->last = thread;
    node->enabled = ex->world.config->enabled.w[0];
    hd_explorer_one_alternative(&ex->path, node, depth, thread, true);
    if (way->many)
        hd_explorer_keep_many(ex, node);
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
        if (way->many && ex->world.config->n_threads > 64) {
            node->many = true;
            p->more[d] = ex->row_more;
        }
        if (!way->f->joins_on || !way->f->joins_on(ex->fast_self, ex))
            hd_explorer_notify(ex, d);
        p->depth = d + 1;
        if (way->watched)
            hd_explorer_watch(ex, d);
    }
}

/* Defines the table NAME from the answers F, for up to 64 threads. */
#define HD_FAST_PATHS_OF_FEW(NAME, F)                                                            \
    HD_FAST_TELLING(NAME, F, few)                                                                \
    HD_FAST_FUNCTIONS(NAME, F, few, plain, false, false)                                         \
    HD_FAST_FUNCTIONS(NAME, F, few, watched, true, false)                                        \
    const struct hd_fast_paths NAME = { .plain = HD_FAST_TABLE(NAME, few, plain),                \
                                        .watched = HD_FAST_TABLE(NAME, few, watched) };

/* Defines the table NAME from the answers F, and MANY for more than 64 threads. */
#define HD_FAST_PATHS(NAME, F, MANY)                                                             \
    HD_FAST_TELLING(NAME, F, few)                                                                \
    HD_FAST_TELLING(NAME, MANY, many)                                                            \
    HD_FAST_FUNCTIONS(NAME, F, few, plain, false, false)                                         \
    HD_FAST_FUNCTIONS(NAME, F, few, watched, true, false)                                        \
    HD_FAST_FUNCTIONS(NAME, MANY, many, large, true, true)                                       \
    const struct hd_fast_paths NAME = { HD_FAST_TABLE(NAME, few, plain),                         \
                                        HD_FAST_TABLE(NAME, few, watched),                       \
                                        HD_FAST_TABLE(NAME, many, large) };

#define HD_FAST_TELLING(NAME, F, SIZE)                                                           \
    static __attribute__((noinline)) uint32_t NAME##_tell_##SIZE(                                \
        struct hd_explorer *ex, uint32_t depth, uint32_t result)                                 \
    {                                                                                            \
        hd_fast_tell(ex, depth, &(F));                                                           \
        return result;                                                                           \
    }                                                                                            \
    static __attribute__((noinline)) uint32_t NAME##_tell_of_any_##SIZE(                         \
        struct hd_explorer *ex, uint32_t depth, uint32_t result)                                 \
    {                                                                                            \
        hd_fast_tell_of_any(ex, depth, &(F));                                                    \
        return result;                                                                           \
    }                                                                                            \
    static void NAME##_notify_##SIZE(struct hd_explorer *ex, uint32_t to)                        \
    {                                                                                            \
        hd_fast_notify(ex, to, &(F));                                                            \
    }                                                                                            \
    static bool NAME##_may_row_##SIZE(struct hd_explorer *ex)                                    \
    {                                                                                            \
        return (F).joins_on && (F).joins_on(ex->fast_self, ex);                                  \
    }

#define HD_FAST_FUNCTIONS(NAME, F, SIZE, WAY, WATCHED, IS_MANY)                                  \
    static uint32_t NAME##_waiting_##WAY(struct hd_explorer *ex, uint32_t thread);               \
    static uint32_t NAME##_go_on_##WAY(struct hd_explorer *ex, uint32_t thread);                 \
    static const struct hd_fast_way NAME##_##WAY = { &(F),                                       \
                                                     WATCHED,                                    \
                                                     IS_MANY,                                    \
                                                     NAME##_tell_##SIZE,                         \
                                                     NAME##_tell_of_any_##SIZE,                  \
                                                     NAME##_waiting_##WAY,                       \
                                                     NAME##_go_on_##WAY };                       \
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
    static __attribute__((noinline)) uint32_t NAME##_go_on_##WAY(struct hd_explorer *ex,         \
                                                                 uint32_t thread)                \
    {                                                                                            \
        return hd_fast_go_on(ex, thread, &NAME##_##WAY);                                         \
    }                                                                                            \
    static uint32_t NAME##_go_on_alone_##WAY(struct hd_explorer *ex, uint32_t thread)            \
    {                                                                                            \
        return hd_fast_go_on_alone(ex, thread, &NAME##_##WAY);                                   \
    }                                                                                            \
    static bool NAME##_exits_##WAY(struct hd_explorer *ex, uint32_t thread)                      \
    {                                                                                            \
        return hd_fast_exits(ex, thread, &NAME##_##WAY);                                         \
    }                                                                                            \
    static void NAME##_row_over_##WAY(struct hd_explorer *ex)                                    \
    {                                                                                            \
        hd_fast_row_over(ex, &NAME##_##WAY);                                                     \
    }

#define HD_FAST_TABLE(NAME, SIZE, WAY)                                                           \
    {                                                                                            \
        NAME##_single_##WAY, NAME##_go_on_##WAY,    NAME##_go_on_alone_##WAY,                    \
        NAME##_exits_##WAY,  NAME##_may_row_##SIZE, NAME##_row_over_##WAY,                       \
        NAME##_notify_##SIZE                                                                     \
    }

#endif
