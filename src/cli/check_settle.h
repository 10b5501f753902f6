/* Resolves the options of a check: which strategy they name, and which contradict each
 * other. */
#ifndef HD_CLI_CHECK_SETTLE_H
#define HD_CLI_CHECK_SETTLE_H

#include "base/err.h"
#include "cli/check_request.h"

/* The options of one kind that the command line has; a preset comes first, whatever the
 * order. */
struct hd_check_how {
    const char *preset, *search, *reduce, *memory; /* NULL: not given */
};

/* All options have been read.  Returns 0, or -1 with *err saying which do not go together. */
int hd_check_settle(struct hd_check *check, const struct hd_check_how *how, struct hd_err *err);

/* The searches of `auto`, as the check allows them. */
struct hd_plan;
void hd_check_plan(const struct hd_check *check, struct hd_plan *plan);

#endif
