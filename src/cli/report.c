/* heddle report: traces as one HTML file, without exploring again. */
#include "base/fs.h"
#include "base/version.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/outputs.h"
#include "cli/replay_words.h"
#include "cli/rerun.h"
#include "cli/trust.h"
#include "report/html.h"
#include "report/step.h"
#include "supervise/explain_memory.h"
#include "supervise/explain_order.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option { HELP = 1, OUTPUT, PROGRAM, CC_FLAGS, TRUST };

static const struct hd_arg table[] = {
    { OUTPUT, "output", 'o', "FILE", "the HTML file to write; - is standard output" },
    { PROGRAM, "program", 0, "FILE",
      "the program, or a C file of it (may be given several\n"
      "times); otherwise the trace names it, if you made it" },
    { CC_FLAGS, "cc-flags", 0, "FLAGS", "compiler options for C files, as in `heddle replay`" },
    { TRUST, "trust", 0, NULL,
      "use the program, compiler options, arguments and\n"
      "invariants that somebody else's trace names; they\n"
      "are shown" },
    { HELP, "help", 'h', NULL, "this text" },
};

#define N_TABLE (sizeof table / sizeof *table)
#define DECIDING_SECONDS 4.0 /* for each trace, to find what decides */
#define DECIDING_RUNS 200
#define HANG_SECONDS 5.0

struct report {
    struct hd_strs traces;
    struct hd_strs passing; /* of each: the nearest run that passes; "" where none was given */
    const char *output;
    bool help, trust;
    struct hd_strs named, cc_flags; /* of the command line */
    char **args;
    struct hd_input input; /* of the first trace */
    struct hd_strs files;  /* its program or C files */
    char *build;           /* of its program; NULL: not opened yet */
    struct hd_result result;
};

static void print_help(void)
{
    fputs(
        "usage: heddle report [options] TRACE… -o FILE.html [-- args]\n\n"
        "Writes the runs of traces that `heddle check` wrote as one HTML file to step through.\n"
        "The program, or its C files, must be where they were; all traces are of one program.\n"
        "A trace NAME-passing.trace is shown beside NAME.trace if both are given.\n"
        "A trace that somebody else made does not choose what is run: then name the program.\n\n",
        stdout);
    hd_args_help(stdout, table, N_TABLE);
    fputs(
        "\nExit status: 0 the file has been written, 2 usage or input error, 4 internal error.\n",
        stdout);
}

static int parse(struct report *r, int argc, char **argv, struct hd_err *err)
{
    struct hd_args args;
    const char *value = NULL;
    int id;
    hd_args_init(&args, table, N_TABLE, argc, argv);
    while ((id = hd_args_next(&args, &value, err)) >= 0) {
        if (id == HELP)
            r->help = true;
        else if (id == OUTPUT)
            r->output = value;
        else if (id == PROGRAM)
            hd_strs_add(&r->named, value);
        else if (id == TRUST)
            r->trust = true;
        else if (id == CC_FLAGS && hd_args_split("--cc-flags", value, &r->cc_flags, err) != 0)
            return -1;
        else if (id == HD_ARG_WORD)
            hd_strs_add(&r->traces, value);
    }
    if (id == HD_ARG_BAD)
        return -1;
    r->args = hd_args_rest(&args);
    if (!r->help && r->traces.n == 0)
        return hd_err_set(err, "give the traces to report; see `heddle report --help`");
    if (!r->help && !r->output)
        return hd_err_set(err, "where to? give -o FILE.html");
    return 0;
}

/* Decide what of the trace may be used, or refuse it. */
static int settle(const struct report *r, struct hd_trace *trace, const char *path,
                  struct hd_err *err)
{
    struct hd_str rest;
    hd_str_init(&rest);
    hd_str_append(&rest, " -o ");
    hd_input_shell_word(&rest, r->output);
    struct hd_trust request = { .command = "report",
                                .path = path,
                                .file_option = "--program",
                                .files = &r->named,
                                .rest = rest.text,
                                .cc_flags = &r->cc_flags,
                                .args = r->args,
                                .trust = r->trust };
    int failed = hd_trust_settle(&request, trace, err);
    hd_str_release(&rest);
    return failed;
}

/* The program of the first trace; the others must be of the same. */
static int open_program(struct report *r, struct hd_trace *trace, const char *path,
                        struct hd_err *err)
{
    if (trace->bare)
        return hd_err_set(err, "%s is a bare schedule: it does not say of which program", path);
    if (settle(r, trace, path, err) != 0)
        return -1;
    if (r->build)
        return strcmp(r->build, trace->head.build) == 0
                   ? 0
                   : hd_err_set(err, "%s is of another program than %s: one report for each",
                                path, r->traces.items[0]);
    hd_strs_add_all(&r->files, r->named.n ? &r->named : &trace->head.sources);
    if (r->files.n == 0)
        hd_strs_add(&r->files, trace->head.program);
    if (hd_input_open(&r->input, &r->files, &trace->head.cc_flags, err) != 0)
        return -1;
    hd_input_catch_signals();
    r->build = hd_strdup(trace->head.build);
    return 0;
}

/* Make the run of the trace again, and find what decides it. */
static int run_trace(struct report *r, const struct hd_trace *trace, const char *path,
                     struct hd_run *run, struct hd_err *err)
{
    struct hd_rerun rerun;
    int status = HD_EXIT_INPUT;
    if (hd_rerun_init(&rerun, trace, path, &r->input, r->files.items[0], false, err) == 0) {
        rerun.job.watch.hang_seconds = HANG_SECONDS;
        status = hd_supervise_replay(&rerun.job, &rerun.script, run, err);
    }
    if (status == HD_EXIT_OK && hd_rerun_allowed(trace, path, run, err) != 0) {
        hd_run_release(run);
        status = HD_EXIT_INPUT;
    }
    if (status == HD_EXIT_OK && !run->found) {
        hd_err_set(err, "%s ends without a violation here; `heddle replay` says more", path);
        hd_run_release(run);
        status = HD_EXIT_INPUT;
    }
    if (status == HD_EXIT_OK) {
        struct hd_trial trial = { .job = &rerun.job,
                                  .deadline = hd_watch_now() + DECIDING_SECONDS,
                                  .runs_left = DECIDING_RUNS };
        hd_explain_order_find(&trial, run);
        hd_explain_memory(run, r->input.program);
        hd_step_name_race(run, r->input.program);
        run->finding.preemptions = hd_run_preemptions(run);
    }
    hd_rerun_release(&rerun);
    return status;
}

static int add_trace(struct report *r, const char *path, struct hd_err *err)
{
    struct hd_trace trace;
    if (hd_trace_read(&trace, path, err) != 0)
        return HD_EXIT_INPUT;
    int status = HD_EXIT_INPUT;
    if (open_program(r, &trace, path, err) == 0)
        status = run_trace(r, &trace, path, &r->result.runs[r->result.n_runs], err);
    r->result.n_runs += status == HD_EXIT_OK;
    hd_trace_release(&trace);
    return status;
}

/* "a-1-passing.trace" of "a-1.trace"; the caller frees. */
static char *passing_name(const char *path)
{
    size_t n = strlen(path), end = strlen(".trace");
    bool named = n > end && strcmp(path + n - end, ".trace") == 0;
    return hd_str_format("%.*s-passing.trace", (int)(named ? n - end : n), path);
}

/* Traces of runs that pass belong to those of the runs that fail, if both were given. */
static void pair(struct report *r)
{
    struct hd_strs failing;
    hd_strs_init(&failing);
    bool *taken = hd_alloc((r->traces.n + 1) * sizeof *taken);
    for (size_t i = 0; i < r->traces.n; i++) {
        char *name = passing_name(r->traces.items[i]);
        for (size_t k = 0; k < r->traces.n; k++)
            taken[k] |= strcmp(r->traces.items[k], name) == 0;
        free(name);
    }
    for (size_t i = 0; i < r->traces.n; i++) {
        if (taken[i])
            continue;
        char *name = passing_name(r->traces.items[i]);
        bool given = false;
        for (size_t k = 0; k < r->traces.n; k++)
            given |= strcmp(r->traces.items[k], name) == 0;
        hd_strs_add(&failing, r->traces.items[i]);
        hd_strs_add(&r->passing, given ? name : "");
        free(name);
    }
    hd_strs_release(&r->traces);
    r->traces = failing;
    free(taken);
}

/* The run of a passing trace takes the place of the one that was found for this report. */
static int add_passing(struct report *r, const char *path, struct hd_run *of, struct hd_err *err)
{
    struct hd_trace trace;
    struct hd_rerun rerun;
    struct hd_run run;
    if (!*path)
        return HD_EXIT_OK;
    if (hd_trace_read(&trace, path, err) != 0)
        return HD_EXIT_INPUT;
    int status = HD_EXIT_INPUT;
    if (open_program(r, &trace, path, err) == 0) {
        if (hd_rerun_init(&rerun, &trace, path, &r->input, r->files.items[0], false, err) == 0) {
            rerun.job.watch.hang_seconds = HANG_SECONDS;
            status = hd_supervise_replay(&rerun.job, &rerun.script, &run, err);
        }
        hd_rerun_release(&rerun);
    }
    hd_trace_release(&trace);
    if (status != HD_EXIT_OK)
        return status;
    if (run.found || run.status != HD_REPLAY_END) {
        hd_run_release(&run);
        hd_err_set(err, "%s does not pass here; `heddle replay` says more", path);
        return HD_EXIT_INPUT;
    }
    if (of->passing)
        hd_run_release(of->passing);
    else
        of->passing = hd_alloc(sizeof *of->passing);
    *of->passing = run;
    return HD_EXIT_OK;
}

/* The verdict of what was not explored: the violations that the traces show. */
static int write_report(struct report *r, struct hd_err *err)
{
    struct hd_summary summary = { .verdict = HD_VIOLATION };
    hd_strs_init(&summary.downgrades);
    hd_strs_init(&summary.undischarged);
    hd_strs_init(&summary.assumptions);
    hd_strs_add(&summary.downgrades, "made from traces: nothing was explored");
    char *replay = hd_replay_command();
    uint32_t n = (uint32_t)r->traces.n;
    char **operands = hd_replay_operands_all(&r->files, r->traces.items, n);
    char **passing = hd_alloc((n + 1) * sizeof *passing);
    for (uint32_t i = 0; i < n; i++)
        passing[i] = *r->passing.items[i] ? r->passing.items[i] : NULL;
    char **passing_operands = hd_replay_operands_all(&r->files, passing, n);
    struct hd_report whole = { .version = HD_VERSION,
                               .program = r->files.items[0],
                               .strategy = "",
                               .summary = &summary,
                               .result = &r->result,
                               .traces = r->traces.items,
                               .replay = replay,
                               .operands = operands,
                               .passing = passing,
                               .passing_operands = passing_operands,
                               .file = r->input.program };
    struct hd_str text;
    hd_str_init(&text);
    hd_html_result(&text, &whole);
    int failed = 0;
    if (strcmp(r->output, "-") == 0)
        failed = (fwrite(text.text, 1, text.length, stdout) != text.length ||
                  fflush(stdout) != 0) &&
                         !hd_outputs_reader_left()
                     ? hd_err_set(err, "cannot write to standard output")
                     : 0;
    else
        failed = hd_fs_write(r->output, text.text, text.length, err);
    hd_str_release(&text);
    free(replay);
    hd_replay_operands_release(operands, n);
    hd_replay_operands_release(passing_operands, n);
    free(passing);
    hd_summary_release(&summary);
    return failed ? HD_EXIT_INPUT : HD_EXIT_OK;
}

static int report(struct report *r, struct hd_err *err)
{
    int status = HD_EXIT_OK;
    pair(r);
    r->result.runs = hd_alloc((r->traces.n + 1) * sizeof *r->result.runs);
    for (size_t i = 0; i < r->traces.n && status == HD_EXIT_OK; i++) {
        status = add_trace(r, r->traces.items[i], err);
        if (status == HD_EXIT_OK)
            status = add_passing(r, r->passing.items[i], &r->result.runs[i], err);
    }
    if (status == HD_EXIT_OK)
        status = write_report(r, err);
    hd_result_release(&r->result);
    if (r->build)
        hd_input_close(&r->input);
    free(r->build);
    return status;
}

int hd_cmd_report(int argc, char **argv)
{
    struct report r = { .output = NULL };
    struct hd_err err = { "" };
    int status = HD_EXIT_INPUT;
    hd_strs_init(&r.traces);
    hd_strs_init(&r.passing);
    hd_strs_init(&r.files);
    hd_strs_init(&r.named);
    hd_strs_init(&r.cc_flags);
    if (parse(&r, argc, argv, &err) == 0) {
        if (r.help) {
            print_help();
            status = HD_EXIT_OK;
        } else {
            status = report(&r, &err);
        }
    }
    hd_strs_release(&r.traces);
    hd_strs_release(&r.passing);
    hd_strs_release(&r.files);
    hd_strs_release(&r.named);
    hd_strs_release(&r.cc_flags);
    return status == HD_EXIT_INPUT || status == HD_EXIT_INTERNAL ? hd_input_fail(&err, status)
                                                                 : status;
}
