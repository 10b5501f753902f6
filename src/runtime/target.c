/* Do threads stand at the targets (core/route.h)?  Each target needs a thread of its own. */
#include "runtime/rt.h"

#include <stdio.h>
#include <string.h>

/* The targets that the thread stands at: with its next action, or inside a call made there. */
static uint32_t at_targets(const struct hd_route *g, uint32_t thread)
{
    uint32_t sites[HD_MAX_FRAMES], site = rt->next[thread].site;
    uint32_t wanted = (1u << g->n_targets) - 1;
    uint32_t found = site < g->n_sites ? g->marks[site] : 0;
    uint32_t n = hd_stack_parked(NULL, thread, sites);
    for (uint32_t i = 0; i < n; i++)
        found |= sites[i] < g->n_sites ? g->marks[sites[i]] : 0;
    return found & wanted;
}

/* Assign to target `t` and later ones threads that no other target has. */
static bool assign(uint32_t n_targets, uint32_t t, const uint32_t *at, const uint32_t *threads,
                   uint32_t n, uint32_t *chosen)
{
    if (t == n_targets)
        return true;
    for (uint32_t i = 0; i < n; i++) {
        bool taken = !(at[i] >> t & 1);
        for (uint32_t k = 0; k < t; k++)
            taken |= chosen[k] == threads[i];
        chosen[t] = threads[i];
        if (!taken && assign(n_targets, t + 1, at, threads, n, chosen))
            return true;
    }
    return false;
}

bool hd_target_reached(uint32_t chosen[HD_MAX_PLACES])
{
    const struct hd_route *g = &rt->shared->route;
    uint32_t at[64], threads[64], n = 0;
    for (uint32_t i = 0; i < rt->config.n_threads && n < 64; i++) {
        if (!hd_tset_has(&rt->config.live, i))
            continue;
        at[n] = at_targets(g, i);
        threads[n] = i;
        n += at[n] != 0;
    }
    return g->n_targets && assign(g->n_targets, 0, at, threads, n, chosen);
}
