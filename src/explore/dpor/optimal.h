/* What the files of the default reduction share: races are answered in filters/optimal.c, steps are
 * heard of in optimal_steps.c. */
#ifndef HD_EXPLORE_DPOR_OPTIMAL_H
#define HD_EXPLORE_DPOR_OPTIMAL_H

#include "explore/dpor/reversal.h"
#include "explore/dpor/wakeup_choices.h"

struct hd_optimal {
    struct hd_reversal v; /* first: the common functions get a pointer to its dpor */
    struct hd_wakeup wakeup;
    struct hd_wakeup_choices pinned;
};

void hd_optimal_out_of_memory(struct hd_explorer *ex);

#endif
