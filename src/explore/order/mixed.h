/* Memory that one thread accesses by compare-exchange and another by plain reads.
 *
 * A compare-exchange that succeeds races with a plain read, and one that fails does not.  So
 * the two may race although they are never adjacent: another thread's atomic store comes
 * between them, which makes the compare-exchange fail if it is left out and tried again after
 * that store (the argument in checks/races.c).  Where this occurs, happens-before has to be
 * computed. */
#ifndef HD_EXPLORE_ORDER_MIXED_H
#define HD_EXPLORE_ORDER_MIXED_H

#include "core/action.h"

#define HD_MOST_MIXED 64 /* places that are distinguished */

struct hd_mixed {
    struct {
        uint64_t begin, end;
        uint32_t thread; /* that does compare-exchanges there, + 1; HD_MIXED_SEVERAL */
    } places[HD_MOST_MIXED];
    uint32_t n;
};

#define HD_MIXED_SEVERAL UINT32_MAX

/* The thread has made a compare-exchange.  Returns whether something new was learnt. */
bool hd_mixed_exchanged(struct hd_mixed *m, const struct hd_action *a, uint32_t thread);

/* Does the action read such memory as plain memory, by another thread?  Also true if there are
 * more than HD_MOST_MIXED places. */
bool hd_mixed_reads(const struct hd_mixed *m, const struct hd_action *a, uint32_t thread);

#endif
