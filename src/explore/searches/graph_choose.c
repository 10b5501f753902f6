/* Which thread runs next in the search over graphs. */
#include "explore/searches/graph_inner.h"

/* May the thread run, as far as the graph is concerned? */
static bool may_run(const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_graph *g = &mine(ex)->g;
    uint32_t id = thread < g->lanes ? hd_graph_newest(g, thread) : 0;
    uint16_t op = ex->world.config->next[thread].op;
    if (id && hd_event(g, id)->ends &&
        hd_graph_steps_since(ex, thread) + 1 >= hd_event(g, id)->ends)
        return false;
    if (id && hd_search_returns(mine(ex), hd_event(g, id)))
        return false;
    bool waits = op == HD_OP_AWAIT || op == HD_OP_AWAIT_SYNC;
    return !(id && hd_event(g, id)->blocked) && (!waits || mine(ex)->sample);
}

/* The two steps of a futex wait are not separated: a revisit takes both out, or none. */
static uint32_t enters_futex(const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    for (uint64_t w = config->enabled.w[0]; w; w &= w - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(w), op = config->next[t].op;
        if ((op == HD_OP_FUTEX_SLEEP || op == HD_OP_FUTEX_TIMEDSLEEP) && may_run(ex, t))
            return t;
    }
    return ~0u;
}

uint32_t hd_graph_choose(struct hd_explorer *ex, bool end)
{
    const struct hd_config *config = ex->world.config;
    uint64_t threads = 0;
    uint32_t entry = enters_futex(ex);
    if (entry != ~0u)
        return entry;
    for (uint64_t w = config->enabled.w[0]; w; w &= w - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(w);
        if (!may_run(ex, t) || (config->next[t].op == HD_OP_END) != end)
            continue;
        if (!mine(ex)->sample)
            return t;
        threads |= w & -w;
    }
    return threads ? hd_graph_sample_thread(ex, threads) : ~0u;
}

uint32_t hd_graph_choose_stuck(const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    for (uint64_t w = config->live.w[0]; w && !mine(ex)->sample; w &= w - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(w);
        const struct hd_action *a = &config->next[t];
        if (may_run(ex, t) && hd_op_table[a->op].space == HD_SPACE_SYNC &&
            hd_op_blocks((enum hd_op)a->op))
            return t;
    }
    return ~0u;
}
