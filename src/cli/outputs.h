/* The documents that `heddle check` writes besides its text, or instead of it. */
#ifndef HD_CLI_OUTPUTS_H
#define HD_CLI_OUTPUTS_H

#include "cli/check_options.h"
#include "report/report.h"

/* One of them goes to standard output, on which nothing else is printed then. */
bool hd_outputs_on_stdout(const struct hd_check *check);

/* Before the exploration: can all files be written that will be? */
int hd_outputs_possible(const struct hd_check *check, struct hd_err *err);

/* Everything is tried; the first error is reported. */
int hd_outputs_result(const struct hd_check *check, const struct hd_report *report,
                      struct hd_err *err);

/* The check failed: the documents say so too.  An empty text means that the compiler has said
 * why. */
void hd_outputs_error(const struct hd_check *check, const struct hd_err *why);

/* Has what read standard output closed it?  Then nobody wants the rest, and it is no error. */
bool hd_outputs_reader_left(void);

/* Whatever was printed must have arrived. */
int hd_outputs_flush(struct hd_err *err);

#endif
