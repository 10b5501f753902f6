/* Futexes under RC11 and TSO (docs/design/019-graph.md).
 *
 * The operations on a futex have a total order, in which the kernel takes its lock: the
 * order of modification of the set of threads that sleep.  A wait loads the word in it, too.
 * So the load must not read a store that is older than one which happens before an earlier
 * operation, or than one which such an operation has read.  Nothing else is ordered: the
 * release clocks of the set are what the operations knew, and nobody acquires them.
 *
 * The load is an event before the thread's entry into the set.  It reads what coherence
 * allows; then the entry finds a place before the operations that know of a newer store.  A
 * wait that does not sleep has no entry.  It comes after the operations that are before it in
 * po and rf, and there is always a place for it directly behind the last of them.
 *
 * Under TSO the calls are barriers, and the operation before a wait that sleeps is before its
 * load, because the kernel has released its lock in between (model_tso.c).  A wait that does
 * not sleep has a place wherever its load stands in the order of all accesses. */
#include "explore/graph/graph.h"

/* What the operations knew that come before the store of the set, or made it. */
static const hd_count *known_at(const struct hd_graph *g, uint32_t store)
{
    static const hd_count nothing[HD_MAX_THREADS];
    return hd_event(g, store)->releases ? hd_clock(g, store, HD_CLOCK_RELEASE) : nothing;
}

/* Does the load read an older store than one that is in the clock? */
static bool is_older(const struct hd_graph *g, uint32_t load, const hd_count *known)
{
    uint32_t w = hd_event(g, hd_event(g, load)->rf)->mo_next;
    while (w && !hd_graph_knows(g, known, w))
        w = hd_event(g, w)->mo_next;
    return w != 0;
}

static uint32_t load_of(const struct hd_graph *g, const struct hd_event *entry)
{
    const struct hd_graph_thread *t = &g->by_thread[entry->thread];
    uint32_t i = entry->index - 1;
    while (i && hd_event(g, t->events[i])->action.op != HD_OP_FUTEX_READ)
        i--;
    return t->events[i];
}

uint32_t hd_futex_previous(const struct hd_graph *g, const struct hd_event *load)
{
    const struct hd_graph_thread *t = &g->by_thread[load->thread];
    if (load->action.op != HD_OP_FUTEX_READ || load->index + 1 >= t->n)
        return 0;
    const struct hd_event *e = hd_event(g, t->events[load->index + 1]);
    bool enters = e->action.op == HD_OP_FUTEX_SLEEP || e->action.op == HD_OP_FUTEX_TIMEDSLEEP;
    return enters ? e->rf : 0;
}

static bool load_missed(const struct hd_graph *g, uint32_t load)
{
    uint32_t set = hd_graph_find(g, hd_event(g, load)->action.object, HD_SPACE_SYNC);
    uint32_t w = g->places[set].last;
    while (w && !hd_clock_has(g, hd_clock(g, load, HD_CLOCK_PORF), w))
        w = hd_event(g, w)->mo_prev;
    return set && is_older(g, load, known_at(g, w));
}

bool hd_futex_missed(const struct hd_graph *g, uint32_t event)
{
    const struct hd_event *e = hd_event(g, event);
    if (e->kind != HD_EVENT_LOAD || !e->index)
        return false;
    switch (e->action.op) {
    case HD_OP_FUTEX_READ:
        return g->model == HD_MEMORY_RC11 && load_missed(g, event);
    case HD_OP_FUTEX_SLEEP:
    case HD_OP_FUTEX_TIMEDSLEEP:
        return g->model == HD_MEMORY_TSO ? hd_model_tso_before(g, load_of(g, e), e->rf)
                                         : is_older(g, load_of(g, e), known_at(g, e->rf));
    default:
        return false;
    }
}

uint32_t hd_futex_oldest_now(const struct hd_graph *g, uint32_t load)
{
    struct hd_event *e = hd_event(g, load);
    uint32_t set = e->action.op == HD_OP_FUTEX_READ
                       ? hd_graph_find(g, e->action.object, HD_SPACE_SYNC)
                       : 0;
    if (set && g->model == HD_MEMORY_TSO)
        e->after = g->places[set].last;
    uint32_t oldest = hd_graph_oldest(g, load), w = g->places[e->place].last;
    if (!set || g->model == HD_MEMORY_TSO) {
        e->after = 0;
        return oldest;
    }
    while (w != oldest && !hd_graph_knows(g, known_at(g, g->places[set].last), w))
        w = hd_event(g, w)->mo_prev;
    return w;
}
