/* preemptions: at most K switches away from a thread that could have gone on (context bounding:
 * Musuvathi & Qadeer, PLDI 2007).  Leaving a thread that blocks, ends, yields or sleeps is
 * free.
 *
 * Deviation: iterative bounding (chess:K) runs the bounds 0 … K one after the other, repeating
 * the smaller ones, instead of keeping a queue of work for the next bound: it needs the memory
 * of one path only.  The explorer counts an execution only at the bound it needs. */
#include "explore/loop/filter.h"

struct preemptions {
    uint32_t *before; /* [depth]: preemptions in the steps before node `depth` */
};

static void *create(struct hd_explorer *ex)
{
    struct preemptions *self = hd_arena_take(&ex->arena, sizeof *self);
    self->before = hd_arena_take(&ex->arena, sizeof(uint32_t) * (uint64_t)(HD_MAX_STEPS + 1));
    return self;
}

static uint32_t admit(void *state, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    struct preemptions *self = state;
    uint32_t depth = ex->path.depth, kept = 0;
    if (self->before[depth] < ex->bound)
        return n;
    for (uint32_t i = 0; i < n; i++) {
        if (hd_path_preempts(&ex->path, depth, alts[i])) {
            if (!(ex->opt->filters &
                  HD_FILTER_DPOR)) /* that filter says whether the bound mattered */
                ex->cnt->dropped[HD_FILTER_INDEX_PREEMPTIONS] = 1;
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
    struct preemptions *self = state;
    self->before[depth + 1] = self->before[depth] +
                              hd_path_preempts(&ex->path, depth, ex->path.steps[depth]);
}

const struct hd_filter hd_filter_preemptions = {
    .index = HD_FILTER_INDEX_PREEMPTIONS,
    .create = create,
    .admit = admit,
    .ran = ran,
    .pack = hd_pack_nothing,
};
