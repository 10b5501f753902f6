#include "cli/lin_request.h"

#include "report/history.h"
#include "report/verdict.h"
#include "strategy/strategy.h"
#include "supervise/supervise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HANG_SECONDS 5
#define BATCH 128           /* scenarios of one exploration */
#define MOST_COUNTED 100000 /* more are not counted before they are tried */

static void fill_job(struct hd_lin *l, struct hd_job *job, struct hd_strs *args,
                     const char *scenarios)
{
    hd_strs_init(args);
    hd_strs_add(args, l->files.items[0]);
    hd_strs_add(args, scenarios);
    hd_strs_addf(args, "%llu", (unsigned long long)l->check);
    hd_strs_add(args, l->weak ? "rc11" : "sc");
    hd_strs_addf(args, "%d", HD_LIN_EXIT);
    *job = (struct hd_job){ .program = l->input.program,
                            .args = args->items,
                            .watch = { .hang_seconds = HANG_SECONDS,
                                       .interrupted = &hd_input_interrupted } };
    hd_input_defaults(&job->options);
}

/* What the program prints with these arguments; the caller's to free.  NULL with err. */
static char *ask(struct hd_lin *l, const char *question, const char *scenario, struct hd_err *err)
{
    struct hd_job job;
    struct hd_strs args;
    struct hd_run run;
    struct hd_threads threads = { .n = 1 };
    struct hd_script script = { .threads = &threads };
    fill_job(l, &job, &args, "");
    hd_strs_release(&args);
    hd_strs_init(&args);
    hd_strs_add(&args, l->files.items[0]);
    hd_strs_add(&args, question);
    if (scenario)
        hd_strs_add(&args, scenario);
    job.args = args.items;
    char *text = NULL;
    if (hd_supervise_replay(&job, &script, &run, err) == HD_EXIT_OK) {
        if (run.found || run.output_bytes == 0)
            hd_err_set(err,
                       "%s does not list operations: include heddle/lin.h in it, and define "
                       "no main",
                       l->files.items[0]);
        else
            text = hd_str_format("%.*s", (int)run.output_bytes, run.output);
        hd_run_release(&run);
    }
    hd_strs_release(&args);
    return text;
}

/* The program knows best whether a scenario can be read. */
static int check_scenario(struct hd_lin *l, struct hd_err *err)
{
    char *answer = ask(l, "--parse", l->scenario, err);
    if (answer == NULL)
        return -1;
    int failed = 0;
    if (strcmp(answer, "good\n") != 0) {
        const char *why = hd_str_starts(answer, "heddle lin: ") ? answer + 12 : answer;
        failed = hd_err_set(err, "--scenario %.100s: %.*s", l->scenario, (int)strcspn(why, "\n"),
                            why);
    }
    free(answer);
    return failed;
}

/* The number of the scenario in the batch that a run has chosen. */
static uint32_t chosen(const char *batch, const struct hd_run *run)
{
    uint32_t i = 0;
    while (i < run->n_log && run->log[i].op != HD_OP_CHOOSE)
        i++;
    return strchr(batch, '\n') && i < run->n_log ? run->log[i].choice : 0;
}

static char *line_of(const char *batch, uint32_t number)
{
    for (; number; number--)
        batch = strchr(batch, '\n') ? strchr(batch, '\n') + 1 : batch;
    return hd_str_format("%.*s", (int)strcspn(batch, "\n"), batch);
}

/* Threads are not made in scenarios whose first part waits for ever. */
static void keep_new(struct hd_strs *all, const struct hd_strs *more)
{
    for (size_t i = 0; i < more->n; i++)
        if (!hd_strs_has(all, more->items[i]) &&
            strcmp(more->items[i], HD_ASSUMES_NO_THREAD) != 0)
            hd_strs_add(all, more->items[i]);
}

static void add_up(struct hd_lin *l, const struct hd_result *result, const struct hd_job *job)
{
    struct hd_summary summary;
    const struct hd_counters *c = &result->counters;
    hd_summary_init(&summary, result, &result->options, NULL, job->seconds, job->program);
    l->counters.executions += c->executions;
    l->counters.blocked += c->blocked;
    l->counters.events += c->events;
    if (result->stop == HD_STOP_TIME || result->stop == HD_STOP_INTERRUPTED)
        l->stopped = true;
    else if (summary.verdict == HD_NONE_FOUND)
        keep_new(&l->downgrades, &summary.downgrades);
    keep_new(&l->assumptions, &summary.assumptions);
    hd_summary_release(&summary);
}

/* One exploration of the scenarios in `batch`, under the current model. */
static int explore(struct hd_lin *l, const char *batch, struct hd_result *result, bool *met_weak,
                   struct hd_err *err)
{
    struct hd_job job;
    struct hd_strs args;
    fill_job(l, &job, &args, batch);
    job.seconds = l->seconds > 0 ? l->begun + l->seconds - hd_watch_now() : 0;
    int status = HD_EXIT_OK;
    if (l->seconds > 0 && job.seconds <= 0)
        l->stopped = true;
    else if (hd_strategy_preset(&job.options, l->weak ? "graph" : "optimal", err) != 0)
        status = HD_EXIT_INTERNAL;
    if (status != HD_EXIT_OK || l->stopped) {
        hd_strs_release(&args);
        return status;
    }
    job.options.races = HD_RACES_ERROR;
    job.options.expect_exit = HD_LIN_EXIT;
    job.options.jobs = (uint32_t)l->jobs;
    status = hd_supervise_explore(&job, result, err);
    if (status == HD_EXIT_OK) {
        *met_weak = !l->weak && result->counters.orders_less & HD_LESS_ATOMIC;
        if (!*met_weak || result->n_runs)
            add_up(l, result, &job);
    }
    hd_strs_release(&args);
    return status;
}

/* The first scenario that fails.  Data races do not end the exploration: a run that does may be
 * one of a later scenario. */
static void note_failure(struct hd_lin *l, const char *batch, const struct hd_result *result)
{
    const struct hd_run *run = &result->runs[0];
    for (uint32_t i = 1; i < result->n_runs; i++)
        if (chosen(batch, &result->runs[i]) < chosen(batch, run))
            run = &result->runs[i];
    l->failing = line_of(batch, chosen(batch, run));
    char *output = hd_str_format("%.*s", (int)run->output_bytes, run->output ? run->output : "");
    hd_history_print(&l->history, output);
    free(output);
}

/* A batch; under C11's memory model as soon as weaker atomics were executed. */
static int try_batch(struct hd_lin *l, const char *batch, uint32_t n, struct hd_err *err)
{
    struct hd_result result;
    bool met_weak = false;
    bool may_be_weak = strcmp(l->memory, "auto") == 0 && l->sc.length == 0;
    int status = explore(l, batch, &result, &met_weak, err);
    if (status == HD_EXIT_INPUT && l->weak && may_be_weak) {
        hd_str_append(&l->sc, err->text);
        l->weak = false;
        status = explore(l, batch, &result, &met_weak, err);
    }
    if (status != HD_EXIT_OK || l->stopped)
        return status;
    if (result.n_runs)
        note_failure(l, batch, &result);
    hd_result_release(&result);
    if (!l->failing && met_weak && may_be_weak && l->sc.length == 0) {
        l->weak = true;
        return try_batch(l, batch, n, err);
    }
    if (!l->failing)
        l->n_done += n;
    return HD_EXIT_OK;
}

static void show_progress(const struct hd_lin *l)
{
    if (!l->quiet && isatty(2))
        fprintf(stderr, "\r\033[K%llu of %s%llu scenarios, %llu executions",
                (unsigned long long)l->n_done, l->n_all == MOST_COUNTED ? "more than " : "",
                (unsigned long long)l->n_all, (unsigned long long)l->counters.executions);
}

static int try_all(struct hd_lin *l, struct hd_scenarios *scenarios, struct hd_err *err)
{
    struct hd_str batch;
    int status = HD_EXIT_OK;
    hd_str_init(&batch);
    for (bool more = true; more && status == HD_EXIT_OK && !l->failing && !l->stopped;) {
        uint32_t n = 0;
        struct hd_str one;
        hd_str_init(&one);
        hd_str_clear(&batch);
        while (n < BATCH && (more = hd_scenarios_next(scenarios, &one))) {
            hd_str_appendf(&batch, "%s%s", n++ ? "\n" : "", one.text);
            hd_str_clear(&one);
        }
        hd_str_release(&one);
        show_progress(l);
        if (n)
            status = try_batch(l, batch.text, n, err);
        if (hd_input_interrupted)
            l->stopped = true;
    }
    if (!l->quiet && isatty(2))
        fputs("\r\033[K", stderr);
    hd_str_release(&batch);
    return status;
}

int hd_lin_explore(struct hd_lin *l, struct hd_err *err)
{
    struct hd_scenarios scenarios;
    char *operations = ask(l, "--operations", NULL, err);
    int failed = operations == NULL ||
                 hd_scenarios_init(&scenarios, operations, &l->bounds, err) != 0;
    free(operations);
    if (failed)
        return HD_EXIT_INPUT;
    if (l->scenario && check_scenario(l, err) != 0) {
        hd_scenarios_release(&scenarios);
        return HD_EXIT_INPUT;
    }
    hd_input_catch_signals();
    l->begun = hd_watch_now();
    l->weak = strcmp(l->memory, "rc11") == 0;
    l->n_all = l->scenario ? 1 : hd_scenarios_count(&scenarios, MOST_COUNTED);
    int status = l->scenario ? try_batch(l, l->scenario, 1, err) : try_all(l, &scenarios, err);
    hd_scenarios_release(&scenarios);
    return status;
}
