/* Happens-before as C11 and POSIX define it: program order and synchronises-with.  Data races
 * are pairs of accesses that it does not order.  (The reductions reverse another order, hb.h,
 * in which any two conflicting events are ordered.)
 *
 *   synchronises with            what
 *   creation of a thread      →  its start
 *   end of a thread           →  who joins it
 *   unlock                    →  the next lock of that mutex or spinlock
 *   unlock by a writer        →  every later lock of that read-write lock
 *   unlock by a reader        →  the next lock by a writer
 *   post of a semaphore       →  a wait that succeeds later
 *   arrival at a barrier      →  everybody who leaves it in that round
 *   end of a once function    →  every other call
 *   release store, or RMW     →  an acquire load, or RMW, that reads from its release sequence:
 *                                the store and the RMWs that read it, in a chain (C++20)
 *   release fence             →  as a release store: the atomic stores after it
 *   acquire fence             →  as an acquire load: the atomic loads before it
 *
 * seq_cst counts as acquire and release.  Relaxed accesses, attempts that fail, sem_getvalue,
 * signals of condition variables, futexes, sleeping, readings of the clock, random numbers and
 * allocations order nothing.
 * What heddle has besides (pipes, keys, descriptors, calls into unknown code) orders as in
 * hb.h, and an operation that conflicts with everything is ordered with everything.  The column
 * `orders` of core/op.def says which operation does what.
 *
 * A thread's knowledge is a clock: how many events of every thread happen before its next one.
 * Clocks are rows that never change once made; changes of anything else are logged, so that an
 * execution can be cut back.  A search that begins every execution at the root needs no log:
 * then whatever an earlier execution has left at an object counts as nothing. */
#ifndef HD_EXPLORE_ORDER_SYNC_ORDER_H
#define HD_EXPLORE_ORDER_SYNC_ORDER_H

#include "core/worker_memory.h"
#include "explore/order/cells.h"

struct hd_sync_thread {
    uint32_t count;   /* of its events */
    uint32_t clock;   /* row: what it knows of others */
    uint32_t fence;   /* row: what it knew at its last release fence */
    uint32_t acquire; /* row: what an acquire fence would let it know */
};

/* A cell of memory, or a synchronisation object. */
struct hd_sync_object {
    uint64_t execution; /* in which the following holds; in a later one all of it is 0 */
    uint32_t access;    /* memory: newest access, + 1 */
    uint32_t message;   /* row: what a thread learns that acquires it */
    uint32_t stores;    /* memory: the newest of its stores in mo (struct hd_sync_store), + 1 */
    uint32_t gather;    /* row: of readers' unlocks, of arrivals at a barrier */
    uint32_t writer;    /* thread that holds a read-write lock for writing, + 1 */
};

/* A store of an atomic variable.  Lists of them never change once made. */
struct hd_sync_store {
    uint32_t message; /* row: what a thread learns that reads it and acquires */
    uint32_t older;   /* in mo, + 1 */
};

struct hd_sync_access {
    uint32_t event;
    uint32_t index;  /* how many events of its thread there were, with this one */
    uint32_t before; /* access of the cell before it, + 1 */
    uint32_t other;  /* the last of those by another thread, + 1 */
    uint8_t thread;
    bool writes : 1, atomic : 1;
    bool after_all : 1; /* all before it at the cell happen before it, as far as known */
    bool plain : 1;     /* it or one before it is not atomic */
};

struct hd_sync_undo {
    uint64_t addr;      /* of a cell, or a thread */
    uint32_t cell, len; /* len is 0: a thread */
    union {
        struct hd_sync_thread thread;
        struct hd_sync_object object;
    } was;
};

struct hd_sync_event { /* how much there was before it */
    uint32_t thread, index;
    uint32_t n_undo, n_accesses, n_words, n_stores;
    uint32_t all;
};

struct hd_sync_order {
    struct hd_arena *arena;
    struct hd_cells cells;
    struct hd_sync_object *objects; /* by cell */
    uint32_t objects_cap;
    struct hd_sync_thread threads[HD_MAX_THREADS];
    uint32_t n_threads;
    uint32_t *words; /* rows: their length, then so many counts; row 0 is empty */
    uint32_t n_words;
    uint32_t all; /* row: known to all, by operations that conflict with everything */
    struct hd_sync_access *accesses;
    uint32_t n_accesses;
    struct hd_sync_store *stores;
    uint32_t n_stores;
    struct hd_sync_undo *undo;
    uint32_t n_undo;
    struct hd_sync_event *events;
    uint32_t depth;
    uint32_t newer; /* of the event that is added */
    /* Cutting back leaves no event, and nothing is logged.  Set before the first event. */
    bool unlogged;
    /* A call that may touch mapped files (core/action.h) accesses all of them.  Set before the
     * first event. */
    bool maps_files;
    uint64_t execution; /* without a log: their number */
    bool full;          /* memory is used up: the contents are no longer valid */
    /* Called for two events of different threads that are not ordered and touch the same byte,
     * if one of them writes it and one is not atomic. */
    void (*unordered)(void *self, uint32_t early, uint32_t late);
    void *self;
};

_Static_assert(HD_MAX_THREADS <= 256, "a thread is a byte of struct hd_sync_access");

bool hd_sync_order_init(struct hd_sync_order *so, struct hd_arena *arena,
                        void (*unordered)(void *self, uint32_t early, uint32_t late), void *self);

/* Add the next event: the thread's action, and the fences that action->order names.  `newer`:
 * for an atomic access, the number of stores of the location that are newer in mo than the one
 * which it reads or makes; 0 under sequential consistency. */
void hd_sync_order_ran(struct hd_sync_order *so, uint32_t thread, const struct hd_action *action,
                       uint32_t newer);

/* The thread executes a fence after its last event. */
void hd_sync_order_fence(struct hd_sync_order *so, uint32_t thread, enum hd_fences fences);

/* Only the first `depth` events are left; without a log none is, and the caller adds those that
 * it wants again. */
void hd_sync_order_back(struct hd_sync_order *so, uint32_t depth);

/* Does event a happen before the thread's next event? */
bool hd_sync_order_knows(const struct hd_sync_order *so, uint32_t thread, uint32_t a);

#endif
