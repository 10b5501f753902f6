#include "supervise/result.h"

#include <stdlib.h>

uint32_t hd_result_violations(const struct hd_result *result)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < result->n_runs; i++)
        n += !result->runs[i].warning;
    return n;
}

void hd_result_drop(struct hd_result *result)
{
    for (uint32_t i = 0; i < result->n_runs; i++)
        hd_run_release(&result->runs[i]);
    free(result->runs);
    free(result->parts);
    result->n_runs = 0;
    result->runs = NULL;
    result->parts = NULL;
    result->counters = (struct hd_counters){ 0 };
}

void hd_result_release(struct hd_result *result)
{
    hd_result_drop(result);
    *result = (struct hd_result){ 0 };
}

void hd_run_release(struct hd_run *run)
{
    if (run->passing)
        hd_run_release(run->passing);
    free(run->passing);
    free(run->log);
    free(run->calls);
    free(run->output);
    free(run->stale);
    *run = (struct hd_run){ 0 };
}

const struct hd_stale *hd_run_stale(const struct hd_run *run, const struct hd_step *step)
{
    for (uint32_t i = 0; i < run->n_stale; i++)
        if (&run->log[run->stale[i].step] == step)
            return &run->stale[i];
    return NULL;
}

uint32_t hd_run_steps(const struct hd_run *run)
{
    return run->n_log ? run->n_log : run->finding.n_steps;
}

uint32_t hd_run_preemptions(const struct hd_run *run)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_log; i++)
        n += (run->log[i].flags & HD_STEP_PREEMPTION) != 0;
    return n;
}

uint32_t hd_run_stack(const struct hd_run *run, uint32_t stack, uint32_t sites[HD_MAX_FRAMES])
{
    return hd_stacks_get(run->calls, run->n_calls, stack, sites, HD_MAX_FRAMES);
}

bool hd_result_of_states(const struct hd_options *options)
{
    return options->filters & (HD_FILTER_STATES | HD_FILTER_NOT_SEEN) ||
           hd_search_is_guided(options->search);
}

double hd_result_explored(const struct hd_result *result)
{
    return hd_result_of_states(&result->options) ? 0 : result->counters.explored;
}
