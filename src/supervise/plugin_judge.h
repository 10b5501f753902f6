/* The checker of a job, asked about a run that has come to its end. */
#ifndef HD_SUPERVISE_PLUGIN_JUDGE_H
#define HD_SUPERVISE_PLUGIN_JUDGE_H

#include "supervise/result.h"

/* Is there a checker, and has the run ended in a way that it judges? */
bool hd_plugin_judges(const struct hd_job *job, const struct hd_run *run);

/* Starts the checker in a process of its own, shows it the scheduled steps of the run's log,
 * and makes its objection the run's finding.  `shared` is the memory of the run's worker,
 * which has ended.  -1 with err if there is no answer. */
int hd_plugin_judge(const struct hd_job *job, struct hd_worker_memory *shared, struct hd_run *run,
                    struct hd_err *err);

#endif
