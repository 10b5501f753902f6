/* An action: the visible operation a thread is about to do (SCALE Def. 10). */
#ifndef HD_CORE_ACTION_H
#define HD_CORE_ACTION_H

#include "core/layout.h"
#include "core/memory_order.h"
#include "core/op.h"

#include <stdbool.h>

/* Most threads one execution may have.  Sets of threads are fixed arrays of words, of which
 * only the first few are ever looked at (see tset.h). */
#define HD_MAX_THREADS 256

struct hd_action {
    uint64_t object;  /* MEM: address of the first byte; SYNC: address; THREAD: thread id */
    uint64_t object2; /* WAIT: the mutex; RELOCK: the condition variable, if its memory may end;
                         COPY: the source; other operations on threads and sync objects: memory
                         they write a result to (pthread_create's id); or 0 */
    uint32_t size;    /* bytes of the memory at object (MEM) or object2; a choice: HD_LATER() */
    uint32_t site;    /* 0: not known */
    uint8_t op;       /* enum hd_op */
    uint8_t order;    /* of an atomic access or a fence (core/memory_order.h) */
    uint16_t choices; /* alternatives of the operation (waiters of a signal); at least 1 */
    uint32_t size2;   /* AWAIT: bytes at object2; RMW: enum hd_commuting; HD_WATCHED_WRITE */
};

/* In size of a CHOOSE or IO_WATCH: with the alternative `way` a timer or a child takes its
 * time, which neither does for ever. */
#define HD_LATER(way) ((way) + 1u)
static inline bool hd_action_later(const struct hd_action *a, uint32_t way)
{
    return (a->op == HD_OP_CHOOSE || a->op == HD_OP_IO_WATCH) && a->choices > 1 &&
           a->size == HD_LATER(way);
}

/* In size2 of an AWAIT under a weak memory model: the turn read memory with plain accesses, and
 * the thread goes on if that changes.  Otherwise size2 says with which event the turn began. */
#define HD_AWAITS_MEMORY 0x7fffffffu

/* In size2: the action, if it writes, writes what an invariant reads (core/readset.h).  All
 * such actions are dependent on each other, as if each wrote one more object. */
#define HD_WATCHED_WRITE 0x80000000u

/* Read-modify-writes whose results are not used, of one kind, of the same bytes: their order
 * changes nothing (--finer rmw).  Any other access of the bytes sees which of them have been
 * made. */
enum hd_commuting {
    HD_COMMUTES_NOT,
    HD_COMMUTES_ADD, /* a subtraction adds the negative */
    HD_COMMUTES_AND,
    HD_COMMUTES_OR,
    HD_COMMUTES_XOR,
    HD_COMMUTES_MAX,
    HD_COMMUTES_MIN,
    HD_COMMUTES_UMAX,
    HD_COMMUTES_UMIN,
    HD_COMMUTES_UNSEEN, /* stores that others overwrite unseen (unseen_stores.h) */
};

/* Equal for actions that commute, 0 for those that commute with nothing that they touch. */
static inline uint64_t hd_action_commuting(const struct hd_action *a)
{
    return a->op <= HD_OP_RMW && a->size2 && a->size2 < HD_WATCHED_WRITE
               ? a->object << 8 | (a->size - 1) << 4 | a->size2
               : 0;
}

/* Does the action touch its first object and nothing else? */
HD_HOT bool hd_action_touches_one(const struct hd_action *a)
{
    return hd_op_class[a->op] && (a->object2 | a->size2 >> 31) == 0;
}

/* Memory that is part of no stack, and so does not end with a thread. */
static inline bool hd_action_off_stacks(const struct hd_action *a)
{
    return hd_op_table[a->op].space != HD_SPACE_MEM || a->object + a->size <= HD_STACK_BASE ||
           a->object >= HD_STACK_BASE + HD_MAX_THREADS * HD_STACK_STRIDE;
}

/* The value of the commuting action's bytes, which hold `value`, when `operand` is combined
 * with them. */
void hd_action_combine(const struct hd_action *a, uint64_t value[2], const uint64_t operand[2]);

/* In size of an OUTSIDE, which has no second object: under a weak memory model the call may
 * read and write every file that is mapped. */
#define HD_OUTSIDE_FILES 1u
static inline bool hd_action_touches_files(const struct hd_action *a)
{
    return a->op == HD_OP_OUTSIDE && a->size == HD_OUTSIDE_FILES && !a->object2;
}

/* Under a weak memory model in which plain accesses are events: does the plain access read and
 * write memory all the same?  The kernel changes a mapped file, too. */
static inline bool hd_action_on_memory(const struct hd_action *a)
{
    return a->order & HD_ORDER_RANGE || HD_IS_MAPPED(a->object);
}

static inline bool hd_action_same(const struct hd_action *a, const struct hd_action *b)
{
    return a->op == b->op && a->object == b->object && a->object2 == b->object2 &&
           a->size == b->size && a->size2 == b->size2 && a->site == b->site;
}

#endif
