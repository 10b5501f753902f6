/* heddle compare: searches side by side on one program, or on all programs of a folder.  Every
 * column is a check (cli/check_explore.h), so what heddle check takes for granted holds here,
 * too. */
#include "base/fs.h"
#include "base/number.h"
#include "cli/args.h"
#include "cli/check_explore.h"
#include "cli/check_options.h"
#include "cli/commands.h"
#include "cli/compare_columns.h"
#include "cli/compare_table.h"
#include "supervise/plugin.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DEFAULT_TIME "10s"
#define MOST_SEEDS 10000
#define HELP_WIDTH 86

enum option {
    HELP = 1,
    STRATEGY,
    REDUCE,
    COLUMN,
    SEEDS,
    MEASURE,
    JSON,
    CSV,
    LATEX,
    SVG,
    CC_FLAGS,
    TIME,
    PASSED
};

static const struct hd_arg table[] = {
    { STRATEGY, "strategy", 0, "PRESET,PRESET",
      "those instead of all; FILE.so and FILE.lua, too (if\n"
      "an argument has commas: --column '--strategy …')" },
    { REDUCE, "reduce", 0, "F,F", "a column for this chain of reductions (may be repeated)" },
    { COLUMN, "column", 0, "OPTIONS",
      "a column with these options of heddle check, as in\n"
      "'--search dfs:3 --reduce sleep'; with a name for\n"
      "tables 'NAME=--search …' (may be repeated)" },
    { TIME, "time", 0, "DUR", "for each of them (default " DEFAULT_TIME ")" },
    { SEEDS, "seeds", 0, "N",
      "strategies that draw with the seeds 1 to N, and the\n"
      "spread of their numbers" },
    { MEASURE, "measure", 0, "M",
      "what the plot and the summary of a folder show:\n"
      "executions (default), pruned, blocked, bounded, states,\n"
      "events, seconds, peak_rss_kb" },
    { JSON, "json", 0, "FILE", "write JSON (- for standard output)" },
    { CSV, "csv", 0, "FILE", "write a line for each run (- for standard output)" },
    { LATEX, "latex", 0, "FILE", "write a table for LaTeX (- for standard output)" },
    { SVG, "svg", 0, "FILE", "write a plot (- for standard output)" },
    { PASSED, "target", 0, "LOC,LOC", NULL },
    { PASSED, "invariant", 0, "FN", NULL },
    { PASSED, "properties", 0, "FILE", NULL },
    { PASSED, "races", 0, "HOW", NULL },
    { PASSED, "suppressions", 0, "FILE", NULL },
    { PASSED, "leaks", 0, NULL, NULL },
    { PASSED, "livelocks", 0, "HOW", NULL },
    { PASSED, "expect-exit", 0, "N", NULL },
    { PASSED, "hang", 0, "DUR", NULL },
    { PASSED, "memory", 0, "MODEL", NULL },
    { PASSED, "faults", 0, "K,K[:N]", NULL },
    { PASSED, "reuse", 0, "HOW", NULL },
    { PASSED, "spurious", 0, "N", NULL },
    { PASSED, "no-timeouts", 0, NULL, NULL },
    { PASSED, "nondet", 0, "LO..HI", NULL },
    { PASSED, "input", 0, "nondet:BYTES", NULL },
    { PASSED, "input-length", 0, "N", NULL },
    { PASSED, "polls", 0, "N", NULL },
    { PASSED, "threads", 0, "N", NULL },
    { PASSED, "files", 0, "on|off", NULL },
    { PASSED, "keep-going", 0, NULL, NULL },
    { PASSED, "executions", 0, "N", NULL },
    { PASSED, "depth", 0, "N", NULL },
    { PASSED, "preemptions", 0, "K", NULL },
    { PASSED, "jobs", 'j', "N", NULL },
    { PASSED, "via", 0, "LOC,LOC", NULL },
    { PASSED, "heuristic", 0, "H", NULL },
    { PASSED, "queue", 0, "N", NULL },
    { PASSED, "finer", 0, "F,F", NULL },
    { PASSED, "count-like-scale", 0, NULL, NULL },
    { CC_FLAGS, "cc-flags", 0, "FLAGS", "more options for the compiler;\n" HD_ARGS_COMPILER },
    { HELP, "help", 'h', NULL, "this text" },
};

#define N_TABLE (sizeof table / sizeof *table)

struct request {
    struct hd_strs files, cc_flags;
    struct hd_strs common; /* options of all columns */
    struct hd_columns columns;
    const char *json, *csv, *latex, *svg, *time;
    uint64_t seeds; /* 0: not given */
    uint32_t measure;
    double seconds;
    bool named; /* columns were asked for */
    bool help, folder;
    char **args;
};

/* One of a list that is broken into lines; returns where the next one begins. */
static size_t print_option(const struct hd_arg *arg, size_t at)
{
    size_t n = strlen(arg->name) + (arg->value ? strlen(arg->value) + 1 : 0) + 3;
    if (at + n > HELP_WIDTH) {
        fputs("\n", stdout);
        at = 0;
    }
    printf("%s--%s%s%s", at ? " " : "  ", arg->name, arg->value ? " " : "",
           arg->value ? arg->value : "");
    return at + n + (at == 0);
}

static void print_help(void)
{
    fputs("usage: heddle compare [options] PROGRAM | FILE.c… | FOLDER [-- args]\n\n"
          "Explores the program with one strategy after the other, each up to its first "
          "violation,\n"
          "and prints what they did; of a folder, each C file in it.\n\n",
          stdout);
    hd_args_help(stdout, table, N_TABLE);
    fputs("\nOptions of heddle check that all columns have:\n", stdout);
    for (size_t i = 0, at = 0; i < N_TABLE; i++)
        if (table[i].id == PASSED)
            at = print_option(&table[i], at);
    fputs("\n\nExit status: 0 none found a violation, 1 some did, 2 usage or input error, 4 "
          "internal\nerror.\n",
          stdout);
}

static int set_measure(struct request *r, const char *value, struct hd_err *err)
{
    r->measure = hd_measure_find(value);
    if (r->measure < HD_N_MEASURES)
        return 0;
    return hd_err_set(err,
                      "--measure %.20s: there are executions, pruned, blocked, bounded, states, "
                      "events, seconds, peak_rss_kb",
                      value);
}

static int set_column(struct request *r, int id, const char *value, struct hd_err *err)
{
    r->named = true;
    if (id == COLUMN)
        return hd_columns_add_options(&r->columns, value, err);
    if (id == STRATEGY)
        hd_columns_add_presets(&r->columns, value);
    else
        hd_columns_add_chain(&r->columns, value);
    return 0;
}

static int set_one(struct request *r, const struct hd_arg *arg, int id, const char *value,
                   struct hd_err *err)
{
    switch (id) {
    case STRATEGY:
    case REDUCE:
    case COLUMN:
        return set_column(r, id, value, err);
    case TIME:
        r->time = value;
        return hd_args_duration("--time", value, &r->seconds, err);
    case PASSED:
        hd_strs_addf(&r->common, "--%s", arg->name);
        if (arg->value)
            hd_strs_add(&r->common, value);
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
    case SVG:
        r->svg = value;
        return 0;
    case MEASURE:
        return set_measure(r, value, err);
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

/* All columns must mean something before anything is run.  One that was asked for and means
 * nothing is an error; one that does not go with the common options is noted in its line,
 * unless none does. */
static int check_columns(struct request *r, struct hd_err *err)
{
    size_t possible = 0;
    struct hd_err first = { "" };
    if (!r->named)
        hd_columns_add_presets(&r->columns, HD_COMPARE_STRATEGIES);
    for (size_t i = 0; i < r->columns.n; i++) {
        struct hd_check check;
        struct hd_strs words;
        struct hd_err why;
        int alone = hd_column_check(&r->columns.items[i], NULL, "program.c", &check, &words, err);
        hd_check_release(&check);
        hd_strs_release(&words);
        int together = hd_column_check(&r->columns.items[i], &r->common, "program.c", &check,
                                       &words, &why);
        hd_check_release(&check);
        hd_strs_release(&words);
        if (alone != 0 && together != 0)
            return -1;
        if (together == 0)
            possible++;
        else if (!*first.text)
            first = why;
    }
    return possible ? 0 : hd_err_set(err, "%s", first.text);
}

static void fill(struct hd_compared_run *run, const struct hd_result *result,
                 const struct hd_job *job)
{
    struct hd_summary summary;
    hd_summary_init(&summary, result, &result->options, job->route, job->seconds, job->program);
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

/* Once, or with all seeds. */
static int explore_all(const struct request *r, const struct hd_check *check,
                       struct hd_compared *row, struct hd_job *job, struct hd_err *err)
{
    bool seeds = r->seeds && draws(&job->options);
    uint32_t n = seeds ? (uint32_t)r->seeds : 1;
    row->runs = hd_alloc(n * sizeof *row->runs);
    while (row->n < n && !hd_input_interrupted) {
        struct hd_compared_run *run = &row->runs[row->n];
        struct hd_result result;
        if (seeds)
            job->options.seed = run->seed = row->n + 1;
        int status = hd_check_search(check, job, &result, err);
        if (status != HD_EXIT_OK)
            return status;
        fill(run, &result, job);
        hd_result_release(&result);
        row->n++;
    }
    return HD_EXIT_OK;
}

static int run_check(const struct request *r, struct hd_check *check, struct hd_input *input,
                     struct hd_compared *row, struct hd_err *err)
{
    struct hd_strs args;
    struct hd_job job = { .program = input->program,
                          .seconds = check->seconds,
                          .watch = { .hang_seconds = check->hang_seconds,
                                     .interrupted = &hd_input_interrupted } };
    struct hd_route *route = NULL;
    int status = HD_EXIT_INPUT;
    hd_strs_init(&args);
    hd_strs_add(&args, check->files.items[0]);
    for (char **arg = r->args; *arg; arg++)
        hd_strs_add(&args, *arg);
    if (hd_check_prepare(check, input, &route, &job.foresight, err) == 0) {
        job.route = route;
        job.options = check->options;
        job.args = args.items;
        status = explore_all(r, check, row, &job, err);
    }
    free(route);
    hd_strs_release(&args);
    return status;
}

/* One column.  What cannot be run is noted in its line; a strategy from outside that fails is
 * an error. */
static int explore(const struct request *r, struct hd_input *input, const char *file,
                   const struct hd_column *column, struct hd_compared *row, struct hd_err *err)
{
    struct hd_check check;
    struct hd_strs words;
    int status = HD_EXIT_INPUT;
    row->strategy = column->name;
    if (hd_column_check(column, &r->common, file, &check, &words, err) == 0)
        status = run_check(r, &check, input, row, err);
    if (status == HD_EXIT_INPUT && !check.options.plugin.used) {
        snprintf(row->why, sizeof row->why, "%.190s", err->text);
        row->n = 0;
        status = HD_EXIT_OK;
    }
    hd_check_release(&check);
    hd_strs_release(&words);
    return status;
}

static bool is_stdout(const char *file) { return file && strcmp(file, "-") == 0; }

static unsigned on_stdout(const struct request *r)
{
    return (unsigned)is_stdout(r->json) + is_stdout(r->csv) + is_stdout(r->latex) +
           is_stdout(r->svg);
}

static int write_one(const char *file,
                     void (*make)(struct hd_str *out, const struct hd_comparison *all),
                     const struct hd_comparison *all, struct hd_err *err)
{
    struct hd_str out;
    int failed = 0;
    if (!file)
        return 0;
    hd_str_init(&out);
    make(&out, all);
    if (is_stdout(file))
        fputs(out.text, stdout);
    else
        failed = hd_fs_write(file, out.text, out.length, err);
    hd_str_release(&out);
    return failed;
}

static int write_files(const struct request *r, const struct hd_comparison *all,
                       struct hd_err *err)
{
    return write_one(r->json, hd_compared_json, all, err) ||
           write_one(r->csv, hd_compared_csv, all, err) ||
           write_one(r->latex, hd_compared_latex, all, err) ||
           write_one(r->svg, hd_compared_svg, all, err);
}

static bool found_some(const struct hd_compared *row)
{
    bool found = false;
    for (uint32_t i = 0; i < row->n; i++)
        found = found || (row->runs[i].kind && row->runs[i].verdict == HD_VIOLATION);
    return found;
}

/* Of the names of columns. */
static int width_of(const struct request *r)
{
    size_t width = 14;
    for (size_t i = 0; i < r->columns.n; i++)
        width = strlen(r->columns.items[i].name) > width ? strlen(r->columns.items[i].name)
                                                         : width;
    return (int)(width < 40 ? width : 40);
}

/* Every column on one program. */
static int compare(const struct request *r, const struct hd_strs *files,
                   struct hd_compared_program *program, bool *found, struct hd_err *err)
{
    struct hd_input input;
    bool quiet = on_stdout(r) > 0;
    int status = HD_EXIT_OK;
    if (hd_input_open(&input, files, &r->cc_flags, err) != 0)
        return HD_EXIT_INPUT;
    program->name = hd_strdup(hd_fs_base(files->items[0]));
    program->rows = hd_alloc(r->columns.n * sizeof *program->rows);
    program->n = r->columns.n;
    hd_input_catch_signals();
    if (!quiet && r->folder)
        printf("%s\n", program->name);
    if (!quiet)
        hd_compared_print_head(width_of(r), r->seeds > 1);
    for (size_t i = 0; i < r->columns.n && status == HD_EXIT_OK && !hd_input_interrupted; i++) {
        struct hd_compared *row = &program->rows[i];
        status = explore(r, &input, files->items[0], &r->columns.items[i], row, err);
        if (status == HD_EXIT_OK && !quiet && (row->n || *row->why))
            hd_compared_print(row, width_of(r), r->seeds > 1);
        *found |= found_some(row);
    }
    if (status == HD_EXIT_OK && hd_input_interrupted) {
        hd_err_set(err, "interrupted");
        status = HD_EXIT_INPUT;
    }
    hd_input_close(&input);
    return status;
}

static int is_source(const struct dirent *entry)
{
    static const char *const endings[] = { ".c", ".cc", ".cpp", ".cxx" };
    bool is = false;
    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++)
        is = is || hd_str_ends(entry->d_name, endings[i]);
    return is && entry->d_name[0] != '.';
}

/* Each of the programs of a folder.  One that cannot be compiled is left out; the status says
 * so. */
static int compare_folder(const struct request *r, struct hd_comparison *all, bool *found,
                          struct hd_err *err)
{
    const char *folder = r->files.items[0];
    struct dirent **entries = NULL;
    int n = scandir(folder, &entries, is_source, alphasort), status = HD_EXIT_OK;
    size_t broken = 0;
    if (n <= 0) {
        free(entries);
        return hd_err_set(err, "%s: %s", folder,
                          n < 0 ? strerror(errno) : "there is no C file in this folder"),
               HD_EXIT_INPUT;
    }
    all->programs = hd_alloc((size_t)n * sizeof *all->programs);
    for (int i = 0; i < n; i++) {
        struct hd_strs files;
        struct hd_compared_program *program = &all->programs[all->n];
        hd_strs_init(&files);
        hd_strs_adopt(&files, hd_fs_join(folder, entries[i]->d_name));
        if (status == HD_EXIT_OK)
            status = compare(r, &files, program, found, err);
        if (status == HD_EXIT_INPUT && !program->rows) {
            fprintf(stderr, "heddle: %s is left out%s%s\n", files.items[0],
                    *err->text ? ": " : "", err->text);
            broken++;
            status = HD_EXIT_OK;
        }
        all->n += program->rows != NULL;
        hd_strs_release(&files);
        free(entries[i]);
    }
    free(entries);
    if (status == HD_EXIT_OK && broken)
        hd_err_set(err, "%s: %zu of %d programs were left out", folder, broken, n);
    return status == HD_EXIT_OK && broken ? HD_EXIT_INPUT : status;
}

static void release(struct hd_comparison *all)
{
    for (size_t i = 0; i < all->n; i++) {
        for (size_t k = 0; k < all->programs[i].n; k++)
            free(all->programs[i].rows[k].runs);
        free(all->programs[i].rows);
        free(all->programs[i].name);
    }
    free(all->programs);
}

static int compare_all(const struct request *r, struct hd_err *err)
{
    struct hd_comparison all = { .folder = r->folder, .measure = r->measure };
    struct hd_err why;
    bool found = false;
    int status;
    if (r->folder) {
        status = compare_folder(r, &all, &found, err);
    } else {
        all.programs = hd_alloc(sizeof *all.programs);
        status = compare(r, &r->files, all.programs, &found, err);
        all.n = all.programs->rows != NULL;
    }
    if (r->folder && all.n && on_stdout(r) == 0)
        hd_compared_print_summary(&all);
    /* Of a folder, what is there is written although a program was left out. */
    if (all.n && (status == HD_EXIT_OK || (r->folder && !hd_input_interrupted)) &&
        write_files(r, &all, &why) != 0) {
        *err = why;
        status = HD_EXIT_INPUT;
    }
    release(&all);
    return status == HD_EXIT_OK && found ? HD_EXIT_VIOLATION : status;
}

static void init(struct request *r)
{
    *r = (struct request){ .time = DEFAULT_TIME, .measure = hd_measure_find("executions") };
    hd_strs_init(&r->files);
    hd_strs_init(&r->cc_flags);
    hd_strs_init(&r->common);
    hd_columns_init(&r->columns);
}

static int parse(struct request *r, int argc, char **argv, struct hd_err *err)
{
    struct hd_args args;
    const char *value = NULL;
    int id;
    hd_args_init(&args, table, N_TABLE, argc, argv);
    args.compiler = &r->cc_flags;
    while ((id = hd_args_next(&args, &value, err)) >= 0)
        if (set_one(r, args.found, id, value, err) != 0)
            return -1;
    if (id == HD_ARG_BAD)
        return -1;
    r->args = hd_args_rest(&args);
    if (r->help)
        return 0;
    if (r->files.n == 0)
        return hd_err_set(err,
                          "nothing to compare on: give C files, a program built by heddle, or a "
                          "folder; see `heddle compare --help`");
    r->folder = hd_fs_is_directory(r->files.items[0]);
    if (r->folder && r->files.n > 1)
        return hd_err_set(err,
                          "%s is a folder, whose programs are compared one by one: give it "
                          "alone",
                          r->files.items[0]);
    if (on_stdout(r) > 1)
        return hd_err_set(err, "only one of --json, --csv, --latex and --svg can be -");
    hd_strs_add(&r->common, "--time");
    hd_strs_add(&r->common, r->time);
    return check_columns(r, err);
}

int hd_cmd_compare(int argc, char **argv)
{
    struct request r;
    struct hd_err err = { "" };
    int status = HD_EXIT_INPUT;
    init(&r);
    if (parse(&r, argc, argv, &err) == 0) {
        if (r.help)
            print_help();
        status = r.help ? HD_EXIT_OK : compare_all(&r, &err);
    }
    hd_strs_release(&r.files);
    hd_strs_release(&r.cc_flags);
    hd_strs_release(&r.common);
    hd_columns_release(&r.columns);
    return status == HD_EXIT_INPUT || status == HD_EXIT_INTERNAL ? hd_input_fail(&err, status)
                                                                 : status;
}
