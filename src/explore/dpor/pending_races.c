#include "explore/dpor/pending_races.h"

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

bool hd_pending_open(struct hd_explorer *ex, uint32_t depth, uint32_t thread)
{
    bool common = hd_split_is_common(ex, depth), could = can_move(ex, depth, thread);
    if (common)
        hd_split_enter(ex, depth);
    for (uint32_t t = could ? thread : 0; t < (could ? thread + 1 : HD_MAX_THREADS); t++)
        hd_explorer_add(ex, depth, t);
    if (common)
        hd_split_leave(ex, depth);
    return could;
}

static uint32_t thread_at(const struct hd_explorer *ex, uint32_t depth)
{
    return HD_STEP_THREAD(ex->path.steps[depth]);
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

static bool races(const struct hd_dpor *d, const struct hd_explorer *ex, uint32_t thread,
                  uint32_t e)
{
    return thread_at(ex, e) != thread && !knows(&d->hb, thread, e) &&
           conflict(&ex->world.config->next[thread], &ex->path.nodes[e].action);
}

/* Report the events [from, depth) that the thread's next action races with, newest first. */
static void look_back(const struct hd_dpor *d, struct hd_explorer *ex, uint32_t thread,
                      uint32_t from, enum hd_pending which, hd_pending_fn *race)
{
    for (uint32_t e = d->hb.depth; e-- > from;) {
        if (!races(d, ex, thread, e))
            continue;
        race(ex, hd_explorer_section_of(ex, e), thread);
        if (which == HD_PENDING_NEWEST)
            return;
    }
}

void hd_pending_races(const struct hd_dpor *d, struct hd_explorer *ex, enum hd_pending which,
                      hd_pending_fn *race)
{
    const struct hd_config *config = ex->world.config;
    if (d->hb.depth == 0)
        return;
    uint32_t last = d->hb.depth - 1, mover = thread_at(ex, last);
    uint16_t op = ex->path.nodes[last].action.op;
    bool others = hd_op_table[op].access == HD_ACCESS_ALL || hd_op_wakes_one((enum hd_op)op) ||
                  hd_op_wakes_all((enum hd_op)op); /* their actions may have changed, too */
    for (uint32_t t = 0; t < config->n_threads; t++)
        if (hd_tset_has(&config->live, t))
            look_back(d, ex, t, t == mover || others ? 0 : last, which, race);
}

void hd_pending_races_of_end(const struct hd_dpor *d, struct hd_explorer *ex,
                             const struct hd_finding *finding, enum hd_pending which,
                             hd_pending_fn *race)
{
    const struct hd_config *config = ex->world.config;
    if (d->hb.depth == 0)
        return;
    uint32_t last = d->hb.depth - 1;
    bool broken = finding && finding->kind != HD_KIND_DEADLOCK;
    if (!broken && ex->path.nodes[last].action.op != HD_OP_END) {
        hd_pending_races(d, ex, which, race); /* a deadlock: no node follows the last step */
        return;
    }
    for (uint32_t t = 0; t < config->n_threads; t++)
        if (hd_tset_has(&config->live, t) && t != thread_at(ex, last))
            race(ex, hd_explorer_section_of(ex, last), t);
}

uint32_t hd_pending_stay(const struct hd_explorer *ex, uint32_t *alts, uint32_t n)
{
    uint32_t last = ex->world.config->last, begin = 0, end;
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
