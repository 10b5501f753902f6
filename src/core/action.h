/* An action: the visible operation a thread is about to do (SCALE Def. 10). */
#ifndef HD_CORE_ACTION_H
#define HD_CORE_ACTION_H

#include "core/op.h"

#include <stdbool.h>

/* Most threads one execution may have.  Sets of threads are fixed arrays of words, of which
 * only the first few are ever looked at (see tset.h). */
#define HD_MAX_THREADS 256

struct hd_action {
    uint64_t object;  /* MEM: address of the first byte; SYNC: address; THREAD: thread id */
    uint64_t object2; /* WAIT: the mutex; COPY: the source; other operations on threads and sync
                         objects: memory they write a result to (pthread_create's id); or 0 */
    uint32_t size;    /* bytes of the memory at object (MEM) or object2 */
    uint32_t site;    /* 0: not known */
    uint16_t op;      /* enum hd_op */
    uint16_t choices; /* alternatives of the operation itself (waiters of a signal); at least 1 */
    uint32_t size2;   /* AWAIT: bytes at object2 */
};

/* May the order of the two matter?  The one dependence relation (SCALE Def. 9, refined: memory
 * conflicts only on overlapping bytes, assertions are no actions).  Symmetric.  Actions of one
 * thread are always dependent; the caller knows the threads. */
bool hd_action_dependent(const struct hd_action *a, const struct hd_action *b);

/* Is it a data race when two threads stand before a and b at the same time?  Both touch one byte of
 * memory, one of them writes it, and one of them is no atomic operation.  at[], when given: where
 * the two ranges of memory begin. */
bool hd_action_race(const struct hd_action *a, const struct hd_action *b, uint64_t at[2]);

static inline bool hd_action_same(const struct hd_action *a, const struct hd_action *b)
{
    return a->op == b->op && a->object == b->object && a->object2 == b->object2 &&
           a->size == b->size && a->size2 == b->size2 && a->site == b->site;
}

#endif
