/* Which operations can be blocked, and by what: the one place that says when a synchronisation
 * operation can run.  The runtime asks it of the present, the reductions of the past ("could this
 * lock have come before that one?"), so the state of an object that matters is put in 64 bits:
 *
 *   mutex   owner + 1; 0: free */
#ifndef HD_CORE_ENABLED_H
#define HD_CORE_ENABLED_H

#include "core/op.h"

#include <stdbool.h>

/* Can the operation ever have to wait for the state of its object? */
static inline bool hd_op_blocks(enum hd_op op) { return op == HD_OP_LOCK || op == HD_OP_RELOCK; }

/* Can `thread` do it when its object is in that state? */
static inline bool hd_op_can_run(enum hd_op op, uint32_t thread, uint64_t state)
{
    (void)thread;
    switch (op) {
    case HD_OP_LOCK:
    case HD_OP_RELOCK:
        return state == 0;
    default:
        return true;
    }
}

#endif
