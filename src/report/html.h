/* The report as one HTML file that needs nothing else: src/report/html/ is the page, its style
 * and its script; this puts the data in. */
#ifndef HD_REPORT_HTML_H
#define HD_REPORT_HTML_H

#include "report/report.h"

void hd_html_result(struct hd_str *out, const struct hd_report *report);

/* Reports of n programs as one page; the verdict and the counts are those of the first. */
void hd_html_results(struct hd_str *out, const struct hd_report *reports, size_t n);

#endif
