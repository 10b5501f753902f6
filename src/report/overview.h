/* All violations of a check in a line: "1 assertion at a.c:25, 2 data races at a.c:14,
 * b.c:9". */
#ifndef HD_REPORT_OVERVIEW_H
#define HD_REPORT_OVERVIEW_H

#include "base/str.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

/* Appends it; nothing when there are none. */
void hd_overview(struct hd_str *out, const struct hd_result *result, struct hd_program *program);

#endif
