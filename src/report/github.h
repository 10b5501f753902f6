/* Workflow commands that GitHub (and what imitates it) turns into annotations of the source. */
#ifndef HD_REPORT_GITHUB_H
#define HD_REPORT_GITHUB_H

#include "report/report.h"

/* An error per violation; a notice, with report->require_verified an error, when the result is
 * not `verified`. */
void hd_github_result(struct hd_str *out, const struct hd_report *report);
void hd_github_error(struct hd_str *out, const char *program, const char *message);

#endif
