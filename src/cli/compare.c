/* heddle compare: strategies side by side on one program. */
#include "base/fs.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/compare_table.h"
#include "cli/input.h"
#include "strategy/dice.h"
#include "strategy/strategy.h"
#include "strategy/targets.h"
#include "supervise/plan.h"
#include "supervise/portfolio.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SECONDS 10.0
#define QUEUE 100000
#define STRATEGIES                                                                                             \
    "optimal,source,inspect,jpf,stateful,hybrid,hybrid:hr,dpor-stateful,hr,hr-fields,scale,scale:nsb,chess:2," \
    "hgs:1,meta:1,slice-n-dice,random:1,pct:3:1,pos:1,brute"

enum option { HELP = 1, STRATEGY, TIME, SEEDS, RACES, TARGET, JSON, CSV, LATEX, CC_FLAGS };

#define MOST_SEEDS 10000

static const struct hd_arg table[] = {
    { STRATEGY, "strategy", 0, "PRESET,PRESET",
      "those instead of all; FILE.so and FILE.lua, too" },
    { TIME, "time", 0, "DUR", "for each of them (default 10s)" },
    { SEEDS, "seeds", 0, "N",
      "strategies that draw with the seeds 1 to N, and the\n"
      "spread of their numbers" },
    { TARGET, "target", 0, "LOC,LOC", "places to be reached, as for heddle check" },
    { RACES, "races", 0, "HOW", "data races as for heddle check: error (default) or off" },
    { JSON, "json", 0, "FILE", "write JSON (- for standard output)" },
    { CSV, "csv", 0, "FILE", "write a line for each run (- for standard output)" },
    { LATEX, "latex", 0, "FILE", "write a table for LaTeX (- for standard output)" },
    { CC_FLAGS, "cc-flags", 0, "FLAGS", "more options for the compiler;\n" HD_ARGS_COMPILER },
    { HELP, "help", 'h', NULL, "this text" },
};

#define N_TABLE (sizeof table / sizeof *table)

struct request {
    struct hd_strs files, cc_flags, targets, strategies;
    const char *json, *csv, *latex;
    double seconds;
    uint64_t seeds; /* 0: not given */
    bool races, help;
    char **args;
};

static void print_help(void)
{
    fputs(
        "usage: heddle compare [options] PROGRAM | FILE.c… [-- args]\n\n"
        "Explores the program with one strategy after the other, each up to its first violation,\n"
        "and prints what they did.\n\n",
        stdout);
    hd_args_help(stdout, table, N_TABLE);
    fputs(
        "\nExit status: 0 none found a violation, 1 some did, 2 usage or input error, 4 internal\n"
        "error.\n",
        stdout);
}

static int set_one(struct request *r, int id, const char *value, struct hd_err *err)
{
    switch (id) {
    case STRATEGY:
        hd_targets_split(&r->strategies, value);
        return 0;
    case TIME:
        return hd_args_duration("--time", value, &r->seconds, err);
    case RACES:
        r->races = strcmp(value, "error") == 0;
        return r->races || strcmp(value, "off") == 0
                   ? 0
                   : hd_err_set(err, "--races %.20s: there are error, off", value);
    case TARGET:
        hd_targets_split(&r->targets, value);
        return 0;
    case JSON:
        r->json = value;
        return 0;
    case CSV:
        r->csv = value;
        return 0;
    case LATEX:
        r->latex = value;
        return 0;
    case SEEDS:
        return hd_number_parse("--seeds", value, 1, MOST_SEEDS, &r->seeds, err);
    case CC_FLAGS:
        return hd_args_split("--cc-flags", value, &r->cc_flags, err);
    case HELP:
        r->help = true;
        return 0;
    default:
        hd_strs_add(&r->files, value);
        return 0;
    }
}

/* All names must mean something before anything is run. */
static int check_strategies(struct request *r, struct hd_err *err)
{
    if (r->strategies.n == 0)
        hd_targets_split(&r->strategies, STRATEGIES);
    for (size_t i = 0; i < r->strategies.n; i++) {
        struct hd_options options;
        hd_input_defaults(&options);
        if (hd_strategy_preset(&options, r->strategies.items[i], err) != 0)
            return -1;
    }
    return 0;
}

static void fill(struct hd_compared_run *run, const struct hd_result *result,
                 const struct hd_route *route, double seconds, const struct hd_program *program)
{
    struct hd_summary summary;
    hd_summary_init(&summary, result, &result->options, route, seconds, program);
    run->verdict = summary.verdict;
    run->kind = result->n_runs ? hd_kind_text((enum hd_kind)result->runs[0].finding.kind) : NULL;
    run->counters = result->counters;
    run->seconds = result->seconds;
    run->kb = result->peak_rss_kb;
    hd_summary_release(&summary);
}

/* Does the strategy draw anything that a seed decides? */
static bool draws(const struct hd_options *o)
{
    return hd_search_samples(o->search) || hd_search_is_guided(o->search) || o->shuffled ||
           o->random_threads;
}

static int run_job(const struct request *r, const struct hd_compared *row, struct hd_job *job,
                   struct hd_result *result, struct hd_err *err)
{
    struct hd_plan plan;
    if (job->options.filters & HD_FILTER_DICE)
        return hd_dice_explore(job, &r->targets, result, err);
    if (strcmp(row->strategy, "auto") != 0)
        return hd_supervise_explore(job, result, err);
    hd_strategy_plan(&plan, &job->options);
    return hd_portfolio_explore(job, &plan, result, err);
}

/* Once, or with all seeds. */
static int explore_all(const struct request *r, struct hd_compared *row, struct hd_job *job,
                       struct hd_err *err)
{
    uint32_t n = r->seeds && draws(&job->options) ? (uint32_t)r->seeds : 1;
    struct hd_result result;
    int status = HD_EXIT_OK;
    row->runs = hd_alloc(n * sizeof *row->runs);
    for (; row->n < n && status == HD_EXIT_OK && !hd_input_interrupted;) {
        struct hd_compared_run *run = &row->runs[row->n];
        if (r->seeds && draws(&job->options))
            job->options.seed = run->seed = row->n + 1;
        status = run_job(r, row, job, &result, err);
        if (status != HD_EXIT_OK)
            break;
        fill(run, &result, job->route, r->seconds, job->program);
        hd_result_release(&result);
        row->n++;
    }
    return status;
}

/* One strategy; a route that cannot be made is noted in its row. */
static int explore(const struct request *r, struct hd_input *input, char **args,
                   struct hd_compared *row, struct hd_err *err)
{
    struct hd_strs via = { 0 };
    struct hd_route *route = NULL;
    struct hd_job job = { .program = input->program,
                          .args = args,
                          .seconds = r->seconds,
                          .watch = { .hang_seconds = 5, .interrupted = &hd_input_interrupted } };
    hd_input_defaults(&job.options);
    if (hd_strategy_preset(&job.options, row->strategy, err) != 0)
        return HD_EXIT_INPUT;
    job.options.races = r->races ? HD_RACES_ERROR : HD_RACES_OFF;
    bool guided = hd_search_is_guided(job.options.search) || job.options.filters & HD_FILTER_DICE;
    if (guided)
        job.options.queue = QUEUE;
    if (hd_targets_route(input->program, &r->targets, &via, guided, &route, err) != 0) {
        if (r->targets.n)
            return HD_EXIT_INPUT;
        snprintf(row->why, sizeof row->why, "%.190s", err->text);
        return HD_EXIT_OK;
    }
    const struct hd_foresight *foresight;
    int status = HD_EXIT_INPUT;
    if (hd_targets_foresight(&input->foreseen, input->program, &job.options, &foresight, err) ==
        0) {
        job.route = route;
        job.foresight = foresight;
        status = explore_all(r, row, &job, err);
    }
    free(route);
    return status;
}

static bool is_stdout(const char *file) { return file && strcmp(file, "-") == 0; }

static int write_one(const char *file,
                     void (*make)(struct hd_str *out, const struct hd_compared *rows, size_t n),
                     const struct hd_compared *rows, size_t n, struct hd_err *err)
{
    struct hd_str out;
    int failed = 0;
    if (!file)
        return 0;
    hd_str_init(&out);
    make(&out, rows, n);
    if (is_stdout(file))
        fputs(out.text, stdout);
    else
        failed = hd_fs_write(file, out.text, out.length, err);
    hd_str_release(&out);
    return failed;
}

static int write_files(const struct request *r, const struct hd_compared *rows,
                       struct hd_err *err)
{
    size_t n = r->strategies.n;
    return write_one(r->json, hd_compared_json, rows, n, err) ||
           write_one(r->csv, hd_compared_csv, rows, n, err) ||
           write_one(r->latex, hd_compared_latex, rows, n, err);
}

static bool found_some(const struct hd_compared *row)
{
    bool found = false;
    for (uint32_t i = 0; i < row->n; i++)
        found = found || (row->runs[i].kind && row->runs[i].verdict == HD_VIOLATION);
    return found;
}

static int compare(struct request *r, struct hd_input *input, struct hd_err *err)
{
    struct hd_strs args;
    struct hd_compared *rows = hd_alloc((r->strategies.n + 1) * sizeof *rows);
    bool quiet = is_stdout(r->json) || is_stdout(r->csv) || is_stdout(r->latex), found = false;
    int status = HD_EXIT_OK;
    hd_strs_init(&args);
    hd_strs_add(&args, r->files.items[0]);
    for (char **arg = r->args; *arg; arg++)
        hd_strs_add(&args, *arg);
    if (!quiet)
        hd_compared_print_head(r->seeds > 1);
    for (size_t i = 0; i < r->strategies.n && status == HD_EXIT_OK && !hd_input_interrupted;
         i++) {
        rows[i].strategy = r->strategies.items[i];
        status = explore(r, input, args.items, &rows[i], err);
        if (status == HD_EXIT_OK && !quiet && (rows[i].n || *rows[i].why))
            hd_compared_print(&rows[i], r->seeds > 1);
        found |= found_some(&rows[i]);
    }
    if (status == HD_EXIT_OK && hd_input_interrupted) {
        hd_err_set(err, "interrupted");
        status = HD_EXIT_INPUT;
    }
    if (status == HD_EXIT_OK && write_files(r, rows, err) != 0)
        status = HD_EXIT_INPUT;
    hd_strs_release(&args);
    for (size_t i = 0; i < r->strategies.n; i++)
        free(rows[i].runs);
    free(rows);
    return status == HD_EXIT_OK && found ? HD_EXIT_VIOLATION : status;
}

static int parse(struct request *r, int argc, char **argv, struct hd_err *err)
{
    struct hd_args args;
    const char *value = NULL;
    int id;
    *r = (struct request){ .seconds = DEFAULT_SECONDS, .races = true };
    hd_strs_init(&r->files);
    hd_strs_init(&r->cc_flags);
    hd_strs_init(&r->targets);
    hd_strs_init(&r->strategies);
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
    if (r->files.n == 0)
        return hd_err_set(err,
                          "nothing to compare on: give C files or a program built by heddle; see "
                          "`heddle compare --help`");
    if (is_stdout(r->json) + is_stdout(r->csv) + is_stdout(r->latex) > 1)
        return hd_err_set(err, "only one of --json, --csv and --latex can be -");
    return check_strategies(r, err);
}

int hd_cmd_compare(int argc, char **argv)
{
    struct request r;
    struct hd_input input;
    struct hd_err err = { "" };
    int status = HD_EXIT_INPUT;
    if (parse(&r, argc, argv, &err) == 0) {
        if (r.help) {
            print_help();
            status = HD_EXIT_OK;
        } else if (hd_input_open(&input, &r.files, &r.cc_flags, &err) == 0) {
            hd_input_catch_signals();
            status = compare(&r, &input, &err);
            hd_input_close(&input);
        }
    }
    hd_strs_release(&r.files);
    hd_strs_release(&r.cc_flags);
    hd_strs_release(&r.targets);
    hd_strs_release(&r.strategies);
    return status == HD_EXIT_INPUT || status == HD_EXIT_INTERNAL ? hd_input_fail(&err, status)
                                                                 : status;
}
