/* Which thread runs next in the search over graphs. */
#include "explore/searches/graph_inner.h"

/* May the thread run, as far as the graph is concerned? */
static bool may_run(const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_graph *g = &mine(ex)->g;
    const struct hd_event *e = hd_event(g, hd_graph_newest(g, thread)); /* [0] is all zeros */
    uint16_t op = ex->world.config->next[thread].op;
    if (e->blocked || (e->ends && hd_graph_steps_since(ex, thread) + 1 >= e->ends))
        return false;
    if (hd_search_returns(mine(ex), e))
        return false;
    return (op != HD_OP_AWAIT && op != HD_OP_AWAIT_SYNC) || mine(ex)->sample ||
           ex->world.config->next[thread].size2 == HD_AWAITS_MEMORY;
}

/* The two steps of a futex wait, or of a requeue, are not separated: a revisit takes both out,
 * or none. */
static uint32_t enters_futex(const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    for (uint64_t w = config->enabled.w[0]; w; w &= w - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(w), op = config->next[t].op;
        const struct hd_event *e = hd_event(&mine(ex)->g, hd_graph_newest(&mine(ex)->g, t));
        bool enters = op == HD_OP_FUTEX_SLEEP || op == HD_OP_FUTEX_TIMEDSLEEP ||
                      (op == HD_OP_FUTEX_MOVE && e->action.op == HD_OP_FUTEX_READ);
        if (enters && may_run(ex, t))
            return t;
    }
    return ~0u;
}

/* Is the newest thread about to start?  If that is done early, no revisit takes the start out,
 * and it is not executed again. */
static bool newest_starts(const struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    uint32_t newest = config->n_threads - 1;
    return config->next[newest].op == HD_OP_START && newest < 64 &&
           config->enabled.w[0] >> newest & 1;
}

/* Joins come last: then they are made once, in a row (graph_row.c), and no revisit takes them
 * out. */
static __attribute__((noinline)) uint32_t choose(struct hd_explorer *ex, bool end)
{
    const struct hd_config *config = ex->world.config;
    uint64_t threads = 0;
    uint32_t joins = ~0u, tail = ~0u;
    uint32_t entry = mine(ex)->g.futexes ? enters_futex(ex) : ~0u;
    if (entry != ~0u)
        return entry;
    if (!mine(ex)->sample && newest_starts(ex) && may_run(ex, config->n_threads - 1))
        return config->n_threads - 1;
    for (uint64_t w = config->enabled.w[0]; w; w &= w - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(w);
        if (!may_run(ex, t) || (config->next[t].op == HD_OP_END) != end)
            continue;
        bool waits = hd_graph_is_in_tail(mine(ex), &config->next[t]);
        if (!mine(ex)->sample && config->next[t].op != HD_OP_JOIN && !waits)
            return t;
        if (waits)
            tail = tail < t ? tail : t;
        else
            joins = joins < t ? joins : t;
        threads |= w & -w;
    }
    if (threads && mine(ex)->sample)
        return hd_graph_sample_thread(ex, threads);
    return tail != ~0u ? tail : joins;
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

/* Of several threads that are about to end the process, one whose exit status is wrong: it is
 * the one that the search goes on without, so all of them have their turn.  After an end that
 * is right, no other end of this graph is looked at, and all that are left are right. */
uint32_t hd_graph_choose_end(struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    for (uint64_t w = config->enabled.w[0]; w; w &= w - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(w);
        if (config->next[t].op == HD_OP_END && config->next[t].size && may_run(ex, t))
            return t;
    }
    return choose(ex, true);
}

__attribute__((always_inline)) uint32_t hd_graph_choose(struct hd_explorer *ex)
{
    const struct hd_graph_search *s = mine(ex);
    const struct hd_config *config = ex->world.config;
    uint64_t w = config->enabled.w[0];
    uint32_t tail = ~0u;
    if (s->g.futexes || s->sample || config->next[config->n_threads - 1].op == HD_OP_START)
        return choose(ex, false);
    for (; w; w &= w - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(w), op = config->next[t].op;
        if (op == HD_OP_JOIN)
            continue;
        const struct hd_event *e = hd_event(&s->g, hd_graph_newest(&s->g, t));
        if (e->blocked || e->ends | e->returns || op == HD_OP_END || op == HD_OP_AWAIT ||
            op == HD_OP_AWAIT_SYNC)
            return choose(ex, false);
        if (!hd_graph_is_in_tail(s, &config->next[t]))
            return t;
        tail = tail < t ? tail : t;
    }
    return tail != ~0u ? tail : choose(ex, false);
}
