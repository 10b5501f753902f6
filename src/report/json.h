/* The result as one JSON object (a contract: scripts depend on its fields). */
#ifndef HD_REPORT_JSON_H
#define HD_REPORT_JSON_H

#include "base/str.h"
#include "report/report.h"

void hd_json_result(struct hd_str *out, const struct hd_report *report);

/* The object for a check that failed. */
void hd_json_error(struct hd_str *out, const char *version, const char *program,
                   const char *message);

#endif
