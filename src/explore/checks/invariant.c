/* What invariants read, against what is known of it (core/readset.h).
 *
 * The exploration took steps for independent by the read set as it was.  So an evaluation that
 * reads more than that makes it begin anew with the larger set, unless it is the one at the root,
 * before the first step.  And an evaluation can find something else than the one before the last
 * step only when that step wrote what is read; otherwise memory changes in a way that heddle does
 * not see, and the verdict says so. */
#include "explore/loop/explorer_inner.h"

bool hd_invariants_known(struct hd_explorer *ex)
{
    uint32_t depth = ex->path.depth;
    struct hd_readset *set = &ex->shared->readset;
    const struct hd_config *config = ex->world.config;
    if (!(config->invariants & HD_WATCHES_INVARIANTS))
        return true;
    ex->cnt->invariants = 1;
    if (!hd_filters_use_dependence(ex->opt->filters))
        return true;
    if (set->grown && depth > 0)
        return false;
    set->grown = 0;
    if (!ex->seen)
        ex->seen = hd_arena_take(&ex->arena, (HD_MAX_STEPS + 1ull) * sizeof *ex->seen);
    if (!ex->seen) {
        ex->cnt->invariants_unsure = 1;
        return true;
    }
    const struct hd_action *last = depth ? &ex->path.nodes[depth - 1].action : NULL;
    if (last && last->size2 < HD_WATCHED_WRITE && ex->seen[depth - 1] != config->seen &&
        hd_op_table[last->op].access != HD_ACCESS_ALL)
        ex->cnt->invariants_unsure = 1;
    ex->seen[depth] = config->seen;
    return true;
}
