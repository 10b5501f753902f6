/* Several searches one after the other until one of them decides: docs/design/006-auto.md. */
#ifndef HD_SUPERVISE_PORTFOLIO_H
#define HD_SUPERVISE_PORTFOLIO_H

#include "supervise/plan.h"
#include "supervise/supervise.h"

/* As hd_supervise_explore(), whose result it has; job->options are not looked at but for `jobs`
 * and max_executions.  Time and executions of the job are for all phases together. */
int hd_portfolio_explore(const struct hd_job *job, const struct hd_plan *plan,
                         struct hd_result *result, struct hd_err *err);

#endif
