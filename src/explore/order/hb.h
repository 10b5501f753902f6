/* The dependence order (happens-before) of the current execution: what every event knows,
 * computed once per step, and the races of every event with earlier ones.
 *
 * Event i is step i of the path.  What event e knows, the events that happen before it and
 * itself, is a row: in an execution of up to HD_HB_SET_EVENTS steps the set of them, by bit;
 * once one has been longer, a vector clock: the number of such events by thread.  (A set takes
 * no more room than a clock, and tests of it take a few instructions.) Only events have rows.
 * An object has its last write and the reads since then, chained through the undo records of
 * the events.  Undoing an event takes a few words per object.  Writes that commute
 * (core/action.h), with nothing between them on the object, are a group: they are not ordered
 * among each other, and a later access of the object happens after all of them.
 *
 * A race (e, e') is a pair of dependent events of two threads with nothing in between in the
 * order, such that e' could have come first.  Orders that a program cannot turn round are no
 * races: create before start, exit before join, signal before the waiter that it woke goes on.
 * An operation that could not run just before e (a lock before the unlock that it waited for)
 * does not race with e but with the newest event on the object, further back, before which it
 * could: two critical sections race through their lock operations.  (Abdulla, Aronis, Jonsson,
 * Sagonas: Source Sets, JACM 2017, sections 2 and 7.) */
#ifndef HD_EXPLORE_ORDER_HB_H
#define HD_EXPLORE_ORDER_HB_H

#include "core/worker_memory.h"
#include "explore/order/cells.h"

#include <emmintrin.h>

#define HD_NO_EVENT 0xffffffffu

/* A set of events of an execution with at most HD_HB_SET_EVENTS steps. */
#define HD_HB_SET_EVENTS 128u
struct hd_set {
    uint64_t w[2];
};

/* Rows are sets in executions with fewer steps than this; 0: never.  Tests set less. */
extern uint32_t hd_hb_most_sets;

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

#define HD_HB_INSIDE 0xfffffffeu /* hd_hb_event.chosen */

struct hd_hb_event {
    uint32_t thread;
    uint32_t before;   /* the thread's event before; HD_NO_EVENT */
    uint32_t wake;     /* the signal that woke the thread for it; HD_NO_EVENT */
    uint32_t all;      /* last_all before this event */
    uint32_t chosen;   /* the waiter a signal woke, ~0u; HD_HB_INSIDE: see hd_hb_section */
    uint32_t choice;   /* that waiter, if the operation wakes one; otherwise the choice made */
    uint64_t races;    /* its first entry in `races`, newest partner first */
    uint64_t undo;     /* its first entry in `undo` */
    uint64_t state;    /* of its synchronisation object before it (core/enabled.h) */
    uint64_t hash;     /* of the event: thread, operation, clock */
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
    bool sets;        /* rows are sets; otherwise clocks */
    uint32_t limit;   /* there is room for events below this */
    uint32_t stride;  /* words a row has room for, a multiple of 4 */
    uint32_t width;   /* words in use, a multiple of 4: what loops over rows run to */
    uint32_t *rows;   /* [event][stride] */
    uint32_t *counts; /* clocks: [event][stride], events of every thread before this one */
    _Alignas(16) struct hd_set mine[HD_MAX_THREADS]; /* sets: the events of every thread */
    struct hd_hb_event *events;
    struct hd_hb_race {
        uint32_t early, late;
        uint32_t stands_on; /* it is settled while this event stays; HD_NO_EVENT: it is not */
    } *races;               /* of all events, by the late ones; newest early one first */
    uint64_t n_races;
    uint64_t n_settled; /* the first of them, which depend on their late halves only */
    uint32_t lowest;    /* events from here on are new to the reduction */
    struct hd_hb_undo *undo;
    uint64_t n_undo;
    struct hd_hb_end { /* memory that an event ended (core/touch.h) */
        uint64_t begin, end;
        uint32_t event;
    } *ends;
    uint64_t n_ends;
    uint32_t stack_cells[HD_MAX_THREADS];        /* cells in the stack of a thread */
    uint32_t n_stack_cells;                      /* in the stacks of all threads */
    uint32_t thread_cells[HD_MAX_THREADS];       /* the cell that is the thread itself, + 1 */
    uint32_t *of[HD_MAX_THREADS];                /* clocks: events by thread, in order */
    uint32_t last[HD_MAX_THREADS];               /* newest event by thread */
    _Alignas(16) uint32_t count[HD_MAX_THREADS]; /* clocks: events by thread */
    uint32_t wake[HD_MAX_THREADS];     /* the signal that woke it, until its next event */
    uint64_t waits_on[HD_MAX_THREADS]; /* condition variable it waits on, 0 */
    struct hd_tset moved;              /* threads that have an event */
    uint32_t last_all;                 /* newest event that conflicts with everything */
    uint32_t n_threads;
    uint32_t depth;
    /* Could the AWAIT of event `until`, or pending there, run if event e and everything that
     * happens after it had not come before?  NULL: races are not computed. */
    bool (*could_await)(const void *self, uint32_t e, uint32_t until, const struct hd_action *a);
    const void *await_self;
    bool full; /* memory is used up: the contents are no longer valid */
    uint32_t n_candidates;
    uint32_t *candidates; /* [HD_MAX_STEPS] */
};

bool hd_hb_init(struct hd_hb *hb, struct hd_arena *arena, bool hashing);

/* Record an event of one of the most frequent kinds (hb_simple.c).  Returns false, having done
 * nothing, if it is of another kind. */
bool hd_hb_simple(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                  uint64_t state);
/* Record an event of any kind. */
void hd_hb_any(struct hd_hb *hb, uint32_t thread, const struct hd_action *action, uint32_t chosen,
               uint32_t choice, uint64_t state);

/* Record a step.  `chosen` is the thread that it wakes, ~0u for none; `state` is that of the
 * object it may block on, or of a wait's mutex. */
static inline void hd_hb_ran(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                             uint32_t chosen, uint32_t choice, uint64_t state)
{
    if (!hd_hb_simple(hb, thread, action, state))
        hd_hb_any(hb, thread, action, chosen, choice, state);
}
void hd_hb_back(struct hd_hb *hb, uint32_t depth);

/* The end of the event's entries in `races`. */
HD_HOT uint64_t hd_hb_races_end(const struct hd_hb *hb, uint32_t event)
{
    return event + 1 < hb->depth ? hb->events[event + 1].races : hb->n_races;
}

/* The event, or the one that begins the atomic section which it is part of: no other thread can
 * run between the two. */
static inline uint32_t hd_hb_section(const struct hd_hb *hb, uint32_t event)
{
    while (event != HD_NO_EVENT && event && hb->events[event].chosen == HD_HB_INSIDE &&
           hb->events[event].before == event - 1)
        event--;
    return event;
}

/* The events with which the pending operation of a blocked thread races.  Returns their number,
 * at most HD_MOST_BLOCKERS. */
#define HD_MOST_BLOCKERS 32
uint32_t hd_hb_blocked_by(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                          uint64_t state, uint32_t by[HD_MOST_BLOCKERS]);

/* Does the action depend on an event after `event` for which `among` returns true? */
bool hd_hb_depends(struct hd_hb *hb, const struct hd_action *action, uint32_t event,
                   bool (*among)(const void *self, uint32_t event), const void *self);

static inline const uint32_t *hd_hb_row(const struct hd_hb *hb, uint32_t event)
{
    return hb->rows + (uint64_t)event * hb->stride;
}

/* Clocks: events of every thread before event `event` in the execution. */
static inline const uint32_t *hd_hb_counts(const struct hd_hb *hb, uint32_t event)
{
    return hb->counts + (uint64_t)event * hb->stride;
}

/* Sets: what the event knows. */
HD_HOT struct hd_set hd_hb_set(const struct hd_hb *hb, uint32_t event)
{
    typedef uint64_t word __attribute__((may_alias));
    const word *row = (const word *)(const void *)(hb->rows + 4ull * event);
    return (struct hd_set){ { row[0], row[1] } };
}

/* The same of an execution with at most 64 events. */
HD_HOT uint64_t hd_hb_word(const struct hd_hb *hb, uint32_t event)
{
    return hd_hb_set(hb, event).w[0];
}

HD_HOT struct hd_set hd_set_and(struct hd_set a, struct hd_set b)
{
    return (struct hd_set){ { a.w[0] & b.w[0], a.w[1] & b.w[1] } };
}

HD_HOT struct hd_set hd_set_but(struct hd_set a, struct hd_set b)
{
    return (struct hd_set){ { a.w[0] & ~b.w[0], a.w[1] & ~b.w[1] } };
}

/* The first event of the set; HD_NO_EVENT if it is empty. */
HD_HOT uint32_t hd_set_first(struct hd_set s)
{
    if (s.w[0])
        return (uint32_t)__builtin_ctzll(s.w[0]);
    return s.w[1] ? 64 + (uint32_t)__builtin_ctzll(s.w[1]) : HD_NO_EVENT;
}

HD_HOT void hd_set_add(struct hd_set *s, uint32_t event)
{
    s->w[event >> 6] |= 1ull << (event & 63);
}

HD_HOT void hd_set_del(struct hd_set *s, uint32_t event)
{
    s->w[event >> 6] &= ~(1ull << (event & 63));
}

HD_HOT bool hd_set_has(const struct hd_set *s, uint32_t event)
{
    return s->w[event >> 6] >> (event & 63) & 1;
}

/* The events before `event`. */
HD_HOT struct hd_set hd_set_below(uint32_t event)
{
    uint64_t part = (1ull << (event & 63)) - 1;
    return event < 64 ? (struct hd_set){ { part, 0 } } : (struct hd_set){ { ~0ull, part } };
}

/* The thread's first event at or after `event` in the execution, or HD_NO_EVENT. */
uint32_t hd_hb_next_of(const struct hd_hb *hb, uint32_t thread, uint32_t event);

/* Does `row` contain the event? */
HD_HOT bool hd_hb_known(const struct hd_hb *hb, const uint32_t *row, uint32_t event)
{
    if (__builtin_expect(hb->sets, 1))
        return row[event >> 5] >> (event & 31) & 1;
    uint32_t t = hb->events[event].thread;
    return row[t] >= hd_hb_row(hb, event)[t];
}

/* Does event a happen before event b, or are they the same? */
static inline bool hd_hb_before(const struct hd_hb *hb, uint32_t a, uint32_t b)
{
    return hd_hb_known(hb, hd_hb_row(hb, b), a);
}

/* Add what the event knows to the row. */
HD_HOT void hd_hb_follow(const struct hd_hb *hb, uint32_t *row, uint32_t event)
{
    if (event == HD_NO_EVENT)
        return;
    typedef int32_t quad __attribute__((vector_size(16), aligned(16), may_alias));
    const quad *other = (const quad *)(const void *)hd_hb_row(hb, event);
    quad *mine = (quad *)(void *)row;
    uint32_t n = hb->width / 4;
    if (__builtin_expect(hb->sets, 1)) {
#pragma clang loop unroll(disable)
        for (uint32_t i = 0; i < n; i++)
            mine[i] |= other[i];
        return;
    }
#pragma clang loop unroll(disable)
    for (uint32_t i = 0; i < n; i++) {
        quad newer = other[i] > mine[i];
        mine[i] = (other[i] & newer) | (mine[i] & ~newer);
    }
}

/* Clocks: the threads of [64 * word, 64 * word + 64), by bit, of whose events `clock` knows
 * more than `cut`; both are aligned to 16 bytes. */
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

/* Clocks: does `clock` know more than `cut` of any thread's events? */
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

/* Does everything that happens before event f, except f itself, come before event e in the
 * execution? */
bool hd_hb_initial(const struct hd_hb *hb, uint32_t f, uint32_t e);

/* Does event w know all events before it? */
bool hd_hb_knows_all(const struct hd_hb *hb, uint32_t w);

/* A hash of the graph of the current execution: equal for equivalent executions. */
void hd_hb_graph_hash(const struct hd_hb *hb, uint64_t out[2]);

#endif
