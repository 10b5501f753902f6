/* Which accesses of memory happens-before does not order, asked by clocks that the caller has:
 * those of an execution graph (explore/graph/graph.h).  sync_order.h, which finds the same
 * pairs, computes happens-before itself.
 *
 * A thread's accesses have places among its events: an access that is an event has the number
 * of that event, counted from 0, and any other one the number of events before it.  A clock
 * counts the events of each thread that happen before a step.  So an access happens before the
 * step exactly if the clock has counted further than its place; where a thread has ended, and
 * all of it happens before the step, the clock counts one more event than there are.
 *
 * Two atomic accesses are no race.  So a cell has two lists, newest first: its atomic accesses,
 * and the others.  An atomic access is compared with the second list only. */
#ifndef HD_EXPLORE_ORDER_ACCESS_ORDER_H
#define HD_EXPLORE_ORDER_ACCESS_ORDER_H

#include "core/action.h"
#include "explore/order/cells.h"

#define HD_PLAIN_WORDS 4096u

enum hd_access_kind { HD_ACCESS_PLAIN, HD_ACCESS_ATOMIC, HD_ACCESS_ENDS };

struct hd_ordered_access {
    uint32_t event;
    uint32_t place;     /* among the events of its thread */
    uint32_t before;    /* of the same list, + 1 */
    uint32_t other;     /* the last of those by another thread, + 1 */
    uint32_t cell, len; /* as it was then */
    uint8_t thread;
    uint8_t kind; /* ENDS: it is in no list, and `other` is the list of atomic accesses */
    bool writes;
    /* All accesses of the cell before it that it was compared with happen before it. */
    bool after_all;
};

struct hd_access_order {
    struct hd_arena *arena;
    struct hd_cells cells;
    uint32_t (*lists)[2]; /* by cell, by kind: the newest access, + 1 */
    uint32_t lists_cap;
    uint64_t stacks_begin, stacks_end; /* all cells on stacks lie between */
    /* Words of 8 bytes that may have been accessed by something else than an atomic operation,
     * by a hash: no other atomic access has to be added. */
    uint64_t plain[HD_PLAIN_WORDS / 64];
    struct hd_ordered_access *accesses;
    uint32_t n_accesses;
    uint32_t *before; /* by event: how many accesses there were */
    uint32_t depth;   /* events */
    bool full;        /* memory is used up: the contents are no longer valid */
    /* As in sync_order.h. */
    void (*unordered)(void *self, uint32_t early, uint32_t late);
    void *self;
};

bool hd_access_order_init(struct hd_access_order *ao, struct hd_arena *arena,
                          void (*unordered)(void *self, uint32_t early, uint32_t late),
                          void *self);

/* The action touches memory, and not only by an atomic access: from now on atomic accesses of
 * the same words are to be added.  Returns whether there are such words that were not known. */
bool hd_access_order_learn(struct hd_access_order *ao, const struct hd_action *a);

/* Is the word of the address known to have such accesses? */
static inline bool hd_access_order_is_plain(const struct hd_access_order *ao, uint64_t addr)
{
    return ao->plain[addr / 8 % HD_PLAIN_WORDS / 64] >> addr / 8 % 64 & 1;
}

/* Has the atomic access to be added?  (Stacks end with their threads.) */
static inline bool hd_access_order_asks(const struct hd_access_order *ao,
                                        const struct hd_action *a)
{
    return hd_access_order_is_plain(ao, a->object) ||
           (a->object % 8 + a->size > 8 &&
            (a->size > 16 || hd_access_order_is_plain(ao, a->object + a->size - 1) ||
             hd_access_order_is_plain(ao, a->object + 8))) ||
           a->object - HD_STACK_BASE < HD_MAX_THREADS * HD_STACK_STRIDE;
}

/* The operation has a synchronisation object.  Does it have to be added, because the memory
 * there may end? */
static inline bool hd_access_order_asks_object(const struct hd_access_order *ao,
                                               const struct hd_action *a)
{
    return HD_MAY_END(a->object) && hd_access_order_is_plain(ao, a->object) &&
           hd_op_table[a->op].space == HD_SPACE_SYNC;
}

/* Add the next event of the path, which touches memory.  `clock`: what happens before it. */
void hd_access_order_ran(struct hd_access_order *ao, uint32_t thread,
                         const struct hd_action *action, const uint16_t *clock, uint32_t place);

/* The same of one that touches none. */
static inline void hd_access_order_skip(struct hd_access_order *ao)
{
    ao->before[ao->depth++] = ao->n_accesses;
}

/* Only the first `depth` events are left. */
void hd_access_order_back(struct hd_access_order *ao, uint32_t depth);

#endif
