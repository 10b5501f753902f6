/* Recording findings: each distinct one once, with its schedule. */
#ifndef HD_EXPLORE_LOOP_RECORD_H
#define HD_EXPLORE_LOOP_RECORD_H

#include "explore/loop/explorer.h"
#include "explore/order/hb.h"

/* Record `finding`, made by the current execution, in the shared memory unless one with the
 * same fingerprint is there already.  Returns whether it is new. */
bool hd_record_finding(struct hd_explorer *ex, const struct hd_finding *finding);

/* The same with another schedule: the first `end` steps of the current execution without step e
 * and all that happens after it.  e == end: nothing is left out, and hb may be NULL. */
bool hd_record_schedule(struct hd_explorer *ex, const struct hd_finding *finding,
                        const struct hd_hb *hb, uint32_t e, uint32_t end);

/* The same with a schedule that is not the current execution's. */
bool hd_record_steps(struct hd_explorer *ex, const struct hd_finding *finding,
                     const uint32_t *steps, uint32_t n);

/* The thread takes another step than before at that depth: set ex->error. */
void hd_record_divergence(struct hd_explorer *ex, uint32_t depth, uint32_t thread);

#endif
