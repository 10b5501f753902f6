/* Happens-before: a vector clock per event of the current execution, computed once per step,
 * and the races of every event with earlier ones.
 *
 * Event i is step i of the path.  clock(e)[t] is the number of events of thread t that happen
 * before e, or are e.  Clocks live in events only; an object knows its last write, the reads
 * since (both chained through the events' undo records).  Undoing an event is a few words per
 * object.  Writes that commute (core/action.h), with nothing between them on the object, are a
 * group: they are not ordered, and who comes behind comes behind all of them.
 *
 * A race (e, e') is a pair of dependent events of two threads with nothing in between in the
 * order, such that e' could have come first.  Orders that a program cannot turn round are no
 * races: create before start, exit before join, signal before the waiter that it woke goes on.
 * An operation that could not run just before e (a lock before the unlock that it waited for)
 * does not race with e but with the newest event on the object, further back, before which it
 * could: two critical sections race through their lock operations.  (Abdulla, Aronis, Jonsson,
 * Sagonas: Source Sets, JACM 2017, sections 2 and 7.) */
#ifndef HD_EXPLORE_HB_H
#define HD_EXPLORE_HB_H

#include "explore/cells.h"

#include <emmintrin.h>

#define HD_NO_EVENT 0xffffffffu

struct hd_hb_object {
    uint32_t write; /* last event that wrote it */
    uint32_t read;  /* newest event that read it since */
};

struct hd_hb_undo { /* one per object touched; by address, as the cell may be split later */
    uint64_t addr;
    uint32_t cell;           /* the one it was, as long as it has not been split */
    uint32_t len;            /* 0: a thread's `wake` and `waits_on` (addr is the thread) */
    struct hd_hb_object was; /* was.read: for a read, the read before it */
    uint64_t waits_on;
};

struct hd_hb_event {
    uint32_t thread;
    uint32_t before; /* the thread's event before; HD_NO_EVENT */
    uint32_t wake;   /* the signal that woke the thread for it; HD_NO_EVENT */
    uint32_t all;    /* last_all before this event */
    uint32_t chosen; /* the waiter a signal woke, ~0u */
    uint32_t choice; /* that waiter, of an operation that wakes one; of others, the choice made */
    uint64_t races;  /* its first entry in `races`, newest partner first */
    uint64_t undo;   /* its first entry in `undo` */
    uint64_t state;  /* of its synchronisation object before it (core/enabled.h) */
    uint64_t hash;   /* of the event: thread, operation, clock */
    uint64_t commutes; /* hd_action_commuting() */
};

struct hd_hb {
    struct hd_arena *arena;
    struct hd_cells cells;
    struct hd_hb_object *objects; /* by cell */
    uint32_t objects_cap;
    bool hashing;     /* events get their hash */
    bool groups;      /* an event has been met that commutes with others on its object */
    bool plain;       /* events may be simple (hb_simple.c): neither of these two, nothing has
                         happened that conflicts with everything, and memory is not used up */
    uint32_t stride;  /* threads a clock has room for, a multiple of 4 */
    uint32_t width;   /* n_threads rounded up to a multiple of 4: what loops over clocks run to */
    uint32_t *clocks; /* [event][stride] */
    uint32_t *counts; /* [event][stride]: events of every thread before this one */
    struct hd_hb_event *events;
    struct hd_hb_race {
        uint32_t early, late;
        uint32_t
            stands_on; /* the reduction need not look at it again as long as this event stays;
                               HD_NO_EVENT: it must */
    } *races;          /* of all events, in the order of the late ones; newest early one first */
    uint64_t n_races;
    uint64_t n_settled; /* the first of them, that stand on their late halves */
    uint32_t lowest;    /* events from here on are not those that the reduction has looked at */
    struct hd_hb_undo *undo;
    uint64_t n_undo;
    struct hd_hb_end { /* memory that an event ended (core/touch.h) */
        uint64_t begin, end;
        uint32_t event;
    } *ends;
    uint64_t n_ends;
    uint32_t stack_cells[HD_MAX_THREADS];        /* cells in the stack of a thread */
    uint32_t thread_cells[HD_MAX_THREADS];       /* the cell that is the thread itself, + 1 */
    uint32_t *of[HD_MAX_THREADS];                /* events by thread, in order */
    uint32_t last[HD_MAX_THREADS];               /* newest event by thread */
    _Alignas(16) uint32_t count[HD_MAX_THREADS]; /* events by thread */
    uint32_t wake[HD_MAX_THREADS];     /* the signal that woke it, until its next event */
    uint64_t waits_on[HD_MAX_THREADS]; /* condition variable it waits on, 0 */
    uint64_t moved;                    /* threads below 64 that have an event, by bit */
    uint32_t last_all;                 /* newest event that conflicts with everything */
    uint32_t n_threads;
    uint32_t depth;
    /* Could the AWAIT of event `until`, or pending there, run if event e and all that happens
     * after it had not come before?  NULL: races are not asked for. */
    bool (*could_await)(const void *self, uint32_t e, uint32_t until, const struct hd_action *a);
    const void *await_self;
    bool full; /* memory is used up: nothing here is right any more */
    uint32_t n_candidates;
    uint32_t *candidates; /* [HD_MAX_STEPS] */
};

bool hd_hb_init(struct hd_hb *hb, struct hd_arena *arena, bool hashing);

/* An event of one of the most frequent kinds (hb_simple.c).  False: it is none, and nothing
 * has been done. */
bool hd_hb_simple(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                  uint64_t state);
/* … of any kind. */
void hd_hb_any(struct hd_hb *hb, uint32_t thread, const struct hd_action *action, uint32_t chosen,
               uint32_t choice, uint64_t state);

/* The step happens: `chosen` is the waiter of a signal, ~0u for none; `state` that of the object it
 * may block on, or of a wait's mutex. */
static inline void hd_hb_ran(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                             uint32_t chosen, uint32_t choice, uint64_t state)
{
    if (!hd_hb_simple(hb, thread, action, state))
        hd_hb_any(hb, thread, action, chosen, choice, state);
}
void hd_hb_back(struct hd_hb *hb, uint32_t depth);

/* Behind the event's last entry in `races`. */
HD_HOT uint64_t hd_hb_races_end(const struct hd_hb *hb, uint32_t event)
{
    return event + 1 < hb->depth ? hb->events[event + 1].races : hb->n_races;
}

/* The events with which the pending operation of a blocked thread races; how many, at most
 * HD_MOST_BLOCKERS. */
#define HD_MOST_BLOCKERS 32
uint32_t hd_hb_blocked_by(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                          uint64_t state, uint32_t by[HD_MOST_BLOCKERS]);

/* Does the action depend on an event behind `event` for which `among` says yes? */
bool hd_hb_depends(struct hd_hb *hb, const struct hd_action *action, uint32_t event,
                   bool (*among)(const void *self, uint32_t event), const void *self);

static inline const uint32_t *hd_hb_clock(const struct hd_hb *hb, uint32_t event)
{
    return hb->clocks + (uint64_t)event * hb->stride;
}

/* Events of every thread before event `event` in the execution. */
static inline const uint32_t *hd_hb_counts(const struct hd_hb *hb, uint32_t event)
{
    return hb->counts + (uint64_t)event * hb->stride;
}

/* The thread's first event at or behind `event` in the execution, or HD_NO_EVENT. */
static inline uint32_t hd_hb_next_of(const struct hd_hb *hb, uint32_t thread, uint32_t event)
{
    uint32_t n = hd_hb_counts(hb, event)[thread];
    return n < hb->count[thread] ? hb->of[thread][n] : HD_NO_EVENT;
}

/* Does event a happen before event b, or are they the same? */
static inline bool hd_hb_before(const struct hd_hb *hb, uint32_t a, uint32_t b)
{
    uint32_t t = hb->events[a].thread;
    return hd_hb_clock(hb, b)[t] >= hd_hb_clock(hb, a)[t];
}

/* Of threads [64 * word, 64 * word + 64), by bit: those of whose events `clock` knows more than
 * `cut`; both are aligned to 16 bytes. */
HD_HOT uint64_t hd_hb_beyond(const struct hd_hb *hb, const uint32_t *clock, const uint32_t *cut,
                             uint32_t word)
{
    uint64_t beyond = 0;
    uint32_t end = hb->width < 64 * word + 64 ? hb->width : 64 * word + 64;
    for (uint32_t t = 64 * word; t < end; t += 4) {
        __m128i mine = _mm_load_si128((const __m128i *)(const void *)(clock + t));
        __m128i theirs = _mm_load_si128((const __m128i *)(const void *)(cut + t));
        __m128i more = _mm_cmpgt_epi32(mine, theirs);
        beyond |= (uint64_t)(uint32_t)_mm_movemask_ps(_mm_castsi128_ps(more)) << (t % 64);
    }
    return beyond;
}

/* Does `clock` know more than `cut` of any thread's events? */
HD_HOT bool hd_hb_any_beyond(const struct hd_hb *hb, const uint32_t *clock, const uint32_t *cut)
{
    __m128i more = _mm_setzero_si128();
#pragma clang loop unroll(disable)
    for (uint32_t t = 0; t < hb->width; t += 4) {
        __m128i mine = _mm_load_si128((const __m128i *)(const void *)(clock + t));
        __m128i theirs = _mm_load_si128((const __m128i *)(const void *)(cut + t));
        more = _mm_or_si128(more, _mm_cmpgt_epi32(mine, theirs));
    }
    return _mm_movemask_epi8(more) != 0;
}

/* Does everything that happens before event f, but f itself, stand before event e in the
 * execution? */
static inline bool hd_hb_initial(const struct hd_hb *hb, uint32_t f, uint32_t e)
{
    const uint32_t *clock = hd_hb_clock(hb, f), *counts = hd_hb_counts(hb, e);
    uint32_t thread = hb->events[f].thread, beyond = 0;
    for (uint32_t t = 0; t < hb->n_threads; t++)
        beyond += clock[t] > counts[t];
    /* f itself is beyond; its own thread's other events must not be */
    return beyond == 1 && clock[thread] == counts[thread] + 1;
}

/* A hash of the graph of the current execution: equal for equivalent executions. */
void hd_hb_graph_hash(const struct hd_hb *hb, uint64_t out[2]);

#endif
