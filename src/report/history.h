/* The history of a failing scenario of `heddle lin`, as a table: a column for each thread, time
 * downwards, and which calls contradict each other. */
#ifndef HD_REPORT_HISTORY_H
#define HD_REPORT_HISTORY_H

#include "base/str.h"

#include <stdbool.h>

/* Appends the table.  `output` is what the program printed (heddle_lin_print() in
 * include/heddle/lin_run.h); other lines in it are passed over.  `keeps`: what the
 * orders keep that the results were compared with.  False: there is no history. */
bool hd_history_print(struct hd_str *out, const char *output, const char *keeps);

#endif
