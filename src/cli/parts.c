#define _GNU_SOURCE
#include "cli/parts.h"

#include "base/fs.h"
#include "base/number.h"
#include "cli/check_options.h"
#include "cli/commands.h"
#include "cli/input.h"
#include "supervise/part_merge.h"
#include "supervise/part_split.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define DEFAULT_UNITS 100
#define UNIT ".unit"
#define NAME_BYTES 10 /* of a unit's hash, in its name: no two of 10⁹ units share it */

static struct hd_checkpoint what_of(const struct hd_job *job)
{
    return (struct hd_checkpoint){
        .program = job->program, .args = job->args, .options = &job->options, .trust = job->trust
    };
}

/* ---- split ---- */

/* Whether units can be written there is known before the search, which may take long. */
static int make_directory(const char *path, struct hd_err *err)
{
    struct stat st;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return hd_err_set(err, "cannot create the directory %s: %s", path, strerror(errno));
    if (stat(path, &st) != 0 || !S_ISDIR(st.st_mode))
        return hd_err_set(err, "%s is no directory: give another name for that of the units",
                          path);
    if (access(path, W_OK | X_OK) != 0)
        return hd_err_set(err, "cannot write units into the directory %s: %s", path,
                          strerror(errno));
    char *manifest = hd_fs_join(path, HD_MANIFEST);
    bool used = hd_fs_exists(manifest);
    free(manifest);
    return used ? hd_err_set(err,
                             "%s has the units of another split: remove it, or give another "
                             "directory",
                             path)
                : 0;
}

/* Write the units, and then the result that names them. */
static int write_split(const struct hd_check *check, struct hd_part *whole,
                       const struct hd_checkpoint *what, struct hd_err *err)
{
    int failed = 0;
    for (uint32_t i = 0; i < whole->n_units && !failed; i++) {
        char name[HD_MAX_UNIT_NAME];
        snprintf(name, sizeof name, "%04u" UNIT, i + 1);
        char *path = hd_fs_join(check->units, name);
        hd_part_identify(&whole->units[i], what);
        hd_part_add_left(&whole->result, &whole->units[i].id, name);
        failed = hd_part_unit_write(path, &whole->units[i], what, err);
        free(path);
    }
    char *path = hd_fs_join(check->units, HD_MANIFEST);
    failed = failed || hd_part_result_write(path, &whole->result, what, err);
    free(path);
    return failed;
}

int hd_parts_split(const struct hd_check *check, const struct hd_job *job,
                   struct hd_result *result, struct hd_err *err)
{
    struct hd_part whole;
    struct hd_checkpoint what = what_of(job);
    if (make_directory(check->units, err) != 0)
        return HD_EXIT_INPUT;
    int status = hd_split_search(job, check->n_units, &whole, result, err);
    if (status == HD_EXIT_OK && !whole.result.broke) {
        if (write_split(check, &whole, &what, err) != 0) {
            status = HD_EXIT_INPUT;
            hd_result_release(result);
        } else if (whole.n_units == 0) {
            hd_err_set(&result->gave_up,
                       "everything was explored while it was split, so there are no work units "
                       "in %s: heddle merge says the verdict",
                       check->units);
        } else {
            hd_err_set(&result->gave_up,
                       "split into %u work unit%s in %s: explore each (heddle check --unit), "
                       "then add up (heddle merge)",
                       whole.n_units, whole.n_units == 1 ? "" : "s", check->units);
        }
    }
    hd_part_release(&whole);
    return status;
}

/* ---- one unit ---- */

/* "a/0001.unit" -> "a/0001" */
static char *stem_of(const char *path)
{
    size_t n = strlen(path);
    n -= hd_str_ends(path, UNIT) ? strlen(UNIT) : 0;
    return hd_str_format("%.*s", (int)n, path);
}

/* Units that are left of "a/0001.unit", or of one of those, are "a/0001-HASH.unit". */
static char *left_of(const char *stem)
{
    const char *base = hd_fs_base(stem);
    return hd_str_format("%.*s", (int)((size_t)(base - stem) + strcspn(base, "-")), stem);
}

static char *left_name(const char *stem, const struct hd_part_unit *unit)
{
    char *beginning = left_of(stem), hash[2 * NAME_BYTES + 1];
    for (size_t i = 0; i < NAME_BYTES; i++)
        snprintf(hash + 2 * i, 3, "%02x", unit->id.bytes[i]);
    char *path = hd_str_format("%s-%s" UNIT, beginning, hash);
    free(beginning);
    return path;
}

/* What the time was not enough for becomes units beside this one. */
static int write_left(const char *stem, struct hd_part *part, const struct hd_checkpoint *what,
                      struct hd_err *err)
{
    int failed = 0;
    for (uint32_t i = 0; i < part->n_units && !failed; i++) {
        struct hd_part_unit *unit = &part->units[i];
        hd_part_identify(unit, what);
        if (hd_part_same(&unit->id, &part->unit->id))
            return hd_err_set(err, "nothing of the unit was explored in this time: give it more");
        char *path = left_name(stem, unit);
        if (strlen(hd_fs_base(path)) >= HD_MAX_UNIT_NAME)
            failed = hd_err_set(err, "the name of the unit is too long: %s", hd_fs_base(path));
        hd_part_add_left(&part->result, &unit->id, hd_fs_base(path));
        failed = failed || hd_part_unit_write(path, unit, what, err);
        free(path);
    }
    return failed;
}

static int write_result(const struct hd_check *check, struct hd_part *part,
                        const struct hd_checkpoint *what, struct hd_result *result,
                        struct hd_err *err)
{
    char *stem = stem_of(check->units), *path = hd_str_format("%s.result", stem);
    char *left = left_of(stem);
    int failed = write_left(stem, part, what, err);
    failed = failed || hd_part_result_write(path, &part->result, what, err);
    if (!failed && !part->result.broke) {
        result->stop = HD_STOP_PART;
        result->counters.finished = 0;
        if (part->n_units)
            hd_err_set(&result->gave_up,
                       "one work unit was explored (--unit), and %u unit%s left of it: explore "
                       "%s-*" UNIT ", too",
                       part->n_units, part->n_units == 1 ? " is" : "s are", left);
        else
            hd_err_set(&result->gave_up,
                       "one work unit was explored (--unit): add up all results (heddle merge)");
    }
    free(stem);
    free(path);
    free(left);
    return failed;
}

int hd_parts_unit(const struct hd_check *check, const struct hd_job *job,
                  struct hd_result *result, struct hd_err *err)
{
    struct hd_part_unit unit = { .classes = 0 };
    struct hd_part part = { .unit = &unit };
    struct hd_checkpoint what = what_of(job);
    struct hd_job one = *job;
    hd_str_init(&unit.bytes);
    hd_str_init(&part.result.workers);
    int status = hd_part_unit_read(check->units, &unit, &what, err) != 0 ? HD_EXIT_INPUT
                                                                         : HD_EXIT_OK;
    if (status == HD_EXIT_OK) {
        one.part = &part;
        one.options.reuse.classes = unit.classes;
        status = hd_supervise_explore(&one, result, err);
    }
    if (status == HD_EXIT_OK && part.result.n_workers &&
        write_result(check, &part, &what, result, err) != 0) {
        hd_result_release(result);
        status = HD_EXIT_INPUT;
    }
    hd_part_release(&part);
    hd_part_unit_release(&unit);
    return status;
}

/* ---- merge ---- */

int hd_parts_merge(const struct hd_check *check, const struct hd_job *job,
                   struct hd_result *result, struct hd_err *err)
{
    struct hd_merged merged;
    int status = hd_merge_results(job, check->units, result, &merged, err);
    if (status == HD_EXIT_OK && !check->quiet &&
        !(check->json && strcmp(check->json, "-") == 0)) {
        printf("%u work unit%s, %u result%s", merged.n_units, merged.n_units == 1 ? "" : "s",
               merged.n_results, merged.n_results == 1 ? "" : "s");
        if (merged.n_repeated)
            printf("; %u of a unit that has another one", merged.n_repeated);
        if (merged.n_unasked)
            printf("; %u of units that are not needed", merged.n_unasked);
        printf("\n");
    }
    hd_str_release(&merged.missing);
    return status;
}

int hd_parts_explore(const struct hd_check *check, const struct hd_job *job,
                     struct hd_result *result, struct hd_err *err)
{
    switch (check->work) {
    case HD_CHECK_SPLIT:
        return hd_parts_split(check, job, result, err);
    case HD_CHECK_MERGE:
        return hd_parts_merge(check, job, result, err);
    default:
        return hd_parts_unit(check, job, result, err);
    }
}

/* ---- the commands ---- */

/* Take an option and its value out of argv; NULL if it is not there. */
static const char *take_option(int *argc, char **argv, const char *letter, struct hd_err *err)
{
    const char *value = NULL;
    for (int i = 1; i < *argc && strcmp(argv[i], "--") != 0; i++) {
        if (strncmp(argv[i], letter, 2) != 0)
            continue;
        int n = argv[i][2] ? 1 : 2;
        if (value || i + n > *argc) {
            hd_err_set(err, value ? "%s is given twice" : "%s needs a value", letter);
            return NULL;
        }
        value = n == 1 ? argv[i] + 2 : argv[i + 1];
        memmove(argv + i, argv + i + n, (size_t)(*argc - i - n + 1) * sizeof *argv);
        *argc -= n;
        i--;
    }
    return value;
}

static const char split_help[] =
    "usage: heddle split [options] -n N -o DIR PROGRAM | FILE.c… [-- args]\n"
    "       heddle check [options] --unit DIR/0001.unit PROGRAM | FILE.c… [-- args]\n"
    "       heddle merge [options] DIR PROGRAM | FILE.c… [-- args]\n\n"
    "split cuts the search into N work units or a few more (default 100), files that any\n"
    "machine with the same program can explore, in any order.  Each exploration writes a\n"
    "result beside its unit; merge adds them up.  The verdict is `verified` only if there\n"
    "is a result for every unit.  All three take the options of `heddle check`, and they\n"
    "must be given the same.  The search is --strategy graph unless --strategy rf or\n"
    "--reduce sleep, none, preemptions:K or delays:K is given.\n\n"
    "check --unit and merge take files of another user with --trust.  With MPI, heddle\n"
    "check --distributed does all three at once; merge adds up what it keeps in\n"
    "heddle-units, too.\n";

static int help(void)
{
    fputs(split_help, stdout);
    return HD_EXIT_OK;
}

static bool wants_help(int argc, char **argv)
{
    return argc > 1 && (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0);
}

int hd_cmd_split(int argc, char **argv)
{
    struct hd_check check;
    struct hd_err err = { "" };
    uint64_t n = DEFAULT_UNITS;
    if (wants_help(argc, argv))
        return help();
    const char *number = take_option(&argc, argv, "-n", &err);
    const char *directory = *err.text ? NULL : take_option(&argc, argv, "-o", &err);
    if (!*err.text && !directory)
        hd_err_set(&err, "where should the units go? Give -o DIR; see `heddle split --help`");
    if (!*err.text && number)
        hd_number_parse("-n", number, 1, HD_MAX_LEFT / 2, &n, &err);
    int status = *err.text ? -1 : 0;
    if (status != 0)
        return hd_input_fail(&err, HD_EXIT_INPUT);
    status = hd_check_init_for(&check, HD_CHECK_SPLIT, argc, argv, &err);
    check.units = directory;
    check.n_units = (uint32_t)n;
    return hd_check_run(&check, status, NULL, &err);
}

int hd_cmd_merge(int argc, char **argv)
{
    struct hd_check check;
    struct hd_err err = { "" };
    if (wants_help(argc, argv))
        return help();
    int status = hd_check_init_for(&check, HD_CHECK_MERGE, argc, argv, &err);
    return hd_check_run(&check, status, NULL, &err);
}
