/* Ends and joins of threads in the search over graphs.
 *
 * The end of a thread orders nothing: a join stands after the last event of the thread that it
 * joins.  So the end is a step, like a plain access, and no event, unless somebody can ask
 * whether the thread has ended.  The last thread ends the process, which is an event.
 *
 * Where a thread that is alone joins others, one after the other, nothing is decided between.
 * Most executions end with that.  Only if something follows are the joins made events, and
 * those after the first one nodes of the path.
 *
 * If nothing but joins can follow, the thread need not make them in each execution: it would do
 * the same as long as it has not gone back to before the first of them.  The steps count as if
 * they had been made. */
#include "core/enabled.h"
#include "explore/loop/explorer_inner.h"
#include "explore/searches/graph_inner.h"

static bool is_alone(const struct hd_explorer *ex, uint32_t thread)
{
    return ex->world.config->live.w[0] == 1ull << thread;
}

bool hd_graph_is_step(const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_action *a = &ex->world.config->next[thread];
    if (a->op == HD_OP_EXIT)
        return mine(ex)->ends_are_steps && !is_alone(ex, thread);
    return hd_access_is_plain(&mine(ex)->g, a);
}

bool hd_graph_exits(struct hd_explorer *ex, uint32_t thread)
{
    struct hd_graph_search *s = mine(ex);
    const struct hd_event *e = hd_event(&s->g, hd_graph_newest(&s->g, thread));
    uint32_t depth = ex->path.depth;
    if (!s->ends_are_steps || s->sample || s->joining || is_alone(ex, thread) || e->ends ||
        e->returns || depth >= HD_MAX_STEPS - 1)
        return false;
    hd_graph_settle(ex);
    struct hd_node *node = &ex->path.nodes[depth];
    node->action = (struct hd_action){ .object = thread, .op = HD_OP_EXIT, .choices = 1 };
    node->last = thread;
    node->enabled = ex->world.config->enabled.w[0];
    hd_explorer_one_alternative(&ex->path, node, depth, thread, true);
    *(hd_search_follows_script(s) ? &ex->cnt->replayed : &ex->cnt->events) += 1;
    ex->path.depth = ex->shared->depth = ex->marks.notified = depth + 1;
    return true;
}

/* Is there room for the joins of all threads? */
static inline __attribute__((always_inline)) bool has_room(const struct hd_explorer *ex,
                                                           uint32_t thread)
{
    const struct hd_graph_search *s = mine(ex);
    const struct hd_graph *g = &s->g;
    const uint32_t most = HD_MAX_THREADS;
    return ex->path.depth + most < HD_MAX_STEPS - 1 && g->n_events + most < g->first_initial &&
           s->n_frames + most < HD_GRAPH_FRAMES && g->by_thread[thread].n + most < UINT16_MAX;
}

/* May joins of the thread become events later? */
static inline bool may_wait(const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_graph_search *s = mine(ex);
    const struct hd_config *config = ex->world.config;
    return s->joins_wait && is_alone(ex, thread) && config->n_threads <= 64 &&
           !config->invariants && s->wanted >= s->n_want && !hd_search_follows_script(s) &&
           !s->closing && has_room(ex, thread);
}

bool hd_graph_joins_alone(const struct hd_explorer *ex, uint32_t thread)
{
    return ex->world.config->next[thread].op == HD_OP_JOIN && may_wait(ex, thread);
}

void hd_graph_enter_joins(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    for (uint32_t d = s->joining - 1; d < ex->path.depth; d++) {
        const struct hd_action *a = &ex->path.nodes[d].action;
        uint32_t thread = HD_STEP_THREAD(ex->path.steps[d]);
        if (!hd_search_once(s, thread, a, 0, hd_graph_newest(&s->g, (uint32_t)a->object)))
            break;
        s->now = hd_graph_newest(&s->g, thread);
        s->run[s->n_run] = (struct hd_run){ s->now, d, s->g.era, 0 };
        hd_event(&s->g, s->now)->run = s->n_run++;
        s->dirty = s->n_run;
    }
    s->joining = 0;
}

struct hd_node *hd_graph_row(struct hd_explorer *ex, uint32_t thread)
{
    if (!mine(ex)->joining) /* otherwise may_wait() was true before the join */
        return NULL;
    ex->row_thread = thread;
    ex->row_enabled = ex->world.config->enabled.w[0];
    return &ex->path.nodes[ex->path.depth];
}

void hd_graph_row_over(struct hd_explorer *ex)
{
    struct hd_path *p = &ex->path;
    for (uint32_t d = p->depth; d < ex->shared->depth; d++) {
        struct hd_node *node = &p->nodes[d];
        node->action = (struct hd_action){ .object = node->action.object,
                                           .site = node->action.site,
                                           .op = HD_OP_JOIN,
                                           .choices = 1 };
        node->last = ex->row_thread;
        node->enabled = ex->row_enabled;
        hd_explorer_one_alternative(p, node, d, ex->row_thread, true);
    }
    p->depth = ex->marks.notified = ex->shared->depth;
    hd_graph_enter_joins(ex);
}

void hd_graph_remember_end(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    const struct hd_node *nodes = ex->path.nodes;
    uint32_t first = s->joining - 1, end = ex->shared->depth, from = first;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[first]), site = nodes[first].action.site;
    uint64_t row = 0;
    if (!ex->world.remember_end || site >= s->n_facts || !(s->facts[site].tail & HD_TAIL_JOINS) ||
        hd_explorer_needs_row(ex, NULL))
        return;
    while (from && HD_STEP_THREAD(ex->path.steps[from - 1]) != thread)
        from--;
    if (from == first) /* whatever changes before it, the thread goes back, too */
        return;
    for (uint32_t d = first; d < end; d++)
        row |= 1ull << nodes[d].action.object;
    if (!ex->world.remember_end(ex->world.self, thread, row))
        return;
    s->known_from = from + 1;
    s->known_joins = end - first;
    s->known_thread = thread;
}

bool hd_graph_ends_again(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    uint32_t depth = ex->path.depth;
    if (!is_alone(ex, s->known_thread) || s->joining || s->odd || s->rng || s->g.futexes ||
        s->wanted < s->n_want || s->dirty < s->n_run || depth < ex->marks.target ||
        ex->error[0] || hd_search_follows_script(s) ||
        !ex->world.is_end_known(ex->world.self, s->known_thread))
        return false;
    hd_graph_settle(ex);
    s->at_once = s->prepared = 0;
    ex->cnt->events += s->known_joins;
    ex->shared->depth = depth + s->known_joins;
    ex->shared->ctl.heartbeat++;
    return true;
}

void hd_graph_back(struct hd_explorer *ex, uint32_t depth)
{
    struct hd_graph_search *s = mine(ex);
    if (depth + 1 < s->known_from)
        s->known_from = 0;
}
