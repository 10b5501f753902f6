/* The same execution graph in another order of steps: as few loads as possible read stale
 * values, and the threads change seldom.
 *
 * Under a weak memory model the order in which the search ran the steps is one of many that
 * keep program order, reads-from and synchronisation.  A load that reads an old value is not
 * stale if it runs before the newer store. */
#ifndef HD_SUPERVISE_STRAIGHTEN_H
#define HD_SUPERVISE_STRAIGHTEN_H

#include "supervise/result.h"

/* A script of all n_log steps of the run, in a better order.  NULL: there is none.  *race_step,
 * counted from 1, is where the step that was there is now.  The caller frees. */
struct hd_step *hd_straighten(const struct hd_run *run, uint32_t *race_step);

/* The steps that read an older store than the newest, or are stored before one that is
 * there. */
uint32_t hd_straighten_stale(const struct hd_run *run);

#endif
