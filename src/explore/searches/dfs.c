/* Depth first: go on at the deepest node that has something open.  By thread id, or in a seeded
 * random order per node (SCALE 6.1: SCALE(54), SCALE(29)). */
#include "explore/loop/search.h"

#include <string.h>

static void shuffle(struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    if (hd_search_keeps_trees(ex))
        return;
    for (uint32_t i = n; i > 1; i--) {
        uint32_t j = hd_rng_below(&ex->rng, i);
        uint32_t kept = alts[i - 1];
        alts[i - 1] = alts[j];
        alts[j] = kept;
    }
    hd_search_together(alts, n);
}

void hd_search_together(uint32_t *alts, uint32_t n)
{
    for (uint32_t i = 0, end; i < n; i = end) {
        end = i + 1;
        for (uint32_t k = end; k < n; k++)
            if (HD_STEP_THREAD(alts[k]) == HD_STEP_THREAD(alts[i])) {
                uint32_t moved = alts[k];
                memmove(alts + end + 1, alts + end, (k - end) * sizeof *alts);
                alts[end++] = moved;
            }
    }
}

static uint32_t any(struct hd_explorer *ex, const uint32_t *alts, uint32_t n)
{
    (void)alts;
    return hd_rng_below(&ex->rng, n);
}

/* Threads that go on every second time make an execution with fewer changes between them: it
 * breaks as many programs as a uniform one, and the tree below it takes less work. */
uint32_t hd_search_drawn(struct hd_explorer *ex, const uint32_t *alts, uint32_t n)
{
    if (hd_rng_below(&ex->rng, 2))
        for (uint32_t i = 0; i < n; i++)
            if (HD_STEP_THREAD(alts[i]) == ex->world.config->last)
                return i;
    return hd_rng_below(&ex->rng, n);
}

int64_t hd_search_deepest_open(struct hd_explorer *ex)
{
    struct hd_path *p = &ex->path;
    for (uint32_t d = p->open < p->n_nodes ? p->open : p->n_nodes; d-- > 0;) {
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
    .resume = hd_search_deepest_open,
};

/* The second of several workers that share their states.  From where two workers begin, the
 * first visits what its first thread leads to; the second begins at the other end, so that they
 * meet late, and a unit that one takes from the other is large. */
static void reverse(struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    (void)ex;
    for (uint32_t i = 0; i < n / 2; i++) {
        uint32_t kept = alts[i];
        alts[i] = alts[n - 1 - i];
        alts[n - 1 - i] = kept;
    }
}

const struct hd_search_ops hd_search_reversed = {
    .keeps_order = true,
    .order = reverse,
    .resume = hd_search_deepest_open,
};

const struct hd_search_ops hd_search_shuffled = {
    .order = shuffle,
    .prefer = any,
    .resume = hd_search_deepest_open,
};
