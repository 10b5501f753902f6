/* The deciding orderings of a violating run: one to three pairs of steps whose order flips the
 * verdict. */
#ifndef HD_SUPERVISE_EXPLAIN_ORDER_H
#define HD_SUPERVISE_EXPLAIN_ORDER_H

#include "supervise/trial.h"

/* Fills run->orderings and run->passing; leaves them empty when nothing was found within the
 * budget. */
void hd_explain_order_find(struct hd_trial *trial, struct hd_run *run);

/* Do the two steps conflict: do they touch the same object, one of them writing? */
bool hd_explain_order_conflict(const struct hd_step *a, const struct hd_step *b);

#endif
