/* Several searches one after the other until one of them decides: docs/design/006-auto.md. */
#ifndef HD_SUPERVISE_PORTFOLIO_H
#define HD_SUPERVISE_PORTFOLIO_H

#include "supervise/plan.h"
#include "supervise/supervise.h"

/* Like hd_supervise_explore().  Of job->options only `jobs` and max_executions are used.  Time
 * and executions of the job are for all phases together. */
int hd_portfolio_explore(const struct hd_job *job, struct hd_plan *plan, struct hd_result *result,
                         struct hd_err *err);

#endif
