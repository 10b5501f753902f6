/* What happens before the steps of a path, by the clocks of the graph: for data races
 * (explore/order/access_order.h).
 *
 * The graph's clocks are those of the happens-before that sync_order.h defines, as far as it
 * is asked here:
 *  - accesses of memory, fences, the creation, start and joining of threads, mutexes,
 *    spinlocks and semaphores.  Where anything else has run, they are not asked.
 *  - The end of a thread is no event: what happens after a join comes after all that the
 *    thread did, also after its last event (hd_search_once).
 *  - Under sequential consistency fences are no events (hd_explorer_fence): then they are not
 *    asked.  Nor are they where the graph orders more or less (hd_graph_search.other_order). */
#include "explore/searches/graph_inner.h"

void hd_graph_list_ordered_ops(struct hd_graph_search *s)
{
    static const struct {
        uint8_t op, steps;
    } ops[] = {
        { HD_OP_READ, HD_STEPS_PLAIN },         { HD_OP_WRITE, HD_STEPS_PLAIN },
        { HD_OP_FREE, HD_STEPS_PLAIN },         { HD_OP_COPY, HD_STEPS_PLAIN },
        { HD_OP_ATOMIC_READ, HD_STEPS_ATOMIC }, { HD_OP_ATOMIC_WRITE, HD_STEPS_ATOMIC },
        { HD_OP_RMW, HD_STEPS_ATOMIC },         { HD_OP_CAS, HD_STEPS_ATOMIC },
        { HD_OP_CAS_FAIL, HD_STEPS_ATOMIC },    { HD_OP_EXIT, HD_STEPS_END },
        { HD_OP_AWAIT, HD_STEPS_NONE },         { HD_OP_AWAIT_SYNC, HD_STEPS_NONE },
        { HD_OP_FENCE, HD_STEPS_NONE },         { HD_OP_CREATE, HD_STEPS_NONE },
        { HD_OP_START, HD_STEPS_NONE },         { HD_OP_JOIN, HD_STEPS_NONE },
        { HD_OP_MUTEX_INIT, HD_STEPS_NONE },    { HD_OP_MUTEX_DESTROY, HD_STEPS_NONE },
        { HD_OP_LOCK, HD_STEPS_NONE },          { HD_OP_UNLOCK, HD_STEPS_NONE },
        { HD_OP_TRYLOCK, HD_STEPS_NONE },       { HD_OP_TRYLOCK_FAIL, HD_STEPS_NONE },
        { HD_OP_SPIN_LOCK, HD_STEPS_NONE },     { HD_OP_SPIN_UNLOCK, HD_STEPS_NONE },
        { HD_OP_SPIN_TRYLOCK, HD_STEPS_NONE },  { HD_OP_SPIN_TRYLOCK_FAIL, HD_STEPS_NONE },
        { HD_OP_SEM_WAIT, HD_STEPS_NONE },      { HD_OP_SEM_POST, HD_STEPS_NONE },
        { HD_OP_SEM_TRYWAIT, HD_STEPS_NONE },   { HD_OP_SEM_TRYWAIT_FAIL, HD_STEPS_NONE },
        { HD_OP_YIELD, HD_STEPS_NONE },         { HD_OP_CHOOSE, HD_STEPS_NONE },
        { HD_OP_FAULT_MALLOC, HD_STEPS_NONE },
    };
    for (uint32_t i = 0; i < sizeof ops / sizeof *ops; i++)
        s->ordered_op[ops[i].op] = ops[i].steps;
}

/* A join writes the thread's result: then it is made an event. */
static void enter_joins(struct hd_explorer *ex)
{
    for (uint32_t d = mine(ex)->joining; d && d <= ex->path.depth; d++)
        if (ex->path.nodes[d - 1].action.object2) {
            hd_graph_enter_joins(ex);
            return;
        }
}

enum hd_weak_order hd_explorer_weak_order(struct hd_explorer *ex, uint32_t from,
                                          const uint8_t **ops, uint32_t *at)
{
    struct hd_graph_search *s = mine(ex);
    if (s->g.ends || s->g.joins || s->other_order || s->sample)
        return HD_WEAK_ORDER_NEVER;
    if (s->joining)
        enter_joins(ex);
    if (s->dirty < s->n_run) /* the graph is another one already */
        return HD_WEAK_ORDER_NOT_NOW;
    uint32_t run = s->n_run;
    while (run && s->run[run - 1].depth >= from)
        run--;
    *at = run;
    *ops = s->ordered_op;
    return HD_WEAK_ORDER_KNOWN;
}

/* The last event of the step that the event stands for. */
static uint32_t last_of_step(const struct hd_graph *g, uint32_t id)
{
    const struct hd_graph_thread *t = &g->by_thread[hd_event(g, id)->thread];
    uint32_t i = hd_event(g, id)->index;
    while (i + 1 < t->n && hd_event(g, t->events[i + 1])->attached)
        i++;
    return t->events[i];
}

const uint16_t *hd_explorer_weak_clock(const struct hd_explorer *ex, uint32_t depth, uint32_t *at,
                                       uint32_t *place)
{
    static const hd_count nothing[HD_MAX_THREADS];
    const struct hd_graph_search *s = mine(ex);
    const struct hd_graph *g = &s->g;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]), run = *at;
    while (run < s->n_run && s->run[run].depth < depth)
        run++;
    *at = run;
    if (run < s->n_run && s->run[run].depth == depth) {
        *place = hd_event(g, s->run[run].event)->index;
        return hd_clock(g, s->run[run].event, HD_CLOCK_HB);
    }
    while (run && hd_event(g, s->run[run - 1].event)->thread != thread)
        run--;
    if (!run) {
        *place = 0;
        return nothing;
    }
    uint32_t before = last_of_step(g, s->run[run - 1].event);
    *place = hd_event(g, before)->index + 1;
    return hd_clock(g, before, HD_CLOCK_HB);
}
