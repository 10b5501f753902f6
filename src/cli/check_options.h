/* The command line of `heddle check`. */
#ifndef HD_CLI_CHECK_OPTIONS_H
#define HD_CLI_CHECK_OPTIONS_H

#include "base/err.h"
#include "cli/check_request.h"

#include <stdio.h>

enum { HD_CHECK_HELP = 1, HD_CHECK_HELP_ALL };

/* 0; -1 with err; or one of these.  Release it in any case. */
int hd_check_init(struct hd_check *check, int argc, char **argv, struct hd_err *err);

/* The same for HD_CHECK_SPLIT and HD_CHECK_MERGE; of the latter the first word is the
 * directory. */
int hd_check_init_for(struct hd_check *check, enum hd_check_work work, int argc, char **argv,
                      struct hd_err *err);
void hd_check_release(struct hd_check *check);
void hd_check_help(FILE *out, bool all);

#endif
