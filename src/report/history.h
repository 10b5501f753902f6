/* The history of a failing scenario of `heddle lin`, as a table: a column for each thread, time
 * downwards, and which calls contradict each other. */
#ifndef HD_REPORT_HISTORY_H
#define HD_REPORT_HISTORY_H

#include "base/str.h"
#include "report/lin_calls.h"

#include <stdbool.h>

/* Appends the table.  `output` is what the program printed (heddle_lin_print() in
 * include/heddle/lin_judge.h); other lines in it are passed over.  False: there is no
 * history. */
bool hd_history_print(struct hd_str *out, const char *output);

/* What is wrong, of such a table. */
const char *hd_history_title(const char *table);

/* The same as JSON: { title, words, threads, calls: [ [part, row, words, step, odd] ] }, parts
 * counted as in include/heddle/lin_run.h but for the last one, 5.  `calls` are of the same run;
 * where the program printed no history, their results are taken, and there is no title. */
bool hd_history_json(struct hd_str *out, const char *output, const struct hd_lin_calls *calls);

#endif
