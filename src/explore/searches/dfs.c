/* Depth first: go on at the deepest node that has something open.  By thread id, or in a seeded
 * random order per node (SCALE 6.1: SCALE(54), SCALE(29)). */
#include "explore/loop/search.h"

static void shuffle(struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = hd_rng_below(&ex->rng, i);
        uint32_t kept = alts[i - 1];
        alts[i - 1] = alts[j];
        alts[j] = kept;
    }
}

static int64_t deepest_open(struct hd_explorer *ex)
{
    struct hd_path *p = &ex->path;
    for (uint32_t d = p->open < p->n_nodes && !ex->split ? p->open : p->n_nodes; d-- > 0;) {
        struct hd_node *node = &p->nodes[d];
        if (node->taken + 1 < node->n_open) {
            node->taken++;
            p->n_nodes = p->open = d + 1;
            ex->marks.target = d + 1;
            return d;
        }
    }
    return -1;
}

const struct hd_search_ops hd_search_dfs = {
    .keeps_order = true,
    .resume = deepest_open,
};

const struct hd_search_ops hd_search_shuffled = {
    .order = shuffle,
    .resume = deepest_open,
};
