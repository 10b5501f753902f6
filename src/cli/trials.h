/* heddle check --trials N: the same exploration with N seeds, as the experiments with
 * randomised searches are reported. */
#ifndef HD_CLI_TRIALS_H
#define HD_CLI_TRIALS_H

#include "cli/check_options.h"
#include "supervise/supervise.h"

/* Returns the exit status: 1 when any trial found something. */
int hd_trials(const struct hd_check *check, const struct hd_job *job, struct hd_err *err);

#endif
