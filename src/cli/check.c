/* heddle check: compile if need be, explore, report. */
#define _GNU_SOURCE
#include "base/fs.h"
#include "base/number.h"
#include "base/shown.h"
#include "base/version.h"
#include "cli/check_explore.h"
#include "cli/check_options.h"
#include "cli/commands.h"
#include "cli/distributed.h"
#include "cli/earlier.h"
#include "cli/input.h"
#include "cli/live.h"
#include "cli/outputs.h"
#include "cli/parts.h"
#include "cli/replay_words.h"
#include "cli/trials_report.h"
#include "cli/trust.h"
#include "report/history.h"
#include "report/overview.h"
#include "report/race_groups.h"
#include "report/step.h"
#include "report/text.h"
#include "report/trace.h"
#include "report/verdict.h"
#include "supervise/explain_memory.h"
#include "supervise/explain_order.h"
#include "supervise/minimise.h"
#include "supervise/supervise.h"
#include "supervise/suppressions.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- traces ---- */

/* Make a directory and its parents. */
static int make_path(const char *path)
{
    char *copy = hd_strdup(path);
    int failed = 0;
    for (char *slash = strchr(copy + 1, '/'); slash && !failed; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        failed = mkdir(copy, 0777) != 0 && errno != EEXIST;
        *slash = '/';
    }
    free(copy);
    return failed || (mkdir(path, 0777) != 0 && errno != EEXIST) ? -1 : 0;
}

static int make_directory(const char *path, struct hd_err *err)
{
    if (make_path(path) != 0)
        return hd_err_set(err, "cannot create the trace directory %s: %s", path, strerror(errno));
    if (!hd_fs_is_directory(path))
        return hd_err_set(err, "--trace-dir %s is not a directory", path);
    if (access(path, W_OK | X_OK) != 0)
        return hd_err_set(err, "cannot write into the trace directory %s: %s", path,
                          strerror(errno));
    return 0;
}

static void trace_head(struct hd_trace_head *head, const struct hd_check *check,
                       const struct hd_input *input, const struct hd_result *result)
{
    char build[33];
    hd_program_build(input->program, build);
    hd_trace_head_init(head);
    if (input->compiled) {
        hd_strs_add_all(&head->sources, &check->files);
        hd_strs_add_all(&head->cc_flags, &check->cc_flags);
    }
    head->program = hd_strdup(check->files.items[0]);
    for (char **arg = check->args; *arg; arg++)
        hd_strs_add(&head->args, *arg);
    head->build = hd_strdup(build);
    head->strategy = hd_strdup(check->strategy);
    const struct hd_plugin *plugin = &check->options.plugin;
    if (plugin->used && plugin->claims & HD_PLUGIN_CHECKS)
        head->checker = hd_str_format("%s%s%s", plugin->path, *plugin->argument ? ":" : "",
                                      plugin->argument);
    hd_strs_add_all(&head->invariants, &check->invariants);
    hd_strs_add_all(&head->targets, &check->targets);
    head->seed = check->options.seed;
    head->expect_exit = check->options.expect_exit;
    head->memory = result->runs_memory;
    head->no_timeouts = check->options.no_timeouts;
    head->spurious = check->options.spurious;
    head->faults = check->options.faults;
    head->reuse = result->options.reuse;
    head->nondet = check->options.nondet;
    head->input = check->options.input;
    head->leaks = check->options.leaks;
    head->files_off = check->options.files_off;
    head->volatile_ok = check->options.volatile_ok;
    for (uint32_t i = 0; i < check->options.suppressions.n; i++)
        if (check->options.suppressions.rules[i].kind == HD_RULE_VOLATILE) {
            struct hd_str rule;
            hd_str_init(&rule);
            hd_suppressions_rule(&rule, &check->options.suppressions.rules[i]);
            hd_strs_add(&head->rules, rule.text);
            hd_str_release(&rule);
        }
}

/* "a/b/queue.c" -> "queue" */
static char *trace_stem(const char *path)
{
    char *stem = hd_strdup(hd_fs_base(path));
    char *dot = strrchr(stem, '.');
    if (dot && dot != stem)
        *dot = 0;
    return stem;
}

/* Writes one trace; its path, the caller's to free, or NULL with err. */
static char *write_trace(struct hd_trace_head *head, uint32_t polls, const struct hd_run *run,
                         const struct hd_program *program, char *path, struct hd_err *err)
{
    struct hd_str text;
    hd_str_init(&text);
    head->polls = run->polled ? polls : 0; /* otherwise it has shaped nothing */
    hd_trace_write(&text, head, run, program);
    struct hd_err ignored; /* hd_trust_warn() has warned where it matters */
    hd_trace_sign(&text, &ignored);
    int failed = hd_fs_write(path, text.text, text.length, err);
    hd_str_release(&text);
    if (failed)
        free(path);
    return failed ? NULL : path;
}

/* Writes a trace per violation, and one of the nearest run that passes; the paths are the
 * caller's to free.  *replaced: one of them was there before. */
static int write_traces(const struct hd_check *check, const struct hd_input *input,
                        const struct hd_result *result, char **paths, char **passing,
                        bool *replaced, struct hd_err *err)
{
    if (result->n_runs == 0)
        return 0;
    if (make_directory(check->trace_dir, err) != 0)
        return -1;
    struct hd_trace_head head;
    uint32_t polls = result->options.polls;
    char *stem = trace_stem(check->files.items[0]);
    bool failed = false;
    trace_head(&head, check, input, result);
    hd_trust_warn(&head);
    for (uint32_t i = 0; i < result->n_runs && !failed; i++) {
        const struct hd_run *run = &result->runs[i];
        const char *kind = hd_kind_text(run->finding.kind);
        if (run->scheduled_only && run->n_log == 0)
            continue; /* nothing to replay */
        char *path = hd_str_format("%s/%s-%s-%u.trace", check->trace_dir, stem, kind, i + 1);
        *replaced |= hd_fs_exists(path);
        paths[i] = write_trace(&head, polls, run, input->program, path, err);
        failed = !paths[i];
        if (failed || !run->passing)
            continue;
        path = hd_str_format("%s/%s-%s-%u-passing.trace", check->trace_dir, stem, kind, i + 1);
        passing[i] = write_trace(&head, polls, run->passing, input->program, path, err);
        failed = !passing[i];
    }
    hd_trace_head_release(&head);
    free(stem);
    return failed ? -1 : 0;
}

/* ---- the report ---- */

static void print_path(FILE *out, const char *path)
{
    char *shown = hd_shown_dup(path);
    fputs(shown, out);
    free(shown);
}

static void print_replay_command(FILE *out, const struct hd_check *check, const char *trace,
                                 const char *passing)
{
    char *command = hd_replay_command(), *operands = hd_replay_operands(&check->files, trace);
    fputs("  trace:  ", out);
    print_path(out, trace);
    fprintf(out, "\n  replay: %s %s\n", command, operands);
    if (passing) {
        fputs("  passes: ", out);
        print_path(out, passing);
        fputs(" (the nearest run that does)\n", out);
    }
    fprintf(out, "\n");
    free(command);
    free(operands);
}

/* Say how to continue an exploration that was cut short. */
static void print_how_to_go_on(const struct hd_check *check, const struct hd_result *result)
{
    if (result->n_runs && !check->quiet)
        printf(
            "  (replay --gdb: step both ways; --turn A,B: step A before B; check --html FILE)\n");
    if (result->stop == HD_STOP_VIOLATION && !check->scenario)
        printf("  (--keep-going goes on after a violation)\n");
    if (result->stop != HD_STOP_INTERRUPTED && result->stop != HD_STOP_TIME)
        return;
    if (result->saved)
        printf("  to go on: the same command with --resume %s\n", check->checkpoint);
    else if (!check->checkpoint && !result->rounds.n && !check->options.swarm &&
             !check->options.plugin.used)
        printf("  (with --checkpoint FILE it could go on from here later)\n");
}

/* "  strategy: auto (pos); executions: optimal 900, random 200, pct:3 200, pos 17" */
static void print_strategy(const struct hd_check *check, const struct hd_result *result)
{
    char number[HD_NUMBER_TEXT];
    printf("  strategy: %s", check->strategy);
    if (result->n_phases)
        printf(" (%s)", result->phases[result->decided_by].name);
    for (uint32_t i = 0; result->n_phases > 1 && i < result->n_phases; i++)
        printf("%s%s %s", i ? ", " : "; executions: ", result->phases[i].name,
               hd_number_grouped(result->phases[i].counters.executions, number));
    if (result->rounds.n)
        printf("; %u round%s, %u of %u thread%s, %u place%s", result->rounds.n,
               result->rounds.n == 1 ? "" : "s", result->rounds.threads,
               result->rounds.of_threads, result->rounds.of_threads == 1 ? "" : "s",
               result->rounds.places, result->rounds.places == 1 ? "" : "s");
    printf("\n");
    if (result->options.symmetric && result->counters.alike < 2)
        printf("  no two threads are interchangeable: --symmetric changed nothing\n");
    else if (result->options.symmetric)
        printf("  %llu threads are interchangeable: %s are one\n",
               (unsigned long long)result->counters.alike,
               result->options.search == HD_SEARCH_GRAPH
                   ? "executions that differ in which does what"
                   : "states that differ in which is where");
    if (*result->alone.text)
        printf("  one worker: %s\n", result->alone.text);
    if (*result->told_apart.text)
        printf("  threads with the same function and argument were not interchangeable: %s\n",
               result->told_apart.text);
}

/* Which traces of earlier checks have led here. */
static void print_earlier(const struct hd_check *check, const struct hd_earlier *earlier)
{
    for (size_t i = 0; i < earlier->found.n; i++) {
        printf("  found by trace ");
        print_path(stdout, earlier->found.items[i]);
        printf(", %s\n", earlier->notes.items[i]);
    }
    if (earlier->found.n)
        printf("  (--no-earlier searches without the traces of earlier checks)\n");
    if (earlier->n_passed && !check->quiet)
        printf("  %u earlier trace%s no longer fail%s\n", earlier->n_passed,
               earlier->n_passed == 1 ? "" : "s", earlier->n_passed == 1 ? "s" : "");
    if (!check->verbose)
        return;
    if (earlier->n_tried)
        printf("  traces of earlier checks that were tried: %u\n", earlier->n_tried);
    for (size_t i = 0; i < earlier->skipped.n; i++) {
        printf("  not tried: ");
        print_path(stdout, earlier->skipped.items[i]);
        printf("\n");
    }
}

/* Rules that nothing was found for; they may be misspelt, or out of date. */
static void print_unused(const struct hd_check *check, const struct hd_result *result)
{
    const struct hd_suppressions *s = &check->options.suppressions;
    struct hd_str rule;
    hd_str_init(&rule);
    for (uint32_t i = 0; i < s->n; i++) {
        bool used = false;
        for (uint32_t k = 0; k < HD_MAX_NOTES; k++)
            used = used || result->notes.at[k].rule == i + 1;
        if (used)
            continue;
        hd_str_clear(&rule);
        hd_suppressions_rule(&rule, &s->rules[i]);
        printf("  unused rule: ");
        print_path(stdout, check->suppressions);
        printf(":%u: %s\n", s->rules[i].line, rule.text);
    }
    hd_str_release(&rule);
}

/* Are there violations of several kinds?  Races alone have a summary of their own. */
static bool several_kinds(const struct hd_result *result)
{
    for (uint32_t i = 1; i < result->n_runs; i++)
        if (result->runs[i].finding.kind != result->runs[0].finding.kind)
            return true;
    return false;
}

static void print_text(const struct hd_check *check, const struct hd_input *input,
                       const struct hd_earlier *earlier, const struct hd_result *result,
                       const struct hd_summary *summary, char *const *traces,
                       char *const *passing, bool replaced)
{
    struct hd_terminal text = hd_terminal_for(stdout);
    text.whole = check->verbose;
    uint32_t races = 0; /* they come after what is worse */
    struct hd_str all;
    hd_str_init(&all);
    hd_overview(&all, result, input->program);
    if (several_kinds(result)) {
        hd_terminal_line(&text, "%sfound:%s %s", hd_terminal_bad(&text), hd_terminal_plain(&text),
                         all.text);
        putchar('\n');
    }
    for (uint32_t i = 0; i < result->n_runs; i++) {
        bool race = result->runs[i].finding.kind == HD_KIND_DATA_RACE;
        if (race && races++ == 0)
            hd_race_groups_text(&text, result, input->program);
        if (race && races > 1 && !check->verbose)
            continue;
        if (check->quiet)
            hd_text_brief(&text, &result->runs[i], input->program);
        else
            hd_text_violation(&text, &result->runs[i], input->program);
        if (traces[i])
            print_replay_command(stdout, check, traces[i], passing[i]);
    }
    if (races > 1 && !check->verbose) {
        char *stem = trace_stem(check->files.items[0]);
        printf("(the traces of all races: ");
        print_path(stdout, check->trace_dir);
        printf("/");
        print_path(stdout, stem);
        printf("-data-race-N.trace)\n\n");
        free(stem);
    }
    if (replaced)
        printf("(traces of an earlier run in %s were replaced)\n\n", check->trace_dir);
    hd_text_inversions(&text, result, input->program);
    hd_text_verdict(&text, summary, result);
    if (all.length)
        hd_terminal_line(&text, "  found: %s", all.text);
    hd_str_release(&all);
    print_how_to_go_on(check, result);
    if (!check->quiet && !earlier->found.n)
        print_strategy(check, result);
    print_earlier(check, earlier);
    if (check->verbose)
        print_unused(check, result);
    if (check->verbose)
        printf("  %u worker%s; compiled in %.2f s; %llu kB\n", result->n_workers,
               result->n_workers == 1 ? "" : "s", input->compile_seconds,
               (unsigned long long)result->peak_rss_kb);
}

/* Everything after the exploration.  Returns the exit status. */
/* What the calls of the scenario returned in the run that is shown. */
static void print_history(const struct hd_result *result)
{
    struct hd_str table;
    hd_str_init(&table);
    for (uint32_t i = 0; i < result->n_runs && !table.length; i++) {
        const struct hd_run *run = &result->runs[i];
        char *output = hd_str_format("%.*s", (int)run->output_bytes,
                                     run->output ? run->output : "");
        if (!run->warning)
            hd_history_print(&table, output);
        free(output);
    }
    printf("%s\nthe run\n", table.text);
    hd_str_release(&table);
}

static int report(const struct hd_check *check, const struct hd_input *input,
                  const struct hd_route *route, const struct hd_earlier *earlier,
                  const struct hd_result *result, struct hd_err *err)
{
    struct hd_summary summary;
    char **traces = hd_alloc((result->n_runs + 1) * sizeof *traces);
    char **passing = hd_alloc((result->n_runs + 1) * sizeof *passing);
    hd_summary_init(&summary, result, &result->options, route, check->seconds, input->program);
    bool replaced = false;
    int failed = write_traces(check, input, result, traces, passing, &replaced, err);
    bool text = !hd_outputs_on_stdout(check) && !check->places;
    if (text && check->scenario)
        print_history(result);
    if (text)
        print_text(check, input, earlier, result, &summary, traces, passing, replaced);
    char *replay = hd_replay_command();
    char **operands = hd_replay_operands_all(&check->files, traces, result->n_runs);
    char **passing_operands = hd_replay_operands_all(&check->files, passing, result->n_runs);
    struct hd_report whole = { .version = HD_VERSION,
                               .program = check->name,
                               .strategy = check->strategy,
                               .compile_seconds = input->compile_seconds,
                               .require_verified = check->require_verified,
                               .summary = &summary,
                               .result = result,
                               .earlier = earlier,
                               .traces = traces,
                               .passing = passing,
                               .replay = replay,
                               .operands = operands,
                               .passing_operands = passing_operands,
                               .file = input->program };
    struct hd_err second;
    if (hd_outputs_result(check, &whole, &second) != 0) {
        if (!failed)
            *err = second;
        failed = -1;
    }
    int status = failed                                           ? HD_EXIT_INPUT
                 : summary.verdict == HD_VIOLATION                ? HD_EXIT_VIOLATION
                 : check->require_verified && !summary.exhaustive ? HD_EXIT_UNVERIFIED
                                                                  : HD_EXIT_OK;
    for (uint32_t i = 0; i < result->n_runs; i++) {
        free(traces[i]);
        free(passing[i]);
    }
    free(traces);
    free(passing);
    free(replay);
    hd_replay_operands_release(operands, result->n_runs);
    hd_replay_operands_release(passing_operands, result->n_runs);
    hd_summary_release(&summary);
    return status;
}

#define UNDERSTAND_SECONDS 10.0 /* for all violations together */
#define UNDERSTAND_ONE 4.0      /* for each violation */
#define UNDERSTAND_RUNS 200

/* Minimise the violating runs, and find out what decides them. */
static void understand(const struct hd_job *job, struct hd_result *result, struct hd_live *live)
{
    double end = hd_watch_now() + UNDERSTAND_SECONDS;
    for (uint32_t i = 0; i < result->n_runs && !hd_input_interrupted; i++) {
        struct hd_trial trial = { .job = job, .runs_left = UNDERSTAND_RUNS };
        trial.deadline = hd_watch_now() + UNDERSTAND_ONE;
        trial.deadline = trial.deadline < end ? trial.deadline : end;
        hd_live_say(live, "making the run smaller", i + 1, result->n_runs);
        hd_minimise(&trial, &result->runs[i]);
        if (trial.steps > HD_TRIAL_STEPS / 2)
            trial.steps = HD_TRIAL_STEPS / 2; /* what decides has half of them */
        hd_live_say(live, "looking for what decides", i + 1, result->n_runs);
        hd_explain_order_find(&trial, &result->runs[i]);
    }
    hd_live_clear(live);
}

static int explore(const struct hd_check *check, const struct hd_input *input,
                   const struct hd_route *route, const struct hd_foresight *foresight,
                   struct hd_earlier *earlier, struct hd_result *result, struct hd_err *err)
{
    struct hd_strs args;
    struct hd_live live;
    hd_live_init(&live, check->quiet || check->trials, check->options.iterative);
    hd_strs_init(&args);
    hd_strs_add(&args, check->files.items[0]);
    for (char **arg = check->args; *arg; arg++)
        hd_strs_add(&args, *arg);
    struct hd_job job = { .program = input->program,
                          .args = args.items,
                          .options = check->options,
                          .seconds = check->seconds,
                          .route = route,
                          .foresight = foresight,
                          .resume = check->resume,
                          .trust = check->trust,
                          .checkpoint = check->checkpoint,
                          .checkpoint_seconds = check->checkpoint_seconds,
                          .watch = { .hang_seconds = check->hang_seconds,
                                     .interrupted = &hd_input_interrupted,
                                     .progress = hd_live_show,
                                     .context = &live } };
    hd_input_catch_signals();
    if (check->trials) {
        int done = hd_trials_report(check, &job, err);
        hd_strs_release(&args);
        return done;
    }
    bool again = hd_earlier_wanted(check) && hd_earlier_try(check, input, earlier, result);
    int status = again ? HD_EXIT_OK
                 : check->work == HD_CHECK_DISTRIBUTED
                     ? hd_distributed_explore(check, &job, result, err)
                 : check->work != HD_CHECK_ALL ? hd_parts_explore(check, &job, result, err)
                                               : hd_check_search(check, &job, result, err);
    hd_live_clear(&live);
    if (status == HD_EXIT_OK && *result->save_error.text)
        fprintf(stderr, "heddle: warning: %s\n", result->save_error.text);
    if (status == HD_EXIT_OK) { /* of the runs */
        job.options.reuse = result->options.reuse;
        job.options.search = result->runs_search;
        job.options.memory = result->runs_memory;
    }
    if (status == HD_EXIT_OK && !check->no_minimise)
        understand(&job, result, &live);
    for (uint32_t i = 0; status == HD_EXIT_OK && i < result->n_runs; i++) {
        hd_explain_memory(&result->runs[i], input->program);
        hd_step_name_values(&result->runs[i], input->program);
    }
    hd_strs_release(&args);
    return status;
}

static int check_program(struct hd_check *check, struct hd_input *input, struct hd_err *err)
{
    struct hd_result result;
    struct hd_earlier earlier;
    struct hd_route *route = NULL;
    const struct hd_foresight *foresight = NULL;
    int status = HD_EXIT_INPUT;
    hd_earlier_init(&earlier);
    if (hd_check_prepare(check, input, &route, &foresight, err) == 0)
        status = explore(check, input, route, foresight, &earlier, &result, err);
    if (status == HD_EXIT_OK && !check->trials) {
        status = report(check, input, route, &earlier, &result, err);
        hd_result_release(&result);
    }
    hd_earlier_release(&earlier);
    free(route);
    return status;
}

static int check_files(struct hd_check *check, struct hd_input *opened, struct hd_err *err)
{
    struct hd_input input;
    if (check->trace_dir_given && make_directory(check->trace_dir, err) != 0)
        return HD_EXIT_INPUT;
    if (opened)
        return check_program(check, opened, err);
    if (hd_input_open(&input, &check->files, &check->cc_flags, err) != 0)
        return HD_EXIT_INPUT;
    int status = check_program(check, &input, err);
    hd_input_close(&input);
    return status;
}

int hd_cmd_check(int argc, char **argv) { return hd_check_opened(argc, argv, NULL); }

int hd_check_opened(int argc, char **argv, struct hd_input *input)
{
    struct hd_check check;
    struct hd_err err = { "" };
    int status = hd_check_init(&check, argc, argv, &err);
    check.scenario = input != NULL;
    check.no_earlier |= check.scenario; /* a program that no user has named */
    return hd_check_run(&check, status, input, &err);
}

int hd_check_run(struct hd_check *of, int status, struct hd_input *input, struct hd_err *why)
{
    struct hd_check check = *of;
    struct hd_err err = *why;
    if (status == HD_CHECK_HELP || status == HD_CHECK_HELP_ALL) {
        hd_check_help(stdout, status == HD_CHECK_HELP_ALL);
        status = hd_outputs_flush(&err) == 0 ? HD_EXIT_OK : HD_EXIT_INPUT;
    } else if (status != 0 || hd_outputs_possible(&check, &err) != 0) {
        status = HD_EXIT_INPUT;
    } else {
        status = check_files(&check, input, &err);
        if (status == HD_EXIT_INPUT || status == HD_EXIT_INTERNAL)
            hd_outputs_error(&check, &err);
    }
    hd_check_release(&check);
    return status == HD_EXIT_INPUT || status == HD_EXIT_INTERNAL ? hd_input_fail(&err, status)
                                                                 : status;
}
