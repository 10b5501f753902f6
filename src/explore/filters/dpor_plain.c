/* dpor:plain: dynamic partial order reduction without sleep sets (Flanagan & Godefroid, POPL
 * 2005, Fig. 3 and 4; as given by Noonan 2014, Fig. 2.2, his "vector clock POR").
 *
 * In every state, for every thread p: if the next action of p races with an event, the newest
 * of them is e, and p is opened at the node of e if it could move there, otherwise all threads
 * are. A trace may be explored many times, because nothing keeps what was explored from being
 * explored again.
 *
 * Complete: the threads opened at a node are a persistent set.  Let w be a shortest
 * continuation of the state whose last action t depends on a step s that was explored there,
 * none of w's threads being opened.  After s the rest of w could happen as well.  Then t is
 * pending and races with s.  A newer event that races with t is a step of w that does not
 * happen before t.  If t does not need it, w is not shortest; if it enables t, it writes the
 * object that s touches, and w could have ended there.  So s is the newest, and t's thread, or
 * all, were opened.  (The explored tree is finite, so that the subtree after s is complete by
 * induction.)
 *
 * Deviations from Fig. 2.2: conflicts are by byte and by read or write, where the figure has
 * the last access of an object; sharedness is not discovered, since the program's accesses are
 * known; all threads are not opened at thread starts and ends. */
#include "explore/dpor/pending_races.h"

static void race(struct hd_explorer *ex, uint32_t e, uint32_t thread)
{
    hd_pending_open(ex, e, thread);
}

static void *create(struct hd_explorer *ex) { return hd_dpor_live_create(ex, NULL); }

static uint32_t admit(void *self, struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    hd_pending_races(self, ex, HD_PENDING_NEWEST, race);
    return hd_pending_stay(ex, alts, n);
}

static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    hd_dpor_ran(self, ex, depth, false);
}

static void ended(void *self, struct hd_explorer *ex, const struct hd_finding *finding)
{
    hd_pending_races_of_end(self, ex, finding, HD_PENDING_NEWEST, race);
}

const struct hd_filter hd_filter_dpor_plain = {
    .index = HD_FILTER_INDEX_DPOR_PLAIN,
    .create = create,
    .admit = admit,
    .ran = ran,
    .back = hd_dpor_live_back,
    .ended = ended,
    .pack = hd_dpor_live_pack,
};
