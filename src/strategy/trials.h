/* The same exploration with several seeds, as experiments with randomised searches are
 * reported. */
#ifndef HD_STRATEGY_TRIALS_H
#define HD_STRATEGY_TRIALS_H

#include "base/str.h"
#include "supervise/supervise.h"

struct hd_trials_request {
    uint32_t n;
    uint32_t at_a_time;            /* in processes of their own */
    const struct hd_strs *targets; /* of slice-n-dice */
};

/* One number of the trials that found something. */
struct hd_spread {
    double least, most, sum;
};

struct hd_trials {
    uint32_t n, found;
    struct hd_spread states, seconds;
};

/* HD_EXIT_OK, or another exit status with err. */
int hd_trials_run(const struct hd_trials_request *request, const struct hd_job *job,
                  struct hd_trials *sum, struct hd_err *err);

#endif
