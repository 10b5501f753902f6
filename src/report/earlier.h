/* What came of the traces of earlier checks (cli/earlier.h). */
#ifndef HD_REPORT_EARLIER_H
#define HD_REPORT_EARLIER_H

#include "base/str.h"

#include <stdint.h>

struct hd_earlier {
    uint32_t n_tried;       /* traces whose schedule was run */
    uint32_t n_passed;      /* of these, runs that came to their end without a violation */
    struct hd_strs found;   /* paths of those that broke the program again */
    struct hd_strs notes;   /* for each of these: executions so far, how far it was followed */
    struct hd_strs skipped; /* "PATH: why" of those that were not run */
};

#endif
