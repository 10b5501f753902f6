/* depth: at most so many steps per execution (SCALE Algorithm 4, DepthBounding).
 *
 * Deviation: SCALE tests every successor's depth; all successors of a node have the same, so
 * the node is tested once. */
#include "explore/loop/filter.h"

static void *create(struct hd_explorer *ex)
{
    (void)ex;
    return NULL;
}

/* Note what the execution repeated when it was cut: most likely a loop that does not end. */
static void note_repeated(struct hd_explorer *ex)
{
    enum { LAST = 64, OFTEN = 4 };
    const struct hd_path *p = &ex->path;
    uint32_t from = p->depth > LAST ? p->depth - LAST : 0, n = 0;
    for (uint32_t d = from; d < p->depth && n < 4; d++) {
        uint32_t site = p->nodes[d].action.site, times = 0;
        for (uint32_t i = from; i < p->depth; i++)
            times += p->nodes[i].action.site == site;
        for (uint32_t i = 0; i < n; i++)
            times = ex->cnt->repeated[i] == site ? 0 : times;
        if (site && times >= OFTEN)
            ex->cnt->repeated[n++] = site;
    }
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    (void)self;
    (void)alts;
    if (ex->path.depth < ex->opt->depth)
        return n;
    if (!ex->cnt->dropped[HD_FILTER_INDEX_DEPTH])
        note_repeated(ex);
    ex->cnt->dropped[HD_FILTER_INDEX_DEPTH] = 1;
    return 0;
}

const struct hd_filter hd_filter_depth = {
    .index = HD_FILTER_INDEX_DEPTH,
    .create = create,
    .admit = admit,
    .pack = hd_pack_nothing,
};
