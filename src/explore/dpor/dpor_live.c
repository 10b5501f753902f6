/* Reductions that answer a race as soon as its second event happens (dpor, source).  Races that
 * only the whole execution shows are answered at its end. */
#include "explore/dpor/dpor.h"
#include "explore/jobs/split.h"

void *hd_dpor_live_create(struct hd_explorer *ex, hd_dpor_race_fn *answer)
{
    struct hd_dpor *d = hd_arena_take(&ex->arena, sizeof *d);
    if (!d || !hd_dpor_init(d, ex))
        return NULL;
    d->answer = answer;
    ex->hb = &d->hb;
    return d;
}

/* Lock a node that all workers share while the race is answered. */
static void answer(void *self, struct hd_explorer *ex, uint32_t e, const struct hd_late *late)
{
    struct hd_dpor *d = self;
    bool common = hd_split_is_common(ex, e);
    if (common)
        hd_split_enter(ex, e);
    d->answer(d, ex, e, late);
    if (common)
        hd_split_leave(ex, e);
}

void hd_dpor_live_ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    struct hd_dpor *d = self;
    hd_dpor_changed_races(d, ex, d, answer);
    hd_dpor_races_of_end(d, ex, finding, d, answer);
}

uint32_t hd_dpor_live_admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    uint32_t kept = hd_dpor_admit(self, ex, alts, n);
    if (kept == 0)
        hd_dpor_live_ended(self, ex, NULL);
    return kept;
}

bool hd_dpor_live_goes_on(void *self, struct hd_explorer *ex, uint32_t thread)
{
    return hd_dpor_goes_on(self, ex, thread);
}

uint32_t hd_dpor_live_single(void *self, struct hd_explorer *ex)
{
    return hd_dpor_single(self, ex);
}

void hd_dpor_live_ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_dpor *d = self;
    hd_dpor_ran(d, ex, depth, false);
    hd_dpor_races_of(d, ex, depth, d, answer);
}

void hd_dpor_live_back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct hd_dpor *d = self;
    (void)ex;
    hd_hb_back(&d->hb, depth);
}

void hd_dpor_live_share(void *self, struct hd_explorer *ex, uint32_t depth,
                        struct hd_shared_tree_node *node)
{
    struct hd_dpor *d = self;
    hd_sleep_share(&d->sleep, ex, depth, node);
}

void hd_dpor_live_adopt(void *self, struct hd_explorer *ex, uint32_t depth,
                        const struct hd_shared_tree_node *node, bool anew)
{
    struct hd_dpor *d = self;
    hd_sleep_adopt(&d->sleep, ex, depth, node, anew);
}

void hd_dpor_live_pack(void *self, struct hd_explorer *ex, struct hd_pack *p)
{
    struct hd_dpor *d = self;
    hd_sleep_pack(&d->sleep, ex, p);
}
