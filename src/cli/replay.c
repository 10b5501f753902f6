/* heddle replay: run a trace again, step by step. */
#include "base/fs.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/facts.h"
#include "cli/follow.h"
#include "cli/gdb.h"
#include "cli/input.h"
#include "cli/outputs.h"
#include "cli/rerun.h"
#include "cli/trust.h"
#include "cli/turn.h"
#include "compile/compile.h"
#include "report/name.h"
#include "report/step.h"
#include "report/text.h"
#include "report/trace.h"
#include "supervise/explain_memory.h"
#include "supervise/supervise.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option { HELP = 1, FACTS, UNTIL, HANG, CC_FLAGS, QUIET, GDB, TURN, TRUST };

static const struct hd_arg table[] = {
    { UNTIL, "until", 0, "N", "stop after step N" },
    { HANG, "hang", 0, "DUR",
      "processor time without a visible action after which\n"
      "the program counts as stuck (default 5)" },
    { CC_FLAGS, "cc-flags", 0, "FLAGS",
      "more options for the compiler;\n" HD_ARGS_COMPILER ";\n"
      "a trace that you made has its own, those of others'\n"
      "traces are not used" },
    { TRUST, "trust", 0, NULL,
      "use the compiler options, arguments and invariants\n"
      "of a trace that somebody else made; they are shown" },
    { GDB, "gdb", 0, NULL,
      "gdb at the end of the run; `help heddle` in it tells\n"
      "how to go along the schedule" },
    { TURN, "turn", 0, "A,B",
      "the nearest run in which step A comes before step B\n"
      "(A of a thread that does not get there: T2+1, its first\n"
      "step after the end); up to three times" },
    { QUIET, "quiet", 'q', NULL, "the violation alone, not the steps" },
    { FACTS, "facts", 0, NULL, "hold the run against what the analysis says of it" },
    { HELP, "help", 'h', NULL, "this text" },

};

#define N_TABLE (sizeof table / sizeof *table)

struct replay {
    struct hd_strs files; /* the last one given is the trace */
    char *path;           /* of the trace */
    struct hd_strs cc_flags;
    char **args;
    uint64_t until;
    double hang_seconds;
    bool quiet, facts, help, gdb, trust;
    struct hd_turns turns;
};

static void print_help(void)
{
    fputs(
        "usage: heddle replay [options] [PROGRAM | FILE.c…] TRACE [-- args]\n\n"
        "Runs the schedule of a trace again and prints every step.  TRACE is a trace file that\n"
        "`heddle check` wrote, or a bare list of threads.  Arguments of the program follow `--`; a\n"
        "trace that you made has its own, and names its program.  If the program has changed\n"
        "since, the schedule is followed as far as it goes.\n\n",
        stdout);
    hd_args_help(stdout, table, N_TABLE);
    fputs(
        "\nExit status: 0 the run ended without a violation, 1 with one, 2 usage or input error\n"
        "(the trace does not fit), 4 internal error.\n",
        stdout);
}

static int set_one(struct replay *r, int id, const char *value, struct hd_err *err)
{
    switch (id) {
    case UNTIL:
        return hd_number_parse("--until", value, 1, HD_MAX_STEPS - 1, &r->until, err);
    case HANG:
        return hd_args_duration("--hang", value, &r->hang_seconds, err);
    case CC_FLAGS:
        return hd_args_split("--cc-flags", value, &r->cc_flags, err);
    case TURN:
        return hd_turns_add(&r->turns, value, err);
    case QUIET:
        r->quiet = true;
        return 0;
    case FACTS:
        r->facts = true;
        return 0;
    case HELP:
        r->help = true;
        return 0;
    case TRUST:
        r->trust = true;
        return 0;
    case GDB:
        r->gdb = true;
        return 0;
    default:
        hd_strs_add(&r->files, value);
        return 0;
    }
}

static int parse(struct replay *r, int argc, char **argv, struct hd_err *err)
{
    struct hd_args args;
    const char *value = NULL;
    int id;
    *r = (struct replay){ .hang_seconds = 5 };
    hd_strs_init(&r->files);
    hd_strs_init(&r->cc_flags);
    hd_args_init(&args, table, N_TABLE, argc, argv);
    args.compiler = &r->cc_flags;
    while ((id = hd_args_next(&args, &value, err)) >= 0)
        if (set_one(r, id, value, err) != 0)
            return -1;
    if (id == HD_ARG_BAD)
        return -1;
    r->args = hd_args_rest(&args);
    if (r->help)
        return 0;
    if (r->files.n < 1)
        return hd_err_set(err, "give a trace, after its program or C files if you did not make "
                               "it; see `heddle replay --help`");
    if (r->turns.n && (r->gdb || r->facts || r->until))
        return hd_err_set(err, "--turn makes another run: leave out --gdb, --facts and --until");
    r->path = r->files.items[--r->files.n];
    if (r->files.n == 0 && hd_compile_is_input(r->path))
        return hd_err_set(err, "%s is no trace: heddle replay %s TRACE", r->path, r->path);
    r->files.items[r->files.n] = NULL;
    return 0;
}

/* What the thread would do at the step that does not fit. */
static char *describe(const struct hd_step *step, const struct hd_run *run,
                      struct hd_program *program)
{
    struct hd_str text;
    struct hd_place place = hd_program_site(program, step->site);
    hd_str_init(&text);
    hd_step_what(&text, step, run, program);
    if (place.line) {
        hd_str_append(&text, " at ");
        hd_step_where(&text, &place);
    }
    return hd_str_detach(&text);
}

/* The run does not follow the trace. */
static int mismatch(const struct replay *r, const struct hd_trace *trace,
                    const struct hd_step *script, const struct hd_run *run,
                    struct hd_program *program, struct hd_err *err)
{
    uint32_t i = run->step;
    if (i >= trace->n_steps)
        i = trace->n_steps ? trace->n_steps - 1 : 0;
    uint32_t line = trace->n_steps ? trace->steps[i].line : 0;
    const struct hd_step *want = &script[i];
    struct hd_str thread;
    hd_str_init(&thread);
    hd_name_thread(&thread, &run->threads, want->thread);
    char *expected = describe(want, run, program), *got = describe(&run->got, run, program);
    switch (run->status) {
    case HD_REPLAY_NO_THREAD:
        hd_err_set(err, "%s:%u: step %u: %s does not exist at this point", r->path, line, i + 1,
                   thread.text);
        break;
    case HD_REPLAY_DISABLED:
        hd_err_set(err, "%s:%u: step %u: %s is not enabled: it waits to do %s", r->path, line,
                   i + 1, thread.text, got);
        break;
    case HD_REPLAY_OTHER:
        hd_err_set(err, "%s:%u: step %u: the trace says that %s does %s, but it would do %s",
                   r->path, line, i + 1, thread.text, expected, got);
        break;
    case HD_REPLAY_CHOICE:
        hd_err_set(err, "%s:%u: step %u: choice=%u: %s has fewer choices", r->path, line, i + 1,
                   want->choice, got);
        break;
    case HD_REPLAY_EARLY:
        hd_err_set(err, "%s:%u: step %u: the program has ended before", r->path, line, i + 1);
        break;
    default:
        hd_err_set(err, "%s:%u: the trace ends with step %u, but the program goes on", r->path,
                   line, trace->n_steps);
        break;
    }
    free(expected);
    free(got);
    hd_str_release(&thread);
    const char hint[] = " (a trace does not hold the environment: were variables, files or the "
                        "directory others?)";
    size_t used = strlen(err->text);
    if (used + sizeof hint <= sizeof err->text)
        memcpy(err->text + used, hint, sizeof hint);
    return HD_EXIT_INPUT;
}

static int tell(const struct replay *r, const struct hd_trace *trace,
                const struct hd_step *script, const struct hd_run *run,
                const struct hd_followed *followed, struct hd_program *program,
                struct hd_err *err)
{
    struct hd_terminal text = hd_terminal_for(stdout);
    if (!r->quiet)
        hd_text_steps(&text, run, program);
    if (run->found) {
        hd_text_brief(&text, run, program);
        if (run->status == HD_REPLAY_EARLY && !followed->changed)
            printf("  %u steps before the end of the trace\n", trace->n_steps - run->step);
    } else if (run->status == HD_REPLAY_END) {
        printf("the run ended without a violation (exit status %u)\n", run->exit_status);
    } else if (run->status == HD_REPLAY_UNTIL) {
        printf("stopped after step %u\n", run->n_log);
    }
    if (followed->changed)
        printf("the program has changed since; followed %u of %u steps\n", followed->n,
               trace->n_steps);
    if (fflush(stdout) != 0 && !hd_outputs_reader_left()) {
        hd_err_set(err, "cannot write to standard output: %s", strerror(errno));
        return HD_EXIT_INPUT;
    }
    if (run->found)
        return HD_EXIT_VIOLATION;
    return run->status == HD_REPLAY_END || run->status == HD_REPLAY_UNTIL
               ? HD_EXIT_OK
               : mismatch(r, trace, script, run, program, err);
}

static int turn(const struct replay *r, const struct hd_trace *trace, const struct hd_job *job,
                struct hd_run *run, struct hd_err *err)
{
    if (trace->leads_to == HD_LEADS_NOWHERE && !trace->bare)
        return hd_turns_run(&r->turns, job, run, err);
    hd_err_set(err,
               "%s does not lead to the end of the program: --turn has nothing to compare with",
               r->path);
    return HD_EXIT_INPUT;
}

static int run_trace(const struct replay *r, const struct hd_trace *trace,
                     const struct hd_input *input, struct hd_err *err)
{
    struct hd_rerun rerun;
    struct hd_run run;
    int status = HD_EXIT_INPUT;
    struct hd_followed followed = { 0 };
    bool changed = hd_trace_changed(trace, input->program);
    if (hd_rerun_init(&rerun, trace, r->path, input, r->files.items[0], changed, err) == 0 &&
        (!changed || hd_follow(&rerun, trace, input->program, &followed, err) == 0)) {
        rerun.job.watch.hang_seconds = r->hang_seconds;
        rerun.job.options.until = r->gdb ? 0 : (uint32_t)r->until; /* gdb shows all steps */
        status = hd_supervise_replay(&rerun.job, &rerun.script, &run, err);
        bool runs = status == HD_EXIT_OK &&
                    (run.found || run.status == HD_REPLAY_END || run.status == HD_REPLAY_UNTIL);
        if (runs && hd_rerun_allowed(trace, r->path, &run, err) != 0)
            status = HD_EXIT_INPUT;
        if (status == HD_EXIT_OK && runs && r->turns.n)
            status = turn(r, trace, &rerun.job, &run, err);
        if (status != HD_EXIT_OK) {
            hd_run_release(&run);
        } else if (runs && r->gdb) {
            status = hd_gdb_replay(&rerun.job, &rerun.script, &run, (uint32_t)r->until, err);
            hd_run_release(&run);
        } else {
            hd_explain_memory(&run, input->program);
            hd_step_name_values(&run, input->program);
            status = tell(r, trace, rerun.steps, &run, &followed, input->program, err);
            if (r->facts && (status == HD_EXIT_OK || status == HD_EXIT_VIOLATION)) {
                int held = hd_facts_check(&run, input->program, err);
                status = held == HD_EXIT_OK ? status : held;
            }
            hd_run_release(&run);
        }
    }
    hd_rerun_release(&rerun);
    return status;
}

/* Of a trace alone: the program that it names, which hd_trust_settle() has allowed. */
static int name_files(struct replay *r, const struct hd_trace *trace)
{
    if (r->files.n == 0)
        hd_strs_add_all(&r->files, &trace->head.sources);
    if (r->files.n == 0)
        hd_strs_add(&r->files, trace->head.program);
    return 0;
}

static int replay(struct replay *r, struct hd_err *err)
{
    struct hd_trace trace;
    struct hd_input input;
    if (hd_trace_read(&trace, r->path, err) != 0)
        return HD_EXIT_INPUT;
    int status = HD_EXIT_INPUT;
    struct hd_trust request = { .command = r->gdb ? "replay --gdb" : "replay",
                                .path = r->path,
                                .files = &r->files,
                                .cc_flags = &r->cc_flags,
                                .args = r->args,
                                .trust = r->trust };
    if (r->files.n == 0 && trace.bare) {
        hd_err_set(err,
                   "%s is a bare schedule: it does not say of which program; give that "
                   "before it",
                   r->path);
    } else if (hd_trust_settle(&request, &trace, err) == 0 && name_files(r, &trace) == 0 &&
               hd_input_open(&input, &r->files, &trace.head.cc_flags, err) == 0) {
        hd_input_catch_signals();
        status = run_trace(r, &trace, &input, err);
        hd_input_close(&input);
    }
    hd_trace_release(&trace);
    return status;
}

int hd_cmd_replay(int argc, char **argv)
{
    struct replay r;
    struct hd_err err = { "" };
    int status = HD_EXIT_INPUT;
    if (parse(&r, argc, argv, &err) == 0) {
        if (r.help) {
            print_help();
            status = HD_EXIT_OK;
        } else {
            status = replay(&r, &err);
        }
    }
    free(r.path);
    hd_strs_release(&r.files);
    hd_strs_release(&r.cc_flags);
    return status == HD_EXIT_INPUT || status == HD_EXIT_INTERNAL ? hd_input_fail(&err, status)
                                                                 : status;
}
