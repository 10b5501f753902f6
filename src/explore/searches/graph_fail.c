/* The search over execution graphs cannot go on: the reason, in one line. */
#include "core/op.h"
#include "explore/loop/explorer_inner.h"
#include "explore/searches/graph_inner.h"

#include <stdio.h>

struct hd_decision hd_graph_fail(struct hd_explorer *ex, const char *what)
{
    if (!ex->error[0])
        hd_explorer_give_up(ex, what);
    return hd_explorer_gave_up(ex);
}

struct hd_decision hd_graph_cut(struct hd_explorer *ex)
{
    if (hd_search_probes(mine(ex)))
        return hd_explorer_next(ex);
    if (!ex->cnt->dropped[HD_FILTER_INDEX_DEPTH])
        hd_explorer_note_repeated(ex);
    ex->cnt->bounded++;
    ex->cnt->dropped[HD_FILTER_INDEX_DEPTH] = 1;
    if (ex->path.depth > ex->cnt->max_depth)
        ex->cnt->max_depth = ex->path.depth;
    return hd_explorer_next(ex);
}

/* In a loop there would be no end of other executions that are as large. */
struct hd_decision hd_graph_too_large(struct hd_explorer *ex, const char *what)
{
    struct hd_graph_search *s = mine(ex);
    char text[300];
    hd_explorer_note_repeated(ex);
    if (!ex->cnt->repeated[0] || ex->error[0])
        return hd_graph_fail(ex, what);
    if (s->rng || ex->opt->jobs > 1) { /* other workers go on */
        ex->shared->ctl.error_site = ex->cnt->repeated[0];
        snprintf(text, sizeof text, "%s; it is in a loop, which --depth bounds", what);
        return hd_graph_fail(ex, text);
    }
    s->endless = true;
    return hd_graph_cut(ex);
}

struct hd_decision hd_graph_broken(struct hd_explorer *ex, uint32_t invariant)
{
    char text[100];
    snprintf(text, sizeof text, "internal error: G%u of the graph does not hold at step %u",
             invariant, ex->path.depth);
    return hd_graph_fail(ex, text);
}

/* The thread does not come to the event again.  A plain load that takes part in a data race is
 * no event, and what it reads depends on the order of execution.  If a race has been reported
 * (and --keep-going or --races warn goes on), such a graph is left out: C gives it no
 * meaning. */
struct hd_decision hd_graph_diverged(struct hd_explorer *ex, uint32_t id)
{
    const struct hd_event *e = hd_event(&mine(ex)->g, id);
    char text[200];
    HD_CHECKS_DO(ex, look) /* the race may be in this execution */
    if (hd_explorer_has_raced(ex)) {
        ex->cnt->blocked++;
        return hd_explorer_next(ex);
    }
    if (ex->opt->races == HD_RACES_OFF)
        return hd_graph_fail(
            ex, "a thread does something else when the same steps are run again: a data "
                "race decides it, leave out --races off");
    snprintf(text, sizeof text,
             "internal error: thread %u of the graph does %s instead of %s at step %u", e->thread,
             hd_op_table[ex->world.config->next[e->thread].op].text,
             hd_op_table[e->action.op].text, ex->path.depth);
    return hd_graph_fail(ex, text);
}
