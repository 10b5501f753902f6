/* Threads that go round in a loop without an effect (docs/design/019-graph.md).
 *
 * The runtime finds out that a thread is in a state in which it has been before.  If it has
 * only loaded since, an execution without these loads ends in the same way.  So the thread
 * stands still, until one of its loads reads another store.
 *
 * With plain accesses of shared memory in between, that would lose their races with what other
 * threads do later.  Then the thread goes round twice, and stands still if it has read the same
 * stores both times. */
#include "core/fault.h"
#include "explore/searches/graph_inner.h"

bool hd_explorer_weak_stands_still(const struct hd_explorer *ex)
{
    return ex->opt->search == HD_SEARCH_GRAPH && !mine(ex)->sample;
}

bool hd_explorer_weak_turns(struct hd_explorer *ex)
{
    if (!hd_explorer_weak_stands_still(ex))
        return false;
    if (mine(ex)->joining) /* the events of the thread are counted */
        hd_graph_enter_joins(ex);
    return true;
}

/* A call that might have failed, and has not, changes nothing. */
static bool is_idle(const struct hd_event *e)
{
    if (hd_op_is_fault((enum hd_op)e->action.op))
        return e->choice == 0;
    if (e->kind == HD_EVENT_LOAD)
        return e->part != HD_PART_RMW && !e->blocked;
    return e->kind == HD_EVENT_FENCE ||
           (e->kind == HD_EVENT_LOCAL && hd_op_pauses((enum hd_op)e->action.op));
}

bool hd_explorer_weak_idle(const struct hd_explorer *ex, uint32_t thread, uint32_t from)
{
    const struct hd_graph *g = &mine(ex)->g;
    for (uint32_t i = from, n = hd_explorer_weak_events(ex, thread); i < n; i++)
        if (!is_idle(hd_event(g, g->by_thread[thread].events[i])))
            return false;
    return true;
}

/* Has the thread made a plain access since that depth, which may race?  Under tso a race is no
 * violation, if the access is an event. */
static bool has_plain_steps(const struct hd_explorer *ex, uint32_t thread, uint32_t depth)
{
    bool tso = mine(ex)->g.model == HD_MEMORY_TSO;
    for (uint32_t d = depth; d < ex->path.depth; d++)
        if (HD_STEP_THREAD(ex->path.steps[d]) == thread &&
            (!hd_graph_is_event(mine(ex), d) ||
             (!tso && ex->path.nodes[d].action.op == HD_OP_READ)))
            return true;
    return false;
}

/* Are the events from `before` and from `from` on the same, up to `n`? */
static bool repeats(const struct hd_graph *g, uint32_t thread, uint32_t before, uint32_t from,
                    uint32_t n)
{
    const uint32_t *events = g->by_thread[thread].events;
    if (before == ~0u || from - before != n - from)
        return false;
    for (uint32_t i = from; i < n; i++) {
        const struct hd_event *a = hd_event(g, events[i - (from - before)]);
        const struct hd_event *b = hd_event(g, events[i]);
        if (a->kind != b->kind || a->place != b->place || a->rf != b->rf)
            return false;
    }
    return true;
}

/* The path is to end with a cycle (hd_graph_closes): has the turn begun before that cycle? */
static bool begins_early(const struct hd_graph_search *s, uint32_t thread, uint32_t from)
{
    const uint32_t *events = s->g.by_thread[thread].events;
    return s->closing && hd_event(&s->g, events[from])->stamp <= s->closing_stamp;
}

void hd_explorer_weak_turned(struct hd_explorer *ex, uint32_t thread,
                             const struct hd_recurrence *t)
{
    struct hd_graph *g = &mine(ex)->g;
    uint32_t n = hd_explorer_weak_events(ex, thread);
    if (n == t->from || !hd_explorer_weak_idle(ex, thread, t->from) ||
        begins_early(mine(ex), thread, t->from))
        return;
    if (has_plain_steps(ex, thread, t->depth) && !repeats(g, thread, t->before, t->from, n))
        return;
    hd_event(g, g->by_thread[thread].events[n - 1])->returns = t->from + 1;
}

bool hd_graph_turns(const struct hd_explorer *ex)
{
    const struct hd_graph *g = &mine(ex)->g;
    for (uint64_t w = ex->world.config->live.w[0]; w; w &= w - 1) {
        uint32_t id = hd_graph_newest(g, (uint32_t)__builtin_ctzll(w));
        if (id && hd_event(g, id)->returns)
            return true;
    }
    return false;
}

bool hd_graph_closes(struct hd_explorer *ex, struct hd_finding *livelock)
{
    struct hd_graph_search *s = mine(ex);
    if (!s->closing) {
        s->finished = false;
        s->closing = true;
        s->closing_stamp = s->g.stamp;
        s->closing_depth = ex->path.depth;
        return false;
    }
    *livelock = (struct hd_finding){
        .kind = HD_KIND_LIVELOCK,
        .thread = HD_STEP_THREAD(ex->path.steps[s->closing_depth]),
        .site = ex->path.nodes[s->closing_depth].action.site,
        .cycle = ex->path.depth - s->closing_depth,
    };
    hd_finding_say_cycle(livelock);
    return true;
}
