/* Which operations can be blocked, and by what; which can turn out in two ways: the one place that
 * says when a synchronisation operation can run and how.  The runtime asks it of the present, the
 * reductions of the past ("could this lock have come before that one?"), so the state of an object
 * that matters is put in 64 bits:
 *
 *   mutex, spinlock   owner + 1; 0: free
 *   rwlock            bits 0-15 the writer + 1, 16-31 preferred writers that wait, 32-63 readers
 *   semaphore         its value
 *   once              0: not run; the thread that runs it + 1; HD_ONCE_RUN
 *   barrier           arrivals that are missing */
#ifndef HD_CORE_ENABLED_H
#define HD_CORE_ENABLED_H

#include "core/op.h"

#include <stdbool.h>

#define HD_ONCE_RUN (~0ull)

/* Can the operation ever have to wait for the state of its object? */
static inline bool hd_op_blocks(enum hd_op op)
{
    switch (op) {
    case HD_OP_LOCK:
    case HD_OP_RELOCK:
    case HD_OP_RDLOCK:
    case HD_OP_WRLOCK:
    case HD_OP_SPIN_LOCK:
    case HD_OP_SEM_WAIT:
    case HD_OP_SEM_CANCELLED:
    case HD_OP_ONCE:
    case HD_OP_ONCE_SEEN:
        return true;
    default:
        return false;
    }
}

/* Can `thread` do it when its object is in that state?  Of an attempt: would it succeed? */
static inline bool hd_op_can_run(enum hd_op op, uint32_t thread, uint64_t state)
{
    (void)thread;
    switch (op) {
    case HD_OP_LOCK:
    case HD_OP_RELOCK:
    case HD_OP_TRYLOCK:
    case HD_OP_TIMEDLOCK:
    case HD_OP_SPIN_LOCK:
    case HD_OP_SPIN_TRYLOCK:
        return state == 0;
    case HD_OP_RDLOCK:
    case HD_OP_TRYRDLOCK:
    case HD_OP_TIMEDRDLOCK:
        return (uint32_t)state == 0;
    case HD_OP_WRLOCK:
    case HD_OP_TRYWRLOCK:
    case HD_OP_TIMEDWRLOCK:
        return (uint16_t)state == 0 && state >> 32 == 0;
    case HD_OP_SEM_WAIT:
    case HD_OP_SEM_CANCELLED:
    case HD_OP_SEM_TRYWAIT:
    case HD_OP_SEM_TIMEDWAIT:
        return state != 0;
    case HD_OP_ONCE:
    case HD_OP_ONCE_SEEN:
        return state == 0 || state == HD_ONCE_RUN;
    default:
        return true;
    }
}

/* May the operation turn out as the row behind it (compare-exchange, trylock, …)? */
static inline bool hd_op_has_outcome(enum hd_op op)
{
    switch (op) {
    case HD_OP_CAS:
    case HD_OP_TRYLOCK:
    case HD_OP_TIMEDLOCK:
    case HD_OP_WAIT:
    case HD_OP_WAKE:
    case HD_OP_TRYRDLOCK:
    case HD_OP_TIMEDRDLOCK:
    case HD_OP_TRYWRLOCK:
    case HD_OP_TIMEDWRLOCK:
    case HD_OP_SPIN_TRYLOCK:
    case HD_OP_SEM_WAIT:
    case HD_OP_SEM_TRYWAIT:
    case HD_OP_SEM_TIMEDWAIT:
    case HD_OP_ARRIVE:
    case HD_OP_ONCE:
    case HD_OP_FUTEX_WAIT:
    case HD_OP_FUTEX_WAKE:
    case HD_OP_FUTEX_REQUEUE:
        return true;
    default:
        return false;
    }
}

/* Does the memory, or the queue, of an operation decide how it turns out, and not the state of its
 * object?  Whichever way, such an operation conflicts with the same others. */
static inline bool hd_op_outcome_alike(enum hd_op op)
{
    return op == HD_OP_WAKE || op == HD_OP_FUTEX_WAIT || op == HD_OP_FUTEX_WAKE ||
           op == HD_OP_FUTEX_REQUEUE;
}

/* Is it the row of an operation that turned out otherwise? */
static inline bool hd_op_is_outcome(enum hd_op op)
{
    return op > HD_OP_NONE && hd_op_has_outcome((enum hd_op)(op - 1));
}

/* Is it the row of an operation that found its object in a state in which it changes nothing? */
static inline bool hd_op_failed(enum hd_op op)
{
    return hd_op_is_outcome(op) && hd_op_table[op].access == HD_ACCESS_READ;
}

/* The operation before it turned out. */
static inline enum hd_op hd_op_attempt(enum hd_op op)
{
    return hd_op_is_outcome(op) ? (enum hd_op)(op - 1) : op;
}

/* How the operation on a synchronisation object turns out in that state.  (Whether
 * a waiting thread was signalled or cancelled is not in the state of its object, and a
 * compare-exchange has none.) */
static inline enum hd_op hd_op_outcome(enum hd_op op, uint32_t thread, uint64_t state)
{
    bool other = !hd_op_can_run(op, thread, state);
    if (op == HD_OP_ONCE)
        other = state == HD_ONCE_RUN;
    if (op == HD_OP_ARRIVE)
        other = state == 1;
    return hd_op_has_outcome(op) && other ? (enum hd_op)(op + 1) : op;
}

/* Is it a wait that time alone can end?  Then it is always enabled. */
static inline bool hd_op_timed(enum hd_op op)
{
    return op == HD_OP_TIMEDLOCK || op == HD_OP_WAKE || op == HD_OP_TIMEDRDLOCK ||
           op == HD_OP_TIMEDWRLOCK || op == HD_OP_SEM_TIMEDWAIT;
}

/* Its second object is a mutex that it gives back. */
static inline bool hd_op_gives_mutex(enum hd_op op)
{
    return op == HD_OP_WAIT || op == HD_OP_WAIT_CANCELLED || op == HD_OP_TIMEDWAIT;
}

/* Its second object is memory that it reads; other second objects in memory are written. */
static inline bool hd_op_reads_second(enum hd_op op)
{
    return op == HD_OP_COPY || op == HD_OP_FUTEX_WAIT || op == HD_OP_FUTEX_AGAIN ||
           op == HD_OP_FUTEX_TIMEDWAIT;
}

/* After it the thread stands at `blocked`, until an operation of another on the object wakes it. */
static inline bool hd_op_sleeps(enum hd_op op)
{
    return op == HD_OP_WAIT || op == HD_OP_ARRIVE || op == HD_OP_FUTEX_WAIT;
}

/* Its choice is the thread that it wakes. */
static inline bool hd_op_wakes_one(enum hd_op op)
{
    return op == HD_OP_SIGNAL || op == HD_OP_FUTEX_WAKE || op == HD_OP_FUTEX_REQUEUE;
}

/* It wakes all that sleep on the object. */
static inline bool hd_op_wakes_all(enum hd_op op)
{
    return op == HD_OP_BROADCAST || op == HD_OP_ARRIVE_LAST || op == HD_OP_FUTEX_WAKE_ALL;
}

/* The operation of a thread that was woken. */
static inline bool hd_op_woken(enum hd_op op)
{
    return op == HD_OP_RELOCK || op == HD_OP_LEAVE || op == HD_OP_CANCELLED ||
           op == HD_OP_SEM_CANCELLED || op == HD_OP_FUTEX_WOKEN;
}

#endif
