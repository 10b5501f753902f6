/* local-cycle: cut an execution in which a thread has returned to an earlier local state and
 * nothing that matters to it has happened in between (SCALE Algorithm 5, LocalCycleDetection;
 * Defs. 20 to 24).  This is one iteration of a busy-wait loop.
 *
 * At a node the path is read backwards until the thread of the last step had the same local
 * state, or had made progress, or one of its actions and another thread's were dependent, so
 * that the others' actions cannot be moved in front.
 *
 * The local state is the world's to define (world.h); here it is 128 bits of hash.  Two turns
 * of a loop compare equal as soon as what is dead in the thread's frames has settled, see
 * docs/scale.md.
 *
 * Progress (Def. 23) is an action that writes a communication variable or changes a
 * synchronisation object; a write of the value that was there already counts, and so does
 * taking a lock and giving it back.  A write of the thread's own stack is none, even where the
 * stack's address is known elsewhere: the stack is part of the local state that is compared.
 *
 * Deviations: dependence is scale.h's; the local state is compared by its hash. */
#include "explore/loop/filter.h"

#include "core/pack_parts.h"
#include "explore/states/scale.h"

struct local_cycle {
    uint64_t (*states)[2]; /* by depth: local state of the thread of the last step */
};

static void *create(struct hd_explorer *ex)
{
    struct local_cycle *s = hd_arena_take(&ex->arena, sizeof *s);
    if (!s)
        return NULL;
    s->states = hd_arena_take(&ex->arena, sizeof *s->states * (uint64_t)(HD_MAX_STEPS + 1));
    return s->states ? s : NULL;
}

static bool made_progress(const struct hd_explorer *ex, uint32_t thread,
                          const struct hd_action *action)
{
    const struct hd_op_row *row = &hd_op_table[action->op];
    if (row->access != HD_ACCESS_WRITE)
        return row->access == HD_ACCESS_ALL;
    return row->space != HD_SPACE_MEM ||
           !ex->world.is_local(ex->world.self, thread, action->object);
}

/* Does step `at` depend on one of the steps after it, up to `depth`, where one of the two is
 * of `thread` and the other is not? */
static bool conflicts(const struct hd_explorer *ex, uint32_t at, uint32_t depth, uint32_t thread)
{
    const struct hd_path *p = &ex->path;
    bool mine = HD_STEP_THREAD(p->steps[at]) == thread;
    for (uint32_t d = at + 1; d < depth; d++)
        if ((HD_STEP_THREAD(p->steps[d]) == thread) != mine &&
            hd_scale_dependent(ex, &p->nodes[at].action, &p->nodes[d].action))
            return true;
    return false;
}

static bool in_cycle(const struct local_cycle *s, const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_path *p = &ex->path;
    uint32_t depth = p->depth;
    for (uint32_t at = depth; at-- > 0;) {
        bool mine = HD_STEP_THREAD(p->steps[at]) == thread;
        if ((mine && made_progress(ex, thread, &p->nodes[at].action)) ||
            conflicts(ex, at, depth, thread))
            return false;
        if (p->nodes[at].last == thread && s->states[at][0] == s->states[depth][0] &&
            s->states[at][1] == s->states[depth][1])
            return true;
    }
    return false;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct local_cycle *s = self;
    uint32_t thread = ex->world.config->last;
    (void)alts;
    if (!hd_tset_has(&ex->world.config->live, thread)) {
        s->states[ex->path.depth][0] = s->states[ex->path.depth][1] = 0;
        return n;
    }
    ex->world.local_state(ex->world.self, thread, s->states[ex->path.depth]);
    if (!in_cycle(s, ex, thread))
        return n;
    ex->cnt->dropped[HD_FILTER_INDEX_LOCAL_CYCLE] =
        1; /* it may be endless, which is not checked */
    return 0;
}

static void pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct local_cycle *s = self;
    for (uint32_t d = 0; d < ex->path.n_nodes && !p->bad; d++)
        hd_pack_words(p, s->states[d], 2);
}

const struct hd_filter hd_filter_local_cycle = {
    .index = HD_FILTER_INDEX_LOCAL_CYCLE,
    .create = create,
    .admit = admit,
    .pack = pack,
};
