/* Violations as places, in the form of GNU tools, which editors read:
 *
 *   a.c:19: error: an assertion fails: assertion `hits == 2' failed (main)
 *   a.c:8: note: step 4: T1: read hits = 0 */
#ifndef HD_REPORT_PLACES_H
#define HD_REPORT_PLACES_H

#include "report/report.h"

void hd_places_result(struct hd_str *out, const struct hd_report *report);

#endif
