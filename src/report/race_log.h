/* The run of a data race, with its two accesses at the end. */
#ifndef HD_REPORT_RACE_LOG_H
#define HD_REPORT_RACE_LOG_H

#include "supervise/supervise.h"

/* Both threads stand before their access when such a run ends, or the first one has made it.
 * Gives a copy of `run` whose log has the missing ones as steps; only its log is the caller's
 * to free.  at[]: which steps the two accesses are. */
struct hd_run hd_race_log(const struct hd_run *run, uint32_t at[2]);

#endif
