#include "explore/order/sync_order.h"

#include "core/touch.h"

#include <string.h>

enum {
    MOST_WORDS = 1u << 26,
    MOST_ACCESSES = 1u << 24,
    MOST_UNDO = 1u << 24,
    MOST_STORES = 1u << 24,
};

static void cell_added(void *owner, uint32_t from, uint32_t to)
{
    struct hd_sync_order *so = owner;
    if (to >= so->objects_cap) {
        uint32_t cap = so->objects_cap ? 2 * so->objects_cap : 256;
        struct hd_sync_object *objects = hd_arena_take(so->arena, cap * sizeof *objects);
        if (!objects) {
            so->full = true;
            return;
        }
        if (so->objects)
            memcpy(objects, so->objects, so->objects_cap * sizeof *objects);
        so->objects = objects;
        so->objects_cap = cap;
    }
    so->objects[to] = from == to ? (struct hd_sync_object){ 0 } : so->objects[from];
}

bool hd_sync_order_init(struct hd_sync_order *so, struct hd_arena *arena,
                        void (*unordered)(void *self, uint32_t early, uint32_t late), void *self)
{
    memset(so, 0, sizeof *so);
    so->arena = arena;
    so->unordered = unordered;
    so->self = self;
    so->words = hd_arena_take(arena, 4ull * MOST_WORDS);
    so->accesses = hd_arena_take(arena, (uint64_t)MOST_ACCESSES * sizeof *so->accesses);
    so->stores = hd_arena_take(arena, (uint64_t)MOST_STORES * sizeof *so->stores);
    so->undo = hd_arena_take(arena, (uint64_t)MOST_UNDO * sizeof *so->undo);
    so->events = hd_arena_take(arena, (uint64_t)HD_MAX_STEPS * sizeof *so->events);
    so->n_words = 1; /* row 0 */
    return so->words && so->accesses && so->stores && so->undo && so->events &&
           hd_cells_init(&so->cells, arena, so, cell_added);
}

/* Rows. */

static uint32_t row_at(const struct hd_sync_order *so, uint32_t row, uint32_t thread)
{
    return thread < so->words[row] ? so->words[row + 1 + thread] : 0;
}

static uint32_t *new_row(struct hd_sync_order *so, uint32_t n, uint32_t *row)
{
    if (so->n_words + n + 1 > MOST_WORDS) {
        so->full = true;
        *row = 0;
        return NULL;
    }
    *row = so->n_words;
    so->n_words += n + 1;
    so->words[*row] = n;
    return so->words + *row + 1;
}

static inline bool covers(const struct hd_sync_order *so, uint32_t a, uint32_t b)
{
    for (uint32_t t = 0; t < so->words[b]; t++)
        if (so->words[b + 1 + t] > row_at(so, a, t))
            return false;
    return true;
}

/* The union of two rows. */
static uint32_t join(struct hd_sync_order *so, uint32_t a, uint32_t b)
{
    if (a == b || covers(so, a, b))
        return a;
    if (covers(so, b, a))
        return b;
    uint32_t n = so->words[a] > so->words[b] ? so->words[a] : so->words[b], row;
    uint32_t *to = new_row(so, n, &row);
    for (uint32_t t = 0; to && t < n; t++) {
        uint32_t x = row_at(so, a, t), y = row_at(so, b, t);
        to[t] = x > y ? x : y;
    }
    return row;
}

/* A row of what the thread knows, its own events included. */
static uint32_t publish(struct hd_sync_order *so, uint32_t thread)
{
    uint32_t clock = so->threads[thread].clock, n = so->words[clock], row;
    if (n <= thread)
        n = thread + 1;
    uint32_t *to = new_row(so, n, &row);
    if (!to)
        return 0;
    const uint32_t *from = so->words + clock + 1, known = so->words[clock];
#pragma clang loop vectorize(disable) unroll(disable)
    for (uint32_t t = 0; t < n; t++)
        to[t] = t < known ? from[t] : 0;
    to[thread] = so->threads[thread].count;
    return row;
}

/* Changes, which are logged. */

static struct hd_sync_undo *remember(struct hd_sync_order *so)
{
    if (so->n_undo == MOST_UNDO) {
        so->full = true;
        so->n_undo--;
    }
    return &so->undo[so->n_undo++];
}

static inline struct hd_sync_thread *change_thread(struct hd_sync_order *so, uint32_t thread)
{
    if (so->unlogged)
        return &so->threads[thread];
    struct hd_sync_undo *u = remember(so);
    u->addr = thread;
    u->len = 0;
    u->was.thread = so->threads[thread];
    return &so->threads[thread];
}

static inline struct hd_sync_object *change_object(struct hd_sync_order *so, uint32_t cell)
{
    if (so->unlogged)
        return &so->objects[cell];
    struct hd_sync_undo *u = remember(so);
    u->addr = so->cells.cells[cell].addr;
    u->len = so->cells.cells[cell].len;
    u->cell = cell;
    u->was.object = so->objects[cell];
    return &so->objects[cell];
}

/* The row mostly has more than the thread knows, if only a later count of the thread itself. */
static void acquire(struct hd_sync_order *so, uint32_t thread, uint32_t row)
{
    uint32_t knows = so->threads[thread].clock;
    if (!row || row == knows)
        return;
    uint32_t clock = covers(so, row, knows) ? row : join(so, knows, row);
    if (clock != knows)
        change_thread(so, thread)->clock = clock;
}

static void release(struct hd_sync_order *so, uint32_t thread, uint32_t cell)
{
    uint32_t message = so->objects[cell].message, row = publish(so, thread);
    if (message && message != so->threads[thread].clock)
        row = join(so, row, message);
    change_object(so, cell)->message = row;
}

static void gather(struct hd_sync_order *so, uint32_t thread, uint32_t cell)
{
    uint32_t row = join(so, so->objects[cell].gather, publish(so, thread));
    change_object(so, cell)->gather = row;
}

/* As in the order of dependence: after all that was done to the object, or after what changed
 * it. */
static void follow(struct hd_sync_order *so, uint32_t thread, uint32_t cell, bool writes)
{
    acquire(so, thread, so->objects[cell].message);
    if (!writes) {
        gather(so, thread, cell);
        return;
    }
    acquire(so, thread, so->objects[cell].gather);
    release(so, thread, cell);
}

/* Synchronisation objects. */

static void arrive_last(struct hd_sync_order *so, uint32_t thread, uint32_t cell)
{
    acquire(so, thread, so->objects[cell].gather);
    uint32_t all = publish(so, thread);
    struct hd_sync_object *o = change_object(so, cell);
    o->message = all;
    o->gather = 0;
}

static void unlock_rwlock(struct hd_sync_order *so, uint32_t thread, uint32_t cell)
{
    if (so->objects[cell].writer != thread + 1) {
        gather(so, thread, cell);
        return;
    }
    release(so, thread, cell);
    change_object(so, cell)->writer = 0;
}

static void lock_for_writing(struct hd_sync_order *so, uint32_t thread, uint32_t cell)
{
    acquire(so, thread, so->objects[cell].message);
    acquire(so, thread, so->objects[cell].gather);
    change_object(so, cell)->writer = thread + 1;
}

/* `second`: of the operation's second object. */
static void synchronise(struct hd_sync_order *so, uint32_t thread, enum hd_op op, uint32_t cell,
                        bool second, bool writes)
{
    switch ((enum hd_orders)hd_op_table[op].orders) {
    case HD_ORDERS_ACQUIRE:
        acquire(so, thread, so->objects[cell].message);
        break;
    case HD_ORDERS_RELEASE:
        release(so, thread, cell);
        break;
    case HD_ORDERS_RELEASE_SECOND:
        if (second)
            release(so, thread, cell);
        break;
    case HD_ORDERS_ACQUIRE_ALONE:
        lock_for_writing(so, thread, cell);
        break;
    case HD_ORDERS_RELEASE_EITHER:
        unlock_rwlock(so, thread, cell);
        break;
    case HD_ORDERS_RELEASE_ROUND:
        gather(so, thread, cell);
        break;
    case HD_ORDERS_BOTH_ROUND:
        arrive_last(so, thread, cell);
        break;
    case HD_ORDERS_BOTH:
        follow(so, thread, cell, writes);
        break;
    case HD_ORDERS_BY_ACTION: /* accesses of memory, and fences */
    case HD_ORDERS_NOTHING:
        break;
    }
}

/* Memory. */

bool hd_sync_order_knows(const struct hd_sync_order *so, uint32_t thread, uint32_t a)
{
    const struct hd_sync_event *e = &so->events[a];
    return e->thread == thread || e->index <= row_at(so, so->threads[thread].clock, e->thread);
}

static inline bool happened_before(const struct hd_sync_order *so, uint32_t thread,
                                   const struct hd_sync_access *a)
{
    return a->thread == thread || a->index <= row_at(so, so->threads[thread].clock, a->thread);
}

/* Report the accesses of the cell, from `at` on, that do not happen before the thread's event.
 * Returns whether there is none, also among those that do not conflict; false if nobody has
 * looked, because atomic accesses do not conflict.  If one access of a thread happens before
 * the event, so do all earlier ones of that thread, and whatever happens before that access. */
static __attribute__((noinline)) bool report_unordered(struct hd_sync_order *so, uint32_t thread,
                                                       uint32_t at, bool writes, bool atomic)
{
    bool none = true;
    while (at) {
        const struct hd_sync_access *a = &so->accesses[at - 1];
        if (happened_before(so, thread, a)) {
            at = a->after_all ? 0 : a->other;
            continue;
        }
        none = false;
        if (atomic && !a->plain)
            break;
        at = a->before;
        if ((a->writes || writes) && !(a->atomic && atomic))
            so->unordered(so->self, a->event, so->depth);
    }
    return none;
}

/* The same from the newest access on, after which mostly nothing is left to be asked. */
static inline bool find_unordered(struct hd_sync_order *so, uint32_t thread, uint32_t cell,
                                  bool writes, bool atomic)
{
    uint32_t newest = so->objects[cell].access;
    if (!newest)
        return true;
    const struct hd_sync_access *a = &so->accesses[newest - 1];
    return (a->after_all && happened_before(so, thread, a)) ||
           ((a->plain || !atomic) && report_unordered(so, thread, newest, writes, atomic));
}

static inline void add_access(struct hd_sync_order *so, uint32_t thread, uint32_t cell,
                              bool writes, bool atomic, bool after_all)
{
    if (so->n_accesses == MOST_ACCESSES) {
        so->full = true;
        return;
    }
    uint32_t before = so->objects[cell].access, other = before;
    bool plain = !atomic || (before && so->accesses[before - 1].plain);
    if (before && so->accesses[before - 1].thread == thread)
        other = so->accesses[before - 1].other;
    so->accesses[so->n_accesses++] = (struct hd_sync_access){ .event = so->depth,
                                                              .index = so->threads[thread].count,
                                                              .before = before,
                                                              .other = other,
                                                              .thread = (uint8_t)thread,
                                                              .writes = writes,
                                                              .atomic = atomic,
                                                              .after_all = after_all,
                                                              .plain = plain };
    change_object(so, cell)->access = so->n_accesses;
}

static bool acquires(const struct hd_action *a)
{
    return a->order & (a->op == HD_OP_CAS_FAIL ? HD_ORDER_FAIL_ACQUIRE : HD_ORDER_ACQUIRE);
}

/* The store that has `newer` stores after it in mo, + 1; 0 for the initial value. */
static uint32_t store_at(const struct hd_sync_order *so, uint32_t cell, uint32_t newer)
{
    uint32_t at = so->objects[cell].stores;
    while (at && newer--)
        at = so->stores[at - 1].older;
    return at;
}

static uint32_t message_at(const struct hd_sync_order *so, uint32_t cell)
{
    uint32_t at = store_at(so, cell, so->newer);
    return at ? so->stores[at - 1].message : 0;
}

/* Insert a new store into the list, after `newer` others.  Stores without a message that have
 * not been entered stand at the end of the list: those that are newer than this one are
 * entered. */
static uint32_t insert(struct hd_sync_order *so, uint32_t list, uint32_t newer, uint32_t message)
{
    uint32_t rest = list ? so->stores[list - 1].older : 0;
    uint32_t older = newer ? insert(so, rest, newer - 1, message) : list;
    if (so->n_stores == MOST_STORES) {
        so->full = true;
        return list;
    }
    if (newer)
        message = list ? so->stores[list - 1].message : 0;
    so->stores[so->n_stores] = (struct hd_sync_store){ message, older };
    return ++so->n_stores;
}

/* The atomic access reads a store there: acquire its message. */
static void read_message(struct hd_sync_order *so, uint32_t thread, const struct hd_action *a,
                         uint32_t cell)
{
    uint32_t message = message_at(so, cell);
    if (acquires(a)) {
        acquire(so, thread, message);
        return;
    }
    uint32_t more = join(so, so->threads[thread].acquire, message);
    if (more != so->threads[thread].acquire)
        change_thread(so, thread)->acquire = more;
}

/* A plain store ends release sequences, and so does an atomic one that reads nothing. */
static __attribute__((noinline)) void write_message(struct hd_sync_order *so, uint32_t thread,
                                                    const struct hd_action *a, uint32_t cell,
                                                    bool atomic, bool reads)
{
    uint32_t message = 0;
    if (atomic)
        message = a->order & HD_ORDER_RELEASE ? publish(so, thread) : so->threads[thread].fence;
    if (reads)
        message = join(so, message, message_at(so, cell));
    if (!message && !so->objects[cell].stores)
        return; /* as all other stores of the cell: insert */
    uint32_t stores = insert(so, so->objects[cell].stores, so->newer, message);
    change_object(so, cell)->stores = stores;
}

/* A futex operation reads its word atomically, but the kernel orders nothing by that. */
static inline void access_cell(struct hd_sync_order *so, uint32_t thread,
                               const struct hd_action *a, uint32_t cell, bool writes)
{
    bool atomic = hd_op_atomic((enum hd_op)a->op);
    bool in_c = hd_op_table[a->op].orders == HD_ORDERS_BY_ACTION;
    bool reads = in_c && a->op != HD_OP_ATOMIC_WRITE;
    if (reads)
        read_message(so, thread, a, cell);
    if (writes && (in_c || so->objects[cell].stores))
        write_message(so, thread, a, cell, in_c, reads);
    bool after_all = find_unordered(so, thread, cell, writes, atomic);
    add_access(so, thread, cell, writes, atomic, after_all);
}

/* The cell's object, as this execution has left it. */
static inline struct hd_sync_object *object_now(struct hd_sync_order *so, uint32_t cell)
{
    struct hd_sync_object *o = &so->objects[cell];
    if (o->execution != so->execution)
        *o = (struct hd_sync_object){ .execution = so->execution };
    return o;
}

static void end_cell(struct hd_sync_order *so, uint32_t thread, uint32_t cell)
{
    if (!object_now(so, cell)->access)
        return;
    find_unordered(so, thread, cell, true, false);
    if (so->cells.cells[cell].addr < HD_TOUCH_THREAD)
        *change_object(so, cell) = (struct hd_sync_object){ .execution = so->execution };
    else
        change_object(so, cell)->access = 0;
}

/* Memory ends.  Later objects at the same place are others; those that synchronise go on. */
static void end_range(struct hd_sync_order *so, uint32_t thread, const struct hd_touch *range)
{
    const struct hd_cells *cells = &so->cells;
    if (range->end - range->begin >= cells->n) {
        for (uint32_t i = 0; i < cells->n; i++)
            if (cells->cells[i].addr - range->begin < range->end - range->begin)
                end_cell(so, thread, i);
        return;
    }
    for (uint64_t at = range->begin; at < range->end; at++) {
        uint32_t cell = hd_cells_find(cells, at);
        if (cell != ~0u)
            end_cell(so, thread, cell);
    }
}

static inline void touch(struct hd_sync_order *so, uint32_t thread, const struct hd_action *a,
                         const struct hd_touch *t, bool second)
{
    for (uint64_t at = t->begin; at < t->end && !so->full;) {
        uint32_t cell = hd_cells_exact(&so->cells, at, (uint32_t)(t->end - at));
        if (cell == ~0u)
            cell = hd_cells_at(&so->cells, at, t->end);
        if (cell == ~0u || so->full) {
            so->full = true;
            return;
        }
        object_now(so, cell);
        if (t->begin >= HD_TOUCH_THREAD)
            synchronise(so, thread, (enum hd_op)a->op, cell, second, t->writes);
        if (hd_touch_uses(a, t)) /* races with the end of its memory only */
            add_access(so, thread, cell, true, true, false);
        else if (t->begin < HD_TOUCH_THREAD &&
                 a->op != HD_OP_AWAIT) /* the loop's reads are actions of their own */
            access_cell(so, thread, a, cell, t->writes);
        at += so->cells.cells[cell].len;
    }
}

/* The event is ordered after everything before it, and before everything after it. */
static void touch_all(struct hd_sync_order *so, uint32_t thread)
{
    for (uint32_t t = 0; t < so->n_threads; t++)
        if (so->threads[t].count)
            acquire(so, thread, publish(so, t));
    so->all = publish(so, thread);
}

/* The event's own object has ordered it with other such calls already. */
static void touch_files(struct hd_sync_order *so, uint32_t thread)
{
    static const struct hd_action kernel = { .op = HD_OP_WRITE };
    touch(so, thread, &kernel,
          &(struct hd_touch){ HD_MAPPED_BASE, HD_MAPPED_BASE + HD_MAPPED_BYTES, true }, false);
}

void hd_sync_order_fence(struct hd_sync_order *so, uint32_t thread, enum hd_fences fences)
{
    if (so->full || fences == HD_FENCE_NONE)
        return;
    if (fences == HD_FENCE_RELEASE || fences == HD_FENCE_RELEASE_ACQUIRE) {
        uint32_t row = publish(so, thread);
        change_thread(so, thread)->fence = row;
    }
    if (fences != HD_FENCE_RELEASE)
        acquire(so, thread, so->threads[thread].acquire);
    if (fences == HD_FENCE_ACQUIRE_RELEASE) {
        uint32_t row = publish(so, thread);
        change_thread(so, thread)->fence = row;
    }
}

/* An operation that touches two objects, or all, or none, or ends one. */
static __attribute__((noinline)) void touch_otherwise(struct hd_sync_order *so, uint32_t thread,
                                                      const struct hd_action *a)
{
    struct hd_touch touched[2];
    for (int i = 0, n = hd_touches(a, touched); i < n; i++)
        if (hd_touch_ends(a, &touched[i]))
            end_range(so, thread, &touched[i]);
        else
            touch(so, thread, a, &touched[i], i > 0);
    if (a->op == HD_OP_LEAVE) {
        uint64_t at = HD_TOUCH_SYNC | a->object << 3;
        touch(so, thread, a, &(struct hd_touch){ at, at + 8, false }, false);
    }
    if (hd_op_table[a->op].access == HD_ACCESS_ALL && a->op != HD_OP_SIGNAL_ARRIVE)
        touch_all(so, thread);
    if (a->op == HD_OP_FENCE)
        hd_sync_order_fence(so, thread, hd_fences_add(HD_FENCE_NONE, a->order));
}

static inline void add_event(struct hd_sync_order *so, uint32_t thread)
{
    struct hd_sync_event *e = &so->events[so->depth];
    e->thread = thread;
    e->index = so->threads[thread].count + 1;
    if (so->unlogged)
        return;
    e->n_undo = so->n_undo;
    e->n_accesses = so->n_accesses;
    e->n_words = so->n_words;
    e->n_stores = so->n_stores;
    e->all = so->all;
}

void hd_sync_order_ran(struct hd_sync_order *so, uint32_t thread, const struct hd_action *a,
                       uint32_t newer)
{
    if (so->full)
        return;
    so->newer = newer;
    if (so->depth >= HD_MAX_STEPS) {
        so->full = true;
        return;
    }
    if (thread >= so->n_threads)
        so->n_threads = thread + 1;
    add_event(so, thread);
    so->threads[thread].count++; /* hd_sync_event.index is its log */
    if (so->all)
        acquire(so, thread, so->all);
    if (hd_action_touches_one(a)) {
        struct hd_touch one = hd_touch_one(a);
        touch(so, thread, a, &one, false);
    } else {
        touch_otherwise(so, thread, a);
    }
    if (so->maps_files && hd_action_touches_files(a))
        touch_files(so, thread);
    if (hd_order_fences(a->order) != HD_FENCE_NONE)
        hd_sync_order_fence(so, thread, hd_order_fences(a->order));
    so->depth++;
}

static void restore(struct hd_sync_order *so, const struct hd_sync_undo *u)
{
    if (u->len == 0) {
        so->threads[u->addr] = u->was.thread;
        return;
    }
    if (so->cells.cells[u->cell].len == u->len) {
        so->objects[u->cell] = u->was.object;
        return;
    }
    for (uint64_t at = u->addr; at < u->addr + u->len;) { /* it has been split since */
        uint32_t cell = hd_cells_at(&so->cells, at, u->addr + u->len);
        so->objects[cell] = u->was.object;
        at += so->cells.cells[cell].len;
    }
}

static void begin_anew(struct hd_sync_order *so)
{
    memset(so->threads, 0, so->n_threads * sizeof so->threads[0]);
    so->n_words = 1;
    so->all = so->n_threads = so->n_accesses = so->n_stores = so->depth = 0;
    so->execution++;
}

void hd_sync_order_back(struct hd_sync_order *so, uint32_t depth)
{
    if (so->depth <= depth)
        return;
    if (so->unlogged) {
        begin_anew(so);
        return;
    }
    const struct hd_sync_event *e = &so->events[depth];
    while (so->n_undo > e->n_undo)
        restore(so, &so->undo[--so->n_undo]);
    for (uint32_t i = so->depth; i-- > depth;)
        so->threads[so->events[i].thread].count = so->events[i].index - 1;
    so->n_accesses = e->n_accesses;
    so->n_words = e->n_words;
    so->n_stores = e->n_stores;
    so->all = e->all;
    so->depth = depth;
}
