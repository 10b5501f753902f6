/* JUnit XML, as test runners and CI servers read it: the check is one test case. */
#ifndef HD_REPORT_JUNIT_H
#define HD_REPORT_JUNIT_H

#include "report/report.h"

/* The test fails on a violation, and with report->require_verified on anything but
 * `verified`. */
void hd_junit_result(struct hd_str *out, const struct hd_report *report);

/* The document for a check that failed. */
void hd_junit_error(struct hd_str *out, const char *program, const char *message);

#endif
