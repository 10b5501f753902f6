/* heddle lin: are the operations of a data structure linearizable? (docs/lin.md)
 *
 * The program has the operations and runs a scenario that it is given
 * (include/heddle/lin_run.h). Many scenarios are one exploration, whose first step chooses
 * one of them. */
#include "base/fs.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/check_values.h"
#include "cli/commands.h"
#include "cli/lin_request.h"
#include "compile/driver.h"
#include "core/shared_tree.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum option {
    HELP = 1,
    CHECK,
    THREADS,
    CALLS,
    PER_THREAD,
    BEFORE,
    AFTER,
    SCENARIO,
    MODEL,
    MEMORY,
    RACES,
    EMIT,
    HTML,
    JSON,
    TRACE_DIR,
    TIME,
    EXECUTIONS,
    RANDOM,
    SEED,
    CHECKPOINT,
    RESUME,
    TRUST,
    JOBS,
    REQUIRE,
    QUIET,
    VERBOSE,
    CC_FLAGS
};

static const struct hd_arg table[] = {
    { CHECK, "check", 0, "HOW", "linearizable (default), sequential, quiescent or none" },
    { THREADS, "threads", 0, "N", "threads side by side, from 2 to 4 (default 3)" },
    { CALLS, "calls", 0, "N", "calls of all threads together (default 4)" },
    { PER_THREAD, "per-thread", 0, "N", "calls of one thread (default 3)" },
    { BEFORE, "before", 0, "N", "calls before the threads begin (default 1)" },
    { AFTER, "after", 0, "N", "calls after they have ended (default 1)" },
    { SCENARIO, "scenario", 0, "TEXT", "only this one: 'put(1) / get | get; put(2) / get'" },
    { MODEL, "model", 0, "FILE.c",
      "expect what its operations give one after the other (it includes heddle/lin_model.h)" },
    { MEMORY, "memory", 0, "MODEL",
      "auto (default), sc or rc11: C11's memory model; auto takes it if the program executes "
      "atomics weaker than seq_cst" },
    { RACES, "races", 0, "HOW",
      "error (default): a data race is a violation; warn: it is reported, and results are "
      "judged; off" },
    { EMIT, "emit", 0, "FILE.c",
      "write the failing scenario as a program, to be kept as a test" },
    { HTML, "html", 0, "FILE", "write the failing run as a page" },
    { JSON, "json", 0, "FILE", "write the result as JSON (- for standard output)" },
    { TRACE_DIR, "trace-dir", 0, "DIR", "where the trace goes (default heddle-traces)" },
    { TIME, "time", 0, "DUR", "for everything together (default: no bound)" },
    { EXECUTIONS, "executions", 0, "N", "for everything together (default: no bound)" },
    { RANDOM, "random", 0, "N", "then N random scenarios that are larger (default: none)" },
    { SEED, "seed", 0, "N", "which random ones (default 1; alone it means --random 100)" },
    { CHECKPOINT, "checkpoint", 0, "FILE", "keep there what has been explored" },
    { RESUME, "resume", 0, "FILE", "go on with what was kept there" },
    { TRUST, "trust", 0, NULL, "use a checkpoint that is not signed by this user, too" },
    { JOBS, "jobs", 'j', "N", "workers" },
    { REQUIRE, "require-verified", 0, NULL, "exit status 3 unless every scenario was verified" },
    { CC_FLAGS, "cc-flags", 0, "FLAGS", "more options for the compiler;\n" HD_ARGS_COMPILER },
    { QUIET, "quiet", 'q', NULL, "no progress" },
    { VERBOSE, "verbose", 'v', NULL, "the whole run that fails, nothing folded" },
    { HELP, "help", 'h', NULL, "this text" },
};

#define N_TABLE (sizeof table / sizeof *table)

#define N_CHECKS 4
const char *const hd_lin_checks[N_CHECKS] = { "linearizable", "sequential", "quiescent", "none" };

static void print_help(void)
{
    fputs("usage: heddle lin [options] FILE.c… | PROGRAM\n\n"
          "Runs the operations of a data structure, named with heddle/lin.h, in several threads "
          "in\n"
          "every way, and looks for results that they cannot have one after the other.\n\n",
          stdout);
    hd_args_help(stdout, table, N_TABLE);
    fputs("\nExit status: 0 no violation, 1 violation, 2 usage or input error, 3 not verified "
          "although\n--require-verified, 4 internal error.\n",
          stdout);
}

static int set_number(uint32_t *to, const char *option, const char *value, uint64_t least,
                      uint64_t most, struct hd_err *err)
{
    uint64_t number;
    if (hd_number_parse(option, value, least, most, &number, err) != 0)
        return -1;
    *to = (uint32_t)number;
    return 0;
}

static int set_check(struct hd_lin *l, const char *value, struct hd_err *err)
{
    for (size_t i = 0; i < N_CHECKS; i++)
        if (strcmp(value, hd_lin_checks[i]) == 0) {
            l->check = i;
            return 0;
        }
    return hd_err_set(err, "--check %.20s: there are linearizable, sequential, quiescent, none",
                      value);
}

static int set_memory(struct hd_lin *l, const char *value, struct hd_err *err)
{
    if (strcmp(value, "auto") != 0 && strcmp(value, "sc") != 0 && strcmp(value, "rc11") != 0)
        return hd_err_set(err, "--memory %.20s: there are auto, sc, rc11", value);
    l->memory = value;
    return 0;
}

static int set_bound(struct hd_lin *l, int id, const char *value, struct hd_err *err)
{
    struct hd_scenario_bounds *b = &l->bounds;
    switch (id) {
    case THREADS:
        return set_number(&b->threads, "--threads", value, 2, HD_LIN_THREADS, err);
    case CALLS:
        return set_number(&b->together, "--calls", value, 2, HD_LIN_TOGETHER, err);
    case PER_THREAD:
        return set_number(&b->per_thread, "--per-thread", value, 1, HD_LIN_CALLS, err);
    case BEFORE:
        return set_number(&b->before, "--before", value, 0, HD_LIN_CALLS, err);
    default:
        return set_number(&b->after, "--after", value, 0, HD_LIN_CALLS, err);
    }
}

static int set_file(struct hd_lin *l, int id, const char *value)
{
    const char **to = id == EMIT         ? &l->emit
                      : id == HTML       ? &l->html
                      : id == JSON       ? &l->json
                      : id == TRACE_DIR  ? &l->trace_dir
                      : id == MODEL      ? &l->model
                      : id == CHECKPOINT ? &l->checkpoint
                      : id == RESUME     ? &l->resume
                                         : &l->scenario;
    *to = value;
    return 0;
}

static int set_one(struct hd_lin *l, int id, const char *value, struct hd_err *err)
{
    switch (id) {
    case CHECK:
        return set_check(l, value, err);
    case MEMORY:
        return set_memory(l, value, err);
    case RACES:
        l->races_word = value;
        return hd_value_races(&l->races, value, err);
    case TIME:
        return hd_args_duration("--time", value, &l->seconds, err);
    case JOBS:
        return hd_number_parse("-j", value, 1, HD_MAX_JOBS, &l->jobs, err);
    case CC_FLAGS:
        return hd_args_split("--cc-flags", value, &l->cc_flags, err);
    case EXECUTIONS:
        return hd_number_parse("--executions", value, 1, UINT64_MAX, &l->executions, err);
    case RANDOM:
        return hd_number_parse("--random", value, 1, 1000000000, &l->random, err);
    case SEED:
        return hd_number_parse("--seed", value, 0, UINT64_MAX, &l->seed, err);
    case TRUST:
        l->trust = true;
        return 0;
    case REQUIRE:
        l->require = true;
        return 0;
    case QUIET:
        l->quiet = true;
        return 0;
    case VERBOSE:
        l->verbose = true;
        return 0;
    case HELP:
        l->help = true;
        return 0;
    case HD_ARG_WORD:
        hd_strs_add(&l->files, value);
        return 0;
    case EMIT:
    case HTML:
    case JSON:
    case TRACE_DIR:
    case MODEL:
    case CHECKPOINT:
    case RESUME:
    case SCENARIO:
        return set_file(l, id, value);
    default:
        return set_bound(l, id, value, err);
    }
}

/* The model is one more file of the program. */
static int open_model(struct hd_lin *l, struct hd_err *err)
{
    struct hd_str text;
    hd_str_init(&text);
    if (hd_fs_read(l->model, &text, err) != 0)
        return -1;
    bool fits = strstr(text.text ? text.text : "", "heddle/lin_model.h") != NULL;
    hd_str_release(&text);
    if (!fits)
        return hd_err_set(err, "--model %.200s: include heddle/lin_model.h in it", l->model);
    if (!hd_driver_is_source(l->files.items[0]))
        return hd_err_set(err,
                          "--model is linked with the operations: give their C file, or link "
                          "both into the program");
    hd_strs_add(&l->files, l->model);
    return 0;
}

static int parse(struct hd_lin *l, int argc, char **argv, struct hd_err *err)
{
    struct hd_args args;
    const char *value = NULL;
    int id;
    hd_args_init(&args, table, N_TABLE, argc, argv);
    args.compiler = &l->cc_flags;
    while ((id = hd_args_next(&args, &value, err)) >= 0)
        if (set_one(l, id, value, err) != 0)
            return -1;
        else if (id == SEED && !l->random)
            l->random = 100;
        else if (id >= THREADS && id <= SCENARIO)
            l->bounded = true;
    if (id == HD_ARG_BAD)
        return -1;
    if (*hd_args_rest(&args))
        return hd_err_set(err,
                          "%.60s: heddle lin gives the program its arguments: leave out "
                          "what follows --",
                          *hd_args_rest(&args));
    if (!l->help && l->files.n == 0)
        return hd_err_set(err, "no operations: give a C file that includes heddle/lin.h; see "
                               "`heddle lin --help`");
    if (l->scenario && (l->checkpoint || l->resume || l->random))
        return hd_err_set(err, "--scenario is one scenario: leave out --checkpoint, --resume, "
                               "--random and --seed");
    if (l->executions || l->seconds > 0 || l->random || l->checkpoint || l->resume)
        l->bounded = true;
    if (l->quiet && l->verbose)
        return hd_err_set(err, "--quiet and --verbose contradict each other: leave out one");
    if (l->trust && !l->resume)
        return hd_err_set(err, "--trust is for a checkpoint: give --resume FILE, too");
    if (l->resume && !l->checkpoint)
        l->checkpoint = l->resume;
    if (l->model && !l->help && open_model(l, err) != 0)
        return -1;
    if (l->emit && !hd_str_ends(l->files.items ? l->files.items[0] : "", ".c") && !l->help)
        return hd_err_set(err, "--emit includes the source of the operations: give a C file");
    return 0;
}

int hd_cmd_lin(int argc, char **argv)
{
    struct hd_lin l = {
        .bounds = { 3, 3, 4, 1, 1, false },
        .memory = "auto",
        .jobs = 1,
        .seed = 1,
        .races = { .races = HD_RACES_ERROR },
    };
    struct hd_err err = { "" };
    int status = HD_EXIT_INPUT;
    hd_strs_init(&l.files);
    hd_strs_init(&l.cc_flags);
    hd_strs_init(&l.downgrades);
    hd_strs_init(&l.assumptions);
    hd_str_init(&l.sc);
    hd_str_init(&l.race);
    hd_str_init(&l.history);
    if (parse(&l, argc, argv, &err) == 0) {
        status = HD_EXIT_OK;
        if (l.help)
            print_help();
        else if (hd_input_open(&l.input, &l.files, &l.cc_flags, &err) != 0)
            status = HD_EXIT_INPUT;
        else {
            status = hd_lin_explore(&l, &err);
            if (status == HD_EXIT_OK)
                status = hd_lin_report(&l, &err);
            hd_input_close(&l.input);
        }
    }
    hd_strs_release(&l.files);
    hd_strs_release(&l.cc_flags);
    hd_strs_release(&l.downgrades);
    hd_strs_release(&l.assumptions);
    hd_str_release(&l.sc);
    hd_str_release(&l.race);
    hd_str_release(&l.history);
    free(l.failing);
    return status == HD_EXIT_INPUT || status == HD_EXIT_INTERNAL ? hd_input_fail(&err, status)
                                                                 : status;
}
