/* From the options of a check to its search, without what is printed.  `heddle compare` does
 * the same for each of its columns. */
#ifndef HD_CLI_CHECK_EXPLORE_H
#define HD_CLI_CHECK_EXPLORE_H

#include "cli/check_request.h"
#include "cli/input.h"
#include "supervise/supervise.h"

/* Look up what the options name in the program: invariants, suppressed places, targets.  *route
 * is the caller's to free, *foresight belongs to the input; both may be NULL.  -1 with err. */
int hd_check_prepare(struct hd_check *check, struct hd_input *input, struct hd_route **route,
                     const struct hd_foresight **foresight, struct hd_err *err);

/* The whole search by one process, HD_CHECK_ALL; an exit status.  *result is the caller's to
 * release if it is HD_EXIT_OK. */
int hd_check_search(const struct hd_check *check, struct hd_job *job, struct hd_result *result,
                    struct hd_err *err);

#endif
