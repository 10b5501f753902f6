/* dpor: dynamic partial order reduction with clock vectors and sleep sets (Flanagan &
 * Godefroid, POPL 2005; as given by Noonan 2014, Fig. 2.2).
 *
 * For a race (e, p): p is opened at the node of e if it could move there, otherwise all
 * threads are.
 *
 * With sleep sets that is not enough. p may be asleep there, or have to come after others of
 * the reversal; then what begins with p was explored below another node, whose races opened
 * threads there and not here.  (Without the rule below, 2 of the first 100 random programs lost
 * traces.) So the node is also made a source set for the reversal.
 *
 * Deviations from Fig. 2.2: conflicts are by byte and by read or write; a node is opened for
 * every race of an event, not only for the last access; nothing special happens at thread
 * start and end.
 *
 * With a bound on preemptions in the chain it is bounded POR (bounded_dpor.c). */
#include "explore/dpor/bounded_dpor.h"

static void reverse(void *self, struct hd_explorer *ex, uint32_t e, const struct hd_late *late)
{
    struct hd_dpor *d = self;
    hd_path_all(&ex->path, e);
    const struct hd_node *node = &ex->path.nodes[e];
    const uint32_t *alts = hd_path_alts(&ex->path, e);
    const struct hd_tset *asleep = &d->sleep.asleep[e];
    bool could_move = false;
    for (uint32_t i = 0; i < node->n_alts; i++)
        could_move = could_move || HD_STEP_THREAD(alts[i]) == late->thread;
    if (could_move) {
        uint32_t first;
        struct hd_tset initials = hd_dpor_initials(d, ex, e, late, &first);
        if (!hd_tset_has(asleep, late->thread))
            hd_explorer_add(ex, e, late->thread);
        hd_dpor_open_one(d, ex, e, &initials, first);
        return;
    }
    for (uint32_t i = node->n_open; i < node->n_alts; i++)
        if (!hd_tset_has(asleep, HD_STEP_THREAD(alts[i])))
            hd_explorer_add(ex, e, HD_STEP_THREAD(alts[i]));
}

static void *create(struct hd_explorer *ex) { return hd_dpor_live_create(ex, reverse); }

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    return hd_bounded_dpor(ex) ? hd_bounded_dpor_admit(self, ex, alts, n)
                               : hd_dpor_live_admit(self, ex, alts, n);
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    if (hd_bounded_dpor(ex))
        hd_dpor_ran(self, ex, depth, false);
    else
        hd_dpor_live_ran(self, ex, depth);
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    if (hd_bounded_dpor(ex))
        hd_bounded_dpor_ended(self, ex, finding);
    else
        hd_dpor_live_ended(self, ex, finding);
}

const struct hd_filter hd_filter_dpor = {
    .index = HD_FILTER_INDEX_DPOR,
    .create = create,
    .admit = admit,
    .goes_on = hd_dpor_live_goes_on,
    .single = hd_dpor_live_single,
    .ran = ran,
    .back = hd_dpor_live_back,
    .ended = ended,
    .share = hd_dpor_live_share,
    .adopt = hd_dpor_live_adopt,
    .pack = hd_dpor_live_pack,
};
