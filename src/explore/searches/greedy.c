/* greedy (meta): depth first, always to the best successor, along a sequence of places (Rungta
 * & Mercer: A meta heuristic for effectively detecting concurrency errors, HVC 2008; figures
 * 2, 4 and 5).
 *
 * States are ranked in two tiers: by how many places of the sequence (--via) their path has
 * passed, one after the other, and then by a heuristic, which leads to the next place of the
 * sequence, or to the targets after the last.  A successor that has passed one more place is
 * taken before all others.  Ties are broken at random.  At a dead end a level is drawn at
 * random, and the best of the states that have passed as many places is expanded.
 *
 * Deviations: the set of states to go back to is bounded per level; a full one drops its worst
 * state (the paper does not say which). */
#include "core/pack_parts.h"
#include "explore/guided/frontier.h"
#include "explore/guided/heuristic.h"
#include "explore/loop/search.h"

#define MOST_FRESH 4096u

struct greedy {
    struct hd_frontier frontier;
    struct hd_queue levels[HD_MAX_PLACES + 1];
    uint32_t n_levels;
    uint32_t fresh[MOST_FRESH], n_fresh; /* successors of the state that is open */
};

static void *create(struct hd_explorer *ex)
{
    struct greedy *self = hd_arena_take(&ex->arena, sizeof *self);
    if (!self || !hd_frontier_init(&self->frontier, ex))
        return NULL;
    self->n_levels = ex->shared->route.n_via + 1;
    for (uint32_t i = 0; i < self->n_levels; i++)
        if (!hd_queue_init(&self->levels[i], ex, ex->opt->queue))
            return NULL;
    return self;
}

/* Was the last step done at the place? */
static bool has_passed(const struct hd_explorer *ex, uint32_t place)
{
    const struct hd_route *r = &ex->shared->route;
    if (ex->path.depth == 0)
        return false;
    uint32_t site = ex->path.nodes[ex->path.depth - 1].action.site;
    return site < r->n_sites && r->marks[site] >> place & 1;
}

static bool visit(struct hd_explorer *ex, const uint32_t *alts, uint32_t n)
{
    struct greedy *self = ex->search_state;
    const struct hd_route *r = &ex->shared->route;
    uint32_t first = r->n_targets + r->assertions;
    uint32_t state = hd_frontier_meet(&self->frontier, ex, alts, n);
    if (state == HD_NO_STATE)
        return false;
    struct hd_kept *k = &self->frontier.kept[state];
    k->level = k->parent == HD_NO_STATE ? 0 : self->frontier.kept[k->parent].level;
    if (k->level < r->n_via && has_passed(ex, first + k->level))
        k->level++;
    k->h = hd_heuristic(ex, k->level < r->n_via ? first + k->level : ~0u, k->stays);
    if (self->n_fresh < MOST_FRESH)
        self->fresh[self->n_fresh++] = state;
    else
        hd_queue_add(&self->levels[k->level], ex, k->h, state);
    return false;
}

/* The best of the successors; the search may go back to the others. */
static uint32_t best_successor(struct greedy *self, struct hd_explorer *ex)
{
    const struct hd_kept *kept = self->frontier.kept;
    uint32_t best = 0, ties = 1;
    for (uint32_t i = 1; i < self->n_fresh; i++) {
        const struct hd_kept *a = &kept[self->fresh[i]], *b = &kept[self->fresh[best]];
        if (a->level == b->level && a->h == b->h) {
            if (hd_rng_below(&ex->rng, ++ties) == 0)
                best = i;
        } else if (a->level > b->level || (a->level == b->level && a->h < b->h)) {
            best = i;
            ties = 1;
        }
    }
    uint32_t state = self->fresh[best];
    for (uint32_t i = 0; i < self->n_fresh; i++)
        if (i != best)
            hd_queue_add(&self->levels[kept[self->fresh[i]].level], ex, kept[self->fresh[i]].h,
                         self->fresh[i]);
    self->n_fresh = 0;
    return state;
}

static uint32_t backtrack(struct greedy *self, struct hd_explorer *ex)
{
    uint32_t n = 0, levels[HD_MAX_PLACES + 1];
    for (uint32_t i = 0; i < self->n_levels; i++)
        if (self->levels[i].n)
            levels[n++] = i;
    if (n == 0)
        return HD_NO_STATE;
    return hd_queue_take(&self->levels[levels[hd_rng_below(&ex->rng, n)]]);
}

static int64_t resume(struct hd_explorer *ex)
{
    struct greedy *self = ex->search_state;
    int64_t depth = hd_frontier_next(&self->frontier, ex);
    if (depth >= 0)
        return depth;
    uint32_t state = self->n_fresh ? best_successor(self, ex) : backtrack(self, ex);
    return state == HD_NO_STATE ? -1 : hd_frontier_open(&self->frontier, ex, state);
}

static void pack(struct hd_explorer *ex, struct hd_pack *p)
{
    struct greedy *self = ex->search_state;
    hd_frontier_pack(&self->frontier, ex, p);
    for (uint32_t i = 0; i < self->frontier.n; i++)
        hd_pack_want(p, self->frontier.kept[i].level < self->n_levels);
    for (uint32_t i = 0; i < self->n_levels; i++)
        hd_queue_pack(&self->levels[i], &self->frontier, p);
    hd_pack_count(p, &self->n_fresh, MOST_FRESH);
    for (uint32_t i = 0; i < self->n_fresh && !p->bad; i++) {
        hd_pack_u32(p, &self->fresh[i], self->frontier.n - 1);
        hd_pack_want(p, self->frontier.n != 0);
    }
}

static const char *check(const struct hd_explorer *ex)
{
    const struct greedy *self = ex->search_state;
    return hd_frontier_check(&self->frontier, ex);
}

const struct hd_search_ops hd_search_greedy = {
    .create = create,
    .visit = visit,
    .resume = resume,
    .pack = pack,
    .check = check,
};
