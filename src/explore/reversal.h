/* v of a race (e, e') of an execution E: what of E does not happen after e, followed by the thread of
 * e', the late half.  From the node of e it leads to what has e' before e.
 *
 * v is not written out.  Per thread it is a stretch of that thread's events, from `cut` on up
 * to the first that happens after e; what has been matched with a branch of a wakeup tree is cut off at
 * the front. */
#ifndef HD_EXPLORE_REVERSAL_H
#define HD_EXPLORE_REVERSAL_H

#include "explore/dpor.h"

#define HD_LATE (HD_NO_EVENT - 1) /* in place of an event: the late half */

struct hd_reversal {
    struct hd_dpor dpor; /* first: the common functions get a pointer to it */
    uint32_t e;
    uint32_t early, nth; /* e is that thread's nth event */
    uint64_t none; /* threads, by bit, whose first event from `cut` on is known not to be in v */
    const struct hd_late *late;
    bool late_taken;     /* the late half has been matched */
    bool whole;          /* nothing has been matched yet */
    struct hd_ground {   /* what the answers so far stand on */
        bool settled;    /* events of E alone, */
        uint32_t newest; /* … of which this is the newest */
    } ground;
    _Alignas(16) uint32_t cut[HD_MAX_THREADS];
    _Alignas(16)
        uint32_t beside[HD_MAX_THREADS]; /* steps of branches matched that are not cut off v */
};

void hd_reversal_begin(struct hd_reversal *v, uint32_t e, const struct hd_late *late);

/* Does event f happen after e?  Then it is not in v. */
HD_HOT bool hd_reversal_after(const struct hd_reversal *v, uint32_t f)
{
    return hd_hb_clock(&v->dpor.hb, f)[v->early] >= v->nth;
}

HD_HOT uint64_t hd_reversal_bit(uint32_t thread) { return thread < 64 ? 1ull << thread : 0; }

/* The thread's first step of what is left of v: an event, HD_LATE, or HD_NO_EVENT. */
HD_HOT uint32_t hd_reversal_step(struct hd_reversal *v, uint32_t thread)
{
    const struct hd_hb *hb = &v->dpor.hb;
    uint32_t nth = v->cut[thread];
    if (!(v->none & hd_reversal_bit(thread))) {
        uint32_t g = nth < hb->count[thread] ? hb->of[thread][nth] : HD_NO_EVENT;
        if (g != HD_NO_EVENT && g != v->late->event && !hd_reversal_after(v, g))
            return g;
        v->none |= hd_reversal_bit(thread);
    }
    if (thread != v->late->thread || v->late_taken)
        return HD_NO_EVENT;
    bool here = nth < hb->count[thread] && hb->of[thread][nth] == v->late->event;
    return here || v->late->event == HD_NO_EVENT ? HD_LATE : HD_NO_EVENT;
}

/* The answer was found by looking at event g: it stays as long as g does. */
HD_HOT void hd_reversal_looked_at(struct hd_reversal *v, uint32_t g)
{
    if (g != HD_LATE && g > v->ground.newest)
        v->ground.newest = g;
}

/* Must nothing that is left of v come before its step g?  Then g, an event, is cut off. */
HD_HOT bool hd_reversal_cut(struct hd_reversal *v, uint32_t g)
{
    const struct hd_hb *hb = &v->dpor.hb;
    uint32_t thread = hb->events[g].thread;
    v->cut[thread]++;
    if (!hd_hb_any_beyond(hb, hd_hb_clock(hb, g), v->cut))
        return true;
    v->cut[thread]--;
    return false;
}

/* The first event behind f - 1 that is left in v; HD_NO_EVENT: none but the late half is. */
HD_HOT uint32_t hd_reversal_next(const struct hd_reversal *v, uint32_t f)
{
    const struct hd_hb *hb = &v->dpor.hb;
    const uint32_t *clock = hd_hb_clock(hb, f);
    for (; f < hb->depth; f++, clock += hb->stride) {
        if (clock[v->early] >= v->nth) /* as most do */
            continue;
        uint32_t thread = hb->events[f].thread;
        if (clock[thread] > v->cut[thread] && f != v->late->event)
            return f;
    }
    return HD_NO_EVENT;
}

/* Is event f, behind e, left in v? */
bool hd_reversal_has(const void *self, uint32_t f);

/* Must nothing that is left of v come before the late half?  (Asked of its action, not of its
 * clock: it may turn out otherwise.) */
bool hd_reversal_late_begins(struct hd_reversal *v);

/* Is the action, the next of a thread that has no step in what is left of v, independent of
 * it? */
bool hd_reversal_independent(struct hd_reversal *v, const struct hd_explorer *ex, uint32_t thread,
                             const struct hd_action *action);

/* Is q, asleep at the node of e, one that can begin v? */
bool hd_reversal_begun_by(struct hd_reversal *v, const struct hd_explorer *ex, uint32_t q);

/* The thread of v's first step, in the order of the execution. */
uint32_t hd_reversal_first(const struct hd_reversal *v);

#endif
