#include "cli/lin_request.h"

#include "report/history.h"
#include "report/step.h"
#include "report/verdict.h"
#include "strategy/strategy.h"
#include "supervise/supervise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define HANG_SECONDS 5
#define REFUSAL "heddle lin: "
#define BATCH 128              /* scenarios of one exploration */
#define RANDOM_BATCH 8         /* they are larger */
#define BATCH_EXECUTIONS 20000 /* what a batch should take: if it is stopped, that is lost */
#define CHECKPOINT_SECONDS 60
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
    job->options.no_estimate = 1; /* the program judges before its threads begin: too dear */
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
    if (scenario) {
        hd_strs_add(&args, scenario);
        hd_strs_addf(&args, "%llu", (unsigned long long)l->check);
    }
    job.args = args.items;
    char *text = NULL;
    if (hd_supervise_replay(&job, &script, &run, err) == HD_EXIT_OK) {
        text = hd_str_format("%.*s", (int)run.output_bytes, run.output ? run.output : "");
        if (hd_str_starts(text, REFUSAL)) /* the program knows what is wrong */
            hd_err_set(err, "%s%.100s%s%.*s", scenario ? "--scenario " : "",
                       scenario ? scenario : "", scenario ? ": " : "",
                       (int)strcspn(text + strlen(REFUSAL), "\n"), text + strlen(REFUSAL));
        else if (run.found || !*text)
            hd_err_set(err,
                       "%s does not list operations: include heddle/lin.h in it, define some "
                       "with HEDDLE_LIN_OP, and no main",
                       l->files.items[0]);
        if (err->text[0]) {
            free(text);
            text = NULL;
        }
        hd_run_release(&run);
    }
    hd_strs_release(&args);
    return text;
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

/* The first n lines; the caller's to free. */
static char *lines_of(const char *batch, uint32_t n)
{
    const char *end = batch;
    for (; n && end; n--)
        end = strchr(end + (end != batch), '\n');
    return hd_str_format("%.*s", end ? (int)(end - batch) : (int)strlen(batch), batch);
}

/* The text without " (3 times)": every batch has other numbers.  The caller's to free. */
static char *without_numbers(const char *text)
{
    struct hd_str out;
    hd_str_init(&out);
    while (*text) {
        size_t digits = hd_str_starts(text, " (") ? strspn(text + 2, "0123456789") : 0;
        if (digits && hd_str_starts(text + 2 + digits, " times)"))
            text += 2 + digits + strlen(" times)");
        else
            hd_str_append_char(&out, *text++);
    }
    char *copy = hd_strdup(out.length ? out.text : "");
    hd_str_release(&out);
    return copy;
}

/* Threads are not made in scenarios whose first part waits for ever. */
static void keep_new(struct hd_strs *all, const struct hd_strs *more)
{
    for (size_t i = 0; i < more->n; i++) {
        char *text = without_numbers(more->items[i]);
        if (!hd_strs_has(all, text) && strcmp(text, HD_ASSUMES_NO_THREAD) != 0)
            hd_strs_add(all, text);
        free(text);
    }
}

static void add_up(struct hd_lin *l, const struct hd_result *result, const struct hd_job *job)
{
    struct hd_summary summary;
    const struct hd_counters *c = &result->counters;
    hd_summary_init(&summary, result, &result->options, NULL, job->seconds, job->program);
    l->spent += c->executions;
    l->counters.executions += c->executions;
    l->counters.blocked += c->blocked;
    l->counters.events += c->events;
    l->kinds[l->kind].spent += c->executions;
    if (result->stop == HD_STOP_EXECUTIONS && !l->bounded)
        l->kinds[l->kind].left = true;
    else if (result->stop == HD_STOP_TIME || result->stop == HD_STOP_INTERRUPTED ||
             result->stop == HD_STOP_EXECUTIONS)
        l->stopped = true;
    else if (summary.verdict == HD_NONE_FOUND)
        keep_new(&l->downgrades, &summary.downgrades);
    keep_new(&l->assumptions, &summary.assumptions);
    hd_summary_release(&summary);
}

/* One exploration of the scenarios in `batch`, under the current model.  Nothing is left in
 * *result if a budget is used up already. */
static int explore(struct hd_lin *l, const char *batch, struct hd_result *result, bool *met_weak,
                   struct hd_err *err)
{
    struct hd_job job;
    struct hd_strs args;
    fill_job(l, &job, &args, batch);
    job.seconds = l->seconds > 0 ? l->begun + l->seconds - hd_watch_now() : 0;
    int status = HD_EXIT_OK;
    uint64_t spent = l->bounded ? l->spent : l->kinds[l->kind].spent;
    uint64_t most = l->bounded ? l->executions : HD_LIN_BUDGET;
    if ((l->seconds > 0 && job.seconds <= 0) || (l->bounded && most && spent >= most))
        l->stopped = true;
    else if (most && spent >= most)
        l->kinds[l->kind].left = true;
    else if (hd_strategy_preset(&job.options, l->weak ? "graph" : "optimal", err) != 0)
        status = HD_EXIT_INTERNAL;
    if (status != HD_EXIT_OK || l->stopped || l->kinds[l->kind].left) {
        hd_strs_release(&args);
        return status;
    }
    job.options.races = l->races.races;
    job.options.volatile_ok = l->races.volatile_ok;
    job.options.expect_exit = HD_LIN_EXIT;
    job.options.jobs = (uint32_t)l->jobs;
    job.options.max_executions = most ? most - spent : 0;
    status = hd_supervise_explore(&job, result, err);
    if (status == HD_EXIT_OK) {
        *met_weak = *met_weak || (!l->weak && result->counters.orders_less & HD_LESS_ATOMIC);
        /* it is explored again under C11's memory model: that counts */
        bool again = *met_weak && !l->weak && strcmp(l->memory, "sc") != 0 && l->sc.length == 0;
        for (uint32_t i = 0; i < result->n_runs; i++)
            again = again && result->runs[i].warning;
        if (!again || result->stop != HD_STOP_FINISHED)
            add_up(l, result, &job);
    }
    hd_strs_release(&args);
    return status;
}

/* The first scenario that fails: its number is returned.  Data races do not end the
 * exploration: a run that does may be one of a later scenario. */
static uint32_t note_failure(struct hd_lin *l, const char *batch, const struct hd_result *result)
{
    const struct hd_run *run = NULL;
    for (uint32_t i = 0; i < result->n_runs; i++)
        if (!result->runs[i].warning &&
            (!run || chosen(batch, &result->runs[i]) < chosen(batch, run)))
            run = &result->runs[i];
    free(l->failing);
    l->failing = line_of(batch, chosen(batch, run));
    l->fails_weakly = l->weak;
    char *output = hd_str_format("%.*s", (int)run->output_bytes, run->output ? run->output : "");
    hd_str_clear(&l->history);
    hd_history_print(&l->history, output);
    free(output);
    return chosen(batch, run);
}

/* A run that is a violation, and no warning; the first warning is kept. */
static bool has_violation(struct hd_lin *l, const char *batch, const struct hd_result *result)
{
    bool any = false;
    for (uint32_t i = 0; i < result->n_runs; i++) {
        struct hd_run *run = &result->runs[i];
        any = any || !run->warning;
        if (!run->warning || l->race.length)
            continue;
        char *scenario = line_of(batch, chosen(batch, run));
        hd_step_name_values(run, l->input.program);
        hd_str_appendf(&l->race, "%s, in the scenario %s", run->finding.message, scenario);
        free(scenario);
    }
    return any;
}

/* The smallest scenario that fails under the current model, among the first *n of the batch:
 * its number is then in *n.  Several workers may find another one first. */
static int try_model(struct hd_lin *l, const char *batch, uint32_t *n, bool *met_weak,
                     struct hd_err *err)
{
    for (bool found = true; found && *n && !l->stopped && !l->kinds[l->kind].left;) {
        struct hd_result result = { 0 };
        char *part = lines_of(batch, *n);
        int status = explore(l, part, &result, met_weak, err);
        found = status == HD_EXIT_OK && has_violation(l, part, &result);
        if (found)
            *n = note_failure(l, part, &result);
        if (found && l->jobs == 1)
            found = false; /* scenarios are explored in their order */
        free(part);
        hd_result_release(&result);
        if (status != HD_EXIT_OK)
            return status;
    }
    return HD_EXIT_OK;
}

/* A batch; under C11's memory model as soon as weaker atomics were executed.  A scenario that
 * fails under sequential consistency may come after one that fails under C11's model only. */
static int try_batch(struct hd_lin *l, const char *batch, uint32_t n, struct hd_err *err)
{
    bool met_weak = false, is_auto = strcmp(l->memory, "auto") == 0 && l->sc.length == 0;
    uint32_t left = n;
    int status = HD_EXIT_OK;
    if (!l->weak)
        status = try_model(l, batch, &left, &met_weak, err);
    if (status == HD_EXIT_OK && !l->stopped && is_auto && (l->weak || met_weak)) {
        l->weak = true;
        status = try_model(l, batch, &left, &met_weak, err);
        if (status == HD_EXIT_INPUT) { /* there is something that the search refuses */
            hd_str_append(&l->sc, err->text);
            *err = (struct hd_err){ "" };
            l->weak = false;
            status = l->failing ? HD_EXIT_OK : try_model(l, batch, &left, &met_weak, err);
        }
    } else if (l->weak && status == HD_EXIT_OK) {
        status = try_model(l, batch, &left, &met_weak, err);
    }
    if (l->failing)
        l->weak = l->fails_weakly;
    if (!l->failing && !l->stopped && !l->kinds[l->kind].left && status == HD_EXIT_OK) {
        l->kinds[l->kind].n_done += n;
        l->n_done += n;
    }
    return status;
}

/* Does the scenario fail, too, as l->failing does?  Then it takes its place. */
static int try_instead(struct hd_lin *l, const char *scenario, bool *fails, struct hd_err *err)
{
    char *was = l->failing;
    struct hd_str history = l->history;
    uint32_t n = 1;
    bool met_weak = false;
    l->failing = NULL;
    hd_str_init(&l->history);
    l->weak = l->fails_weakly;
    int status = try_model(l, scenario, &n, &met_weak, err);
    *fails = l->failing != NULL;
    if (*fails) {
        free(was);
        hd_str_release(&history);
    } else {
        hd_str_release(&l->history);
        l->failing = was;
        l->history = history;
    }
    return status;
}

/* A random scenario that fails may have calls that have no part in it: without any of those
 * that are left it does not fail. */
static int shrink(struct hd_lin *l, struct hd_err *err)
{
    int status = HD_EXIT_OK;
    for (bool fails = true; fails && !l->stopped && status == HD_EXIT_OK;) {
        struct hd_strs smaller;
        hd_strs_init(&smaller);
        hd_scenarios_smaller(l->failing, &smaller);
        fails = false;
        for (size_t i = 0; i < smaller.n && !fails && !l->stopped && status == HD_EXIT_OK; i++)
            status = try_instead(l, smaller.items[i], &fails, err);
        hd_strs_release(&smaller);
    }
    return status;
}

static void show_progress(const struct hd_lin *l)
{
    if (!l->quiet && isatty(2))
        fprintf(stderr, "\r\033[K%llu of %s%llu scenarios, %llu executions",
                (unsigned long long)l->n_done, l->n_all == MOST_COUNTED ? "more than " : "",
                (unsigned long long)l->n_all, (unsigned long long)l->counters.executions);
}

/* What is counted of scenarios with this shape. */
static uint32_t kind_of(struct hd_lin *l, const struct hd_shape *shape)
{
    uint32_t i = 0;
    while (i < l->n_kinds &&
           memcmp(l->kinds[i].shape.length, shape->length, sizeof shape->length) != 0)
        i++;
    if (i == l->n_kinds && i + 1 < HD_LIN_SHAPES)
        l->kinds[l->n_kinds++].shape = *shape;
    return i < l->n_kinds ? i : l->n_kinds - 1;
}

/* How many scenarios of the current kind make a batch, by what those before have taken. */
static uint32_t batch_size(const struct hd_lin *l)
{
    uint64_t n = l->kinds[l->kind].n_done, spent = l->kinds[l->kind].spent;
    uint64_t wanted = BATCH_EXECUTIONS;
    if (n == 0) {
        n = l->n_done;
        spent = l->counters.executions;
    }
    if (l->executions && l->executions / 8 < wanted)
        wanted = l->executions / 8;
    uint64_t size = spent ? wanted * (n + 1) / spent : BATCH;
    return size < 1 ? 1 : size < BATCH ? (uint32_t)size : BATCH;
}

/* The next scenarios: in their order, those of one shape at a time, and then random ones. */
static uint32_t fill_batch(struct hd_lin *l, struct hd_scenarios *scenarios, struct hd_str *batch)
{
    struct hd_str one;
    uint32_t n = 0;
    hd_str_init(&one);
    hd_str_clear(batch);
    const struct hd_shape *shape = hd_scenarios_next_shape(scenarios);
    if (shape)
        l->kind = kind_of(l, shape);
    uint32_t most = batch_size(l);
    while (n < most && !l->listed && (!n || hd_scenarios_next_shape(scenarios) == shape)) {
        l->listed = !hd_scenarios_next(scenarios, &one);
        if (!l->listed)
            hd_str_appendf(batch, "%s%s", n++ ? "\n" : "", one.text);
        hd_str_clear(&one);
    }
    l->all = n == 0;
    if (n == 0 && l->random) /* with these none of the others are left */
        while (n < RANDOM_BATCH && l->n_done + n < l->n_all + l->random &&
               hd_scenarios_random(scenarios, &l->bounds, &l->rng, &one)) {
            hd_str_appendf(batch, "%s%s", n++ ? "\n" : "", one.text);
            hd_str_clear(&one);
        }
    hd_str_release(&one);
    return n;
}

static int try_all(struct hd_lin *l, struct hd_scenarios *scenarios, struct hd_err *err)
{
    struct hd_str batch;
    int status = HD_EXIT_OK;
    uint32_t n;
    double saved = hd_watch_now();
    hd_str_init(&batch);
    while (status == HD_EXIT_OK && !l->failing && !l->stopped &&
           (n = fill_batch(l, scenarios, &batch))) {
        show_progress(l);
        l->kept = l->counters;
        status = try_batch(l, batch.text, n, err);
        if (l->failing && l->all && status == HD_EXIT_OK)
            status = shrink(l, err);
        if (l->kinds[l->kind].left)
            hd_scenarios_leave(scenarios, &l->kinds[l->kind].shape);
        if (!l->stopped)
            l->kept = l->counters;
        if (hd_input_interrupted)
            l->stopped = true;
        if (status == HD_EXIT_OK && l->checkpoint && !l->failing &&
            (l->stopped || hd_watch_now() - saved > CHECKPOINT_SECONDS)) {
            status = hd_lin_checkpoint_write(l, err) == 0 ? HD_EXIT_OK : HD_EXIT_INPUT;
            saved = hd_watch_now();
        }
    }
    if (!l->quiet && isatty(2))
        fputs("\r\033[K", stderr);
    hd_str_release(&batch);
    return status;
}

/* What was explored before is not explored again. */
static int resume(struct hd_lin *l, struct hd_scenarios *scenarios, struct hd_err *err)
{
    struct hd_str one;
    if (hd_lin_checkpoint_read(l, err) != 0)
        return -1;
    hd_str_init(&one);
    for (uint64_t i = 0; i < l->n_done; i++) {
        if (!l->listed)
            l->listed = !hd_scenarios_next(scenarios, &one);
        if (l->listed)
            (void)hd_scenarios_random(scenarios, &l->bounds, &l->rng, &one);
        hd_str_clear(&one);
    }
    hd_str_release(&one);
    return 0;
}

int hd_lin_explore(struct hd_lin *l, struct hd_err *err)
{
    struct hd_scenarios scenarios;
    l->bounds.any_order = strcmp(hd_lin_checks[l->check], "quiescent") == 0;
    char *operations = ask(l, "--operations", NULL, err);
    int failed = operations == NULL ||
                 hd_scenarios_init(&scenarios, operations, &l->bounds, err) != 0;
    free(operations);
    if (failed)
        return HD_EXIT_INPUT;
    char *good = l->scenario ? ask(l, "--parse", l->scenario, err) : NULL;
    free(good);
    hd_input_catch_signals();
    l->begun = hd_watch_now();
    l->weak = strcmp(l->memory, "rc11") == 0;
    l->rng.state = l->seed;
    l->n_all = l->scenario ? 1
               : l->random ? hd_scenarios_count(&scenarios, UINT64_MAX)
                           : hd_scenarios_count(&scenarios, MOST_COUNTED);
    int status = HD_EXIT_INPUT;
    if ((!l->scenario || good) && (!l->resume || resume(l, &scenarios, err) == 0))
        status = l->scenario ? try_batch(l, l->scenario, 1, err) : try_all(l, &scenarios, err);
    if (l->scenario)
        l->all = !l->stopped;
    else
        l->calls = hd_scenarios_complete(&scenarios, l->n_done, &l->n_complete);
    hd_scenarios_release(&scenarios);
    return status;
}
