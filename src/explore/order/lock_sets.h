/* Lock sets: are the accesses of memory ordered in every schedule, by a lock, by the creation
 * of a thread or by joining it?
 *
 * A search over states ends an execution where a state comes again, and so sees every access
 * but not every execution.  Happens-before belongs to an execution; a state does not determine
 * it.  The facts here do not depend on the path to a state: for every cell (cells.h) the
 * threads that access it, whether they write, whether atomically, the locks held each time (as
 * in Eraser), how many children the thread had created, and which threads it had joined.  It
 * only grows, over all executions.
 *
 * Two accesses of one byte by two threads are ordered if
 *
 *  - both threads hold a common mutex or spinlock, or read-write lock for writing, or
 *  - one thread makes its access before it creates the other or an ancestor of the other, or
 *  - one thread makes its access after it has joined the other, or a thread that has.
 *
 * Who joined a thread is no part of a state, so a join counts only if in all executions no one
 * else joins that thread.  Other means of order (readers' locks, semaphores, barriers, atomic
 * operations) are not considered: accesses that are not ordered by the rules above need not be
 * a race. */
#ifndef HD_EXPLORE_ORDER_LOCK_SETS_H
#define HD_EXPLORE_ORDER_LOCK_SETS_H

#include "explore/loop/explorer.h"
#include "explore/order/cell_lists.h"

#define HD_MOST_LOCKS 64 /* that are distinguished */

struct hd_lock_set { /* accesses of a cell that differ only in the locks held */
    struct hd_cell_record record;
    uint64_t locks;   /* held at each of them, by bit */
    uint64_t joined;  /* by bit: the threads below 64 that it had joined, directly or not */
    uint32_t created; /* how many children the thread had created */
    uint32_t site;
    uint16_t thread;
    bool writes, atomic;
};

struct hd_lock_sets {
    struct hd_cell_lists lists; /* of struct hd_lock_set */
    uint64_t locks[HD_MOST_LOCKS];
    uint32_t n_locks;
    uint16_t joiner[HD_MAX_THREADS];  /* who joins the thread, + 1; 0: nobody has */
    bool joins[HD_MAX_THREADS];       /* the thread joins others */
    uint32_t created[HD_MAX_THREADS]; /* children, on the path */
    struct {
        uint32_t depth, thread;
    } creations[HD_MAX_THREADS]; /* on the path */
    uint32_t n_creations;
    bool unknown; /* a step may have hidden accesses or creations */
};

/* Write them into a work unit, or read them (loop/filter.h). */
void hd_lock_sets_pack(struct hd_lock_sets *sets, struct hd_pack *p);

bool hd_lock_sets_init(struct hd_lock_sets *s, struct hd_arena *arena);

/* Step `depth` is about to run. */
void hd_lock_sets_ran(struct hd_lock_sets *s, struct hd_explorer *ex, uint32_t depth);

/* Only the first `depth` steps are left on the path. */
void hd_lock_sets_back(struct hd_lock_sets *s, uint32_t depth);

/* Is every pair of conflicting accesses ordered, unless both are atomic?  Otherwise sites[]
 * says where two of them are that may not be ordered; 0 if that is not known. */
bool hd_lock_sets_order_all(const struct hd_lock_sets *s, const struct hd_worker_memory *shared,
                            uint32_t sites[2]);

#endif
