/* The interpreter's machine: one state, its enabled steps, and what a step does.
 *
 * What is a step.  Every access of a shared variable, every pthread call, sched_yield, a thread's
 * start and exit and the end of the process; the local code after it belongs to it.  A join or
 * detach is two: reading the pthread_t (it lies in memory that pthread_create was given the
 * address of) and the call.  A condition wait is two: `wait` (release and queue) and, once woken,
 * `relock`.  A signal with k > 1 waiters has k alternatives.  Writing a bit-field is two: reading
 * its byte and writing it.  Copying or filling a whole union is one.  A fence is none: it
 * belongs to the step before it.
 *
 * An atomic section is one step, with all that is in it; but a choice in it is a step again, before
 * which nobody else can move.
 *
 * What depends on what.  Steps of one thread; overlapping bytes, one of them written; the same
 * mutex or the same condition, unless both only read it; start, exit, create and join of the
 * same thread (detaching it commutes with all of them); the end of the process depends on
 * everything, and so does an atomic section.  A read is: a load, a compare-exchange that failed, a trylock that failed for
 * whatever reason (also because the caller itself holds the mutex).  A lock of an errorcheck
 * mutex that returns EDEADLK is a write: lock has no failing variant.  Taking a recursive
 * mutex again, by lock or trylock, is a write.  wait writes the condition and the mutex,
 * relock the mutex alone. sched_yield touches nothing.  Every operation on a read-write lock
 * or a semaphore is a write of it, but for an attempt that failed.  Time that runs out is a
 * step after the failed attempt, and writes the clock.  A timed wait is a wait; its end,
 * which can come at any time, writes the condition.  Arriving at a barrier writes it; leaving
 * it touches nothing; who is the serial thread is an alternative of the last arrival.  A
 * choice touches nothing.
 *
 * In programs with ORC_FINER_RMW, additions and subtractions whose result nobody gets commute, and
 * so do OR with OR and XOR with XOR, if they are of the same bytes.
 *
 * What ends an execution.  The end of the process, or of the last thread; a failed assertion
 * (in the local code of a step, which is part of the execution); unlocking a mutex that the
 * caller does not hold (the step is part of the execution); coming to a lock of a normal mutex
 * that the caller holds already (in the local code of the step before: nobody else can change
 * that); nobody enabled; an assumption that does not hold.  The last is a step of its own, which
 * depends on nothing: others may come between it and the step before.  What happened before it
 * counts, and the execution itself does not.  In an atomic section nobody can come between: the step
 * ends the execution. */
#ifndef ORC_MACHINE_H
#define ORC_MACHINE_H

#include "lower.h"

#define ORC_NOBODY 0xff
#define ORC_MAX_FENCES 8
#define ORC_UNSEEN 0xfe /* orc_event.commutes of a store that nobody sees */

enum orc_life { ORC_UNBORN, ORC_LIVE, ORC_GONE };

struct orc_state {
    uint8_t memory[ORC_MAX_BYTES];
    uint32_t reg[ORC_MAX_THREADS][ORC_REGS];
    uint16_t pc[ORC_MAX_THREADS];
    uint8_t life[ORC_MAX_THREADS];
    uint8_t queued[ORC_MAX_THREADS]; /* waits for a signal */
    uint8_t owner[ORC_MAX_MUTEXES], count[ORC_MAX_MUTEXES];
    uint8_t queue[ORC_MAX_CONDS][ORC_MAX_THREADS], n_queue[ORC_MAX_CONDS];
    uint8_t writer[ORC_MAX_RWLOCKS], readers[ORC_MAX_RWLOCKS]; /* who; how many */
    uint8_t reads[ORC_MAX_THREADS][ORC_MAX_RWLOCKS];           /* the thread is one of these */
    uint8_t sem[ORC_MAX_SEMS];
    uint8_t arrived; /* at the barrier */
    uint8_t serial[ORC_MAX_THREADS];
    uint8_t inside;   /* the thread in an atomic section that has come to a choice, + 1 */
    uint8_t observed; /* main has called heddle_observe */
};

enum orc_space {
    ORC_SPACE_NONE,
    ORC_SPACE_MEMORY,
    ORC_SPACE_MUTEX,
    ORC_SPACE_COND,
    ORC_SPACE_THREAD,
    ORC_SPACE_RWLOCK,
    ORC_SPACE_SEM,
    ORC_SPACE_BARRIER,
    ORC_SPACE_CLOCK,
};

struct orc_touch {
    uint8_t space, begin, end, writes;
};

struct orc_event {
    uint8_t thread, index; /* of the step in its thread, from 0 */
    uint8_t op;            /* enum orc_code_op */
    uint8_t waker;         /* of a signal: whom it woke; the serial thread, the value chosen */
    uint8_t all;           /* depends on everything */
    uint8_t alone;         /* no other thread is there; of ORC_FINER_OBSERVERS alone */
    uint8_t stores;        /* touch[0] is written, and nothing is looked at */
    uint8_t commutes;      /* with others of the same number and bytes; 0: with none */
    uint8_t watched;       /* writes what an invariant reads */
    uint8_t n_fences;
    uint8_t fences[ORC_MAX_FENCES]; /* executed after the step: enum orc_order */
    struct orc_touch touch[2];
};

enum orc_end { ORC_GOES_ON, ORC_ENDED, ORC_ASSERTED, ORC_MISUSED, ORC_DEADLOCKED, ORC_ASSUMED };

void orc_state_init(const struct orc_lowered *m, struct orc_state *s);

/* Does the thread stand at an assumption that does not hold?  To give up is its next step. */
bool orc_state_gives_up(const struct orc_lowered *m, const struct orc_state *s, uint32_t t);

/* Can another thread than such ones move? */
bool orc_state_moves(const struct orc_lowered *m, const struct orc_state *s);

/* How many alternatives the thread's next step has; 0: it is not enabled. */
uint32_t orc_state_choices(const struct orc_lowered *m, const struct orc_state *s, uint32_t t);

/* Are there threads each of which comes to a lock that the next one holds, round in a circle? */
bool orc_state_circle(const struct orc_lowered *m, const struct orc_state *s);

/* Do it.  event->thread, op, waker, all, touch are set; index is the caller's.  *stmt is the
 * statement of a failed assertion or misuse. */
enum orc_end orc_state_step(const struct orc_lowered *m, struct orc_state *s, uint32_t t,
                            uint32_t choice, struct orc_event *event, uint16_t *stmt);

/* Equal for operations that commute, 0 for those that do not. */
uint8_t orc_rmw_kind(uint8_t rmw);

static inline bool orc_dependent(const struct orc_event *a, const struct orc_event *b)
{
    if (a->thread == b->thread || a->all || b->all || (a->watched && b->watched))
        return true;
    if (a->commutes && a->commutes == b->commutes && a->touch[0].begin == b->touch[0].begin &&
        a->touch[0].end == b->touch[0].end)
        return false;
    for (int i = 0; i < 2; i++)
        for (int j = 0; j < 2; j++) {
            const struct orc_touch *x = &a->touch[i], *y = &b->touch[j];
            if (x->space && x->space == y->space && (x->writes || y->writes) &&
                x->begin < y->end && y->begin < x->end)
                return true;
        }
    return false;
}

uint32_t orc_evaluate(const struct orc_expr *e, const uint32_t *reg);

bool orc_cmp_holds(uint8_t cmp, uint32_t x, uint32_t k);

const char *orc_op_text(uint8_t op);

#endif
