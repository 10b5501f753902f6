/* source: source-set DPOR with sleep sets (Abdulla, Aronis, Jonsson, Sagonas: Optimal Dynamic Partial
 * Order Reduction, POPL 2014, Algorithm 1).
 *
 * For every race (e, e') found while it happens, one thread that can begin the reversal is opened at
 * the node of e, unless one is open or asleep there.
 *
 * Deviation: the initial thread that is opened is the late one where that is possible. */
#include "explore/dpor.h"

static void *create(struct hd_explorer *ex)
{
    struct hd_dpor *d = hd_arena_take(&ex->arena, sizeof *d);
    return d && hd_dpor_init(d, &ex->arena) ? d : NULL;
}

static void reverse(void *self, struct hd_explorer *ex, uint32_t e, const struct hd_late *late)
{
    struct hd_dpor *d = self;
    uint32_t first;
    struct hd_tset initials = hd_dpor_initials(d, ex, e, late, &first);
    hd_dpor_open_one(d, ex, e, &initials, first);
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    hd_dpor_changed_races(self, ex, self, reverse);
    hd_dpor_races_of_end(self, ex, finding, self, reverse);
}

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    uint32_t kept = hd_dpor_admit(self, ex, alts, n);
    if (kept == 0)
        ended(self, ex, NULL);
    return kept;
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_dpor *d = self;
    hd_dpor_ran(d, ex, depth);
    hd_dpor_races_of(d, ex, depth, d, reverse);
}

static void back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_dpor *d = self;
    (void)ex;
    hd_hb_back(&d->hb, depth);
}

const struct hd_filter hd_filter_source = {
    .index = HD_FILTER_INDEX_SOURCE,
    .create = create,
    .admit = admit,
    .ran = ran,
    .back = back,
    .ended = ended,
};
