/* Which threads access what, and where: for every cell (cells.h) the threads that were seen to
 * access it, the point in the code (core/foresight.h), whether it writes, and the locks that
 * were held every time.  It only grows, over all executions; a set of locks that shrinks counts
 * as growth. */
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

/* Write it into a work unit, or read it (loop/filter.h). */
void hd_access_summary_pack(struct hd_access_summary *t, struct hd_pack *p);

/* Forget all accesses. */
void hd_access_summary_forget(struct hd_access_summary *t);

/* `who` accesses the range.  `grown`, unless NULL, is called for every cell of it for which
 * that is new. */
void hd_access_summary_add(struct hd_access_summary *t, const struct hd_touch *range,
                           const struct hd_accessor *who,
                           void (*grown)(void *self, const struct hd_touch *cell,
                                         const struct hd_accessor *who),
                           void *self);

/* Does another thread access the range in conflict, without a lock in common with `held`, in a
 * way for which `counts` returns true (NULL: any)? */
bool hd_access_summary_by(struct hd_access_summary *t, const struct hd_touch *range,
                          uint32_t thread, uint64_t held,
                          bool (*counts)(const void *self, const struct hd_accessor *who),
                          const void *self);

#endif
