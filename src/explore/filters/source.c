/* source: source-set DPOR with sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic
 * Partial Order Reduction, POPL 2014, Algorithm 1).
 *
 * For every race (e, e') found while it happens, one thread that can begin the reversal is
 * opened at the node of e, unless one is open or asleep there.
 *
 * Deviation: the initial thread that is opened is the late one where that is possible. */
#include "explore/dpor/dpor.h"

static void reverse(void *self, struct hd_explorer *ex, uint32_t e, const struct hd_late *late)
{
    struct hd_dpor *d = self;
    uint32_t first;
    struct hd_tset initials = hd_dpor_initials(d, ex, e, late, &first);
    hd_dpor_open_one(d, ex, e, &initials, first);
}

static void *create(struct hd_explorer *ex) { return hd_dpor_live_create(ex, reverse); }

const struct hd_filter hd_filter_source = {
    .index = HD_FILTER_INDEX_SOURCE,
    .create = create,
    .admit = hd_dpor_live_admit,
    .goes_on = hd_dpor_live_goes_on,
    .single = hd_dpor_live_single,
    .ran = hd_dpor_live_ran,
    .back = hd_dpor_live_back,
    .ended = hd_dpor_live_ended,
    .share = hd_dpor_live_share,
    .adopt = hd_dpor_live_adopt,
    .pack = hd_dpor_live_pack,
};
