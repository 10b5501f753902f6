/* random and pct over execution graphs: every execution begins at the root with an empty graph.
 * Which thread runs is drawn, or decided by random priorities (pct.c); which store a load
 * reads, and where a store stands in mo, is drawn among what is consistent. */
#include "explore/loop/explorer_inner.h"
#include "explore/searches/graph_inner.h"

#define RANDOM_ONES (1ull << 63) /* priorities above those that have fallen */
#define LENGTH 64                /* of an execution, before one has been made */

struct hd_graph_sample {
    bool priorities;       /* pct */
    uint64_t priority[64]; /* by thread; 0: none yet */
    uint64_t lowest;
    uint32_t n_changes, changes[HD_MAX_PCT_DEPTH];
    uint32_t looked; /* the depth that the changes have been compared with */
};

static void begin(struct hd_explorer *ex)
{
    struct hd_graph_sample *self = mine(ex)->sample;
    uint32_t longest = ex->cnt->max_depth ? (uint32_t)ex->cnt->max_depth : LENGTH;
    for (uint32_t t = 0; t < 64; t++)
        self->priority[t] = 0;
    self->lowest = RANDOM_ONES;
    self->looked = 0;
    for (uint32_t i = 0; i < self->n_changes; i++)
        self->changes[i] = 1 + hd_rng_below(&ex->rng, longest);
}

bool hd_graph_sample_create(struct hd_explorer *ex, struct hd_graph_search *s)
{
    s->sample = hd_arena_take(&ex->arena, sizeof *s->sample);
    if (!s->sample)
        return false;
    s->rng = &ex->rng;
    s->sample->priorities = ex->opt->search == HD_SEARCH_PCT;
    s->sample->n_changes = s->sample->priorities ? ex->opt->pct_depth - 1 : 0;
    ex->search_state = s;
    begin(ex);
    return true;
}

/* The thread that moved last falls below all others at the chosen steps. */
static void change(struct hd_explorer *ex)
{
    struct hd_graph_sample *self = mine(ex)->sample;
    uint32_t depth = ex->path.depth;
    for (uint32_t i = 0; i < self->n_changes; i++)
        if (self->changes[i] > self->looked && self->changes[i] <= depth)
            self->priority[HD_STEP_THREAD(ex->path.steps[depth - 1]) % 64] = --self->lowest;
    self->looked = depth;
}

uint32_t hd_graph_sample_thread(struct hd_explorer *ex, uint64_t threads)
{
    struct hd_graph_sample *self = mine(ex)->sample;
    uint32_t best = ~0u, n = 0;
    change(ex);
    for (uint64_t w = threads; w; w &= w - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(w);
        if (self->priorities && !self->priority[t])
            self->priority[t] = hd_rng_next(&ex->rng) | RANDOM_ONES;
        bool better = self->priorities && best != ~0u ? self->priority[t] > self->priority[best]
                                                      : hd_rng_below(&ex->rng, ++n) == 0;
        if (better)
            best = t;
    }
    return best;
}

int64_t hd_graph_sample_again(struct hd_explorer *ex)
{
    hd_search_clear(mine(ex));
    begin(ex);
    return hd_search_root_again(ex);
}
