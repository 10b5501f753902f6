/* hybrid: partial order reduction with under-approximate dynamic points-to sets (Parízek:
 * Hybrid Partial Order Reduction with Under-Approximate Dynamic Points-To and Determinacy
 * Information, FMCAD 2016, Figs. 2 and 3).
 *
 *   isInterferingAction, existsFutureInterferingAccess   interferes() below: another thread has
 *       been seen to touch the same at a point that is still before it, by the static future of
 *       where it stands and of the calls it stands in (lookahead.h)
 *   extendDynPointstoSet   what threads are about to touch, by point and thread
 *   inspectPreviousAccesses, markInterferingAction   when that grows, steps of the path that
 *       were taken alone become choices (persistent_set.h)
 *   exploreState   `states`, which stores choices only
 *
 * "Determinate" is a points-to set of one element; lines 42 to 47 ask the same of both kinds,
 * and so does a list.
 *
 * Deviations:
 *  - an object with a field is a range of bytes; synchronisation objects, threads and the end
 *    of the process are objects like others ("similar checks for all kinds of actions");
 *  - an access counts as soon as a thread stands before it, not only when it has run;
 *  - the sets belong to a point and a thread, and also know the locks that were held at every
 *    access: two accesses under one lock do not interfere, the operations on the lock do;
 *  - where the sets say that an access may come, the accesses that were seen to come from the
 *    other thread's local state decide (futures.h): in a loop over objects the point is always
 *    the same;
 *  - threads that wait for a lock that the current one holds, or for its end, do nothing before
 *    it moves, and so do those that wait for them;
 *  - any thread may go on alone, not only the one that has just moved;
 *  - what no other thread can reach does not interfere: only in `hybrid:hr`, as the paper has
 *    it; a pointer that is kept in disguise is not seen (reach.c), so that one claims nothing;
 *  - happens-before (line 57) is not used: the order of two accesses belongs to one path to a
 *    state, and nothing follows from it where the state is met again on another path;
 *  - one traversal is not enough where states form cycles (the proof of Theorem 1 takes it for
 *    granted that actions which should have been choices are on the current trace): then
 *    everything is traversed again with the sets as they are, until none has grown in that way;
 *    and a thread that goes on alone for long is stopped by a choice, so that no cycle of
 *    states leaves the others out. */
#include "explore/states/persistent_set.h"

#define MOST_BYTES 32768u /* of a range that is looked at byte by byte (persistent_set.c) */

static bool interferes(struct hd_persistent_set *s, const struct hd_explorer *ex, uint32_t thread,
                       const struct hd_tset *stuck)
{
    struct hd_action a = hd_explorer_outcome(ex, thread);
    struct hd_touch ranges[2];
    bool meets = false;
    for (int i = 0, n = hd_touches(&a, ranges); i < n && !meets; i++)
        meets = ranges[i].end - ranges[i].begin > MOST_BYTES ||
                hd_persistent_set_meets(s, &ranges[i], thread, stuck);
    return meets &&
           (!(ex->opt->filters & HD_FILTER_HYBRID_HR) || hd_lookahead_reached(ex, thread, &a)) &&
           hd_futures_meet(s->futures, thread, &a, hd_persistent_set_held(s, thread), stuck,
                           &s->relies);
}

static void *create(struct hd_explorer *ex)
{
    struct hd_persistent_set *s = hd_persistent_set_create(ex, sizeof *s);
    if (!s)
        return NULL;
    s->interferes = interferes;
    s->objects = true;
    return hd_persistent_set_keep_futures(s) ? s : NULL;
}

const struct hd_filter hd_filter_hybrid = HD_PERSISTENT_SET_FILTER(HYBRID, create);
const struct hd_filter hd_filter_hybrid_hr = HD_PERSISTENT_SET_FILTER(HYBRID_HR, create);
