/* The deciding orderings of a violating run: one to three pairs of steps whose order flips the
 * verdict. */
#ifndef HD_SUPERVISE_EXPLAIN_ORDER_H
#define HD_SUPERVISE_EXPLAIN_ORDER_H

#include "supervise/trial.h"

/* Fills run->orderings and run->passing; leaves them empty when nothing was found within the
 * budget. */
void hd_explain_order_find(struct hd_trial *trial, struct hd_run *run);

/* May the order of the two steps matter: do they touch the same thing, one of them writing? */
bool hd_explain_order_conflict(const struct hd_step *a, const struct hd_step *b);

#endif
