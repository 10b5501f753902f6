/* New nodes with one alternative, by the general loop: either the thread of the last step goes
 * on without a decision, or a filter names the one thread to be taken.  Other alternatives are
 * listed when something is opened there (path.h).
 *
 * Before marks.single_until such nodes may be made, as far as path, bounds and filters are
 * concerned.  A general decision computes it.  Whatever may change the answer sets it to 0, so
 * that the next decision is a general one. marks.fast_until is the same where a filter's fast
 * path may be taken, and 0 elsewhere. */
#include "core/enabled.h"
#include "explore/loop/explorer_inner.h"
#include "explore/loop/search.h"

#include <string.h>

HD_HOT bool may_be_single(const struct hd_explorer *ex)
{
    return ex->path.depth < ex->marks.single_until && ex->world.config->n_threads <= 64 &&
           hd_explorer_may_be_others(ex);
}

/* `target` and `counted` stay where they are: what is not below them is new. */
HD_HOT void take(struct hd_explorer *ex, uint32_t thread, bool went_on)
{
    uint32_t depth = ex->path.depth;
    struct hd_node *node = hd_explorer_append(ex, thread, thread, went_on);
    if (hd_op_has_outcome((enum hd_op)node->action.op))
        node->action.op = (uint8_t)ex->world.outcome(ex->world.self, thread);
    hd_explorer_notify(ex, depth);
    ex->cnt->events++;
    ex->path.depth = ex->shared->depth = depth + 1;
    if (__builtin_expect(ex->watched, 0))
        hd_explorer_watch(ex, depth);
}

uint32_t hd_explorer_take_single(struct hd_explorer *ex)
{
    if (!may_be_single(ex))
        return HD_NO_SINGLE;
    uint32_t thread = ex->filters[ex->chooser]->single(ex->filter_state[ex->chooser], ex);
    if (thread == HD_NO_SINGLE || ex->world.config->next[thread].choices > 1)
        return HD_NO_SINGLE;
    if (hd_explorer_waits_like_others(ex->world.config))
        hd_checks_waits(ex);
    take(ex, thread, false);
    return thread;
}

bool hd_explorer_go_on(struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_action *a = &ex->world.config->next[thread];
    if (ex->search->go_on)
        return ex->search->go_on(ex, thread);
    if (!may_be_single(ex) || a->choices > 1 || *hd_explorer_decided(ex, a) ||
        ex->world.config->invariants ||
        !ex->filters[ex->chooser]->goes_on(ex->filter_state[ex->chooser], ex, thread))
        return false;
    take(ex, thread, true);
    return true;
}

bool hd_explorer_exits_slowly(struct hd_explorer *ex, uint32_t thread)
{
    return ex->search->exits && ex->search->exits(ex, thread);
}

struct hd_node *hd_explorer_row(struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_config *config = ex->world.config;
    uint32_t depth = ex->path.depth;
    if (config->n_threads > 64 && (!ex->many || ex->fast != ex->many))
        return NULL;
    if (ex->search->row)
        return ex->search->row(ex, thread);
    /* (a thread is joined once: there cannot be more of them) */
    if (ex->marks.notified == depth || ex->marks.notify_until == depth ||
        depth + HD_MAX_THREADS >= ex->marks.single_until || config->invariants ||
        !hd_explorer_may_be_others(ex) || !ex->fast->may_row(ex))
        return NULL;
    ex->row_thread = thread;
    ex->row_enabled = config->enabled.w[0];
    if (config->n_threads > 64)
        memcpy(ex->row_more.w, config->enabled.w + 1, sizeof ex->row_more.w);
    return &ex->path.nodes[depth];
}

void hd_explorer_row_over(struct hd_explorer *ex)
{
    if (ex->shared->depth == ex->path.depth)
        return;
    if (ex->search->row_over)
        ex->search->row_over(ex);
    else
        ex->fast->row_over(ex);
}

void hd_explorer_watch(struct hd_explorer *ex, uint32_t depth)
{
    if (ex->opt->digest)
        hd_explorer_digest(ex, ex->path.steps[depth], &ex->path.nodes[depth].action);
    if (ex->opt->paranoid && ex->shared->depth == ex->path.depth)
        hd_explorer_check(ex);
    if (ex->opt->paranoid && ex->world.config->one_way &&
        !hd_explorer_one_choice_each(ex->world.config))
        hd_explorer_bug(ex, "one_way of the configuration");
}
