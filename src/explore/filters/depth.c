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

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    (void)self;
    (void)alts;
    if (ex->path.depth < ex->opt->depth)
        return n;
    if (!ex->cnt->dropped[HD_FILTER_INDEX_DEPTH])
        hd_explorer_note_repeated(ex);
    ex->cnt->dropped[HD_FILTER_INDEX_DEPTH] = 1;
    return 0;
}

const struct hd_filter hd_filter_depth = {
    .index = HD_FILTER_INDEX_DEPTH,
    .create = create,
    .admit = admit,
    .pack = hd_pack_nothing,
};
