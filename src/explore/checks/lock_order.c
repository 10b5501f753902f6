/* Inversions of the order of locks: a thread takes b while it holds a, another takes a while it
 * holds b; or a longer cycle.  This check only warns: there need not be a deadlock.
 *
 * The locks that every thread holds are tracked and undone on backtracking.  Every lock that a
 * thread waits for while it holds others is noted as long as the step is on the path.  When a
 * new one closes a cycle with others of the current execution, that is an inversion if
 *
 *  - each is of another thread,
 *  - no two of the threads held the same lock meanwhile (such a gate lock excludes a deadlock),
 *    and
 *  - creation and joining of threads do not order them.
 *
 * Attempts (trylock, timed locks) take locks but do not wait for them: such locks are held, but
 * are no edges of a cycle.  While there is a single thread, its operations are no steps: a lock
 * that it took then is not known to be held until it is released. */
#include "base/hash.h"
#include "core/enabled.h"
#include "explore/loop/run_checks.h"

#include <string.h>

#define MOST_HELD 12    /* locks of one thread that are tracked */
#define MOST_ORDERS 256 /* of one execution */

/* A lock taken while others were held, on the current path. */
struct lock_order {
    uint32_t depth; /* the step */
    uint32_t thread;
    uint32_t site, held_site; /* where the one was taken, where the other had been */
    uint64_t lock, held;
    uint32_t forks; /* threads created and joined before */
    uint32_t n_all;
    uint64_t all[MOST_HELD + 1]; /* every lock held, `held` among them */
};

struct lock_orders {
    struct held {
        uint32_t n;
        uint32_t site[MOST_HELD];
        uint64_t lock[MOST_HELD];
    } held[HD_MAX_THREADS];
    uint32_t n_orders, n_undo;
    uint32_t forks, forks_until; /* threads created and joined in steps [0, forks_until) */
    struct lock_order orders[MOST_ORDERS];
    struct lock_undo { /* what a step of the path has changed above */
        uint32_t depth, thread, what, site;
        uint64_t lock;
    } undo[2 * HD_MAX_STEPS]; /* an unseen release and a new acquisition are two */
};

enum what { TAKEN, GIVEN };

static void *create(struct hd_explorer *ex)
{
    if (ex->opt->search == HD_SEARCH_GRAPH) /* it tells no check of its steps */
        return NULL;
    void *orders = hd_arena_take(&ex->arena, sizeof(struct lock_orders));
    if (orders)
        hd_check_hears(ex, HD_CHECK_LOCK_ORDERS, HD_SPACE_SYNC);
    return orders;
}

/* The lock that the step releases; 0 if none. */
static uint64_t gives(const struct hd_action *a)
{
    enum hd_op op = (enum hd_op)a->op;
    if (hd_op_gives_mutex(op))
        return a->object2;
    return hd_op_gives(op) ? a->object : 0;
}

static void note(struct lock_orders *o, uint32_t depth, uint32_t thread, enum what what,
                 uint64_t lock, uint32_t site)
{
    o->undo[o->n_undo++] = (struct lock_undo){ depth, thread, what, site, lock };
}

static void add(struct held *h, uint64_t lock, uint32_t site)
{
    h->lock[h->n] = lock;
    h->site[h->n++] = site;
}

static uint32_t find(const struct held *h, uint64_t lock)
{
    uint32_t i = 0;
    while (i < h->n && h->lock[i] != lock)
        i++;
    return i;
}

static void drop(struct held *h, uint32_t i)
{
    h->n--;
    h->lock[i] = h->lock[h->n];
    h->site[i] = h->site[h->n];
}

/* Does the thread hold the lock, not shared with other readers, as the world says? */
static bool owns(const struct hd_explorer *ex, uint32_t thread, uint64_t lock)
{
    return (uint16_t)ex->world.sync_state(ex->world.self, lock) == thread + 1;
}

static void give(struct lock_orders *o, const struct hd_explorer *ex, uint32_t depth,
                 uint32_t thread, uint64_t lock)
{
    struct held *h = &o->held[thread];
    uint32_t i = find(h, lock);
    if (i < h->n) {
        note(o, depth, thread, GIVEN, lock, h->site[i]);
        drop(h, i);
        return;
    }
    /* taken while there was no other thread: it was held all the time */
    for (i = 0; i < o->n_orders && owns(ex, thread, lock); i++) {
        struct lock_order *order = &o->orders[i];
        if (order->thread == thread && order->n_all <= MOST_HELD)
            order->all[order->n_all++] = lock;
    }
}

static bool apart(const struct lock_order *a, const struct lock_order *b)
{
    for (uint32_t i = 0; i < a->n_all; i++)
        for (uint32_t k = 0; k < b->n_all; k++)
            if (a->all[i] == b->all[k])
                return true;
    return false;
}

/* Does creating and joining threads put the first before the second? */
static bool ordered(const struct hd_explorer *ex, const struct lock_order *first,
                    const struct lock_order *second)
{
    struct hd_tset after;
    if (first->forks == second->forks)
        return false;
    hd_tset_clear(&after);
    hd_tset_add(&after, first->thread);
    for (uint32_t d = first->depth + 1; d < second->depth; d++) {
        const struct hd_action *a = &ex->path.nodes[d].action;
        uint32_t thread = HD_STEP_THREAD(ex->path.steps[d]);
        if (a->op == HD_OP_CREATE && hd_tset_has(&after, thread))
            hd_tset_add(&after, (uint32_t)a->object);
        if (a->op == HD_OP_JOIN && hd_tset_has(&after, (uint32_t)a->object))
            hd_tset_add(&after, thread);
    }
    return hd_tset_has(&after, second->thread);
}

static bool possible(const struct hd_explorer *ex, const struct lock_order *const *circle,
                     uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = i + 1; k < n; k++) {
            bool in_order = circle[i]->depth < circle[k]->depth;
            const struct lock_order *a = circle[in_order ? i : k];
            const struct lock_order *b = circle[in_order ? k : i];
            if (a->thread == b->thread || apart(a, b) || ordered(ex, a, b))
                return false;
        }
    return true;
}

/* Is an inversion of the same lines, or of the same locks, known? */
static bool is_known(const struct hd_worker_memory *shared, const struct hd_inversion *inversion)
{
    for (uint32_t i = 0; i < shared->n_inversions; i++)
        if (shared->inversions[i].n == inversion->n &&
            (shared->inversions[i].sites == inversion->sites ||
             shared->inversions[i].locks == inversion->locks))
            return true;
    return false;
}

static void found(struct hd_explorer *ex, const struct lock_order *const *circle, uint32_t n)
{
    struct hd_worker_memory *shared = ex->shared;
    struct hd_inversion inversion = { .n = n };
    for (uint32_t i = 0; i < n; i++) {
        inversion.sites += hd_hash_mix(circle[i]->site);
        inversion.locks += hd_hash_mix(circle[i]->lock);
    }
    if (is_known(shared, &inversion) || !possible(ex, circle, n))
        return;
    for (uint32_t i = 0; i < n; i++) {
        struct hd_inverted *in = &inversion.order[i];
        in->thread = circle[i]->thread;
        in->site = circle[i]->site;
        in->held_site = circle[i]->held_site;
        if (ex->world.name)
            ex->world.name(ex->world.self, circle[i]->held, &in->held);
    }
    shared->inversions[shared->n_inversions++] = inversion;
}

/* Find cycles that the newest entry closes: its lock is held by another entry, whose lock is
 * held by another, and so on, until one waits for a lock that the newest holds. */
static void look(struct lock_orders *o, struct hd_explorer *ex)
{
    const struct lock_order *newest = &o->orders[o->n_orders - 1];
    const struct lock_order *circle[HD_MAX_INVERSION] = { newest };
    uint32_t at[HD_MAX_INVERSION] = { 0 }, n = 1;
    for (uint32_t budget = 2048; n > 0 && budget > 0; budget--) {
        if (ex->shared->n_inversions == HD_MAX_INVERSIONS)
            return;
        const struct lock_order *next = &o->orders[at[n - 1]++];
        if (next == newest) { /* all have been tried here */
            n--;
            continue;
        }
        bool again = next->held != circle[n - 1]->lock;
        for (uint32_t i = 0; i < n; i++)
            again = again || next->thread == circle[i]->thread;
        if (again)
            continue;
        circle[n] = next;
        if (next->lock == newest->held)
            found(ex, circle, n + 1);
        else if (n + 1 < HD_MAX_INVERSION)
            at[n++] = 0;
    }
}

static bool is_there(const struct lock_orders *o, const struct lock_order *order)
{
    for (uint32_t i = 0; i < o->n_orders; i++) {
        const struct lock_order *x = &o->orders[i];
        if (x->thread == order->thread && x->site == order->site && x->lock == order->lock &&
            x->held == order->held && x->forks == order->forks && x->n_all == order->n_all &&
            memcmp(x->all, order->all, order->n_all * sizeof *order->all) == 0)
            return true;
    }
    return false;
}

/* Threads created and joined before step `depth`. */
static uint32_t forks_before(struct lock_orders *o, const struct hd_explorer *ex, uint32_t depth)
{
    for (; o->forks_until < depth; o->forks_until++) {
        uint16_t op = ex->path.nodes[o->forks_until].action.op;
        o->forks += op == HD_OP_CREATE || op == HD_OP_JOIN;
    }
    return o->forks;
}

/* The thread waits for the lock while it holds others. */
static void remember(struct lock_orders *o, struct hd_explorer *ex, uint32_t depth,
                     uint32_t thread, const struct hd_action *a)
{
    struct held *h = &o->held[thread];
    struct lock_order order = { .depth = depth,
                                .thread = thread,
                                .site = a->site,
                                .lock = a->object,
                                .forks = forks_before(o, ex, depth) };
    for (uint32_t i = 0; i < h->n; i++) /* it may have been released unseen */
        if (owns(ex, thread, h->lock[i]))
            order.all[order.n_all++] = h->lock[i];
    uint32_t n = order.n_all;
    for (uint32_t i = 0; i < n && o->n_orders < MOST_ORDERS; i++) {
        order.held = order.all[i];
        order.held_site = h->site[find(h, order.held)];
        if (is_there(o, &order))
            continue;
        o->orders[o->n_orders++] = order;
        if (depth >= ex->marks.counted)
            look(o, ex);
    }
}

static __attribute__((noinline)) void any_ran(struct lock_orders *o, struct hd_explorer *ex,
                                              uint32_t depth)
{
    const struct hd_action *a = &ex->path.nodes[depth].action;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    enum hd_op op = (enum hd_op)a->op;
    struct held *h = &o->held[thread];
    bool taken = hd_op_takes(op);
    if (h->n && (taken || op == HD_OP_RDLOCK) && !hd_op_has_outcome(op))
        remember(o, ex, depth, thread, a);
    if (!taken) {
        uint64_t given = gives(a);
        if (given)
            give(o, ex, depth, thread, given);
        return;
    }
    uint32_t i = find(h, a->object); /* released unseen, and taken again */
    if (i < h->n) {
        note(o, depth, thread, GIVEN, a->object, h->site[i]);
        drop(h, i);
    }
    if (h->n < MOST_HELD) {
        note(o, depth, thread, TAKEN, a->object, a->site);
        add(h, a->object, a->site);
    }
}

/* The usual case is fast: a thread takes a lock while it holds none, and releases the one that
 * it holds. */
static void ran(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct lock_orders *o = self;
    const struct hd_action *a = &ex->path.nodes[depth].action;
    uint32_t thread = HD_STEP_THREAD(ex->path.steps[depth]);
    struct held *h = &o->held[thread];
    if (a->op == HD_OP_LOCK && h->n == 0) {
        note(o, depth, thread, TAKEN, a->object, a->site);
        h->n = 1;
        h->lock[0] = a->object;
        h->site[0] = a->site;
    } else if (a->op == HD_OP_UNLOCK && h->n == 1 && h->lock[0] == a->object) {
        note(o, depth, thread, GIVEN, a->object, h->site[0]);
        h->n = 0;
    } else {
        any_ran(o, ex, depth);
    }
}

static void back(void *self, struct hd_explorer *ex, uint32_t depth)
{
    struct lock_orders *o = self;
    (void)ex;
    while (o->n_orders && o->orders[o->n_orders - 1].depth >= depth)
        o->n_orders--;
    if (o->forks_until > depth) { /* counted again from where it is known */
        const struct lock_order *last = o->n_orders ? &o->orders[o->n_orders - 1] : NULL;
        o->forks_until = last ? last->depth : 0;
        o->forks = last ? last->forks : 0;
    }
    const struct lock_undo *u = &o->undo[o->n_undo];
    for (; u > o->undo && u[-1].depth >= depth; u--) {
        struct held *h = &o->held[u[-1].thread];
        if (u[-1].what != TAKEN)
            add(h, u[-1].lock, u[-1].site);
        else if (h->n == 1)
            h->n = 0;
        else
            drop(h, find(h, u[-1].lock));
    }
    o->n_undo = (uint32_t)(u - o->undo);
}

const struct hd_check hd_check_lock_orders = {
    .create = create,
    .ran = ran,
    .back = back,
};
