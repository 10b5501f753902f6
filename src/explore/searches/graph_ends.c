/* How executions of the search over graphs end: threads that wait in loops, stand still, or
 * have broken the program. */
#include "explore/graph/reads_from.h"
#include "explore/searches/graph_inner.h"

bool hd_graph_is_event(const struct hd_graph_search *s, uint32_t depth)
{
    uint32_t low = 0, high = s->n_run;
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (s->run[middle].depth < depth)
            low = middle + 1;
        else
            high = middle;
    }
    return low < s->n_run && s->run[low].depth == depth;
}

uint32_t hd_graph_steps_since(const struct hd_explorer *ex, uint32_t thread)
{
    uint32_t n = 0;
    for (uint32_t d = ex->path.depth; d-- > 0;) {
        if (HD_STEP_THREAD(ex->path.steps[d]) != thread)
            continue;
        if (hd_graph_is_event(mine(ex), d))
            return n;
        n++;
    }
    return n;
}

uint32_t hd_explorer_weak_events(const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_graph *g = &mine(ex)->g;
    uint32_t n = thread < g->lanes ? g->by_thread[thread].n : 0;
    while (n && !hd_event_executed(g, g->by_thread[thread].events[n - 1]))
        n--;
    return n;
}

bool hd_explorer_weak_settled(const struct hd_explorer *ex, uint32_t thread, uint32_t from)
{
    const struct hd_graph *g = &mine(ex)->g;
    uint32_t n = hd_explorer_weak_events(ex, thread);
    for (uint32_t i = from; i < n; i++) {
        const struct hd_event *a = hd_event(g, g->by_thread[thread].events[i]);
        for (uint32_t k = i + 1; k < n && a->kind == HD_EVENT_LOAD; k++) {
            const struct hd_event *b = hd_event(g, g->by_thread[thread].events[k]);
            if (b->kind == HD_EVENT_LOAD && b->place == a->place && b->rf != a->rf)
                return false;
        }
    }
    return true;
}

/* Has the thread read an older store than the newest of a location in the turn that began with
 * its event `from`?  A store of the turn itself changes nothing. */
static bool read_older(const struct hd_graph *g, uint32_t thread, uint32_t from)
{
    for (uint32_t i = from; i < g->by_thread[thread].n; i++) {
        const struct hd_event *e = hd_event(g, g->by_thread[thread].events[i]);
        if (e->kind != HD_EVENT_LOAD || hd_reads_from_free(g, e->place) || hd_event_is_pass(e))
            continue;
        for (uint32_t w = hd_event(g, e->rf)->mo_next; w; w = hd_event(g, w)->mo_next)
            if (hd_event(g, w)->thread != thread || hd_event(g, w)->index < from)
                return true;
    }
    return false;
}

/* Has the newest attempt at the object failed in a state that is past?  The thread may have
 * slept since. */
static bool tried_older(const struct hd_graph *g, uint32_t thread, const struct hd_action *await)
{
    const struct hd_graph_thread *t = &g->by_thread[thread];
    for (uint32_t i = t->n; i-- > 0;) {
        const struct hd_event *e = hd_event(g, t->events[i]);
        if (e->kind == HD_EVENT_LOAD && e->action.object == await->object)
            return hd_event(g, e->rf)->mo_next != 0;
    }
    return false;
}

/* Does the thread wait at a cancellation point, and has it been cancelled in the meantime? */
static bool missed_cancellation(const struct hd_explorer *ex, uint32_t thread)
{
    const struct hd_graph *g = &mine(ex)->g;
    const struct hd_graph_thread *t = &g->by_thread[thread];
    uint32_t n = t->n;
    if (n && hd_event(g, t->events[n - 1])->blocked)
        n--;
    while (n && hd_event_is_pass(hd_event(g, t->events[n - 1])))
        n--;
    const struct hd_event *e = hd_event(g, n ? t->events[n - 1] : 0);
    return e->action.op == HD_OP_CANCEL_POINT && e->action.size &&
           ex->world.config->next[thread].op != HD_OP_RELOCK &&
           hd_event(g, g->places[e->place].last)->value[0];
}

/* With reads-from equivalence the newest store of a variable depends on the witness.  The
 * stores that the thread has read in the turn are to be the newest ones. */
static void hold(struct hd_graph *g, uint32_t thread, uint32_t from)
{
    for (uint32_t i = from; i < g->by_thread[thread].n; i++) {
        const struct hd_event *e = hd_event(g, g->by_thread[thread].events[i]);
        if (e->kind == HD_EVENT_LOAD && hd_reads_from_free(g, e->place))
            hd_reads_from_hold(g, e->rf);
    }
}

/* Is there no witness in which all threads that wait have read the newest stores? */
static bool goes_on(struct hd_explorer *ex)
{
    struct hd_graph *g = &mine(ex)->g;
    const struct hd_config *config = ex->world.config;
    if (!g->reads_from)
        return false;
    hd_reads_from_let_go(g);
    for (uint64_t w = config->live.w[0]; w; w &= w - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(w), id = hd_graph_newest(g, t);
        if (id && hd_event(g, id)->returns)
            hold(g, t, hd_event(g, id)->returns - 1);
        if (config->next[t].op == HD_OP_AWAIT)
            hold(g, t, config->next[t].size2);
    }
    return !hd_reads_from_adopt(g);
}

bool hd_graph_is_redundant(struct hd_explorer *ex)
{
    const struct hd_graph *g = &mine(ex)->g;
    const struct hd_config *config = ex->world.config;
    if ((ex->opt->no_livelocks && hd_graph_turns(ex)) || goes_on(ex))
        return true;
    for (uint64_t w = config->live.w[0]; w; w &= w - 1) {
        uint32_t t = (uint32_t)__builtin_ctzll(w), id = hd_graph_newest(g, t);
        const struct hd_event *e = hd_event(g, id);
        const struct hd_action *a = &config->next[t];
        if (id && e->blocked && !e->breaks && e->rf != g->places[e->place].last)
            return true;
        if (id && e->returns && read_older(g, t, e->returns - 1))
            return true;
        if (id && missed_cancellation(ex, t))
            return true;
        if (id && g->looks && ex->world.is_signalled(ex->world.self, t) && !e->breaks &&
            a->op != HD_OP_ASSUME)
            return true;
        if (a->op == HD_OP_AWAIT && read_older(g, t, a->size2))
            return true;
        if (a->op == HD_OP_AWAIT_SYNC && tried_older(g, t, a))
            return true;
    }
    return false;
}

bool hd_graph_has_broken(const struct hd_explorer *ex)
{
    const struct hd_graph *g = &mine(ex)->g;
    for (uint32_t t = 0; t < g->lanes; t++)
        if (g->by_thread[t].n && hd_event_is_broken(hd_event(g, hd_graph_newest(g, t))))
            return true;
    return false;
}
