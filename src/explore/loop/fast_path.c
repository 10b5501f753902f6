/* New nodes with one alternative: most of them.  Either the thread of the last step goes straight
 * on without a decision, or a reduction names the one thread to be taken; other alternatives are
 * listed when something is opened there (path.h).
 *
 * `straight_until` is what is to be looked at: before that depth such nodes may be made, as far as
 * path, bounds and filters are concerned.  A decision of the general kind computes it; whatever may
 * change the answer sets it to 0, so that the next decision is of that kind.  `quick_until` is the same,
 * or 0 unless things are as they mostly are: the default reduction alone hears of steps, the node is not
 * the first of a worker's part, there are no invariants, and nothing is digested.
 *
 * Of the end of a thread, and of joining it, filters are told when something else follows: an
 * execution mostly ends with a lot of both, which races with nothing and orders nothing any more.
 * (Whatever the reduction keeps of the last step that it was told of holds behind them, too.)  Of
 * accesses of memory it is told later, too, where their order is all that it keeps, but before the
 * execution is over (`notify_until`).
 *
 * Of joins in a row not even the nodes are made before something else follows: nothing is asked
 * between two of them that was not when the first was taken.  The world notes them at the nodes
 * they would get; shared->depth counts them, path.depth does not. */
#include "core/enabled.h"
#include "explore/checks/partial_deadlock.h"
#include "explore/loop/explorer_inner.h"

HD_HOT bool goes_straight(struct hd_explorer *ex, uint32_t thread)
{
    if (__builtin_expect(ex->optimal != NULL, 1))
        return hd_optimal_straight(ex->optimal, ex, thread);
    return ex->filters[ex->chooser]->straight(ex->filter_state[ex->chooser], ex, thread);
}

HD_HOT uint32_t goes_alone(struct hd_explorer *ex)
{
    if (__builtin_expect(ex->optimal != NULL, 1))
        return hd_optimal_alone(ex->optimal, ex);
    return ex->filters[ex->chooser]->alone(ex->filter_state[ex->chooser], ex);
}

/* A node that other workers may get lists every choice, so there must be none but the threads. */
static bool one_choice_each(const struct hd_config *config)
{
    bool more = false;
    for (uint64_t w = config->enabled.w[0]; w; w &= w - 1)
        more = more || config->next[__builtin_ctzll(w)].choices > 1;
    return !more;
}

/* (The first node of a worker's part is where others learn that its first step broke nothing.) */
HD_HOT bool may_be_others(const struct hd_explorer *ex)
{
    return __builtin_expect(!ex->split, 1) ||
           (ex->path.depth > ex->base && one_choice_each(ex->world.config));
}

HD_HOT bool may_be_alone(const struct hd_explorer *ex)
{
    return ex->path.depth < ex->straight_until && ex->world.config->n_threads <= 64 &&
           may_be_others(ex);
}

void hd_explorer_notify_late(struct hd_explorer *ex)
{
    uint32_t from = ex->notified;
    ex->notified = ex->path.depth;
    hd_optimal_heard(ex->optimal, ex, from, ex->notified);
}

/* Ends of threads behind these may have been left out because nothing could race with them, as far as
 * was known: unless these have touched a stack. */
void hd_explorer_notify_rest(struct hd_explorer *ex)
{
    uint32_t from = ex->notified, cells = ex->hb->n_stack_cells;
    ex->notified = ex->notify_until;
    hd_optimal_heard(ex->optimal, ex, from, ex->notified);
    if (ex->hb->n_stack_cells != cells)
        hd_explorer_catch_up(ex);
}

/* May the filters be told of the step later? */
HD_HOT bool can_wait(struct hd_explorer *ex, const struct hd_action *a)
{
    return (a->op == HD_OP_JOIN || a->op == HD_OP_EXIT) && !a->object2 && ex->optimal &&
           hd_optimal_later(ex->optimal, ex, a);
}

/* The new node has one alternative, and is on the path. */
HD_HOT void one_alternative(struct hd_path *p, struct hd_node *node, uint32_t depth,
                            uint32_t thread, bool straight)
{
    uint64_t alts = node[-1].alts + node[-1].n_alts;
    node->alts = alts;
    node->n_alts = node->n_open = node->n_allowed = 1;
    node->taken = 0;
    node->unsure = false;
    node->straight = straight;
    p->alts[alts] = p->steps[depth] = thread;
    p->n_nodes = depth + 1;
}

HD_HOT struct hd_node *append(struct hd_explorer *ex, uint32_t thread, bool straight)
{
    struct hd_path *p = &ex->path;
    const struct hd_config *config = ex->world.config;
    uint32_t depth = p->depth;
    struct hd_node *node = &p->nodes[depth];
    node->action = config->next[thread];
    node->last = config->last;
    node->enabled = config->enabled.w[0];
    one_alternative(p, node, depth, thread, straight);
    return node;
}

/* It has been told of the step, if need be.  `target` and `counted` stay behind: what is not below
 * them is new. */
HD_HOT void passed(struct hd_explorer *ex, uint32_t depth)
{
    ex->cnt->events++;
    if (__builtin_expect(ex->watched, 0) && ex->opt->digest)
        hd_explorer_digest(ex, ex->path.steps[depth], &ex->path.nodes[depth].action);
    ex->path.depth = depth + 1;
    ex->shared->depth = depth + 1;
}

HD_HOT void take(struct hd_explorer *ex, uint32_t thread, bool straight)
{
    uint32_t depth = ex->path.depth;
    struct hd_node *node = append(ex, thread, straight);
    if (hd_op_has_outcome((enum hd_op)node->action.op))
        node->action.op = (uint8_t)ex->world.outcome(ex->world.self, thread);
    if (!can_wait(ex, &node->action))
        hd_explorer_notify(ex, depth);
    passed(ex, depth);
}

/* The reduction hears of step `depth`, and of those before it that it has not heard of.  The last
 * that is done: whoever calls it has nothing to keep. */
static __attribute__((noinline)) uint32_t tell(struct hd_explorer *ex, uint32_t depth,
                                               uint32_t result)
{
    uint32_t from = ex->notified;
    ex->notified = depth + 1;
    if (from < depth)
        hd_optimal_heard(ex->optimal, ex, from, depth);
    hd_optimal_ran(ex->optimal, ex, depth);
    return result;
}

/* … one that may turn out in two ways, or of a lock. */
static __attribute__((noinline)) uint32_t tell_of_any(struct hd_explorer *ex, uint32_t depth,
                                                      uint32_t result)
{
    struct hd_action *a = &ex->path.nodes[depth].action;
    if (hd_op_has_outcome((enum hd_op)a->op))
        a->op = (uint8_t)ex->world.outcome(ex->world.self, ex->path.steps[depth]);
    if (ex->lock_orders && hd_lock_orders_concern(a->op))
        hd_lock_orders_ran(ex->lock_orders, ex, depth);
    return tell(ex, depth, result);
}

/* take() before `quick_until`; returns `result`. */
HD_HOT uint32_t take_quickly(struct hd_explorer *ex, uint32_t thread, bool straight,
                             uint32_t result)
{
    uint32_t depth = ex->path.depth;
    const struct hd_action *a = &append(ex, thread, straight)->action;
    bool postponed = hd_optimal_can_wait(ex->optimal, ex, a);
    bool waits = postponed || can_wait(ex, a);
    ex->cnt->events++;
    ex->path.depth = ex->shared->depth = depth + 1;
    if (postponed)
        ex->notify_until = depth + 1;
    if (waits)
        return result;
    return a->op <= HD_OP_RMW ? tell(ex, depth, result) : tell_of_any(ex, depth, result);
}

/* Has the thread of the last step come to an operation that it cannot do, like others? */
HD_HOT bool waits_like_others(const struct hd_config *config)
{
    uint64_t waiting = config->live.w[0] & ~config->enabled.w[0];
    return waiting >> config->last & 1 && waiting != 1ull << config->last;
}

uint32_t hd_explorer_take_alone(struct hd_explorer *ex)
{
    if (!may_be_alone(ex))
        return HD_NO_SINGLE;
    uint32_t thread = goes_alone(ex);
    if (thread == HD_NO_SINGLE || ex->world.config->next[thread].choices > 1)
        return HD_NO_SINGLE;
    if (waits_like_others(ex->world.config))
        hd_partial_deadlock_at_node(ex);
    take(ex, thread, false);
    return thread;
}

static __attribute__((noinline)) uint32_t take_behind_wait(struct hd_explorer *ex,
                                                           uint32_t thread)
{
    hd_partial_deadlock_at_node(ex);
    return take_quickly(ex, thread, false, thread);
}

HD_HOT_ABROAD uint32_t hd_explorer_take_alone_quickly(struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    uint32_t thread = hd_optimal_alone(ex->optimal, ex);
    if (thread == HD_NO_SINGLE || config->next[thread].choices > 1 || !may_be_others(ex))
        return HD_NO_SINGLE;
    if (__builtin_expect(waits_like_others(config), 0))
        return take_behind_wait(ex, thread);
    return take_quickly(ex, thread, false, thread);
}

bool hd_explorer_exits(struct hd_explorer *ex, uint32_t thread)
{
    static const struct hd_action exit = { .op = HD_OP_EXIT, .choices = 1 };
    uint32_t depth = ex->path.depth;
    if (depth >= ex->quick_until || !may_be_others(ex) || *hd_explorer_decided(ex, &exit) ||
        !hd_optimal_exits(ex->optimal, ex, thread))
        return false;
    struct hd_node *node = &ex->path.nodes[depth];
    node->action = exit;
    node->action.object = thread;
    node->last = thread;
    node->enabled = ex->world.config->enabled.w[0];
    one_alternative(&ex->path, node, depth, thread, true);
    ex->cnt->events++;
    ex->path.depth = ex->shared->depth = depth + 1;
    return true;
}

struct hd_node *hd_explorer_row(struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_config *config = ex->world.config;
    uint32_t depth = ex->path.depth;
    /* (a thread is joined once: there cannot be more of them) */
    if (ex->notified == depth || ex->notify_until == depth ||
        depth + HD_MAX_THREADS >= ex->straight_until || config->n_threads > 64 ||
        config->invariants || !may_be_others(ex) || !hd_optimal_joins_on(ex->optimal, ex))
        return NULL;
    ex->row_thread = thread;
    ex->row_enabled = config->enabled.w[0];
    return &ex->path.nodes[depth];
}

void hd_explorer_row_over(struct hd_explorer *ex)
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
        one_alternative(p, node, d, ex->row_thread, true);
        if (!hd_optimal_joins_on(ex->optimal, ex))
            hd_explorer_notify(ex, d);
        if (ex->opt->digest)
            hd_explorer_digest(ex, ex->row_thread, &node->action);
        p->depth = d + 1;
    }
}

/* … not before `quick_until`. */
static __attribute__((noinline)) bool straight_on(struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_action *a = &ex->world.config->next[thread];
    if (!may_be_alone(ex) || a->choices > 1 || *hd_explorer_decided(ex, a) ||
        ex->world.config->invariants || !goes_straight(ex, thread))
        return false;
    take(ex, thread, true);
    return true;
}

bool hd_explorer_fast_path(struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_action *a = &ex->world.config->next[thread];
    if (ex->path.depth >= ex->quick_until)
        return straight_on(ex, thread);
    if (a->choices > 1 || *hd_explorer_decided(ex, a) || !may_be_others(ex) ||
        !hd_optimal_straight(ex->optimal, ex, thread))
        return false;
    return take_quickly(ex, thread, true, true);
}
