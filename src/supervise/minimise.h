/* A violating run made small: the fewest preemptions, then the fewest steps, that still break
 * the program in the same way. */
#ifndef HD_SUPERVISE_MINIMISE_H
#define HD_SUPERVISE_MINIMISE_H

#include "supervise/trial.h"

/* Replaces `run` by a smaller one when it finds one within the budget.  Every run that it
 * becomes has been run, and has shown the same violation. */
void hd_minimise(struct hd_trial *trial, struct hd_run *run);

/* Can the run be minimised: can parts of it be replayed quickly? */
bool hd_minimise_can(const struct hd_run *run);

#endif
