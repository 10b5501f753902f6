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
 * If threads may move from one futex to another, all futexes are one object: a requeue changes
 * two sets at once.  Its order of modification is one of the total orders that keep the order
 * of each futex.  What holds for a wait is said of the operations on its futex only, and what
 * is before a load does not follow from that order (newest_before).
 *
 * Under TSO the calls are barriers, and the operation before a wait that sleeps is before its
 * load, because the kernel has released its lock in between (model_tso.c).  A wait that does
 * not sleep has a place wherever its load stands in the order of all accesses.  There the order
 * of one object is that in which the machine does the operations, so nothing is said apart. */
#include "explore/graph/graph.h"

/* What the operations knew that come before the store of the set, or made it. */
static const hd_count *known_at(const struct hd_graph *g, uint32_t store)
{
    static const hd_count nothing[HD_MAX_THREADS];
    return hd_event(g, store)->releases ? hd_clock(g, store, HD_CLOCK_RELEASE) : nothing;
}

/* Is the store an operation on the futex? */
static bool is_on(const struct hd_graph *g, uint32_t store, uint64_t word)
{
    const struct hd_action *a = &hd_event(g, store)->action;
    return a->object == word || (a->op == HD_OP_FUTEX_MOVE && a->object2 == word);
}

static bool is_initial(const struct hd_graph *g, uint32_t store)
{
    return hd_event(g, store)->thread == HD_MAX_THREADS;
}

/* The newest operation on the futex that is not newer than the store of the set. */
static uint32_t newest_on(const struct hd_graph *g, uint32_t store, uint64_t word)
{
    while (!is_initial(g, store) && !is_on(g, store, word))
        store = hd_event(g, store)->mo_prev;
    return store;
}

/* Do the operations on the futex, up to the one that made the store of the set, know of the
 * store w of the word? */
static bool is_known(const struct hd_graph *g, uint64_t word, uint32_t store, uint32_t w)
{
    if (!g->requeues)
        return hd_graph_knows(g, known_at(g, store), w);
    for (; !is_initial(g, store); store = hd_event(g, store)->mo_prev)
        if (is_on(g, store, word) && hd_op_futex((enum hd_op)hd_event(g, store)->action.op) &&
            hd_graph_knows(g, hd_clock(g, store, HD_CLOCK_HB), w))
            return true;
    return false;
}

/* Does the load read an older store than one that these operations know of? */
static bool is_older(const struct hd_graph *g, uint32_t load, uint32_t store)
{
    const struct hd_event *e = hd_event(g, load);
    uint32_t w = hd_event(g, e->rf)->mo_next;
    while (w && !is_known(g, e->action.object, store, w))
        w = hd_event(g, w)->mo_next;
    return w != 0;
}

/* The events of each thread that are before a load in po, rf and the orders of the futexes. */
struct before {
    const struct hd_graph *g;
    uint32_t set; /* the place of all futexes */
    hd_count n[HD_MAX_THREADS], seen[HD_MAX_THREADS];
};

static void add(struct before *b, uint32_t id)
{
    const struct hd_event *e = hd_event(b->g, id);
    if (id && e->thread != HD_MAX_THREADS && b->n[e->thread] <= e->index)
        b->n[e->thread] = (hd_count)(e->index + 1);
}

/* What is directly before the event.  Operations on different futexes are in one chain, which
 * orders nothing. */
static void add_before(struct before *b, uint32_t id)
{
    const struct hd_event *e = hd_event(b->g, id);
    const hd_count *porf = hd_clock(b->g, id, HD_CLOCK_PORF);
    add(b, e->after);
    if (e->kind == HD_EVENT_LOAD && e->place == b->set) {
        add(b, newest_on(b->g, e->rf, e->action.object));
        if (e->action.op == HD_OP_FUTEX_MOVE)
            add(b, newest_on(b->g, e->rf, e->action.object2));
    } else if (e->kind != HD_EVENT_STORE) {
        add(b, e->rf);
    }
    if (e->action.op == HD_OP_EXIT || e->action.op == HD_OP_NONE) /* all others have ended */
        for (uint32_t t = 0; t < b->g->used; t++)
            b->n[t] = porf[t] > b->n[t] ? porf[t] : b->n[t];
}

/* The newest operation on the futex that is before the load, as a store of the set. */
static uint32_t newest_before(const struct hd_graph *g, uint32_t load, uint32_t set)
{
    const struct hd_event *e = hd_event(g, load);
    struct before b = { .g = g, .set = set };
    b.n[e->thread] = (hd_count)e->index;
    add(&b, e->rf);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t t = 0; t < g->used; t++)
            for (; b.seen[t] < b.n[t]; b.seen[t]++, more = true)
                add_before(&b, g->by_thread[t].events[b.seen[t]]);
    }
    uint32_t w = newest_on(g, g->places[set].last, e->action.object);
    while (!is_initial(g, w) && b.n[hd_event(g, w)->thread] <= hd_event(g, w)->index)
        w = newest_on(g, hd_event(g, w)->mo_prev, e->action.object);
    return w;
}

uint32_t hd_futex_entry(const struct hd_graph *g, uint32_t thread, uint32_t store)
{
    while (hd_event(g, store)->thread != thread)
        store = hd_event(g, store)->mo_prev;
    return store;
}

uint64_t hd_futex_of_sleeper(const struct hd_graph *g, uint32_t thread, uint32_t store)
{
    uint32_t w = hd_futex_entry(g, thread, store);
    uint64_t word = hd_event(g, w)->action.object;
    while (w != store) {
        w = hd_event(g, w)->mo_next;
        const struct hd_action *a = &hd_event(g, w)->action;
        if (a->op == HD_OP_FUTEX_MOVE && a->object == word)
            word = a->object2;
    }
    return word;
}

static uint32_t load_of(const struct hd_graph *g, const struct hd_event *entry)
{
    const struct hd_graph_thread *t = &g->by_thread[entry->thread];
    uint32_t i = entry->index - 1;
    while (i && hd_event(g, t->events[i])->action.op != HD_OP_FUTEX_READ)
        i--;
    return t->events[i];
}

/* Is it a requeue that has loaded the word before? */
static bool compares(const struct hd_event *e)
{
    return e->action.op == HD_OP_FUTEX_MOVE && e->expected[1] & HD_MOVE_COMPARES;
}

uint32_t hd_futex_previous(const struct hd_graph *g, const struct hd_event *load)
{
    const struct hd_graph_thread *t = &g->by_thread[load->thread];
    if (load->action.op != HD_OP_FUTEX_READ || load->index + 1 >= t->n)
        return 0;
    const struct hd_event *e = hd_event(g, t->events[load->index + 1]);
    bool enters = e->action.op == HD_OP_FUTEX_SLEEP || e->action.op == HD_OP_FUTEX_TIMEDSLEEP;
    return enters || compares(e) ? e->rf : 0;
}

static bool load_missed(const struct hd_graph *g, uint32_t load)
{
    uint64_t word = hd_event(g, load)->action.object;
    uint32_t set = hd_graph_find(g, hd_futex_object(g, word), HD_SPACE_SYNC);
    uint32_t w = g->places[set].last;
    if (!set)
        return false;
    if (g->requeues)
        w = newest_before(g, load, set);
    while (!g->requeues && w && !hd_clock_has(g, hd_clock(g, load, HD_CLOCK_PORF), w))
        w = hd_event(g, w)->mo_prev;
    return is_older(g, load, w);
}

bool hd_futex_missed(const struct hd_graph *g, uint32_t event)
{
    const struct hd_event *e = hd_event(g, event);
    if (e->kind != HD_EVENT_LOAD || !e->index)
        return false;
    switch (e->action.op) {
    case HD_OP_FUTEX_READ:
        return g->model == HD_MEMORY_RC11 && load_missed(g, event);
    case HD_OP_FUTEX_MOVE:
        if (!compares(e))
            return false;
        /* fall through */
    case HD_OP_FUTEX_SLEEP:
    case HD_OP_FUTEX_TIMEDSLEEP:
        return g->model == HD_MEMORY_TSO ? hd_model_tso_before(g, load_of(g, e), e->rf)
                                         : is_older(g, load_of(g, e), e->rf);
    default:
        return false;
    }
}

uint32_t hd_futex_oldest_now(const struct hd_graph *g, uint32_t load)
{
    struct hd_event *e = hd_event(g, load);
    uint32_t set = e->action.op == HD_OP_FUTEX_READ
                       ? hd_graph_find(g, hd_futex_object(g, e->action.object), HD_SPACE_SYNC)
                       : 0;
    if (set && g->model == HD_MEMORY_TSO)
        e->after = g->places[set].last;
    uint32_t oldest = hd_graph_oldest(g, load), w = g->places[e->place].last;
    if (!set || g->model == HD_MEMORY_TSO) {
        e->after = 0;
        return oldest;
    }
    while (w != oldest && !is_known(g, e->action.object, g->places[set].last, w))
        w = hd_event(g, w)->mo_prev;
    return w;
}
