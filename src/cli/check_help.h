/* The help of `heddle check`, by task. */
#ifndef HD_CLI_CHECK_HELP_H
#define HD_CLI_CHECK_HELP_H

#include "cli/args.h"

/* `all`: every option of the table; otherwise those that are used most. */
void hd_check_help_table(FILE *out, const struct hd_arg *table, size_t n, bool all);

#endif
