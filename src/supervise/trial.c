#include "supervise/trial.h"

bool hd_trial_over(const struct hd_trial *trial)
{
    return trial->runs_left == 0 || trial->steps >= HD_TRIAL_STEPS ||
           hd_watch_now() >= trial->deadline;
}

bool hd_trial_run(struct hd_trial *trial, const struct hd_script *script, uint32_t longest,
                  struct hd_run *run)
{
    struct hd_err ignored;
    struct hd_job job = *trial->job;
    if (hd_trial_over(trial))
        return false;
    trial->runs_left--;
    job.watch.progress = NULL;
    job.watch.deadline = trial->deadline;
    job.options.until = longest;
    if (hd_supervise_replay(&job, script, run, &ignored) != HD_EXIT_OK)
        return false;
    trial->steps += run->n_log;
    if (run->found || run->status == HD_REPLAY_END)
        return true;
    hd_run_release(run);
    return false;
}

struct hd_step *hd_trial_schedule(const struct hd_run *run, uint32_t *n)
{
    struct hd_step *steps = hd_alloc((run->n_log + 1) * sizeof *steps);
    *n = 0;
    for (uint32_t i = 0; i < run->n_log; i++)
        if (!(run->log[i].flags & HD_STEP_SOLO))
            steps[(*n)++] = (struct hd_step){ .thread = run->log[i].thread,
                                              .choice = run->log[i].choice };
    return steps;
}
