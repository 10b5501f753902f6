/* Fewer preemptions by sorting: the steps of a part of the schedule are done thread after
 * thread, first in large parts and then in small ones, and threads that are not needed are
 * left out (delta debugging: Zeller & Hildebrandt, TSE 2002).  A run of n stretches takes about
 * 2n trials, where joining one stretch after the other takes n².
 *
 * The steps of a data race are a script that must be done as it is, because a guided run would
 * go on to the end of the program. */
#ifndef HD_SUPERVISE_REGROUP_H
#define HD_SUPERVISE_REGROUP_H

#include "supervise/trial.h"

/* Replaces `run` by `other` and returns true if that is better; otherwise releases `other`. */
typedef bool hd_regroup_take(struct hd_run *run, struct hd_run *other);

/* Makes `run`, which is under sequential consistency, a better one if it finds one. */
void hd_regroup(struct hd_trial *trial, struct hd_run *run, hd_regroup_take *take);

#endif
