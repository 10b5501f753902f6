/* Inversions of the order of locks: a thread takes b while it holds a, another one a while it
 * holds b; or a longer circle.  A check that warns: no deadlock needs to have come of it.  It
 * looks at what is explored and changes nothing of it. */
#ifndef HD_EXPLORE_CHECKS_LOCK_ORDER_H
#define HD_EXPLORE_CHECKS_LOCK_ORDER_H

#include "explore/loop/explorer.h"

#define HD_MOST_HELD 12    /* locks of one thread that are kept in mind */
#define HD_MOST_ORDERS 256 /* of one execution */

/* A lock taken while others were held, on the current path. */
struct hd_lock_order {
    uint32_t depth; /* the step */
    uint32_t thread;
    uint32_t site, held_site; /* where the one was taken, where the other had been */
    uint64_t lock, held;
    uint32_t forks; /* threads created and joined before */
    uint32_t n_all;
    uint64_t all[HD_MOST_HELD + 1]; /* every lock held, `held` among them */
};

struct hd_lock_orders {
    struct hd_held {
        uint32_t n;
        uint32_t site[HD_MOST_HELD];
        uint64_t lock[HD_MOST_HELD];
    } held[HD_MAX_THREADS];
    uint32_t n_orders, n_undo;
    uint32_t forks, forks_until; /* threads created and joined in steps [0, forks_until) */
    struct hd_lock_order orders[HD_MOST_ORDERS];
    struct hd_lock_undo { /* what a step of the path has changed above */
        uint32_t depth, thread, what, site;
        uint64_t lock;
    } undo[2 * HD_MAX_STEPS]; /* giving back unseen and taking again are two */
};

/* NULL: not enough memory; nothing is looked for then. */
struct hd_lock_orders *hd_lock_orders_create(struct hd_explorer *ex);

/* May the operation take or give back a lock? */
static inline bool hd_lock_orders_concern(uint16_t op)
{
    return hd_op_table[op].space == HD_SPACE_SYNC;
}

/* Step `depth`, such an operation, is about to be made. */
__attribute__((noinline)) void hd_lock_orders_ran(struct hd_lock_orders *orders,
                                                  struct hd_explorer *ex, uint32_t depth);

void hd_lock_orders_back(struct hd_lock_orders *orders, uint32_t depth);

#endif
