/* Work units on the command line: `heddle split`, `heddle check --unit`, `heddle merge`. */
#ifndef HD_CLI_PARTS_H
#define HD_CLI_PARTS_H

#include "cli/check_request.h"
#include "supervise/supervise.h"

/* What check->work says, instead of exploring everything.  Returns as
 * hd_supervise_explore(). */
int hd_parts_explore(const struct hd_check *check, const struct hd_job *job,
                     struct hd_result *result, struct hd_err *err);

/* The parts of it: check->units is the directory, or the unit. */
int hd_parts_split(const struct hd_check *check, const struct hd_job *job,
                   struct hd_result *result, struct hd_err *err);
int hd_parts_unit(const struct hd_check *check, const struct hd_job *job,
                  struct hd_result *result, struct hd_err *err);
int hd_parts_merge(const struct hd_check *check, const struct hd_job *job,
                   struct hd_result *result, struct hd_err *err);

#endif
