/* A bound on polling.
 *
 *   while (!ready) {                    a turn reads and lets time pass: it sleeps or waits
 *       deadline(&at);                  with a time limit that runs out
 *       pthread_cond_timedwait(&c, &m, &at);
 *   }
 *
 * The time may run out any number of times before another thread moves, so such a loop has
 * executions of any length.  Some of these loops are known to return to the same state and are
 * waits (await.c).  In the others a thread may make options.polls turns in a row; then it waits
 * as if time stood still: for the signal, the lock, the bytes, and a sleep never ends.  Only
 * the thread's own steps count, so that equivalent executions agree.
 *
 * A turn ends with progress when the thread does anything but look: it writes what others may
 * see, wakes a thread, or gets what it waited for.
 *
 * Nothing is claimed about the executions that are left out; the report names the lines.  If in
 * the end no thread can move, and one of them waits there although its time limit would have
 * run out, the execution is cut and is no deadlock (hd_polls_cut). */
#include "runtime/fork.h"
#include "runtime/rt.h"

/* Searches over states need no bound: they end where a loop returns to a state.  A run that is
 * replayed and ends with such a cycle must not be stopped in it. */
static uint32_t most_turns(void)
{
    uint32_t others = HD_FILTER_STATES | HD_FILTER_DPOR_STATES | HD_FILTER_LOCAL_CYCLE;
    const struct hd_options *o = rt->shared ? &rt->shared->options : NULL;
    bool bounds = o && !(o->filters & others) && o->leads_to != HD_LEADS_TO_CYCLE;
    return bounds && !rt->in_invariant ? o->polls : 0;
}

/* For the report. */
static void note_site(uint32_t site)
{
    uint32_t *list = rt->shared->cnt.polled, i = 0;
    while (i < 4 && list[i] && list[i] != site)
        i++;
    if (i < 4)
        list[i] = site ? site : ~0u;
}

static void set_turns(struct hd_thread *t, uint32_t turns)
{
    if (rt->row) /* its next join is to be noted (hd_polls_note) */
        hd_engine_row_over();
    HD_SET(t->turns, turns);
    hd_log_word(&model->polling.w[rt->cur >> 6]);
    if (turns)
        hd_tset_add(&model->polling, rt->cur);
    else
        hd_tset_del(&model->polling, rt->cur);
}

bool hd_polls_too_long(uint32_t site)
{
    struct hd_thread *t = hd_thread_now();
    uint32_t most = most_turns();
    if (most == 0 || rt->solo_fast)
        return false;
    if (t->turns < most) {
        set_turns(t, t->turns + 1);
        return false;
    }
    note_site(site);
    HD_SET(t->gave_up, 1);
    return true;
}

void hd_polls_waited(void)
{
    if (hd_thread_now()->gave_up)
        HD_SET(hd_thread_now()->gave_up, 0);
}

void hd_polls_got_on(void)
{
    struct hd_thread *t = hd_thread_now();
    if (t->turns)
        set_turns(t, 0);
    hd_polls_waited();
}

void hd_polls_stop(uint32_t site)
{
    hd_set_enabled(rt->cur, false);
    hd_act_full(HD_OP_BLOCKED, NULL, NULL, 0, site, 1);
    hd_fatal("internal error: a thread that has been stopped goes on");
}

static bool own_stack(const struct hd_action *a)
{
    const struct hd_fiber *f = &rt->fibers[rt->cur];
    return a->object < f->top && a->object >= f->top - f->bytes;
}

/* Is the action one without progress? */
static bool looks(const struct hd_action *a)
{
    bool stores = a->op == HD_OP_WRITE || a->op == HD_OP_ATOMIC_WRITE || a->op == HD_OP_COPY;
    return hd_op_has((enum hd_op)a->op, HD_OPTRAIT_LOOKS) || (stores && own_stack(a));
}

/* A loop that is known to wait (await.c) goes on when there is something new. */
void hd_polls_note(void)
{
    if (!hd_thread_now()->gave_up && !looks(hd_next_now()))
        hd_polls_got_on();
}

bool hd_polls_cut(void *self)
{
    (void)self;
    if (hd_fork_has_child()) /* it may be the one to end the wait */
        return true;
    for (uint32_t t = 0; t < rt->config.n_threads; t++)
        if (hd_tset_has(&rt->config.live, t) && model->threads[t].gave_up &&
            rt->next[t].op != HD_OP_RELOCK)
            return true;
    return false;
}
