/* heddle report: traces as one HTML file, without exploring again. */
#include "base/fs.h"
#include "base/version.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/follow.h"
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
    { OUTPUT, "output", 'o', "FILE",
      "the HTML file to write (default heddle-report.html);\n"
      "- is standard output" },
    { PROGRAM, "program", 0, "FILE",
      "the program, or a C file of it (may be given several\n"
      "times); otherwise the trace names it, if you made it" },
    { CC_FLAGS, "cc-flags", 0, "FLAGS",
      "more options for the compiler, as in `heddle replay`;\n" HD_ARGS_COMPILER },
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

/* Traces of one program. */
struct part {
    struct hd_strs files, cc_flags; /* the program or its C files */
    struct hd_strs traces;
    struct hd_strs passing; /* of each: the nearest run that passes; "" where none was given */
    bool open;
    struct hd_input input;
    struct hd_result result;
};

struct report {
    struct hd_strs traces;
    struct hd_strs passing; /* as in a part */
    const char *output;
    bool help, trust;
    struct hd_strs named, cc_flags; /* of the command line */
    char **args;
    struct part *parts;
    size_t n_parts;
    struct hd_strs notes; /* about traces of programs that have changed */
};

static void print_help(void)
{
    fputs(
        "usage: heddle report [options] TRACE… [-o FILE.html] [-- args]\n\n"
        "Writes the runs of traces that `heddle check` wrote as one HTML file to step through.\n"
        "The programs, or their C files, must be where they were.  A trace NAME-passing.trace is\n"
        "shown beside NAME.trace if both are given.  If a program has changed since, its traces\n"
        "are followed as far as they go.\n"
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
    args.compiler = &r->cc_flags;
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
    return 0;
}

/* Decide what of the trace may be used, or refuse it. */
static int settle(const struct report *r, struct hd_trace *trace, const char *path,
                  struct hd_err *err)
{
    struct hd_str rest;
    hd_str_init(&rest);
    if (r->output) {
        hd_str_append(&rest, " -o ");
        hd_input_shell_word(&rest, r->output);
    }
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

static bool same(const struct hd_strs *a, const struct hd_strs *b)
{
    bool equal = a->n == b->n;
    for (size_t i = 0; equal && i < a->n; i++)
        equal = strcmp(a->items[i], b->items[i]) == 0;
    return equal;
}

/* The part of the program that the trace is of, opened; NULL with err. */
static struct part *part_of(struct report *r, struct hd_trace *trace, const char *path,
                            struct hd_err *err)
{
    if (trace->bare) {
        hd_err_set(err, "%s is a bare schedule: it does not say of which program", path);
        return NULL;
    }
    if (settle(r, trace, path, err) != 0)
        return NULL;
    struct part *p = &r->parts[r->n_parts];
    hd_strs_release(&p->files);
    hd_strs_add_all(&p->files, r->named.n ? &r->named : &trace->head.sources);
    if (p->files.n == 0)
        hd_strs_add(&p->files, trace->head.program);
    for (size_t i = 0; i < r->n_parts; i++)
        if (same(&r->parts[i].files, &p->files) &&
            same(&r->parts[i].cc_flags, &trace->head.cc_flags))
            return &r->parts[i];
    hd_strs_add_all(&p->cc_flags, &trace->head.cc_flags);
    if (hd_input_open(&p->input, &p->files, &trace->head.cc_flags, err) != 0)
        return NULL;
    hd_input_catch_signals();
    p->open = true;
    p->result.runs = hd_alloc((r->traces.n + 1) * sizeof *p->result.runs);
    r->n_parts++;
    return p;
}

/* The trace is of a program that has changed: what became of it. */
static void note(struct report *r, const char *path, const struct hd_trace *trace,
                 const struct hd_followed *followed, const char *end)
{
    hd_strs_addf(&r->notes, "%s: the program has changed since; followed %u of %u steps%s", path,
                 followed->n, trace->n_steps, end);
}

/* Makes the run of a trace again.  The caller releases `rerun` in any case. */
static int make_run(struct part *p, const struct hd_trace *trace, const char *path,
                    struct hd_rerun *rerun, struct hd_run *run, struct hd_followed *followed,
                    struct hd_err *err)
{
    bool changed = hd_trace_changed(trace, p->input.program);
    *followed = (struct hd_followed){ 0 };
    if (hd_rerun_init(rerun, trace, path, &p->input, p->files.items[0], changed, err) != 0 ||
        (changed && hd_follow(rerun, trace, p->input.program, followed, err) != 0))
        return HD_EXIT_INPUT;
    followed->changed = changed;
    rerun->job.watch.hang_seconds = HANG_SECONDS;
    return hd_supervise_replay(&rerun->job, &rerun->script, run, err);
}

/* Finds what decides the run. */
static void explain(struct part *p, struct hd_rerun *rerun, struct hd_run *run)
{
    struct hd_trial trial = { .job = &rerun->job,
                              .deadline = hd_watch_now() + DECIDING_SECONDS,
                              .runs_left = DECIDING_RUNS };
    hd_explain_order_find(&trial, run);
    hd_explain_memory(run, p->input.program);
    hd_step_name_values(run, p->input.program);
    run->finding.preemptions = hd_run_preemptions(run);
}

/* Adds the run of the trace; one that a changed program does not break any more is left out,
 * with a note. */
static int run_trace(struct report *r, struct part *p, const struct hd_trace *trace,
                     const char *path, const char *passing, struct hd_err *err)
{
    struct hd_rerun rerun;
    struct hd_run run;
    struct hd_followed followed;
    int status = make_run(p, trace, path, &rerun, &run, &followed, err);
    bool made = status == HD_EXIT_OK, kept = false;
    if (made && hd_rerun_allowed(trace, path, &run, err) != 0) {
        status = HD_EXIT_INPUT;
    } else if (made && !run.found && followed.changed) {
        note(r, path, trace, &followed, ", and it ends without a violation: left out");
    } else if (made && !run.found) {
        hd_err_set(err, "%s ends without a violation here; `heddle replay` says more", path);
        status = HD_EXIT_INPUT;
    } else if (made) {
        explain(p, &rerun, &run);
        if (followed.changed)
            note(r, path, trace, &followed, "");
        p->result.runs[p->result.n_runs++] = run;
        hd_strs_add(&p->traces, path);
        hd_strs_add(&p->passing, passing);
        kept = true;
    }
    if (made && !kept)
        hd_run_release(&run);
    hd_rerun_release(&rerun);
    return status;
}

static int add_trace(struct report *r, const char *path, const char *passing, struct part **part,
                     struct hd_err *err)
{
    struct hd_trace trace;
    *part = NULL;
    if (hd_trace_read(&trace, path, err) != 0)
        return HD_EXIT_INPUT;
    struct part *p = part_of(r, &trace, path, err);
    uint32_t before = p ? p->result.n_runs : 0;
    int status = p ? run_trace(r, p, &trace, path, passing, err) : HD_EXIT_INPUT;
    if (status == HD_EXIT_OK && p->result.n_runs > before)
        *part = p;
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
static void take_passing(struct hd_run *of, const struct hd_run *run)
{
    if (of->passing)
        hd_run_release(of->passing);
    else
        of->passing = hd_alloc(sizeof *of->passing);
    *of->passing = *run;
}

/* The passing trace of the run that was added last. */
static int add_passing(struct report *r, struct part *p, const char *path, struct hd_err *err)
{
    struct hd_trace trace;
    struct hd_rerun rerun;
    struct hd_run run;
    struct hd_followed followed;
    if (!*path)
        return HD_EXIT_OK;
    if (hd_trace_read(&trace, path, err) != 0)
        return HD_EXIT_INPUT;
    int status = HD_EXIT_INPUT;
    if (part_of(r, &trace, path, err) == p) {
        status = make_run(p, &trace, path, &rerun, &run, &followed, err);
        hd_rerun_release(&rerun);
    } else if (!*err->text) {
        hd_err_set(err, "%s is of another program than its failing trace", path);
    }
    bool passes = status == HD_EXIT_OK && !run.found && run.status == HD_REPLAY_END;
    if (passes) {
        take_passing(&p->result.runs[p->result.n_runs - 1], &run);
    } else if (status == HD_EXIT_OK) {
        hd_run_release(&run);
        if (followed.changed) {
            note(r, path, &trace, &followed, ", and it does not pass: left out");
            *p->passing.items[p->passing.n - 1] = 0;
        } else {
            hd_err_set(err, "%s does not pass here; `heddle replay` says more", path);
            status = HD_EXIT_INPUT;
        }
    }
    hd_trace_release(&trace);
    return status;
}

/* The report of a part; what it points to is the caller's to free with release_whole(). */
static struct hd_report whole_of(const struct part *p, const struct hd_summary *summary,
                                 const char *replay)
{
    uint32_t n = (uint32_t)p->traces.n;
    char **passing = hd_alloc((n + 1) * sizeof *passing);
    for (uint32_t i = 0; i < n; i++)
        passing[i] = *p->passing.items[i] ? p->passing.items[i] : NULL;
    return (struct hd_report){ .version = HD_VERSION,
                               .program = p->files.items[0],
                               .strategy = "",
                               .summary = summary,
                               .result = &p->result,
                               .traces = p->traces.items,
                               .replay = replay,
                               .operands = hd_replay_operands_all(&p->files, p->traces.items, n),
                               .passing = passing,
                               .passing_operands = hd_replay_operands_all(&p->files, passing, n),
                               .file = p->input.program };
}

static void release_whole(struct hd_report *whole)
{
    uint32_t n = whole->result->n_runs;
    hd_replay_operands_release((char **)whole->operands, n);
    hd_replay_operands_release((char **)whole->passing_operands, n);
    free((void *)whole->passing);
}

static int write_text(const struct report *r, const struct hd_str *text, struct hd_err *err)
{
    const char *path = r->output ? r->output : "heddle-report.html";
    if (strcmp(path, "-") == 0)
        return (fwrite(text->text, 1, text->length, stdout) != text->length ||
                fflush(stdout) != 0) &&
                       !hd_outputs_reader_left()
                   ? hd_err_set(err, "cannot write to standard output")
                   : 0;
    if (hd_fs_write(path, text->text, text->length, err) != 0)
        return -1;
    printf("written: %s\n", path);
    return 0;
}

/* The verdict of what was not explored: the violations that the traces show. */
static int write_report(struct report *r, struct hd_err *err)
{
    struct hd_summary summary = { .verdict = HD_VIOLATION };
    hd_strs_init(&summary.downgrades);
    hd_strs_init(&summary.undischarged);
    hd_strs_init(&summary.assumptions);
    hd_strs_add(&summary.downgrades, "made from traces: nothing was explored");
    hd_strs_add_all(&summary.downgrades, &r->notes);
    char *replay = hd_replay_command();
    struct hd_report *wholes = hd_alloc((r->n_parts + 1) * sizeof *wholes);
    size_t n = 0;
    for (size_t i = 0; i < r->n_parts; i++)
        if (r->parts[i].result.n_runs)
            wholes[n++] = whole_of(&r->parts[i], &summary, replay);
    struct hd_str text;
    hd_str_init(&text);
    int failed = n == 0 ? hd_err_set(err, "no trace breaks its program any more: there is "
                                          "nothing to show; `heddle check` looks for more")
                        : 0;
    if (!failed) {
        hd_html_results(&text, wholes, n);
        failed = write_text(r, &text, err);
    }
    hd_str_release(&text);
    for (size_t i = 0; i < n; i++)
        release_whole(&wholes[i]);
    free(wholes);
    free(replay);
    hd_summary_release(&summary);
    return failed ? HD_EXIT_INPUT : HD_EXIT_OK;
}

static void release_part(struct part *p)
{
    hd_result_release(&p->result);
    if (p->open)
        hd_input_close(&p->input);
    hd_strs_release(&p->files);
    hd_strs_release(&p->cc_flags);
    hd_strs_release(&p->traces);
    hd_strs_release(&p->passing);
}

static int report(struct report *r, struct hd_err *err)
{
    int status = HD_EXIT_OK;
    pair(r);
    /* one for each trace at most, and one more for what part_of() compares */
    r->parts = hd_alloc((r->traces.n + 2) * sizeof *r->parts);
    for (size_t i = 0; i < r->traces.n && status == HD_EXIT_OK; i++) {
        struct part *part;
        status = add_trace(r, r->traces.items[i], r->passing.items[i], &part, err);
        if (status == HD_EXIT_OK && part)
            status = add_passing(r, part, r->passing.items[i], err);
    }
    if (status == HD_EXIT_OK)
        status = write_report(r, err);
    for (size_t i = 0; i < r->notes.n && status == HD_EXIT_OK; i++)
        fprintf(stderr, "heddle: %s\n", r->notes.items[i]);
    for (size_t i = 0; i <= r->n_parts; i++)
        release_part(&r->parts[i]);
    free(r->parts);
    return status;
}

int hd_cmd_report(int argc, char **argv)
{
    struct report r = { .output = NULL };
    struct hd_err err = { "" };
    int status = HD_EXIT_INPUT;
    hd_strs_init(&r.traces);
    hd_strs_init(&r.passing);
    hd_strs_init(&r.notes);
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
    hd_strs_release(&r.notes);
    hd_strs_release(&r.named);
    hd_strs_release(&r.cc_flags);
    return status == HD_EXIT_INPUT || status == HD_EXIT_INTERNAL ? hd_input_fail(&err, status)
                                                                 : status;
}
