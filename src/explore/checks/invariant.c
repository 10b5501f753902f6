/* Compares what invariants read with what is known of it (core/readset.h).
 *
 * Steps were taken for independent because of the read set as it was.  So an evaluation that
 * reads more than the set makes the exploration begin anew with the larger set, unless it is
 * the first one, at the root.  And an evaluation can only differ from the one before if the
 * last step wrote what it reads; otherwise memory changes in a way that heddle does not see,
 * and the verdict says so. */
#include "explore/loop/explorer.h"

struct invariants {
    uint64_t *seen; /* by depth: config.seen */
};

static void *create(struct hd_explorer *ex)
{
    return hd_arena_take(&ex->arena, sizeof(struct invariants));
}

/* The invariants have been evaluated.  False if they have read memory outside the read set:
 * steps that write it were taken for independent. */
static bool known(struct invariants *v, struct hd_explorer *ex)
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
    if (!v->seen)
        v->seen = hd_arena_take(&ex->arena, (HD_MAX_STEPS + 1ull) * sizeof *v->seen);
    if (!v->seen) {
        ex->cnt->invariants_unsure = 1;
        return true;
    }
    const struct hd_action *last = depth ? &ex->path.nodes[depth - 1].action : NULL;
    if (last && last->size2 < HD_WATCHED_WRITE && v->seen[depth - 1] != config->seen &&
        hd_op_table[last->op].access != HD_ACCESS_ALL)
        ex->cnt->invariants_unsure = 1;
    v->seen[depth] = config->seen;
    return true;
}

static enum hd_judged at_state(void *self, struct hd_explorer *ex, struct hd_finding *finding)
{
    if (ex->opt->finer)
        hd_explorer_give_up(ex, "--finer keeps the states at the ends of executions, and an "
                                "invariant looks at those between: leave out --finer");
    int32_t which = ex->world.broken(ex->world.self);
    if (!known(self, ex) && (which < 0 || ex->opt->keep_going))
        return HD_JUDGED_ANEW;
    if (which < 0)
        return HD_JUDGED_GOOD;
    finding->kind = which == HD_TARGETS_REACHED ? HD_KIND_TARGET : HD_KIND_INVARIANT;
    finding->line = (uint32_t)which;
    return HD_JUDGED_BROKEN;
}

const struct hd_check hd_check_invariants = {
    .create = create,
    .at_state = at_state,
};
