/* toy: threads take turns freely for the first N steps; afterwards the first one that can goes on.
 * `toy` says nothing of what it leaves out, `toy-bound` counts it. */
#include "explore/loop/filter.h"

/* It keeps nothing of its own. */
static void *create(struct hd_explorer *ex) { return ex; }

static uint32_t kept(const struct hd_explorer *ex, enum hd_filter_index filter, uint32_t n)
{
    return ex->path.depth < ex->opt->argument[filter] || n == 0 ? n : 1;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    (void)self;
    (void)alts;
    return kept(ex, HD_FILTER_INDEX_TOY, n);
}

static uint32_t admit_bound(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    (void)self;
    (void)alts;
    if (kept(ex, HD_FILTER_INDEX_TOY_BOUND, n) < n)
        ex->cnt->dropped[HD_FILTER_INDEX_TOY_BOUND] = 1;
    return kept(ex, HD_FILTER_INDEX_TOY_BOUND, n);
}

const struct hd_filter hd_filter_toy = {
    .index = HD_FILTER_INDEX_TOY,
    .create = create,
    .admit = admit,
};

const struct hd_filter hd_filter_toy_bound = {
    .index = HD_FILTER_INDEX_TOY_BOUND,
    .create = create,
    .admit = admit_bound,
};
