/* slice-n-dice: rounds of an exploration in which few threads interleave at few places, more
 * of them each time (docs/design/007-slice-n-dice.md). */
#ifndef HD_STRATEGY_DICE_H
#define HD_STRATEGY_DICE_H

#include "base/str.h"
#include "supervise/supervise.h"

/* Like hd_supervise_explore(); job->options have the filter dice.  `targets`: places; if empty,
 * whatever fails.  Counters are the sums of all rounds. */
int hd_dice_explore(const struct hd_job *job, const struct hd_strs *targets,
                    struct hd_result *result, struct hd_err *err);

#endif
