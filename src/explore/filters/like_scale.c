/* like-scale: the steps that SCALE does not count are done at once (scale.h), so that the number of
 * runs can be compared with its tables.
 *
 * Starting and ending a thread commute with all that other threads can do meanwhile, so that part
 * loses nothing.  Accesses of stacks commute only while no thread looks at another's: as in the
 * thesis (3.1, data variables are globals and the heap) that is taken for granted, and the filter
 * claims nothing. */
#include "explore/filter.h"

#include "explore/scale.h"

static void *create(struct hd_explorer *ex)
{
    (void)ex;
    return NULL;
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    (void)self;
    for (uint32_t i = 0; i < n; i++)
        if (hd_scale_hidden(ex, &ex->world.config->next[HD_STEP_THREAD(alts[i])])) {
            uint32_t moved = alts[0];
            alts[0] = alts[i];
            alts[i] = moved;
            return 1;
        }
    return n;
}

const struct hd_filter hd_filter_like_scale = {
    .index = HD_FILTER_INDEX_LIKE_SCALE,
    .create = create,
    .admit = admit,
};
