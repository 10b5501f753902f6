/* A new process goes on with the explorer of another one: of one that died, of one that was
 * asked to stop, or, from bytes, of one that it shares no memory with (jobs/unit.h). */
#include "core/pack_parts.h"
#include "explore/jobs/split.h"
#include "explore/jobs/unit.h"
#include "explore/loop/explorer_inner.h"
#include "explore/loop/search.h"

void hd_pack_nothing(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    (void)self;
    (void)ex;
    (void)p;
}

static void take_over(struct hd_explorer *ex, const struct hd_world *world)
{
    ex->world = *world;
    ex->opt = &ex->shared->options;
    hd_explorer_bind(ex);
}

void hd_explorer_revive(struct hd_explorer *ex, const struct hd_world *world,
                        const struct hd_finding *finding)
{
    take_over(ex, world);
    hd_explorer_row_over(ex);
    uint32_t depth = ex->path.depth;
    if (finding && depth == 0) { /* before the first step: nothing else is to be explored */
        hd_explorer_died(ex, finding);
        return;
    }
    if (finding && ex->search->decide) { /* what it runs again leaves out that step */
        if (hd_explorer_died(ex, finding).kind == HD_REWIND)
            hd_explorer_rewound(ex, 0);
        return;
    }
    if (finding) { /* the filters are told in the state in which it ended */
        ex->fatal = *finding;
        ex->fatal_at = depth;
    }
    if (finding ||
        depth >= ex->marks.target) /* otherwise it was replaying the path to its start */
        ex->marks.target = ex->marks.counted = depth;
    hd_explorer_rewound(ex, 0);
}

/* Turn to the next execution, as hd_explorer_next() does, and stay there; `scatter`: with what
 * is left after all that can be has been given away. */
static void settle(struct hd_explorer *ex, bool scatter)
{
    hd_explorer_notify_in_time(ex);
    HD_CHECKS_DO(ex, look)
    if (scatter && !ex->error[0])
        hd_split_scatter(ex);
    int64_t depth = ex->error[0] ? -1 : hd_explorer_turn(ex);
    if (ex->error[0])
        return;
    if (depth < 0 && ex->split) {
        depth = hd_split_next(ex); /* a worker that is to stop gets nothing */
        ex->settled = HD_SETTLED_WAITS;
        ex->path.n_nodes = ex->marks.target = ex->marks.base = 0;
    } else {
        ex->settled = depth < 0 ? HD_SETTLED_OVER : HD_SETTLED_NEXT;
    }
    if (depth >= 0)
        hd_explorer_begin_at(ex, (uint32_t)depth);
    if (ex->settled != HD_SETTLED_OVER)
        hd_explorer_rewound(ex, 0);
}

static struct hd_decision go_on_settled(struct hd_explorer *ex)
{
    if (ex->limited && hd_explorer_limit_reached(ex))
        return hd_explorer_stop(ex, HD_STATE_DONE);
    uint32_t settled = ex->settled;
    ex->settled = HD_NOT_SETTLED;
    if (settled == HD_SETTLED_OVER && ex->split && ex->opt->iterative) {
        ex->split->tree->loose = 1; /* there was one worker, at the end of a bound */
        ex->split->working = true;
        return hd_explorer_begin_part(ex);
    }
    if (settled == HD_SETTLED_OVER)
        return hd_explorer_all_explored(ex);
    if (settled == HD_SETTLED_WAITS)
        return hd_explorer_begin_part(ex);
    return (struct hd_decision){ HD_REWIND, 0 };
}

void hd_explorer_resume(struct hd_explorer *ex, const struct hd_world *world)
{
    take_over(ex, world);
    struct hd_decision next = ex->settled ? go_on_settled(ex) : hd_explorer_next(ex);
    if (next.kind == HD_REWIND)
        hd_explorer_rewound(ex, 0);
}

uint64_t hd_explorer_pack(struct hd_explorer *ex, const struct hd_world *world, void *bytes,
                          uint64_t room)
{
    take_over(ex, world);
    if (!ex->settled)
        settle(ex, false);
    return ex->settled ? hd_unit_write(ex, bytes, room) : 0;
}

/* Observations are told apart by their keys: whoever adds results up needs them. */
static uint64_t pack_keys(struct hd_explorer *ex, void *bytes, uint64_t room)
{
    const struct hd_shared_tree_set *set = &ex->split->tree->observations;
    struct hd_pack p = hd_pack_writer(bytes, room);
    for (uint64_t i = 0; i < set->size; i++)
        if (set->table[i][0])
            hd_pack_words(&p, set->table[i], 1);
    return p.bad ? UINT64_MAX : (uint64_t)(p.at - (uint8_t *)bytes);
}

uint64_t hd_explorer_scatter(struct hd_explorer *ex, const struct hd_world *world, void *bytes,
                             uint64_t room)
{
    take_over(ex, world);
    if (!ex->settled && ex->split->working)
        settle(ex, true);
    bool gone = ex->settled != HD_SETTLED_NEXT || hd_split_give_rest(ex);
    return gone && !ex->error[0] ? pack_keys(ex, bytes, room) : UINT64_MAX;
}

const char *hd_explorer_unpack(struct hd_explorer *ex, void *bytes, uint64_t n)
{
    if (ex->is_drawn) /* that was another worker's */
        hd_explorer_drawn(ex);
    return hd_unit_read(ex, bytes, n);
}
