/* A random walk: every execution starts at the root and takes a random alternative at every
 * node.  Never exhaustive. */
#include "explore/loop/search.h"

static void one_of_them(struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    hd_search_take(alts, hd_rng_below(&ex->rng, n));
}

const struct hd_search_ops hd_search_random = {
    .order = one_of_them,
    .resume = hd_search_root_again,
};
