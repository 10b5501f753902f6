/* Runs near a given one, each in a worker of its own, within a budget. */
#ifndef HD_SUPERVISE_TRIAL_H
#define HD_SUPERVISE_TRIAL_H

#include "supervise/supervise.h"

#define HD_TRIAL_STEPS 700000

struct hd_trial {
    const struct hd_job *job;
    double deadline;    /* hd_watch_now() at which to stop */
    uint32_t runs_left; /* runs that may still be made */
    uint64_t steps;     /* of those that were made; HD_TRIAL_STEPS are enough */
};

/* Is the budget used up? */
bool hd_trial_over(const struct hd_trial *trial);

/* Runs the script as guidance (enum hd_guide), the orders in it forced.  False when the budget
 * is used up, or when there is no such run.  On success the caller releases `run`. */
bool hd_trial_run(struct hd_trial *trial, const struct hd_script *script, uint32_t longest,
                  struct hd_run *run);

/* The scheduled steps of a run as a script; *n of them.  The caller frees. */
struct hd_step *hd_trial_schedule(const struct hd_run *run, uint32_t *n);

#endif
