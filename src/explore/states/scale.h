/* Shared by SCALE's filters: which steps of the path are steps in its sense, and which of them
 * depend on each other.
 *
 * With `like-scale` (--count-like-scale) the path is read as the thesis counts it: starting and
 * ending belong to the neighbouring steps of a thread, and only globals and the heap are
 * communication variables (3.1).  Such hidden steps run as soon as they can and are in no
 * happens-before graph.  With `eager` creating, starting, ending and joining are hidden;
 * otherwise no step is. */
#ifndef HD_EXPLORE_STATES_SCALE_H
#define HD_EXPLORE_STATES_SCALE_H

#include "explore/loop/explorer.h"

#define HD_NO_STEP (~0u)

/* Is the action, one that may be, hidden? */
bool hd_scale_is_hidden(const struct hd_explorer *ex, const struct hd_action *action);

/* Is the action hidden?  Most are not, which their operation tells. */
static inline bool hd_scale_hidden(const struct hd_explorer *ex, const struct hd_action *action)
{
    _Static_assert(HD_OP_START == HD_OP_CREATE + 1 && HD_OP_EXIT == HD_OP_CREATE + 2 &&
                       HD_OP_JOIN == HD_OP_CREATE + 3,
                   "what `eager` hides are neighbours");
    bool of_thread = (uint32_t)action->op - HD_OP_CREATE <= HD_OP_JOIN - HD_OP_CREATE;
    return (of_thread || ex->opt->filters & HD_FILTER_LIKE_SCALE) &&
           hd_scale_is_hidden(ex, action);
}

/* No enabled action of the new node is hidden.  Is that known of it?  Between two new nodes
 * there is a step, so the number of steps so far tells them apart. */
static inline void hd_scale_none_hidden(struct hd_explorer *ex)
{
    ex->none_hidden = ex->cnt->events + ex->cnt->replayed + 1;
}
static inline bool hd_scale_is_none_hidden(const struct hd_explorer *ex)
{
    return ex->none_hidden == ex->cnt->events + ex->cnt->replayed + 1;
}

/* The newest of the steps [0, depth) that is not hidden: last_action and last_thread of the
 * node at `depth` (Def. 19) are its.  HD_NO_STEP when there is none. */
uint32_t hd_scale_last(const struct hd_explorer *ex, uint32_t depth);

/* Def. 9.  heddle's own relation, and beyond it
 *  - where threads are to reach places together, every access of memory depends on everything;
 *  - with options.scale_dependence, every access of a synchronisation object is a write of it.
 * An assertion is no action here: it is local code after the reads that it looks at. */
bool hd_scale_dependent(const struct hd_explorer *ex, const struct hd_action *a,
                        const struct hd_action *b);

#endif
