#include "happens_before.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static bool is_before(const struct orc_hb *hb, uint32_t a, uint32_t b)
{
    return hb->events[b].before[a / 64] >> a % 64 & 1;
}

/* Event a, and all that happens before it, happens before b. */
static void put_before(struct orc_hb *hb, uint32_t a, uint32_t b)
{
    uint64_t *to = hb->events[b].before;
    for (uint32_t i = 0; i <= a / 64; i++)
        to[i] |= hb->events[a].before[i];
    to[a / 64] |= 1ull << a % 64;
}

/* ---- atomic accesses and fences ---- */

static bool is_rmw(const struct orc_hb_event *e)
{
    return e->op == ORC_V_RMW || (e->op == ORC_V_CAS && e->takes);
}

static bool stores_atomically(const struct orc_hb_event *e)
{
    return e->atomic && (e->op == ORC_V_WRITE || is_rmw(e));
}

static bool loads_atomically(const struct orc_hb_event *e)
{
    return e->atomic && (e->op == ORC_V_READ || e->op == ORC_V_RMW || e->op == ORC_V_CAS);
}

/* What synchronises with event b if it acquires what the load l reads.  l reads from `from`, so from
 * every release sequence that `from` is part of. */
static void acquire_from(struct orc_hb *hb, uint32_t l, uint32_t b)
{
    uint32_t x = hb->events[l].from;
    while (x < ORC_HB_EVENTS && stores_atomically(&hb->events[x])) {
        const struct orc_hb_event *head = &hb->events[x];
        if (orc_order_releases(head->order))
            put_before(hb, x, b);
        for (uint32_t f = 0; f < x; f++)
            if (hb->events[f].op == ORC_L_FENCE && hb->events[f].thread == head->thread &&
                orc_order_releases(hb->events[f].order))
                put_before(hb, f, b);
        x = is_rmw(head) ? head->from : ORC_HB_EVENTS;
    }
}

static void synchronise_memory(struct orc_hb *hb, uint32_t b)
{
    const struct orc_hb_event *e = &hb->events[b];
    if (!orc_order_acquires(e->order))
        return;
    if (e->op != ORC_L_FENCE) {
        acquire_from(hb, b, b);
        return;
    }
    for (uint32_t l = 0; l < b; l++)
        if (hb->events[l].thread == e->thread && loads_atomically(&hb->events[l]))
            acquire_from(hb, l, b);
}

/* ---- everything else ---- */

static bool locks_mutex(const struct orc_hb_event *e)
{
    return e->mutex != ORC_NOBODY &&
           (e->op == ORC_V_LOCK || e->op == ORC_V_RELOCK ||
            ((e->op == ORC_V_TRYLOCK || e->op == ORC_V_TIMEDLOCK) && e->takes));
}

static bool unlocks_mutex(const struct orc_hb_event *e)
{
    return e->mutex != ORC_NOBODY &&
           (e->op == ORC_V_UNLOCK || e->op == ORC_V_WAIT || e->op == ORC_V_TIMEDWAIT);
}

static bool locks_writing(const struct orc_hb_event *e)
{
    return e->op == ORC_V_WRLOCK || (e->op == ORC_V_TRYWRLOCK && e->takes);
}

static bool locks_reading(const struct orc_hb_event *e)
{
    return e->op == ORC_V_RDLOCK || (e->op == ORC_V_TRYRDLOCK && e->takes);
}

static bool gets_semaphore(const struct orc_hb_event *e)
{
    return e->op == ORC_V_SEM_WAIT || (e->op == ORC_V_SEM_TRYWAIT && e->takes);
}

/* Did the thread hold the lock for writing that it unlocks in event u? */
static bool was_writer(const struct orc_hb *hb, uint32_t u)
{
    for (uint32_t i = u; i-- > 0;) {
        const struct orc_hb_event *e = &hb->events[i];
        if (e->thread == hb->events[u].thread && e->object == hb->events[u].object &&
            (locks_writing(e) || locks_reading(e)))
            return locks_writing(e);
    }
    return false;
}

/* How many rounds of the barrier were over before event i. */
static uint32_t round_of(const struct orc_hb *hb, uint32_t i)
{
    uint32_t n = 0;
    while (i-- > 0)
        n += hb->events[i].op == ORC_V_ARRIVE && hb->events[i].last;
    return n;
}

/* Does the thread leave, in event b, the round that event a is an arrival of? */
static bool leaves(const struct orc_hb *hb, uint32_t a, uint32_t b)
{
    const struct orc_hb_event *e = &hb->events[b];
    uint32_t mine = b;
    if (e->op != ORC_V_LEAVE && !(e->op == ORC_V_ARRIVE && e->last))
        return false;
    while (hb->events[mine].op != ORC_V_ARRIVE || hb->events[mine].thread != e->thread)
        mine--;
    return round_of(hb, a) == round_of(hb, mine);
}

/* Does event a synchronise with the later event b, by something else than atomic accesses? */
static bool synchronises(const struct orc_hb *hb, uint32_t a, uint32_t b)
{
    const struct orc_hb_event *x = &hb->events[a], *y = &hb->events[b];
    if (x->all || y->all)
        return true;
    switch (x->op) {
    case ORC_V_CREATE:
        return y->op == ORC_V_START && y->thread == x->object;
    case ORC_V_EXIT:
        return y->op == ORC_V_JOIN && y->object == x->thread;
    case ORC_V_UNLOCK:
    case ORC_V_WAIT:
    case ORC_V_TIMEDWAIT:
        return unlocks_mutex(x) && locks_mutex(y) && x->mutex == y->mutex;
    case ORC_V_RWUNLOCK:
        return x->object == y->object &&
               (locks_writing(y) || (locks_reading(y) && was_writer(hb, a)));
    case ORC_V_SEM_POST:
        return gets_semaphore(y) && x->object == y->object;
    case ORC_V_ARRIVE:
        return leaves(hb, a, b);
    default:
        return false;
    }
}

/* ---- events ---- */

static void order(struct orc_hb *hb, uint32_t b)
{
    const struct orc_hb_event *e = &hb->events[b];
    for (uint32_t a = 0; a < b; a++)
        if (hb->events[a].thread == e->thread || synchronises(hb, a, b))
            put_before(hb, a, b);
    if (e->op == ORC_L_FENCE || loads_atomically(e))
        synchronise_memory(hb, b);
}

static struct orc_hb_event *add(struct orc_hb *hb, uint8_t thread, uint8_t op)
{
    if (hb->n == ORC_HB_EVENTS) {
        fputs("oracle: an execution has more events than there is room for\n", stderr);
        exit(2);
    }
    struct orc_hb_event *e = &hb->events[hb->n++];
    memset(e, 0, sizeof *e);
    e->thread = thread;
    e->op = op;
    e->mutex = ORC_NOBODY;
    e->stmt = ORC_NONE;
    e->from = ORC_HB_EVENTS;
    return e;
}

static bool overlap(const struct orc_touch *x, const struct orc_touch *y)
{
    return x->begin < y->end && y->begin < x->end;
}

static bool conflict(const struct orc_hb_event *a, const struct orc_hb_event *b)
{
    if (a->thread == b->thread || (a->atomic && b->atomic))
        return false;
    for (uint32_t i = 0; i < a->n_accesses; i++)
        for (uint32_t j = 0; j < b->n_accesses; j++)
            if ((a->access[i].writes || b->access[j].writes) &&
                overlap(&a->access[i], &b->access[j]))
                return true;
    return false;
}

/* Atomic accesses are of whole variables, so one store is what a load reads. */
static uint32_t last_store(const struct orc_hb *hb, uint32_t b)
{
    for (uint32_t a = b; a-- > 0;) {
        const struct orc_hb_event *e = &hb->events[a];
        for (uint32_t i = 0; i < e->n_accesses; i++)
            if (e->access[i].writes && overlap(&e->access[i], &hb->events[b].access[0]))
                return a;
    }
    return ORC_HB_EVENTS;
}

bool orc_hb_step(struct orc_hb *hb, const struct orc_code *c, const struct orc_event *e,
                 struct orc_races *races)
{
    uint32_t b = hb->n;
    bool any = false;
    struct orc_hb_event *x = add(hb, e->thread, e->op);
    x->all = e->all;
    x->atomic = c->atomic;
    x->takes = e->touch[0].writes;
    x->object = c->object;
    x->order = c->op == ORC_V_CAS && !x->takes ? c->order2 : c->order;
    x->last = e->op == ORC_V_ARRIVE && e->waker != ORC_NOBODY;
    x->stmt = c->stmt;
    if (e->touch[0].space == ORC_SPACE_MUTEX)
        x->mutex = e->touch[0].begin;
    else if (e->touch[1].space == ORC_SPACE_MUTEX)
        x->mutex = e->touch[1].begin;
    for (int i = 0; i < 2; i++)
        if (e->touch[i].space == ORC_SPACE_MEMORY)
            x->access[x->n_accesses++] = e->touch[i];
    if (x->n_accesses)
        x->from = last_store(hb, b);
    order(hb, b);
    for (uint32_t a = 0; a < b; a++)
        if (conflict(&hb->events[a], x) && !is_before(hb, a, b) && x->stmt != ORC_NONE &&
            hb->events[a].stmt != ORC_NONE) {
            orc_races_add(races, hb->events[a].stmt, x->stmt);
            any = true;
        }
    for (uint32_t i = 0; i < e->n_fences; i++) {
        b = hb->n;
        add(hb, e->thread, ORC_L_FENCE)->order = e->fences[i];
        order(hb, b);
    }
    return any;
}
