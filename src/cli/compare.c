/* heddle compare: strategies side by side on one program. */
#include "base/fs.h"
#include "base/json.h"
#include "base/version.h"
#include "cli/args.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "report/verdict.h"
#include "strategy/dice.h"
#include "strategy/strategy.h"
#include "strategy/targets.h"
#include "supervise/supervise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_SECONDS 10.0
#define QUEUE 100000
#define STRATEGIES                                                                                             \
    "optimal,source,inspect,jpf,stateful,hybrid,hybrid:hr,dpor-stateful,hr,hr-fields,scale,scale:nsb,chess:2," \
    "hgs:1,meta:1,slice-n-dice,random:1,pct:3:1,pos:1,brute"

enum option { HELP = 1, STRATEGY, TIME, RACES, TARGET, JSON, CC_FLAGS };

static const struct hd_arg table[] = {
    { STRATEGY, "strategy", 0, "PRESET,PRESET",
      "those instead of all; FILE.so and FILE.lua, too" },
    { TIME, "time", 0, "DUR", "for each of them (default 10s)" },
    { TARGET, "target", 0, "LOC,LOC", "places to be reached, as for heddle check" },
    { RACES, "races", 0, "error|off", "look for data races (default off)" },
    { JSON, "json", 0, "FILE", "write JSON (- for standard output)" },
    { CC_FLAGS, "cc-flags", 0, "FLAGS", "compiler options for C files" },
    { HELP, "help", 'h', NULL, "this text" },
};

#define N_TABLE (sizeof table / sizeof *table)

struct request {
    struct hd_strs files, cc_flags, targets, strategies;
    const char *json;
    double seconds;
    bool races, help;
    char **args;
};

/* The result of one strategy. */
struct row {
    const char *strategy;
    char why[200]; /* it could not be run; "" otherwise */
    enum hd_verdict verdict;
    const char *kind; /* of what it found; NULL: nothing */
    struct hd_counters counters;
    double seconds;
    uint64_t kb;
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
        if (strcmp(r->strategies.items[i], "auto") == 0)
            return hd_err_set(err, "auto is several strategies: compare those");
        if (hd_strategy_preset(&options, r->strategies.items[i], err) != 0)
            return -1;
    }
    return 0;
}

static void fill(struct row *row, const struct hd_result *result,
                 const struct hd_options *options, const struct hd_route *route, double seconds,
                 const struct hd_program *program)
{
    struct hd_summary summary;
    hd_summary_init(&summary, result, options, route, seconds, program);
    row->verdict = summary.verdict;
    row->kind = result->n_runs ? hd_kind_text((enum hd_kind)result->runs[0].finding.kind) : NULL;
    row->counters = result->counters;
    row->seconds = result->seconds;
    row->kb = result->peak_rss_kb;
    hd_summary_release(&summary);
}

/* One strategy; a route that cannot be made is noted in its row. */
static int explore(const struct request *r, struct hd_input *input, char **args, struct row *row,
                   struct hd_err *err)
{
    struct hd_strs via = { 0 };
    struct hd_route *route = NULL;
    struct hd_result result;
    struct hd_job job = { .program = input->program,
                          .args = args,
                          .seconds = r->seconds,
                          .watch = { .hang_seconds = 5, .interrupted = &hd_input_interrupted } };
    hd_input_defaults(&job.options);
    if (hd_strategy_preset(&job.options, row->strategy, err) != 0)
        return HD_EXIT_INPUT;
    job.options.races = r->races ? HD_RACES_ERROR : HD_RACES_OFF;
    bool dices = job.options.filters & HD_FILTER_DICE;
    bool guided = hd_search_is_guided(job.options.search) || dices;
    if (guided)
        job.options.queue = QUEUE;
    if (hd_targets_route(input->program, &r->targets, &via, guided, &route, err) != 0) {
        if (r->targets.n)
            return HD_EXIT_INPUT;
        snprintf(row->why, sizeof row->why, "%.190s", err->text);
        return HD_EXIT_OK;
    }
    const struct hd_foresight *foresight;
    if (hd_targets_foresight(&input->foreseen, input->program, &job.options, &foresight, err) !=
        0) {
        free(route);
        return HD_EXIT_INPUT;
    }
    job.route = route;
    job.foresight = foresight;
    int status = dices ? hd_dice_explore(&job, &r->targets, &result, err)
                       : hd_supervise_explore(&job, &result, err);
    if (status == HD_EXIT_OK) {
        fill(row, &result, &job.options, route, r->seconds, input->program);
        hd_result_release(&result);
    }
    free(route);
    return status;
}

static void print_row(const struct row *row)
{
    const struct hd_counters *c = &row->counters;
    if (*row->why) {
        printf("%-14s %s\n", hd_fs_base(row->strategy), row->why);
        return;
    }
    printf("%-14s %-18s %-10s %10llu %10llu %11llu %9.3f %6llu\n", hd_fs_base(row->strategy),
           hd_verdict_text(row->verdict), row->kind ? row->kind : "-",
           (unsigned long long)c->executions, (unsigned long long)c->states,
           (unsigned long long)c->events, row->seconds, (unsigned long long)(row->kb / 1024));
    fflush(stdout);
}

static int write_json(const struct request *r, const struct row *rows, struct hd_err *err)
{
    struct hd_str out;
    hd_str_init(&out);
    hd_str_appendf(&out, "{\"heddle\":\"%s\",\"strategies\":[", HD_VERSION);
    for (size_t i = 0; i < r->strategies.n; i++) {
        const struct row *row = &rows[i];
        const struct hd_counters *c = &row->counters;
        hd_str_appendf(&out, "%s{\"strategy\":", i ? "," : "");
        hd_json_string(&out, row->strategy);
        if (*row->why) {
            hd_str_append(&out, ",\"error\":");
            hd_json_string(&out, row->why);
        } else {
            hd_str_appendf(&out, ",\"verdict\":\"%s\"", hd_verdict_text(row->verdict));
            if (row->kind)
                hd_str_appendf(&out, ",\"kind\":\"%s\"", row->kind);
            hd_str_appendf(
                &out,
                ",\"executions\":%llu,\"states\":%llu,\"events\":%llu,\"seconds\":%.6f,"
                "\"peak_rss_kb\":%llu",
                (unsigned long long)c->executions, (unsigned long long)c->states,
                (unsigned long long)c->events, row->seconds, (unsigned long long)row->kb);
        }
        hd_str_append_char(&out, '}');
    }
    hd_str_append(&out, "]}\n");
    int failed = 0;
    if (strcmp(r->json, "-") == 0)
        fputs(out.text, stdout);
    else
        failed = hd_fs_write(r->json, out.text, out.length, err);
    hd_str_release(&out);
    return failed;
}

static int compare(struct request *r, struct hd_input *input, struct hd_err *err)
{
    struct hd_strs args;
    struct row *rows = hd_alloc((r->strategies.n + 1) * sizeof *rows);
    bool quiet = r->json && strcmp(r->json, "-") == 0, found = false;
    int status = HD_EXIT_OK;
    hd_strs_init(&args);
    hd_strs_add(&args, r->files.items[0]);
    for (char **arg = r->args; *arg; arg++)
        hd_strs_add(&args, *arg);
    if (!quiet)
        printf("%-14s %-18s %-10s %10s %10s %11s %9s %6s\n", "strategy", "verdict", "found",
               "executions", "states", "transitions", "seconds", "MB");
    for (size_t i = 0; i < r->strategies.n && status == HD_EXIT_OK && !hd_input_interrupted;
         i++) {
        rows[i].strategy = r->strategies.items[i];
        status = explore(r, input, args.items, &rows[i], err);
        if (status == HD_EXIT_OK && !quiet)
            print_row(&rows[i]);
        found |= rows[i].kind && rows[i].verdict == HD_VIOLATION;
    }
    if (status == HD_EXIT_OK && hd_input_interrupted) {
        hd_err_set(err, "interrupted");
        status = HD_EXIT_INPUT;
    }
    if (status == HD_EXIT_OK && r->json && write_json(r, rows, err) != 0)
        status = HD_EXIT_INPUT;
    hd_strs_release(&args);
    free(rows);
    return status == HD_EXIT_OK && found ? HD_EXIT_VIOLATION : status;
}

static int parse(struct request *r, int argc, char **argv, struct hd_err *err)
{
    struct hd_args args;
    const char *value = NULL;
    int id;
    *r = (struct request){ .seconds = DEFAULT_SECONDS };
    hd_strs_init(&r->files);
    hd_strs_init(&r->cc_flags);
    hd_strs_init(&r->targets);
    hd_strs_init(&r->strategies);
    hd_args_init(&args, table, N_TABLE, argc, argv);
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
