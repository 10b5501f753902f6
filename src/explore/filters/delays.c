/* delays: at most K delays (delay bounding: Emmi, Qadeer & Rakamarić, POPL 2011).  A scheduler
 * without choices lets a thread go on as long as it can, and then the next one by id, in a
 * circle.  A delay skips the thread whose turn it is.  So the i-th enabled thread, counted from
 * 0 at the one that moved last, costs i delays.  Choices inside a step are free. */
#include "explore/loop/filter.h"

struct delays {
    uint32_t *before; /* [depth]: delays in the steps before node `depth` */
};

static void *create(struct hd_explorer *ex)
{
    struct delays *self = hd_arena_take(&ex->arena, sizeof *self);
    if (!self)
        return NULL;
    self->before = hd_arena_take(&ex->arena, sizeof(uint32_t) * (uint64_t)(HD_MAX_STEPS + 1));
    return self->before ? self : NULL;
}

/* How many enabled threads have their turn before `thread`. */
static uint32_t cost(const struct hd_path *p, uint32_t depth, uint32_t thread)
{
    const struct hd_node *node = &p->nodes[depth];
    const uint32_t *alts = hd_path_alts(p, depth);
    uint32_t n = 0, turn = (thread - node->last) % HD_MAX_THREADS;
    for (uint32_t i = 0; i < node->n_alts; i++)
        n += HD_STEP_CHOICE(alts[i]) == 0 &&
             (HD_STEP_THREAD(alts[i]) - node->last) % HD_MAX_THREADS < turn;
    return n;
}

static uint32_t admit(void *state, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct delays *self = state;
    uint32_t depth = ex->path.depth, kept = 0;
    for (uint32_t i = 0; i < n; i++) {
        uint32_t all = self->before[depth] + cost(&ex->path, depth, HD_STEP_THREAD(alts[i]));
        if (all > ex->opt->delays) {
            ex->cnt->dropped[HD_FILTER_INDEX_DELAYS] = 1;
            continue;
        }
        uint32_t moved = alts[kept];
        alts[kept++] = alts[i];
        alts[i] = moved;
    }
    return kept;
}

static void ran(void *state, struct hd_explorer *ex, uint32_t depth)
{
    struct delays *self = state;
    self->before[depth + 1] = self->before[depth] +
                              cost(&ex->path, depth, HD_STEP_THREAD(ex->path.steps[depth]));
}

const struct hd_filter hd_filter_delays = {
    .index = HD_FILTER_INDEX_DELAYS,
    .create = create,
    .admit = admit,
    .ran = ran,
    .pack = hd_pack_nothing,
};
