/* Reductions that answer a race as soon as its second event happens (dpor, source).  What only the
 * whole execution shows is answered when it is over. */
#include "explore/dpor.h"

void *hd_dpor_live_create(struct hd_explorer *ex, hd_dpor_race_fn *answer)
{
    struct hd_dpor *d = hd_arena_take(&ex->arena, sizeof *d);
    if (!d || !hd_dpor_init(d, &ex->arena))
        return NULL;
    d->answer = answer;
    ex->hb = &d->hb;
    return d;
}

void hd_dpor_live_ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    struct hd_dpor *d = self;
    hd_dpor_changed_races(d, ex, d, d->answer);
    hd_dpor_races_of_end(d, ex, finding, d, d->answer);
}

uint32_t hd_dpor_live_admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    uint32_t kept = hd_dpor_admit(self, ex, alts, n);
    if (kept == 0)
        hd_dpor_live_ended(self, ex, NULL);
    return kept;
}

void hd_dpor_live_ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_dpor *d = self;
    hd_dpor_ran(d, ex, depth);
    hd_dpor_races_of(d, ex, depth, d, d->answer);
}

void hd_dpor_live_back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_dpor *d = self;
    (void)ex;
    hd_hb_back(&d->hb, depth);
}
