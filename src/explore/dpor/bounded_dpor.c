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

#include "core/dependence.h"
#include "core/enabled.h"
#include "explore/jobs/split.h"

#include <string.h>

static bool can_move(const struct hd_explorer *ex, uint32_t depth, uint32_t thread)
{
    const uint32_t *alts = hd_path_alts(&ex->path, depth);
    for (uint32_t i = 0; i < ex->path.nodes[depth].n_alts; i++)
        if (HD_STEP_THREAD(alts[i]) == thread)
            return true;
    return false;
}

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

/* Open the thread at the node, or all threads if it could not move there. */
static void open_at(struct hd_explorer *ex, uint32_t depth, uint32_t thread, bool at_event)
{
    bool common = hd_split_is_common(ex, depth), could = can_move(ex, depth, thread);
    if (common)
        hd_split_enter(ex, depth);
    for (uint32_t t = could ? thread : 0; t < (could ? thread + 1 : HD_MAX_THREADS); t++)
        hd_explorer_add(ex, depth, t);
    if (common)
        hd_split_leave(ex, depth);
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
    e = hd_explorer_section_of(ex, e); /* no thread can interrupt an atomic section */
    open_at(ex, e, thread, true);
    for (uint32_t d = e;; d--) {
        bool first = d == 0 || thread_at(ex, d - 1) != thread_at(ex, d);
        if (d != e && (first || hd_path_left_freely(&ex->path, d)))
            open_at(ex, d, thread, false);
        if (first)
            return;
    }
}

/* Does the order of the pending action and the event matter? */
static bool conflict(const struct hd_action *pending, const struct hd_action *event)
{
    bool all = hd_op_table[event->op].access == HD_ACCESS_ALL; /* a start comes after it, too */
    if (!all &&
        (pending->op == HD_OP_START || (pending->op == HD_OP_JOIN && event->op == HD_OP_START)))
        return false; /* a thread is created before it starts, and starts before it is joined */
    return hd_action_dependent(pending, event);
}

static bool knows(const struct hd_hb *hb, uint32_t thread, uint32_t event)
{
    uint32_t last = hb->last[thread], wake = hb->wake[thread];
    return (last != HD_NO_EVENT && hd_hb_before(hb, event, last)) ||
           (wake != HD_NO_EVENT && hd_hb_before(hb, event, wake));
}

static void look_at(const struct hd_dpor *d, struct hd_explorer *ex, uint32_t thread, uint32_t e)
{
    if (thread_at(ex, e) != thread && !knows(&d->hb, thread, e) &&
        conflict(&ex->world.config->next[thread], &ex->path.nodes[e].action))
        race(ex, e, thread);
}

/* Answer the races between pending actions and events that are new since the last step. */
static void new_pairs(const struct hd_dpor *d, struct hd_explorer *ex)
{
    const struct hd_config *config = ex->world.config;
    uint32_t last = d->hb.depth - 1, mover = thread_at(ex, last);
    uint16_t op = ex->path.nodes[last].action.op;
    bool others = hd_op_table[op].access == HD_ACCESS_ALL || hd_op_wakes_one((enum hd_op)op) ||
                  hd_op_wakes_all((enum hd_op)op); /* their actions may have changed, too */
    for (uint32_t t = 0; t < config->n_threads; t++) {
        if (!hd_tset_has(&config->live, t))
            continue;
        for (uint32_t e = t == mover || others ? 0 : last; e <= last; e++)
            look_at(d, ex, t, e);
    }
}

uint32_t hd_bounded_dpor_admit(struct hd_dpor *d, struct hd_explorer *ex, uint32_t *alts,
                               uint32_t n)
{
    uint32_t last = ex->world.config->last, begin = 0, end;
    if (d->hb.depth)
        new_pairs(d, ex);
    while (begin < n && HD_STEP_THREAD(alts[begin]) != last)
        begin++;
    begin = begin < n ? begin : 0;
    for (end = begin; end < n && HD_STEP_THREAD(alts[end]) == HD_STEP_THREAD(alts[begin]);)
        end++;
    for (uint32_t i = begin; begin && i < end;
         i++) { /* to the front; the others keep their order */
        uint32_t moved = alts[i];
        memmove(alts + i - begin + 1, alts + i - begin, begin * sizeof *alts);
        alts[i - begin] = moved;
    }
    return end - begin;
}

void hd_bounded_dpor_ended(struct hd_dpor *d, struct hd_explorer *ex,
                           const struct hd_finding *finding)
{
    const struct hd_config *config = ex->world.config;
    if (d->hb.depth == 0)
        return;
    uint32_t last = d->hb.depth - 1;
    bool broken = finding && finding->kind != HD_KIND_DEADLOCK;
    if (!broken && ex->path.nodes[last].action.op != HD_OP_END) {
        new_pairs(d, ex); /* a deadlock: there is no node after the last step */
        return;
    }
    for (uint32_t t = 0; t < config->n_threads; t++)
        if (hd_tset_has(&config->live, t) && t != thread_at(ex, last))
            race(ex, last, t);
}
