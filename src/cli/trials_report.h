/* heddle check --trials N, and what it prints. */
#ifndef HD_CLI_TRIALS_REPORT_H
#define HD_CLI_TRIALS_REPORT_H

#include "cli/check_request.h"
#include "supervise/supervise.h"

/* Returns the exit status: 1 when any trial found something. */
int hd_trials_report(const struct hd_check *check, const struct hd_job *job, struct hd_err *err);

#endif
