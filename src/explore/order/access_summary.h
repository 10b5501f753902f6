/* Who touches what, and where: for every byte range that accesses tell apart (cells.h) the
 * threads that have been seen at an access of it, the point in the code (core/foresight.h),
 * whether it writes, and the locks that were held every time.  It only grows, over all
 * executions: a locks' set that shrinks is growth too. */
#ifndef HD_EXPLORE_ORDER_ACCESS_SUMMARY_H
#define HD_EXPLORE_ORDER_ACCESS_SUMMARY_H

#include "core/touch.h"
#include "core/tset.h"
#include "explore/order/cell_lists.h"

struct hd_accessor {
    struct hd_cell_record record;
    uint32_t thread;
    uint64_t locks; /* held at every access, by bit */
    uint32_t bit;   /* of its point, + 1; 0: not known */
    bool writes;
};

struct hd_access_summary {
    struct hd_cell_lists lists; /* of struct hd_accessor */
};

bool hd_access_summary_init(struct hd_access_summary *t, struct hd_arena *arena);

/* In a work unit (loop/filter.h). */
void hd_access_summary_pack(struct hd_access_summary *t, struct hd_pack *p);

/* Nothing has been touched, after all. */
void hd_access_summary_forget(struct hd_access_summary *t);

/* The range is touched by `who`.  `grown` is called for every cell of it that did not know
 * (NULL: no one is told). */
void hd_access_summary_add(struct hd_access_summary *t, const struct hd_touch *range,
                           const struct hd_accessor *who,
                           void (*grown)(void *self, const struct hd_touch *cell,
                                         const struct hd_accessor *who),
                           void *self);

/* Is there a toucher of the range, of another thread, that conflicts, without a lock in common
 * with `held`, and for which `counts` says yes (NULL: any)? */
bool hd_access_summary_by(struct hd_access_summary *t, const struct hd_touch *range,
                          uint32_t thread, uint64_t held,
                          bool (*counts)(const void *self, const struct hd_accessor *who),
                          const void *self);

#endif
