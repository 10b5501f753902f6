/* The end of an execution of the search over graphs, and the way to the next one. */
#include "explore/graph/reads_from.h"
#include "explore/loop/explorer_inner.h"
#include "explore/loop/like_threads.h"
#include "explore/searches/graph_inner.h"

/* If the search goes on after data races, that need not be damage: which accesses of different
 * sizes are events depends on which of them was met first.  One worker that estimates nothing
 * follows no scripts. */
void hd_graph_give_up_script(struct hd_explorer *ex)
{
    bool after_races = ex->opt->keep_going || ex->opt->races == HD_RACES_WARN;
    bool alone = (ex->split || mine(ex)->probes) && after_races;
    if (alone)
        ex->stop_as = HD_STATE_ALONE;
    hd_explorer_give_up(ex, alone ? "a data race decides what threads do, and parts of the "
                                    "search found different things"
                                  : HD_UNIT_MISFIT);
}

void hd_graph_ended(struct hd_explorer *ex, const struct hd_finding *finding)
{
    struct hd_graph_search *s = mine(ex);
    if (finding && s->joining)
        hd_graph_enter_joins(ex);
    if (s->like)
        hd_like_threads_over(ex);
    s->broke = finding && finding->kind != HD_KIND_NONE && !s->finished && ex->path.depth;
}

static bool is_quiet(const struct hd_explorer *ex)
{
    const struct hd_graph_search *s = mine(ex);
    return !(s->finished | s->broke | s->misfit | s->endless) && !s->rng && !s->like &&
           !hd_search_follows_script(s);
}

bool hd_graph_ends_quietly(struct hd_explorer *ex)
{
    if (!is_quiet(ex))
        return false;
    if (mine(ex)->joining)
        hd_graph_remember_end(ex);
    return true;
}

/* The execution ended with a step that broke the program.  Can the others go on without it?
 * They cannot if the graph has an event that the thread makes after the step. */
static bool can_go_on_without(struct hd_explorer *ex, uint32_t thread)
{
    struct hd_graph_search *s = mine(ex);
    uint32_t steps = s->now ? 0 : hd_graph_steps_since(ex, thread) - 1;
    return !hd_graph_next_wanted(s, thread) && hd_search_broke(s, thread, steps);
}

static int64_t go_on_without(struct hd_explorer *ex, uint32_t last)
{
    mine(ex)->now = 0;
    uint32_t depth = hd_graph_plan(ex);
    ex->path.n_nodes = depth < last ? depth : last;
    ex->marks.target = 0;
    return ex->path.n_nodes;
}

int64_t hd_graph_resume(struct hd_explorer *ex)
{
    struct hd_graph_search *s = mine(ex);
    bool broke = s->broke;
    s->broke = s->finished = s->closing = false;
    if (s->endless)
        return -1;
    if (s->g.reads_from)
        hd_reads_from_let_go(&s->g);
    if (hd_search_probes(s))
        return hd_graph_probed(ex, broke);
    if (broke) {
        uint32_t last = ex->path.depth - 1, thread = HD_STEP_THREAD(ex->path.steps[last]);
        if (can_go_on_without(ex, thread))
            return go_on_without(ex, last);
        if (!hd_graph_race_decides(ex, thread))
            return -1;
        s->missing = true;
    }
    s->breaks_follow = s->now = s->prepared = 0;
    if (hd_search_follows_script(s) || s->misfit) {
        hd_graph_give_up_script(ex);
        return -1;
    }
    if (!hd_search_next(s)) {
        if (s->g.full)
            hd_explorer_give_up(ex, HD_GRAPH_NO_ROOM);
        if (s->g.no_witness)
            hd_graph_broken(ex, 8);
        return -1;
    }
    uint32_t depth = hd_graph_plan(ex);
    if (ex->executions_begun >= s->look_at && hd_graph_probe(ex))
        depth = 0;
    ex->path.n_nodes = depth;
    ex->marks.target = 0;
    return depth;
}
