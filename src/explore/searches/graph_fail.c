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
    if (s->rng) { /* it would sample others */
        ex->shared->ctl.error_site = ex->cnt->repeated[0];
        snprintf(text, sizeof text, "%s; it is in a loop, which --depth bounds", what);
        return hd_graph_fail(ex, text);
    }
    s->endless = ex->ends_all = true;
    return hd_graph_cut(ex);
}

struct hd_decision hd_graph_broken(struct hd_explorer *ex, uint32_t invariant)
{
    char text[100];
    snprintf(text, sizeof text, "internal error: G%u of the graph does not hold at step %u",
             invariant, ex->path.depth);
    return hd_graph_fail(ex, text);
}

bool hd_graph_race_decides(struct hd_explorer *ex, uint32_t thread)
{
    char text[200];
    HD_CHECKS_DO(ex, look) /* the race may be in this execution */
    if (hd_explorer_has_raced(ex))
        return true;
    if (ex->opt->races == HD_RACES_OFF)
        snprintf(text, sizeof text,
                 "a thread does something else when the same steps are run again: a data "
                 "race decides it, leave out --races off");
    else
        snprintf(text, sizeof text,
                 "internal error: thread %u does %s at step %u, and did something else before",
                 thread, hd_op_table[ex->world.config->next[thread].op].text, ex->path.depth);
    if (!ex->error[0])
        hd_explorer_give_up(ex, text);
    return false;
}

struct hd_decision hd_graph_diverged(struct hd_explorer *ex, uint32_t id)
{
    if (!hd_graph_race_decides(ex, hd_event(&mine(ex)->g, id)->thread))
        return hd_explorer_gave_up(ex);
    ex->cnt->blocked++;
    return hd_explorer_next(ex);
}
