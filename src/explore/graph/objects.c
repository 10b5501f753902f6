#include "explore/graph/objects.h"

#include "core/enabled.h"
#include "core/subset.h"

#include <stddef.h>

static enum hd_orders orders_of(enum hd_op op) { return (enum hd_orders)hd_op_table[op].orders; }

const char *hd_object_refusal(const struct hd_action *a)
{
    enum hd_op op = (enum hd_op)a->op;
    if (op == HD_OP_END || op == HD_OP_CHOOSE || op == HD_OP_EXIT || op == HD_OP_JOIN ||
        (hd_op_table[op].space == HD_SPACE_MEM && hd_op_atomic(op) && a->choices < 2))
        return NULL;
    if (op == HD_OP_CREATE && a->object >= 64)
        return "more than 64 threads";
    bool chooses = op == HD_OP_SIGNAL || op == HD_OP_ARRIVE || op == HD_OP_ALLOC;
    bool known = chooses || op == HD_OP_BROADCAST || op == HD_OP_WAIT || op == HD_OP_TIMEDWAIT ||
                 hd_op_futex(op);
    bool hard = hd_op_table[op].access == HD_ACCESS_ALL || hd_op_second_is_sync(op) ||
                (hd_op_reads_second(op) && hd_op_table[op].space == HD_SPACE_SYNC) ||
                hd_op_sleeps(op) || hd_op_wakes_one(op) || hd_op_wakes_all(op) ||
                (a->choices > 1 && hd_op_table[op].space);
    return !hard || known ? NULL : hd_op_table[op].text;
}

/* What the operation orders, as the memory order of a read-modify-write. */
static uint8_t order_of(enum hd_op op)
{
    switch (orders_of(op)) {
    case HD_ORDERS_BY_ACTION:
    case HD_ORDERS_NOTHING:
    case HD_ORDERS_RELEASE_SECOND: /* the second object has events of its own */
        return HD_ORDER_RELAXED;
    case HD_ORDERS_ACQUIRE:
    case HD_ORDERS_ACQUIRE_ALONE:
        return HD_ORDER_ACQUIRE;
    case HD_ORDERS_RELEASE:
    case HD_ORDERS_RELEASE_EITHER:
    case HD_ORDERS_RELEASE_ROUND:
        return HD_ORDER_RELEASE;
    case HD_ORDERS_BOTH:
    case HD_ORDERS_BOTH_ROUND:
        break;
    }
    return HD_ORDER_ACQUIRE | HD_ORDER_RELEASE;
}

static enum hd_op outcome_of(const struct hd_event *e, uint64_t state)
{
    if (e->action.op == HD_OP_WAKE) /* is the thread still entered? */
        return state >> e->thread & 1 ? HD_OP_TIMEOUT : HD_OP_WAKE;
    return hd_op_outcome((enum hd_op)e->action.op, e->action.size, state);
}

/* Does it release to those only who acquire from all: a reader's unlock to a writer, an arrival
 * to the last one of its round? */
static bool gathers(const struct hd_event *e, uint64_t state)
{
    switch (orders_of((enum hd_op)e->outcome)) {
    case HD_ORDERS_RELEASE_EITHER:
        return (uint16_t)state != e->thread + 1;
    case HD_ORDERS_RELEASE_ROUND:
        return true;
    case HD_ORDERS_BOTH:
        return hd_op_table[e->outcome].access == HD_ACCESS_READ;
    default:
        return false;
    }
}

/* An attempt that fails changes nothing: it is a load. */
void hd_object_turns_out(struct hd_event *e, uint64_t state)
{
    enum hd_op op = (enum hd_op)e->action.op;
    e->part = HD_PART_RMW;
    e->blocked = op == HD_OP_JOIN ? !(state & HD_THREAD_HAS_ENDED)
                                  : hd_op_blocks(op) && !hd_op_can_run(op, e->action.size, state);
    enum hd_op outcome = e->blocked ? op : outcome_of(e, state);
    e->outcome = (uint8_t)outcome;
    e->order = order_of(outcome);
    e->gathers = gathers(e, state);
    if (outcome != op && hd_op_table[outcome].access == HD_ACCESS_READ)
        e->part = HD_PART_FAILED;
}

/* May the operation of the event on a futex wake the thread, which is in the set that the store
 * has left? */
static bool may_wake(const struct hd_graph *g, const struct hd_event *e, uint32_t thread,
                     uint32_t store)
{
    uint32_t entry = hd_futex_entry(g, thread, store);
    return (hd_event(g, hd_graph_load_of(g, entry))->expected[0] & e->expected[0]) &&
           (!g->requeues || hd_futex_of_sleeper(g, thread, store) == e->action.object);
}

/* How many of the threads that wait may the operation wake? */
static uint32_t count_waiters(const struct hd_graph *g, const struct hd_event *e, uint32_t store)
{
    uint64_t state = hd_event(g, store)->value[0];
    uint32_t n = 0;
    if (!hd_op_futex((enum hd_op)e->action.op))
        return (uint32_t)__builtin_popcountll(state);
    for (; state; state &= state - 1)
        n += may_wake(g, e, (uint32_t)__builtin_ctzll(state), store);
    return n;
}

uint32_t hd_object_choices(const struct hd_graph *g, uint32_t load, uint32_t store)
{
    const struct hd_event *e = hd_event(g, load);
    uint64_t state = hd_event(g, store)->value[0];
    uint32_t waiters = count_waiters(g, e, store);
    if (e->action.op == HD_OP_FUTEX_MOVE && !(e->expected[1] & HD_MOVE_WAKES))
        return 1;
    if (hd_op_wakes_one((enum hd_op)e->action.op))
        return waiters > 1 ? waiters : 1;
    if (e->action.op == HD_OP_FUTEX_WAKE_SOME)
        return hd_subsets(waiters, e->action.size);
    if (e->action.op == HD_OP_ALLOC) /* a fresh address, or a block of one of these threads */
        return waiters + 1;
    return e->outcome == HD_OP_ARRIVE_LAST ? (uint32_t)(state >> HD_BARRIER_LIMIT_SHIFT) : 1;
}

/* The thread whose newest freed block an allocation takes that reads that state; ~0u: none. */
static uint32_t taken_of(const struct hd_event *e, uint64_t state)
{
    uint32_t choice = e->choice;
    if (e->action.op != HD_OP_ALLOC || !choice)
        return ~0u;
    while (--choice)
        state &= state - 1;
    return state ? (uint32_t)__builtin_ctzll(state) : ~0u;
}

uint32_t hd_object_given(const struct hd_graph *g, uint32_t load)
{
    const struct hd_event *e = hd_event(g, load);
    uint32_t w = e->rf, thread = taken_of(e, hd_event(g, w)->value[0]), more = 0;
    for (; thread != ~0u && hd_event(g, w)->thread != HD_MAX_THREADS;
         w = hd_event(g, w)->mo_prev) {
        const struct hd_event *s = hd_event(g, w);
        if (s->action.op == HD_OP_GIVE && s->thread == thread && more-- == 0)
            return w;
        if (s->action.op == HD_OP_ALLOC &&
            taken_of(s, hd_event(g, s->mo_prev)->value[0]) == thread)
            more++;
    }
    return 0;
}

/* What has been gathered up to the store, since somebody acquired all of it. */
static void acquire_gathered(struct hd_graph *g, hd_count *hb, uint32_t store)
{
    const struct hd_event *w = hd_event(g, store);
    for (; w->thread != HD_MAX_THREADS; store = w->mo_prev, w = hd_event(g, store)) {
        if (w->gathers)
            hd_clock_join(g, hb, hd_clock(g, store, HD_CLOCK_HB));
        else if (w->outcome == HD_OP_ARRIVE_LAST || w->order & HD_ORDER_RELEASE)
            return;
    }
}

void hd_object_acquire(struct hd_graph *g, uint32_t load, uint32_t store)
{
    const struct hd_event *e = hd_event(g, load);
    hd_count *hb = hd_clock(g, load, HD_CLOCK_HB);
    enum hd_orders orders = orders_of((enum hd_op)e->outcome);
    if (e->blocked || !(e->order & HD_ORDER_ACQUIRE))
        return;
    if (orders != HD_ORDERS_BOTH_ROUND && hd_event(g, store)->releases)
        hd_clock_join(g, hb, hd_clock(g, store, HD_CLOCK_RELEASE));
    if (orders != HD_ORDERS_ACQUIRE && !e->gathers)
        acquire_gathered(g, hb, store);
}

void hd_object_release(struct hd_graph *g, uint32_t store, uint32_t load)
{
    const struct hd_event *e = hd_event(g, load);
    hd_count *out = hd_clock(g, store, HD_CLOCK_RELEASE);
    if (e->order & HD_ORDER_RELEASE && !e->gathers)
        hd_clock_join(g, out, hd_clock(g, store, HD_CLOCK_HB));
    /* nobody of this round waits for another one */
    if (e->outcome != HD_OP_ARRIVE_LAST && hd_event(g, e->rf)->releases)
        hd_clock_join(g, out, hd_clock(g, e->rf, HD_CLOCK_RELEASE));
    uint32_t given = hd_object_given(g, load);
    if (given)
        hd_clock_join(g, hd_clock(g, store, HD_CLOCK_HB), hd_clock(g, given, HD_CLOCK_HB));
}

/* The same of a thread that may have handled signals since: it has not waited in a handler. */
static uint32_t newest_entry(const struct hd_graph *g, const struct hd_graph_thread *t)
{
    for (uint32_t i = t->n; i > 0; i--) {
        const struct hd_event *e = hd_event(g, t->events[i - 1]);
        if (e->kind == HD_EVENT_STORE && hd_op_sleeps((enum hd_op)e->action.op))
            return t->events[i - 1];
    }
    return 0;
}

/* The store part with which the thread began to wait, if that is the last that it has done. */
static uint32_t entry_of(const struct hd_graph *g, uint32_t thread)
{
    const struct hd_graph_thread *t = &g->by_thread[thread];
    uint32_t i = t->n;
    if (g->looks)
        return newest_entry(g, t);
    if (i > 1 && hd_event(g, t->events[i - 1])->action.op == HD_OP_CANCEL_POINT)
        i--; /* it looked whether it is cancelled, before it slept */
    if (i > 3 && hd_event(g, t->events[i - 1])->attached &&
        hd_event(g, t->events[i - 2])->attached)
        i -= 2; /* the second object's load part and store part */
    uint32_t id = i > 0 ? t->events[i - 1] : 0;
    const struct hd_event *e = hd_event(g, id);
    return id && e->kind == HD_EVENT_STORE && hd_op_sleeps((enum hd_op)e->action.op) ? id : 0;
}

uint32_t hd_object_waker(const struct hd_graph *g, uint32_t thread)
{
    uint32_t w = entry_of(g, thread);
    bool barrier = w && hd_event(g, w)->action.op == HD_OP_ARRIVE;
    while (w && (w = hd_event(g, w)->mo_next)) {
        const struct hd_event *e = hd_event(g, w);
        if (barrier ? e->outcome == HD_OP_ARRIVE_LAST : !(e->value[0] >> thread & 1))
            return w;
    }
    return 0;
}

uint32_t hd_object_first_half(const struct hd_graph *g, uint32_t thread)
{
    uint32_t id = hd_graph_newest(g, thread);
    const struct hd_event *e = hd_event(g, id);
    return id && e->kind == HD_EVENT_STORE && hd_op_second_is_sync((enum hd_op)e->action.op) ? id
                                                                                             : 0;
}

struct hd_action hd_object_second(const struct hd_action *a)
{
    struct hd_action second = *a;
    second.op = HD_OP_UNLOCK;
    second.object = a->object2;
    second.object2 = 0;
    return second;
}
