/* When a synchronisation operation can run, and with which outcome.  The runtime asks this of
 * the present, the reductions of the past ("could this lock have come before that one?"), so
 * the state of an object that matters is put in 64 bits:
 *
 *   mutex, spinlock   owner + 1; 0: free
 *   rwlock            bits 0-15 the writer + 1, 16-31 preferred waiting writers, 32-63 readers
 *   semaphore         its value
 *   once              0: not run; the thread that runs it + 1; HD_ONCE_RUN
 *   barrier           bits 0-31 arrivals that are missing, 32-63 those of a round
 *   condition, futex  the threads below 64 that wait: bit t is thread t
 *   pipe, socket      bits 0-31 bytes in it, 32 nobody will write, 33 nobody will read,
 *                     34 it keeps messages apart, 40-63 bytes it holds at most
 *   bell              it has rung
 *   mark of a thread  it has been asked to end (pthread_cancel)
 *   signals           the threads below 64 that are to handle one: bit t is thread t
 *   thread            whether it has ended, and HD_THREAD_WAS_JOINED */
#ifndef HD_CORE_ENABLED_H
#define HD_CORE_ENABLED_H

#include "core/op.h"

#include <stdbool.h>

#define HD_ALL_FUTEXES 1ull   /* the object of all futexes, if threads move between them */
#define HD_MOVE_WAKES 1ull    /* a requeue also wakes a thread */
#define HD_MOVE_COMPARES 2ull /* it has loaded the word before */
#define HD_ONCE_RUN (~0ull)
#define HD_THREAD_HAS_ENDED 1ull
#define HD_THREAD_WAS_JOINED 2ull
#define HD_BARRIER_LIMIT_SHIFT 32
#define HD_IO_EOF (1ull << 32)
#define HD_IO_BROKEN (1ull << 33)
#define HD_IO_MESSAGES (1ull << 34)
#define HD_IO_CAPACITY_SHIFT 40
#define HD_IO_ATOMIC 4096u /* PIPE_BUF: no more than this gets in at once or not at all */
#define HD_IO_HEADER 4u    /* bytes in front of a message */

/* Can that many bytes be written, or enough of them?  Yes if writing can never succeed: then it
 * fails at once. */
static inline bool hd_io_can_write(uint32_t size, uint64_t state)
{
    uint64_t room = (state >> HD_IO_CAPACITY_SHIFT) - (uint32_t)state;
    uint64_t need = state & HD_IO_MESSAGES ? size + HD_IO_HEADER
                    : size <= HD_IO_ATOMIC ? size
                                           : 1;
    return (state & (HD_IO_EOF | HD_IO_BROKEN)) || room >= need;
}

static inline bool hd_op_has(enum hd_op op, uint32_t traits) { return hd_op_traits[op] & traits; }

/* Can the operation ever have to wait for the state of its object? */
HD_HOT bool hd_op_blocks(enum hd_op op) { return hd_op_traits[op] & HD_OPTRAIT_BLOCKS; }

/* Can the operation run when its object is in that state?  For an attempt: would it succeed?
 * `size` is the action's. */
static inline bool hd_op_can_run(enum hd_op op, uint32_t size, uint64_t state)
{
    switch ((enum hd_grant)hd_op_table[op == HD_OP_AWAIT_SYNC ? size : op].grant) {
    case HD_GRANT_FREE:
        return state == 0;
    case HD_GRANT_NO_WRITER:
        return (uint32_t)state == 0;
    case HD_GRANT_NOBODY:
        return (uint16_t)state == 0 && state >> 32 == 0;
    case HD_GRANT_POSITIVE:
        return state != 0;
    case HD_GRANT_DATA:
        return (uint32_t)state || (state & HD_IO_EOF);
    case HD_GRANT_ROOM:
        return hd_io_can_write(size, state);
    case HD_GRANT_NOT_RUNNING:
        return state == 0 || state == HD_ONCE_RUN;
    case HD_GRANT_ALWAYS:
        break;
    }
    return true;
}

/* The thread for which an operation that cannot run waits: the only one that can change the
 * state of the object, while no time-out or cancellation ends the wait. ~0u if there is
 * none. */
static inline uint32_t hd_op_waits_for(enum hd_op op, uint64_t state)
{
    if (!hd_op_has(op, HD_OPTRAIT_OWNED))
        return ~0u;
    switch ((enum hd_grant)hd_op_table[op].grant) {
    case HD_GRANT_NO_WRITER:
    case HD_GRANT_NOBODY: /* of readers there may be many */
        return (uint16_t)state - 1u;
    case HD_GRANT_NOT_RUNNING:
        return state == HD_ONCE_RUN ? ~0u : (uint32_t)state - 1;
    default:
        return (uint32_t)state - 1;
    }
}

/* May the operation have the outcome of the row after it (compare-exchange, trylock and the
 * like)? */
HD_HOT bool hd_op_has_outcome(enum hd_op op) { return hd_op_traits[op] & HD_OPTRAIT_TURNS_OUT; }

/* Is the outcome decided by memory or by a queue, not by the state of the object?  With either
 * outcome such an operation conflicts with the same others. */
static inline bool hd_op_outcome_alike(enum hd_op op)
{
    return hd_op_has(op, HD_OPTRAIT_EITHER_WAY);
}

/* Is it the second outcome of the operation in the row before? */
HD_HOT bool hd_op_is_outcome(enum hd_op op)
{
    return op > HD_OP_NONE && hd_op_has_outcome((enum hd_op)(op - 1));
}

/* Is it the outcome of an operation that changed nothing? */
HD_HOT bool hd_op_failed(enum hd_op op)
{
    return hd_op_is_outcome(op) && hd_op_table[op].access == HD_ACCESS_READ;
}

/* The operation before its outcome was known. */
HD_HOT enum hd_op hd_op_attempt(enum hd_op op)
{
    return hd_op_is_outcome(op) ? (enum hd_op)(op - 1) : op;
}

/* The outcome of the operation on a synchronisation object in that state.  (Whether a waiting
 * thread was signalled or cancelled is not part of the state, and a compare-exchange has no
 * such object.) */
static inline enum hd_op hd_op_outcome(enum hd_op op, uint32_t size, uint64_t state)
{
    bool other = !hd_op_can_run(op, size, state);
    if (op == HD_OP_ONCE)
        other = state == HD_ONCE_RUN;
    if (op == HD_OP_ARRIVE)
        other = (uint32_t)state == 1;
    return hd_op_has_outcome(op) && other ? (enum hd_op)(op + 1) : op;
}

/* Is it an atomic access of memory?  Two of them are no data race, whatever they do. */
static inline bool hd_op_atomic(enum hd_op op) { return hd_op_has(op, HD_OPTRAIT_ATOMIC); }

/* Is it a wait that time alone can end?  Then it is always enabled. */
static inline bool hd_op_timed(enum hd_op op) { return hd_op_has(op, HD_OPTRAIT_TIMED); }

/* Does it take its object, a lock, for its thread alone? */
static inline bool hd_op_takes(enum hd_op op) { return hd_op_has(op, HD_OPTRAIT_TAKES); }

/* Does it release its object, a lock? */
static inline bool hd_op_gives(enum hd_op op) { return hd_op_has(op, HD_OPTRAIT_GIVES); }

/* Is its second object a mutex that it releases? */
HD_HOT bool hd_op_gives_mutex(enum hd_op op)
{
    return hd_op_traits[op] & HD_OPTRAIT_GIVES_SECOND;
}

/* Is its second object a synchronisation object? */
static inline bool hd_op_second_is_sync(enum hd_op op)
{
    return hd_op_has(op, HD_OPTRAIT_SYNC_SECOND);
}

/* Is its second object memory that it reads?  Other second objects in memory are written. */
static inline bool hd_op_reads_second(enum hd_op op)
{
    return hd_op_has(op, HD_OPTRAIT_READS_SECOND);
}

/* After it the thread is at `blocked`, until an operation of another thread on the object wakes
 * it. */
HD_HOT bool hd_op_sleeps(enum hd_op op) { return hd_op_traits[op] & HD_OPTRAIT_SLEEPS; }

/* Its choice is the thread that it wakes. */
HD_HOT bool hd_op_wakes_one(enum hd_op op) { return hd_op_traits[op] & HD_OPTRAIT_WAKES_ONE; }

/* Under a weak memory model: it changes the set of threads that sleep at a futex. */
static inline bool hd_op_futex(enum hd_op op) { return hd_op_has(op, HD_OPTRAIT_FUTEX); }

/* It wakes all that sleep on the object. */
static inline bool hd_op_wakes_all(enum hd_op op) { return hd_op_has(op, HD_OPTRAIT_WAKES_ALL); }

/* A wait for the state of its object that a cancellation ended. */
static inline bool hd_op_wait_cancelled(enum hd_op op)
{
    return hd_op_has(op, HD_OPTRAIT_CANCELLED);
}

/* The operation of a thread that was woken. */
static inline bool hd_op_woken(enum hd_op op) { return hd_op_has(op, HD_OPTRAIT_WOKEN); }

/* Does the thread leave the processor of its own accord (yield, sleep)? */
HD_HOT bool hd_op_pauses(enum hd_op op) { return hd_op_traits[op] & HD_OPTRAIT_PAUSES; }

#endif
