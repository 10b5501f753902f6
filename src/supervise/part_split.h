/* Cutting a search into work units (parts.h). */
#ifndef HD_SUPERVISE_PART_SPLIT_H
#define HD_SUPERVISE_PART_SPLIT_H

#include "supervise/parts.h"
#include "supervise/supervise.h"

/* Explores until `wanted` units are left, or nothing.  The units and the sum of what was
 * counted are in `whole`, which the caller releases in any case.  A violation ends it
 * without units unless options.keep_going is set; it is in *result.  Returns as
 * hd_supervise_explore(). */
int hd_split_search(const struct hd_job *job, uint32_t wanted, struct hd_part *whole,
                    struct hd_result *result, struct hd_err *err);

#endif
