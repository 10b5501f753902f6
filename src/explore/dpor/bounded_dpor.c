/* Bounded partial order reduction (Coons, Musuvathi, McKinley: Bounded Partial-Order Reduction,
 * OOPSLA 2013): DPOR that is complete within a bound: it finds everything that executions with
 * at most K preemptions can show.
 *
 * The execution that a reduction explores of a trace may have more preemptions than another of
 * the same trace.  So besides opening p where its next action races with an earlier event e, p
 * is opened where the block of e begins: the steps that its thread made one after the other,
 * whose ends cost no preemption.  There are no sleep sets: a sleeping thread was explored with
 * other preemptions.  A thread goes on as long as it can.
 *
 * Completeness: let S be a state, B the threads opened there, w = u.t1.v the rest of a complete
 * execution within the bound, t1 its first step of a thread t in B. Then w can begin with t:
 *
 *  - t was running and can go on, so that u begins with a preemption: t1.u.v costs no more,
 *    unless a step of u, or the next action of u's last thread, depends on t1.  S.t1.u costs no
 *    more than S.u, so the race was seen after S.t1, and opened a thread of u in S, or all: u
 *    is empty.
 *  - otherwise beginning with t costs what beginning with u does.  Let t1 … tk be the steps
 *    that t makes until it cannot go on; they were explored from S as one block.  If no step of
 *    u, and not the next action of u's last thread, depends on them, then as many of them as w
 *    has at once come before u, at no more cost.  If one does, S.t1…tk.u shows the race, and
 *    the block begins in S.
 *
 * That the next action of a thread depends on what lets it go on (an unlock, the end of a
 * thread that it joins) matters here: it is the difference between leaving it freely and
 * preempting it.  So races are looked for in the actions that are pending at every node, not
 * only in what happened.
 *
 * Deviations: conflicts are by byte and by read or write; pairs ordered by happens-before are
 * no races; a step that breaks the program, and the end of the process, race with all that is
 * pending; a block ends where its thread yields or sleeps, since it may be left freely there.
 *
 * The bound counts as reached when it keeps a race from being answered at its event.  If that
 * never happens all races have been answered as without a bound, and everything has been
 * explored. */
#include "explore/dpor/bounded_dpor.h"

#include "explore/dpor/pending_races.h"

/* Is the thread (~0u: any thread) not opened because of the bound? */
static bool beyond_bound(const struct hd_explorer *ex, uint32_t depth, uint32_t thread)
{
    const struct hd_node *node = &ex->path.nodes[depth];
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    for (uint32_t i = node->n_allowed; i < node->n_alts; i++)
        if (thread == ~0u || HD_STEP_THREAD(alts[i]) == thread)
            return true;
    return false;
}

static void open_at(struct hd_explorer *ex, uint32_t depth, uint32_t thread, bool at_event)
{
    bool could = hd_pending_open(ex, depth, thread);
    if (at_event && beyond_bound(ex, depth, could ? thread : ~0u))
        ex->cnt->dropped[HD_FILTER_INDEX_PREEMPTIONS] = 1;
}

static uint32_t thread_at(const struct hd_explorer *ex, uint32_t depth)
{
    return HD_STEP_THREAD(ex->path.steps[depth]);
}

/* The next action of `thread` races with event e. */
static void race(struct hd_explorer *ex, uint32_t e, uint32_t thread)
{
    open_at(ex, e, thread, true);
    for (uint32_t d = e;; d--) {
        bool first = d == 0 || thread_at(ex, d - 1) != thread_at(ex, d);
        if (d != e && (first || hd_path_left_freely(&ex->path, d)))
            open_at(ex, d, thread, false);
        if (first)
            return;
    }
}

uint32_t hd_bounded_dpor_admit(struct hd_dpor *d, struct hd_explorer *ex, uint32_t *alts,
                               uint32_t n)
{
    hd_pending_races(d, ex, HD_PENDING_ALL, race);
    return hd_pending_stay(ex, alts, n);
}

void hd_bounded_dpor_ended(struct hd_dpor *d, struct hd_explorer *ex,
                           const struct hd_finding *finding)
{
    hd_pending_races_of_end(d, ex, finding, HD_PENDING_ALL, race);
}
