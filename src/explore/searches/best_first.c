/* best-first (hgs): the most promising of all states that were met is expanded: all its
 * successors are put into a queue of bounded length (heuristic guided search, as Noonan
 * compares slice-n-dice with it: thesis 3.4.3; Groce & Visser 2002 for the heuristics).
 *
 * With `shared` in the chain (hgs-jpf) it is Noonan's tool: threads are tried where JPF would
 * try them, and a state between two such points is gone on from at once.
 *
 * When it ends, and no state was dropped (the queue was never full), every state that can be
 * reached has been visited: the successors of the root are met, and those of every state that
 * is met, and a state is left out only when it has been met before.  So the verdict may be
 * `verified`, as with `states`.  An execution without end shows as a cycle of states; whether
 * it is a livelock is not looked at here, so that a cycle costs the verdict.
 *
 * Deviations: ties are broken at random; states between two points of JPF are counted. */
#include "explore/guided/frontier.h"
#include "explore/guided/heuristic.h"
#include "explore/loop/search.h"

struct best_first {
    struct hd_frontier frontier;
    struct hd_queue queue;
};

static void *create(struct hd_explorer *ex)
{
    struct best_first *self = hd_arena_take(&ex->arena, sizeof *self);
    if (!self || !hd_frontier_init(&self->frontier, ex) ||
        !hd_queue_init(&self->queue, ex, ex->opt->queue))
        return NULL;
    return self;
}

static bool visit(struct hd_explorer *ex, const uint32_t *alts, uint32_t n)
{
    struct best_first *self = ex->search_state;
    uint32_t state = hd_frontier_meet(&self->frontier, ex, alts, n);
    if (state != HD_NO_STATE) {
        struct hd_kept *k = &self->frontier.kept[state];
        bool between = n == 1 && ex->opt->filters & HD_FILTER_SHARED;
        k->h = between ? 0 : hd_heuristic(ex, ~0u, k->stays);
        hd_queue_add(&self->queue, ex, k->h, state);
    }
    return false;
}

static int64_t resume(struct hd_explorer *ex)
{
    struct best_first *self = ex->search_state;
    int64_t depth = hd_frontier_next(&self->frontier, ex);
    if (depth < 0 && self->queue.n)
        depth = hd_frontier_open(&self->frontier, ex, hd_queue_take(&self->queue));
    else if (depth < 0 && hd_frontier_may_cycle(&self->frontier, ex))
        ex->cnt->cycles_unknown = 1;
    return depth;
}

static void pack(struct hd_explorer *ex, struct hd_pack *p)
{
    struct best_first *self = ex->search_state;
    hd_frontier_pack(&self->frontier, ex, p);
    hd_queue_pack(&self->queue, &self->frontier, p);
}

static const char *check(const struct hd_explorer *ex)
{
    const struct best_first *self = ex->search_state;
    return hd_frontier_check(&self->frontier, ex);
}

const struct hd_search_ops hd_search_best_first = {
    .create = create,
    .visit = visit,
    .resume = resume,
    .pack = pack,
    .check = check,
};
