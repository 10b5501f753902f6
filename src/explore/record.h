/* Findings on their way out: each distinct one once, with its schedule. */
#ifndef HD_EXPLORE_RECORD_H
#define HD_EXPLORE_RECORD_H

#include "explore/explorer.h"

/* Record `finding`, made by the current execution, in the shared memory unless one with the same
 * fingerprint is there already.  Returns whether it is new. */
bool hd_record_finding(struct hd_explorer *ex, const struct hd_finding *finding);

#endif
