/* A random walk: every execution starts at the root and takes a random alternative at every node.
 * Never exhaustive. */
#include "explore/search.h"

static void one_of_them(struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    uint32_t j = hd_rng_below(&ex->rng, n);
    uint32_t kept = alts[0];
    alts[0] = alts[j];
    alts[j] = kept;
}

static int64_t root_again(struct hd_explorer *ex)
{
    ex->path.n_nodes = 0;
    ex->target = 0;
    return 0;
}

const struct hd_search_ops hd_search_random = {
    .name = "random",
    .summary = "random walks from the root, for ever or up to a bound",
    .order = one_of_them,
    .resume = root_again,
};
