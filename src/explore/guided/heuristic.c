#include "explore/guided/heuristic.h"

#include "explore/loop/ask.h"

static uint32_t plus(uint32_t a, uint32_t b)
{
    return a == HD_ROUTE_FAR || b == HD_ROUTE_FAR || a + b < a ? HD_ROUTE_FAR : a + b;
}

static uint32_t least(uint32_t a, uint32_t b) { return a < b ? a : b; }

/* The distance of a thread that has not begun, by the step of the path that created it. */
static uint32_t unbegun_distance(const struct hd_explorer *ex, uint32_t place, uint32_t thread)
{
    const struct hd_route *r = &ex->shared->route;
    for (uint32_t d = ex->path.depth; d-- > 0;) {
        const struct hd_action *a = &ex->path.nodes[d].action;
        if (a->op == HD_OP_CREATE && a->object == thread)
            return a->site < r->n_sites ? plus(1, r->ways[place][a->site].spawned) : HD_ROUTE_FAR;
    }
    return HD_ROUTE_FAR;
}

/* The least number of visible actions of the thread until it reaches the place: through what it
 * calls, and through the returns from its current calls (analyse/distance.h). */
static uint32_t thread_distance(const struct hd_explorer *ex, uint32_t place, uint32_t thread)
{
    const struct hd_route *r = &ex->shared->route;
    const struct hd_action *a = &ex->world.config->next[thread];
    uint32_t sites[HD_MAX_FRAMES];
    if (a->op == HD_OP_START)
        return unbegun_distance(ex, place, thread);
    if (a->site == 0 || a->site >= r->n_sites)
        return HD_ROUTE_FAR;
    struct hd_way way = r->ways[place][a->site];
    uint32_t best = way.within, so_far = way.leave;
    uint32_t n = ex->world.stack(ex->world.self, thread, sites);
    for (uint32_t i = 0; i < n && so_far != HD_ROUTE_FAR; i++) {
        if (sites[i] >= r->n_sites)
            break;
        way = r->ways[place][sites[i]];
        best = least(best, plus(so_far, way.behind));
        so_far = plus(so_far, way.behind_leave);
    }
    return best;
}

/* The distance of the nearest thread.  The shortest path through a loop leaves the loop at
 * once, so a thread that iterates comes no nearer.  To let it go on rather than another one,
 * half a step is subtracted when the nearest has just moved. */
static uint32_t place_distance(const struct hd_explorer *ex, uint32_t place)
{
    const struct hd_config *config = ex->world.config;
    uint32_t best = HD_ROUTE_FAR;
    for (uint32_t t = 0; t < config->n_threads; t++) {
        if (!hd_tset_has(&config->live, t))
            continue;
        uint32_t way = thread_distance(ex, place, t);
        if (way < HD_ROUTE_FAR / 4)
            best = least(best, 2 * way + (t != config->last));
    }
    return best;
}

static uint32_t distance(const struct hd_explorer *ex, uint32_t place)
{
    const struct hd_route *r = &ex->shared->route;
    if (r->n_sites == 0 || !ex->world.stack)
        return 0;
    if (place != ~0u)
        return place_distance(ex, place);
    uint32_t sum = 0;
    for (uint32_t i = 0; i < r->n_targets + r->assertions; i++)
        sum = plus(sum, place_distance(ex, i));
    return sum;
}

static uint32_t n_enabled(const struct hd_explorer *ex)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < hd_tset_words(ex->world.config->n_threads); i++)
        n += (uint32_t)__builtin_popcountll(ex->world.config->enabled.w[i]);
    return n;
}

/* Is the thread of the last step, a child of main, one of those that the user prefers? */
static bool is_preferred(const struct hd_explorer *ex)
{
    const struct hd_thread_name *name = &ex->shared->threads[ex->world.config->last];
    return ex->world.config->last != 0 && name->parent == 0 && name->nth < 64 &&
           (ex->opt->preferred >> name->nth & 1);
}

/* What a strategy from outside says of the state.  It jumps from state to state, so the whole
 * path is part of every question. */
static uint32_t asked(struct hd_explorer *ex)
{
    return !ex->error[0] && hd_ask_host(ex, HD_QUESTION_STATE, 0, NULL, 0)
               ? ex->shared->mailbox.rank
               : 0;
}

uint32_t hd_heuristic(struct hd_explorer *ex, uint32_t place, uint32_t stays)
{
    if (ex->opt->plugin.used)
        return asked(ex);
    switch (ex->opt->heuristic) {
    case HD_HEURISTIC_INTERLEAVING:
        return stays;
    case HD_HEURISTIC_BLOCKED:
        return n_enabled(ex);
    case HD_HEURISTIC_RANDOM:
        return (uint32_t)hd_rng_next(&ex->rng) >> 1;
    case HD_HEURISTIC_DEPTH:
        return ex->path.depth;
    case HD_HEURISTIC_PREFER:
        return is_preferred(ex) ? 0 : 1;
    default:
        return distance(ex, place);
    }
}
