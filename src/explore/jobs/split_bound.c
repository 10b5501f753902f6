/* Iterative bounding (chess:K) with several workers: the bounds one after the other, each
 * explored by all of them (docs/design/004-jobs.md). */
#include "explore/jobs/split.h"

void hd_split_adopt_bound(struct hd_explorer *ex)
{
    if (ex->opt->iterative)
        ex->cnt->bound_now = ex->bound = ex->split->tree->bound;
}

void hd_split_note_dropped(struct hd_explorer *ex)
{
    uint32_t *dropped = &ex->cnt->dropped[HD_FILTER_INDEX_PREEMPTIONS];
    if (!ex->opt->iterative)
        return;
    ex->split->tree->dropped |= *dropped != 0;
    *dropped = 0;
}

bool hd_split_next_bound(struct hd_explorer *ex)
{
    struct hd_shared_tree *tree = ex->split->tree;
    if (!ex->opt->iterative)
        return false;
    if (!tree->dropped || tree->bound == ex->opt->preemptions) {
        ex->cnt->dropped[HD_FILTER_INDEX_PREEMPTIONS] = tree->dropped;
        return false;
    }
    tree->bound++;
    tree->dropped = false;
    tree->loose = 1;
    hd_split_adopt_bound(ex);
    ex->split->working = true;
    ex->split->taken_at = ex->executions_begun;
    ex->path.n_nodes = ex->marks.target = ex->marks.base = 0;
    return true;
}
