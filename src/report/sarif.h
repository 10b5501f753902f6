/* SARIF 2.1.0 (OASIS): a result per violation, its run as a code flow with a thread flow per
 * thread; reasons against `verified` are notifications. */
#ifndef HD_REPORT_SARIF_H
#define HD_REPORT_SARIF_H

#include "report/report.h"

void hd_sarif_result(struct hd_str *out, const struct hd_report *report);

/* The log of a check that failed. */
void hd_sarif_error(struct hd_str *out, const char *version, const char *message);

#endif
