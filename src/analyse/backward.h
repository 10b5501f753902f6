/* Walking backward over a thread's control flow, through calls and returns. */
#ifndef HD_ANALYSE_BACKWARD_H
#define HD_ANALYSE_BACKWARD_H

#include "analyse/facts.h"

/* The points [first, end) of a block may run before what has been visited.  They are to be
 * looked at from the last to the first; false: the walk must not go on beyond them. */
typedef bool (*hd_backward_fn)(void *context, uint32_t first, uint32_t end);

struct hd_backward_part {
    uint32_t block, end;
};

struct hd_backward {
    const struct hd_facts *facts;
    uint32_t entry;
    uint32_t *seen_end; /* by block: in which walk its end was reached */
    uint32_t
        *seen_point; /* by point: in which walk what lies before it in its block was reached */
    uint32_t walk;
    struct hd_backward_part *work;
    uint32_t n_work, work_room;
};

void hd_backward_init(struct hd_backward *b, const struct hd_facts *facts);
void hd_backward_release(struct hd_backward *b);

/* Forgets what was seen; the next walks are in that thread. */
void hd_backward_restart(struct hd_backward *b, uint32_t entry);

/* All that may run before the point, without what earlier walks since the last restart have
 * seen.  The visited parts of a block end after a call of the program's own functions. */
void hd_backward_from(struct hd_backward *b, uint32_t point, hd_backward_fn visit, void *context);

#endif
