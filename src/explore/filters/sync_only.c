/* sync-only: threads are switched at synchronisation only (CHESS: Musuvathi, Qadeer, Ball et
 * al., OSDI 2008, and PLDI 2007, section 3.1).
 *
 * A thread that is about to access memory, and neither atomically nor as a volatile, goes on
 * by itself.  In a program without data races that loses nothing, and CHESS looks for races
 * apart; what the other orders of racing accesses do is not seen, so this never says
 * `verified`.
 *
 * Deviation: it is chosen by the access whether it is a scheduling point, where CHESS has a
 * list of functions. */
#include "core/enabled.h"
#include "explore/loop/filter.h"

static void *create(struct hd_explorer *ex)
{
    (void)ex;
    return NULL;
}

static bool is_data(const struct hd_action *a)
{
    const struct hd_op_row *row = &hd_op_table[a->op];
    return row->space == HD_SPACE_MEM && !hd_op_atomic((enum hd_op)a->op) &&
           !hd_op_has((enum hd_op)a->op, HD_OPTRAIT_BLOCKS);
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    (void)self;
    uint32_t last = ex->world.config->last;
    for (uint32_t i = 0; ex->path.depth && i < n; i++)
        if (HD_STEP_THREAD(alts[i]) == last && is_data(&ex->world.config->next[last]))
            return hd_path_of_thread(alts, n, last);
    return n;
}

const struct hd_filter hd_filter_sync_only = {
    .index = HD_FILTER_INDEX_SYNC_ONLY,
    .create = create,
    .admit = admit,
    .pack = hd_pack_nothing,
};
