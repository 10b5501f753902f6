/* An execution graph: events in program order, which store each load reads (rf), and for each
 * location a total order of its stores (mo).  docs/design/019-graph.md has the definitions and
 * the search (Kokologiannakis et al., POPL 2022).
 *
 * Events are numbered by their place in a pool; 0 is none.  The pool is a stack: events that a
 * revisit takes out of the graph stay in it until the search is back before the revisit.
 *
 * Invariants (hd_graph_check):
 *  G1  thread t's events are by_thread[t].events[0 .. n), and event.index is the place there;
 *      event.store_before is the newest store before it there, loads[t] counts up to the
 *      newest load, and before_stores[t] up to the oldest store
 *  G2  a load is in the list of readers of the store that it reads, and in no other
 *  G3  the store part of a read-modify-write stands in mo directly after the store that its
 *      load part reads
 *  G4  stamps increase along `order`, which has every event of the graph once
 *  G5  clocks: event a is before b in po, rf and `alike` exactly if porf(b)[a.thread] >
 *      a.index; the same of happens-before, without `alike`, where a thread that was joined
 *      counts one event more
 *  G6  the stores of a location in mo are linked both ways, from its initial value to `last`;
 *      each store of the graph is there once, and no other one
 *  G7  coherence: mo never leads from a store to one that happens before it, and no load reads
 *      a store that is older in mo than one that happens before the load
 *  G8  reads_from.h: what a revisit leaves has a witness */
#ifndef HD_EXPLORE_GRAPH_GRAPH_H
#define HD_EXPLORE_GRAPH_GRAPH_H

#include "core/action.h"
#include "core/arena.h"
#include "core/enabled.h"
#include "core/options.h"

enum hd_event_kind {
    HD_EVENT_LOAD,
    HD_EVENT_STORE,
    HD_EVENT_FENCE,
    HD_EVENT_CHOICE, /* heddle_choose and the like */
    HD_EVENT_LOCAL,  /* start, creation, end, join of threads */
};

/* How the load part of a read-modify-write turned out. */
enum hd_event_part { HD_PART_NONE, HD_PART_RMW, HD_PART_FAILED };

#define HD_LANES 8 /* threads that clocks have room for at first; they grow by as many */

struct hd_event {
    uint32_t stamp; /* when it was added: the order `<` of the search */
    uint32_t pos;   /* when it was executed: events run in this order */
    uint32_t run;   /* its place in the list of executed events; ~0u: none */
    uint32_t index; /* in its thread, from 0 */
    uint32_t rf;    /* load: the store it reads; start, join: what it comes after, or 0 */
    uint32_t reader, reader_next, reader_prev; /* store: its first reader; load: neighbours */
    uint32_t mo_next, mo_prev;                 /* store */
    uint32_t place;                            /* load, store: the location */
    uint32_t choice;
    /* Of a store; the state of a synchronisation object; of the load part of a
     * read-modify-write what it stored. */
    uint64_t value[2];
    /* By a compare-exchange.  Of an operation on a futex: its mask, and what a requeue does
     * (HD_MOVE_WAKES in core/enabled.h). */
    uint64_t expected[2];
    uint16_t thread;
    uint8_t kind, part, order;
    bool blocked;  /* a load: the operation cannot run in the state that it reads */
    bool plain;    /* a store that is not atomic */
    bool attached; /* it is executed with the event before it */
    bool open;     /* revisited: the store that it reads has not run, its outcome is unknown */
    bool breaks;   /* its step breaks the program and is not made again; also `blocked` */
    bool inside;   /* an atomic section */
    bool grants;   /* the load part of an unlock of a mutex that is only waited for (grant.c) */
    bool releases; /* a store: its clock HD_CLOCK_RELEASE is there; otherwise it is empty */
    /* Another step of the thread breaks the program: how many may follow this event, + 1; 0:
     * none does. */
    uint32_t ends;
    uint32_t broken_at; /* frames of the search when that, or `breaks`, was found */
    /* The thread stands still: its events from returns - 1 on have led it back to a state that
     * it has been in; 0: it does not. */
    uint32_t returns;
    uint32_t fenced;        /* tso: events of the thread up to the newest barrier */
    bool gathers;           /* of an operation on an object: hd_object_turns_out */
    uint8_t outcome;        /* enum hd_op: the row that the operation turned out as */
    uint32_t base;          /* grant.c: the store that a lock waited for, which it has now */
    uint32_t after;         /* the store that woke the thread, which is before it; 0: none */
    uint32_t alike;         /* the event that is before it because threads are alike; 0: none */
    uint32_t release_fence; /* the newest release fence of the thread, or 0 */
    uint32_t store_before;  /* the newest store of the thread before it, or 0 */
    uint16_t loads_before;  /* a load: events of the thread up to the newest load before it */
    struct hd_action action;
};

/* Clocks of an event, one count for each thread. */
typedef uint16_t hd_count;

enum hd_clock { HD_CLOCK_PORF, HD_CLOCK_HB, HD_CLOCK_ACQUIRE, HD_CLOCK_RELEASE, HD_N_CLOCKS };

struct hd_place {
    uint64_t object;
    uint32_t size;
    uint32_t space;
    uint32_t first, last; /* of its stores in mo; the first is what it held at the beginning */
    uint32_t next;        /* with the same hash; 0: none */
    uint32_t site;        /* of the access that made it */
    uint32_t era; /* of the graph when it was made: a place of another era is another one */
};

struct hd_graph_thread {
    uint32_t *events;
    uint32_t n;
};

#define HD_NO_STORE UINT16_MAX /* a thread has fewer events */
#define HD_GRAPH_EVENTS (1u << 20)
#define HD_GRAPH_PLACES 65536u

struct hd_graph {
    enum hd_memory model;
    bool plain_events;       /* plain accesses are events, too (accesses.c) */
    struct hd_event *events; /* the pool; [0] is unused */
    uint32_t n_events;
    uint32_t first_initial; /* what places held at first: events from here on, which stay */
    struct hd_arena *arena;
    hd_count *clocks;
    uint32_t lanes; /* threads that the clocks have room for */
    uint32_t used;  /* threads from here on have never had an event */
    struct hd_graph_thread by_thread[HD_MAX_THREADS];
    hd_count loads[HD_MAX_THREADS]; /* the clock of all loads: events up to the newest one */
    /* Events before the oldest store; HD_NO_STORE: there is none. */
    hd_count before_stores[HD_MAX_THREADS];
    uint32_t *order;
    uint32_t n_order;
    uint32_t stamp, pos;
    struct hd_place *places;
    uint32_t n_places;
    uint32_t hash[HD_GRAPH_PLACES];
    uint32_t era;       /* grows when a thread is created while there is no other */
    uint64_t section;   /* the lock of atomic sections; 0: there has been none */
    bool seq_cst;       /* an event is seq_cst, and that means something */
    bool strong_fences; /* a fence is */
    bool futexes;       /* there has been a wait at a futex */
    bool requeues;      /* all futexes are one object */
    bool ends;          /* threads are objects: not only joins ask for their ends */
    bool joins;         /* joins are operations on them: others ask whether they were joined */
    bool full;          /* memory is used up */
    bool no_witness;    /* G8 did not hold */
    bool has_membarriers;
    bool has_joins;
    bool looks; /* threads look for signals (looks.c) */
    bool parts; /* a plain store has been an event of a location that may be larger */
    /* The thread before it that is interchangeable with it, + 1; 0: there is none (alike.c). */
    uint16_t like[HD_MAX_THREADS];
    struct hd_psc *psc; /* consistent.c */
    struct hd_membarriers *membarriers;
    struct hd_reads_from *reads_from; /* reads_from.h; NULL: mo is part of the graph */
};

static inline struct hd_event *hd_event(const struct hd_graph *g, uint32_t id)
{
    return &g->events[id];
}

static inline hd_count *hd_clock(const struct hd_graph *g, uint32_t id, enum hd_clock which)
{
    return g->clocks + ((uint64_t)id * HD_N_CLOCKS + which) * g->lanes;
}

static inline bool hd_clock_has(const struct hd_graph *g, const hd_count *clock, uint32_t id)
{
    const struct hd_event *e = &g->events[id];
    return e->thread == HD_MAX_THREADS || clock[e->thread] > e->index;
}

/* Counts that are joined and copied at once. */
typedef hd_count hd_lanes __attribute__((vector_size(HD_LANES * sizeof(hd_count)),
                                         aligned(sizeof(hd_count)), may_alias));

static inline void hd_clock_join(const struct hd_graph *g, hd_count *into, const hd_count *other)
{
    uint32_t i = 0;
    do {
        hd_lanes *a = (hd_lanes *)(into + i);
        *a = __builtin_elementwise_max(*a, *(const hd_lanes *)(other + i));
    } while ((i += HD_LANES) < g->lanes);
}

/* The first thread of which `more` has counted further than `less`; HD_MAX_THREADS: there is
 * none. */
static inline uint32_t hd_clock_exceeds(const struct hd_graph *g, const hd_count *more,
                                        const hd_count *less)
{
    for (uint32_t i = 0; i < g->used; i += HD_LANES) {
        hd_lanes further = *(const hd_lanes *)(more + i) > *(const hd_lanes *)(less + i);
        uint64_t half[2];
        __builtin_memcpy(half, &further, sizeof half);
        if (half[0] | half[1])
            return i + (uint32_t)(half[0] ? __builtin_ctzll(half[0])
                                          : 64 + __builtin_ctzll(half[1])) /
                           (8 * sizeof(hd_count));
    }
    return HD_MAX_THREADS;
}

/* The newest event of the thread; 0: none. */
static inline uint32_t hd_graph_newest(const struct hd_graph *g, uint32_t thread)
{
    const struct hd_graph_thread *t = &g->by_thread[thread];
    return t->n ? t->events[t->n - 1] : 0;
}

/* The load part of a store part. */
static inline uint32_t hd_graph_load_of(const struct hd_graph *g, uint32_t part)
{
    const struct hd_event *e = &g->events[part];
    return g->by_thread[e->thread].events[e->index - 1];
}

bool hd_graph_init(struct hd_graph *g, struct hd_arena *arena, enum hd_memory model);

/* Make room for that thread in all clocks. */
void hd_graph_widen(struct hd_graph *g, uint32_t thread);

/* The place of an atomic variable or a synchronisation object, which holds `value` if nobody
 * has stored there.  0: there is no room; places begin at 1. */
uint32_t hd_graph_place(struct hd_graph *g, uint64_t object, uint32_t size, uint32_t space,
                        const uint64_t value[2]);

/* The place, if there is one; otherwise 0. */
uint32_t hd_graph_find(const struct hd_graph *g, uint64_t object, uint32_t space);

/* Has the place a store, or a load that reads what it held at the beginning? */
static inline bool hd_graph_is_used(const struct hd_graph *g, uint32_t place)
{
    const struct hd_event *first = &g->events[g->places[place].first];
    return first->mo_next || first->reader;
}

/* A new event of the thread, after its newest, which is not in the graph yet and has no clocks.
 * 0: no room. */
uint32_t hd_graph_make(struct hd_graph *g, uint32_t thread, enum hd_event_kind kind,
                       const struct hd_action *action, uint32_t order);

/* The event becomes the newest of its thread; it is that, and leaves the thread. */
static inline void hd_graph_append(struct hd_graph *g, uint32_t id)
{
    struct hd_event *e = &g->events[id];
    struct hd_graph_thread *t = &g->by_thread[e->thread];
    t->events[t->n++] = id;
    if (e->kind == HD_EVENT_LOAD) {
        e->loads_before = g->loads[e->thread];
        g->loads[e->thread] = (hd_count)t->n;
    } else if (e->kind == HD_EVENT_STORE && !e->store_before) {
        g->before_stores[e->thread] = (hd_count)e->index;
    }
}

static inline void hd_graph_remove(struct hd_graph *g, uint32_t id)
{
    const struct hd_event *e = &g->events[id];
    g->by_thread[e->thread].n--;
    if (e->kind == HD_EVENT_LOAD)
        g->loads[e->thread] = e->loads_before;
    else if (e->kind == HD_EVENT_STORE && !e->store_before)
        g->before_stores[e->thread] = HD_NO_STORE;
}

void hd_graph_push(struct hd_graph *g, uint32_t id);
void hd_graph_pop(struct hd_graph *g, uint32_t id);

/* The clocks of an event that comes after its predecessor in po, and nothing else. */
void hd_graph_clock_begin(struct hd_graph *g, uint32_t id);

/* The clocks of a load that reads the store; link and unlink it as a reader. */
void hd_graph_read(struct hd_graph *g, uint32_t load, uint32_t store);
void hd_graph_unread(struct hd_graph *g, uint32_t load);

/* hd_graph_clock_begin and hd_graph_read of a load of memory. */
void hd_graph_read_anew(struct hd_graph *g, uint32_t load, uint32_t store);

/* The load, whose clocks are right, becomes a reader of the store that it names. */
void hd_graph_relink(struct hd_graph *g, uint32_t load);

/* The clock that an acquire load of the store learns; `load`: the load part of a
 * read-modify-write, or 0. */
void hd_graph_release(struct hd_graph *g, uint32_t store, uint32_t load);
void hd_graph_fence(struct hd_graph *g, uint32_t fence);

/* The same for synchronisation objects (objects.c): the load learns what was released to the
 * object up to the store; what an operation learns that acquires from the store. */
void hd_object_acquire(struct hd_graph *g, uint32_t load, uint32_t store);
void hd_object_release(struct hd_graph *g, uint32_t store, uint32_t load);

/* Stores of parts of a location (parts.c).  Do both write memory by plain accesses of different
 * bytes of one location?  Then nothing follows from which of them is newer in mo. */
bool hd_event_is_apart(const struct hd_event *a, const struct hd_event *b);

/* Does a, a plain store, write all bytes that b writes? */
bool hd_event_covers(const struct hd_event *a, const struct hd_event *b);

/* From the plain store on, and as long as plain ones follow it in mo: of the bytes that it does
 * not write its value has those of the store before it. */
void hd_graph_carry_parts(struct hd_graph *g, uint32_t store);

/* The next store to look at among those that are before the store in mo: first its mo_prev,
 * then what this returns for it, and so on, until that is 0.  All older ones are before one of
 * these. */
static inline uint32_t hd_graph_older(const struct hd_graph *g, const struct hd_event *store,
                                      uint32_t older)
{
    const struct hd_event *o = &g->events[older];
    return o->plain && !hd_event_covers(o, store) ? o->mo_prev : 0;
}

/* Blocks that are freed and given out again (objects.c): such operations are a chain, but
 * order nothing, except that a block is freed before it is given out.  The store part of the
 * operation that gave the block which the allocation takes; 0: there is none. */
static inline bool hd_event_of_heap(const struct hd_event *e)
{
    return e->kind <= HD_EVENT_STORE &&
           (e->action.op == HD_OP_ALLOC || e->action.op == HD_OP_GIVE);
}
uint32_t hd_object_given(const struct hd_graph *g, uint32_t load);

/* Interchangeable threads (alike.c).  The event of the thread before it in its class that comes
 * before the next event of the thread, which is that action: both have done the same so far.
 * 0: there is none.  Has the thread done the same, and has the other one no such event? */
uint32_t hd_graph_alike(const struct hd_graph *g, uint32_t thread,
                        const struct hd_action *action);
bool hd_graph_overtakes(const struct hd_graph *g, uint32_t thread);

/* The event that is before the event e because of `alike`: that one, or its store part. */
uint32_t hd_graph_after_alike(const struct hd_graph *g, const struct hd_event *e);

/* How many of its n choices an event has, which is 0 if there is no room for it: the first one,
 * made when nothing else is around, is the greatest. */
uint32_t hd_graph_alike_choices(const struct hd_graph *g, uint32_t event, uint32_t n);

/* Signals that run handlers in other threads (looks.c).  Has the thread looked for signals and
 * gone on without?  Such a look reads what its thread left, and no axiom says that it must read
 * anything newer. */
static inline bool hd_event_is_pass(const struct hd_event *e)
{
    return e->action.op == HD_OP_SIGNAL_POINT && e->part == HD_PART_FAILED;
}
/* Does the store leave a signal that the thread of the look is to handle? */
bool hd_look_finds(const struct hd_event *look, const struct hd_event *store);
/* The store that its thread made last to the object of the signals, or the first one. */
uint32_t hd_look_base(const struct hd_graph *g, uint32_t look);

void hd_graph_link(struct hd_graph *g, uint32_t store, uint32_t after);
void hd_graph_unlink(struct hd_graph *g, uint32_t store);

/* The oldest store of its place that the event may read, or stand after: the event is the last
 * of its thread, and neither a reader of a store nor a store of the place yet.  By model. */
uint32_t hd_graph_oldest(const struct hd_graph *g, uint32_t event);
uint32_t hd_model_sc_oldest(const struct hd_graph *g, uint32_t event);
uint32_t hd_model_tso_oldest(const struct hd_graph *g, uint32_t event);
uint32_t hd_reads_from_oldest(const struct hd_graph *g, uint32_t event);

/* Futexes (futexes.c).  Is the event part of a wait whose load has missed a store?  The oldest
 * store that a load may read if its wait comes after all operations on the futex that are
 * there. */
bool hd_futex_missed(const struct hd_graph *g, uint32_t event);
uint32_t hd_futex_oldest_now(const struct hd_graph *g, uint32_t load);

/* The object whose state the futex's operations change. */
static inline uint64_t hd_futex_object(const struct hd_graph *g, uint64_t word)
{
    return g->requeues ? HD_ALL_FUTEXES : word;
}

/* The thread is in the set that the store has left: the store part with which it began to
 * sleep.  It has done nothing else there since. */
uint32_t hd_futex_entry(const struct hd_graph *g, uint32_t thread, uint32_t store);

/* The futex at which the thread sleeps, which is in the set that the store has left. */
uint64_t hd_futex_of_sleeper(const struct hd_graph *g, uint32_t thread, uint32_t store);

/* The operation on the futex directly before the wait of the load: the store of the set that
 * the thread's entry reads.  0: the wait does not sleep, or has not entered yet. */
uint32_t hd_futex_previous(const struct hd_graph *g, const struct hd_event *load);

/* tso: is the load before the store? */
bool hd_model_tso_before(const struct hd_graph *g, uint32_t load, uint32_t store);

/* The event has been added to its thread: `fenced`. */
void hd_model_tso_fence(const struct hd_graph *g, struct hd_event *e);

/* Has the clock the store, or a load that reads it? */
bool hd_graph_knows(const struct hd_graph *g, const hd_count *clock, uint32_t store);

/* Does another read-modify-write than `load` read the store and store after it?  Its store
 * part; 0: there is none. */
uint32_t hd_graph_taken(const struct hd_graph *g, uint32_t store, uint32_t load);

/* Does a read-modify-write that reads the store stand directly after it?  Then nothing may be
 * placed between them. */
bool hd_graph_closed(const struct hd_graph *g, uint32_t store);

/* Reads-from equivalence (reads_from.h).  Is there a witness?  Then mo of all variables becomes
 * that of the first one. */
struct hd_reads_from *hd_reads_from_create(struct hd_arena *arena);
bool hd_reads_from_adopt(struct hd_graph *g);

/* Is the graph with the new event consistent, if it was without it?  Only what futexes, psc and
 * membarriers ask is left to be asked; the latter two ask nothing of an event that is or reads
 * the newest store. */
bool hd_graph_keeps_axioms(struct hd_graph *g, uint32_t event);
static inline bool hd_graph_consistent(struct hd_graph *g, uint32_t event)
{
    if (__builtin_expect(g->reads_from != NULL, 0))
        return hd_reads_from_adopt(g);
    const struct hd_event *e = hd_event(g, event);
    const struct hd_event *w = e->kind == HD_EVENT_LOAD ? hd_event(g, e->rf) : e;
    return !(g->futexes || (g->seq_cst && w->mo_next)) || hd_graph_keeps_axioms(g, event);
}
uint64_t hd_graph_psc_bytes(void);

/* Does po lead to the event and from it in psc?  Random choices, sleeping, allocations and the
 * like are nothing in C. */
bool hd_psc_counts(const struct hd_event *e);

/* Is there a place for each fence that membarriers execute in other threads (membarrier.c)? */
static inline bool hd_begins_membarrier(const struct hd_event *e)
{
    return e->kind == HD_EVENT_FENCE && e->action.size;
}
bool hd_membarrier_has_places(struct hd_graph *g);
uint64_t hd_membarrier_bytes(void);

/* The number of the first invariant that does not hold; 0: all hold. */
uint32_t hd_graph_check(const struct hd_graph *g);

#endif
