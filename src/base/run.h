/* Run another program and wait for it. */
#ifndef HD_BASE_RUN_H
#define HD_BASE_RUN_H

#include "base/err.h"
#include "base/str.h"

/* argv[0] is the path of the program, argv ends with NULL.  The child has our stdin and stdout;
 * its stderr is appended to `captured`, or ours when that is NULL.
 * Returns its exit status (128 + n when signal n ended it), or -1 when it could not be
 * started. */
int hd_run(char *const *argv, struct hd_str *captured, struct hd_err *err);

/* As hd_run(), but stdout is appended to `output`; and stderr, unless that is NULL, to
 * `errors`. */
int hd_run_output(char *const *argv, struct hd_str *output, struct hd_str *errors,
                  struct hd_err *err);

#endif
