/* The wakeup sequence v of a race (e, e') in an execution E: the events of E that do not happen
 * after e, followed by the thread of e', the late half.  From the node of e it leads to
 * executions that have e' before e.
 *
 * Where sets of events are kept (hb.h), v is one.  Otherwise it is implicit: for every thread,
 * a run of its events, from `cut` on up to the first that happens after e; events that were
 * matched with a branch of a wakeup tree are cut off at the front. */
#ifndef HD_EXPLORE_DPOR_REVERSAL_H
#define HD_EXPLORE_DPOR_REVERSAL_H

#include "core/dependence.h"
#include "core/enabled.h"
#include "explore/dpor/dpor.h"

#define HD_LATE (HD_NO_EVENT - 1) /* in place of an event: the late half */

struct hd_reversal {
    struct hd_dpor dpor; /* first: the common functions get a pointer to it */
    uint32_t e;
    const struct hd_late *late;
    bool late_taken;     /* the late half has been matched */
    bool whole;          /* nothing has been matched yet */
    bool at_top;         /* no branch of the wakeup tree has been matched */
    bool late_plain;     /* sets: its event alone tells whether the late half can begin */
    struct hd_ground {   /* what the answers so far depend on */
        bool settled;    /* on events of E alone, */
        uint32_t newest; /* the newest of those */
    } ground;
    /* sets: */
    struct hd_set gone;                           /* events before e, and those matched */
    struct hd_set left;                           /* those in v that are not matched */
    struct hd_set after[HD_HB_SET_EVENTS];        /* by event: what happens after it, */
    _Alignas(16) uint8_t until[HD_HB_SET_EVENTS]; /* up to this event; 0: not known */
    /* clocks: */
    uint32_t early, nth; /* e is that thread's nth event */
    uint64_t none;       /* threads, by bit, whose first event from `cut` on is not in v */
    _Alignas(
        16) uint32_t cut[HD_MAX_THREADS]; /* events by thread that are before e, or cut off */
    _Alignas(16) uint32_t beside[HD_MAX_THREADS]; /* steps matched that are not cut off v */
};

/* May the operation have another outcome at another place? */
HD_HOT bool hd_reversal_turns_out(const struct hd_action *a)
{
    return hd_op_has_outcome((enum hd_op)a->op) || hd_op_is_outcome((enum hd_op)a->op);
}

/* The execution is over; reversals of its races follow. */
void hd_reversals_begin(struct hd_reversal *v);

/* Is there, after e and before the event, nothing of its own thread and nothing that woke
 * it? */
HD_HOT bool hd_reversal_comes_freely(const struct hd_hb_event *event, uint32_t e)
{
    return event->before + 1 <= e && event->wake + 1 <= e; /* HD_NO_EVENT + 1 is 0 */
}

void hd_reversal_begin(struct hd_reversal *v, uint32_t e, const struct hd_late *late);

/* Clocks: does event f happen after e?  Then it is not in v. */
HD_HOT bool hd_reversal_after(const struct hd_reversal *v, uint32_t f)
{
    const uint32_t *row = hd_hb_row(&v->dpor.hb, f);
    return row[v->early] >= v->nth;
}

/* The thread's first event after e that is not matched; HD_NO_EVENT. */
HD_HOT uint32_t hd_reversal_behind(const struct hd_reversal *v, uint32_t thread)
{
    const struct hd_hb *hb = &v->dpor.hb;
    if (__builtin_expect(hb->sets, 1))
        return hd_set_first(hd_set_but(hb->mine[thread], v->gone));
    uint32_t nth = v->cut[thread] + v->beside[thread];
    return nth < hb->count[thread] ? hb->of[thread][nth] : HD_NO_EVENT;
}

/* The thread's first step of what is left of v: an event, HD_LATE, or HD_NO_EVENT.  (What the
 * late half's thread did before it, after e, is in v.) */
HD_HOT uint32_t hd_reversal_step(const struct hd_reversal *v, uint32_t thread)
{
    const struct hd_hb *hb = &v->dpor.hb;
    if (__builtin_expect(hb->sets, 1)) {
        uint32_t g = hd_set_first(hd_set_and(hb->mine[thread], v->left));
        if (g != HD_NO_EVENT)
            return g;
    } else {
        uint32_t nth = v->cut[thread];
        uint32_t g = nth < hb->count[thread] ? hb->of[thread][nth] : HD_NO_EVENT;
        if (g != HD_NO_EVENT && g != v->late->event && !hd_reversal_after(v, g))
            return g;
    }
    return thread == v->late->thread && !v->late_taken ? HD_LATE : HD_NO_EVENT;
}

/* The answer depends on event g: it holds as long as g is on the path. */
HD_HOT void hd_reversal_looked_at(struct hd_reversal *v, uint32_t g)
{
    if (g != HD_LATE && g > v->ground.newest)
        v->ground.newest = g;
}

/* Can g, an event of v, begin what is left of v? */
HD_HOT bool hd_reversal_can_begin(struct hd_reversal *v, uint32_t g)
{
    const struct hd_hb *hb = &v->dpor.hb;
    if (__builtin_expect(hb->sets, 1)) {
        struct hd_set known = hd_set_and(hd_hb_set(hb, g), v->left); /* g is one of them */
        uint64_t others = known.w[0] ? (known.w[0] & (known.w[0] - 1)) | known.w[1]
                                     : known.w[1] & (known.w[1] - 1);
        return !others;
    }
    uint32_t thread = hb->events[g].thread;
    v->cut[thread]++;
    bool first = !hd_hb_any_beyond(hb, hd_hb_row(hb, g), v->cut);
    v->cut[thread]--;
    return first;
}

/* Event g has been matched: remove it from v. */
HD_HOT void hd_reversal_cut(struct hd_reversal *v, uint32_t g)
{
    v->whole = false;
    if (__builtin_expect(v->dpor.hb.sets, 1)) {
        hd_set_add(&v->gone, g);
        hd_set_del(&v->left, g);
    } else {
        v->cut[v->dpor.hb.events[g].thread]++;
    }
}

/* A step of the thread has been matched that is not in v, or is the late half. */
HD_HOT void hd_reversal_beside(struct hd_reversal *v, uint32_t thread)
{
    if (__builtin_expect(!v->dpor.hb.sets, 0)) {
        v->beside[thread]++;
        return;
    }
    uint32_t g = hd_reversal_behind(v, thread);
    if (g != HD_NO_EVENT)
        hd_set_add(&v->gone, g);
}

/* The first event after f - 1 that is left in v; HD_NO_EVENT: none but the late half is. */
uint32_t hd_reversal_next(const struct hd_reversal *v, uint32_t f);

/* Is event f, after e, left in v? */
bool hd_reversal_has(const void *self, uint32_t f);

/* Is the late half independent of everything that is left of v?  Its action tells, not its
 * clock: its outcome may change. */
bool hd_reversal_any_late_begins(struct hd_reversal *v);
HD_HOT bool hd_reversal_late_begins(struct hd_reversal *v)
{
    if (!v->late_plain)
        return hd_reversal_any_late_begins(v);
    struct hd_set known = hd_set_and(hd_hb_set(&v->dpor.hb, v->late->event), v->left);
    return !(known.w[0] | known.w[1]);
}

/* Is the action, the next of a thread that has no step in what is left of v, independent of
 * it? */
bool hd_reversal_independent_of_events(struct hd_reversal *v, const struct hd_explorer *ex,
                                       uint32_t thread, const struct hd_action *action);
HD_HOT bool hd_reversal_independent(struct hd_reversal *v, const struct hd_explorer *ex,
                                    uint32_t thread, const struct hd_action *action)
{
    return (v->late_taken || !hd_action_dependent(action, &v->late->action)) &&
           hd_reversal_independent_of_events(v, ex, thread, action);
}

/* Is q, asleep at the node of e, one that can begin v? */
bool hd_reversal_begun_by(struct hd_reversal *v, const struct hd_explorer *ex, uint32_t q);

/* The thread of v's first step, in the order of the execution. */
uint32_t hd_reversal_first(const struct hd_reversal *v);

#endif
