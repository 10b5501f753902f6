/* Guided replay: near a given schedule, with orders of steps forced.
 *
 * A thread is held while its next step is the later half of an order whose earlier half has not
 * been done.  Entries of the script that cannot run are postponed, so that a schedule from
 * which steps were removed, or into which an order was forced, can still be run.  The log says
 * what really happened. */
#include "runtime/rt.h"

#define LONGEST_STAY                                                                             \
    200 /* steps of one thread without guidance: it may wait for another in a loop */

static bool held(uint32_t thread)
{
    const struct hd_options *opt = &rt->shared->options;
    for (uint32_t i = 0; i < opt->n_orders; i++) {
        const struct hd_order *o = &opt->orders[i];
        if (o->then_thread == thread && rt->n_done[thread] == o->then_step &&
            rt->n_done[o->first_thread] <= o->first_step)
            return true;
    }
    return false;
}

static bool can_go(uint32_t thread)
{
    return thread < rt->config.n_threads && hd_tset_has(&rt->config.live, thread) &&
           hd_tset_has(&rt->config.enabled, thread) && !held(thread);
}

/* The first entry of the thread that is left; the length of the script if there is none.  The
 * entries of a thread are done in their order, so what was passed is not looked at again. */
static uint32_t entry_of(uint32_t thread)
{
    const struct hd_worker_memory *shared = rt->shared;
    uint32_t n = shared->options.n_script, i = rt->entry_of[thread];
    while (i < n &&
           (shared->script[i].thread != thread || shared->script[i].flags & HD_STEP_DONE))
        i++;
    rt->entry_of[thread] = i;
    return i;
}

/* The first entry that can run; NULL if there is none. */
static struct hd_step *scripted(void)
{
    struct hd_worker_memory *shared = rt->shared;
    uint32_t n = shared->options.n_script, first = n;
    while (rt->n_consumed < n && shared->script[rt->n_consumed].flags & HD_STEP_DONE)
        rt->n_consumed++;
    for (uint32_t t = 0; t < rt->config.n_threads; t++) {
        uint32_t entry = entry_of(t);
        if (entry < first && can_go(t))
            first = entry;
    }
    return first < n ? &shared->script[first] : NULL;
}

/* The thread that goes on where the guide has no entry; ~0u when all enabled ones are held. */
static uint32_t by_itself(void)
{
    uint32_t last = rt->config.last, n = rt->config.n_threads;
    enum hd_guide guide = (enum hd_guide)rt->shared->options.script_guide;
    uint16_t op = rt->n_log ? rt->shared->log[rt->n_log - 1].op : HD_OP_NONE;
    bool leaves = hd_op_pauses((enum hd_op)op) || rt->stayed >= LONGEST_STAY;
    if (guide == HD_GUIDE_STAY && !leaves && can_go(last))
        return last;
    for (uint32_t i = 1; i <= n; i++) {
        uint32_t thread = guide == HD_GUIDE_YOUNGEST ? n - i : (last + i) % n;
        if (can_go(thread) && !(leaves && thread == last))
            return thread;
    }
    return can_go(last) ? last : ~0u;
}

struct hd_decision hd_guide_decide(void)
{
    struct hd_step *entry = scripted();
    uint32_t thread = entry ? entry->thread : by_itself();
    if (thread == ~0u)
        hd_replay_stop(HD_REPLAY_HELD);
    uint32_t choice = entry && entry->choice < rt->next[thread].choices ? entry->choice : 0;
    if (entry)
        entry->flags |= HD_STEP_DONE;
    rt->stayed = thread == rt->config.last ? rt->stayed + 1 : 0;
    return hd_replay_step(thread, choice, 0);
}
