/* Rank 0 keeps the ledger, a directory as `heddle split` makes it: units, and results of
 * those that are explored.  Other ranks ask for a unit, explore it for a while, and send
 * back its result and the units that are left of it, which rank 0 writes before the result.
 * So whatever ends when, the ledger says what is covered, and the same command goes on with
 * it.  At the end rank 0 adds up as `heddle merge` does.
 * supervise/pool.h says which unit is explored next, and for how long. */
#define _GNU_SOURCE
#include "cli/distributed.h"

#include "base/fs.h"
#include "base/ranks.h"
#include "cli/parts.h"
#include "supervise/errand.h"
#include "supervise/part_merge.h"
#include "supervise/pool.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define MOST_FAILED 10 /* attempts at a unit, each with twice the time */
#define POLL_MS 200
#define SHOW_SECONDS 30.0 /* between lines of progress */

static const struct hd_ranks *load(struct hd_err *err)
{
    char *path = hd_str_format("%s/lib/heddle/heddle-mpi.so", hd_fs_root());
    void *library = dlopen(path, RTLD_NOW | RTLD_GLOBAL);
    const struct hd_ranks *ranks = library ? dlsym(library, HD_RANKS_SYMBOL) : NULL;
    if (!ranks)
        hd_err_set(err, "--distributed needs the plug-in for MPI (make MPI=1): %s",
                   hd_fs_exists(path) ? dlerror() : "it is not installed");
    else if (ranks->version != HD_RANKS_VERSION) {
        hd_err_set(err, "%s is of another version of heddle: make MPI=1", path);
        ranks = NULL;
    }
    free(path);
    return ranks;
}

static int send(const struct hd_ranks *ranks, int to, const struct hd_errand *errand,
                struct hd_err *err)
{
    struct hd_str bytes;
    hd_str_init(&bytes);
    hd_errand_write(errand, &bytes);
    int failed = ranks->send(to, bytes.text, bytes.length, err);
    hd_str_release(&bytes);
    return failed;
}

/* As ranks->receive(). */
static int receive(const struct hd_ranks *ranks, int *from, struct hd_errand *errand,
                   struct hd_err *err)
{
    void *bytes = NULL;
    size_t n = 0;
    int got = ranks->receive(POLL_MS, from, &bytes, &n, err);
    if (got != 1)
        return got;
    got = hd_errand_read(errand, bytes, n, err) == 0 ? 1 : -1;
    if (got < 0)
        hd_errand_release(errand);
    free(bytes);
    return got;
}

/* ---- a rank that explores ---- */

/* The files that an exploration of the unit has left; the result comes last. */
static int add_files(struct hd_errand *answer, const char *directory, const char *unit,
                     struct hd_err *err)
{
    struct dirent **names = NULL;
    int n = scandir(directory, &names, NULL, alphasort), failed = 0;
    for (int last = 0; last < 2; last++)
        for (int i = 0; i < n; i++) {
            const char *name = names[i]->d_name;
            bool result = hd_str_ends(name, ".result");
            if (!failed && strcmp(name, unit) != 0 && result == (last == 1) &&
                (result || hd_str_ends(name, ".unit")))
                failed = hd_errand_add(answer, directory, name, err);
        }
    for (int i = 0; i < n; i++) {
        char *path = hd_fs_join(directory, names[i]->d_name);
        unlink(path); /* of "." and ".." it fails */
        free(path);
        free(names[i]);
    }
    free(names);
    return failed;
}

static void explore(const struct hd_check *check, const struct hd_job *job, const char *directory,
                    const struct hd_errand *errand, struct hd_errand *answer)
{
    struct hd_check one = *check;
    struct hd_job part = *job;
    struct hd_result result;
    struct hd_err err;
    char *path = errand->n_files ? hd_fs_join(directory, errand->files[0].name) : hd_strdup("");
    double began = hd_watch_now();
    one.units = path;
    part.seconds = (double)errand->milliseconds / 1000;
    hd_errand_init(answer, HD_ERRAND_RESULT);
    int failed = hd_errand_save(errand, directory, &err);
    if (!failed)
        failed = hd_parts_unit(&one, &part, &result, &err) != HD_EXIT_OK;
    if (!failed) {
        answer->executions = result.counters.executions;
        answer->broke = result.stop == HD_STOP_VIOLATION;
        hd_result_release(&result);
    }
    failed = add_files(answer, directory, hd_fs_base(path), &err) || failed;
    if (failed) {
        answer->kind = HD_ERRAND_FAILED;
        hd_str_append(&answer->text, err.text);
    }
    answer->milliseconds = (uint64_t)((hd_watch_now() - began) * 1000);
    free(path);
}

static int work(const struct hd_ranks *ranks, const struct hd_check *check,
                const struct hd_job *job, struct hd_err *err)
{
    struct hd_errand ask, errand;
    char *directory = NULL;
    hd_errand_init(&ask, HD_ERRAND_ASK);
    int failed = hd_fs_temp_dir(&directory, err) || send(ranks, 0, &ask, err);
    while (!failed) {
        int from, got = receive(ranks, &from, &errand, err);
        failed = got < 0;
        if (got != 1)
            continue;
        bool stop = errand.kind == HD_ERRAND_STOP;
        if (!stop) {
            struct hd_errand answer;
            explore(check, job, directory, &errand, &answer);
            failed = send(ranks, 0, &answer, err);
            hd_errand_release(&answer);
        }
        hd_errand_release(&errand);
        if (stop)
            break;
    }
    if (directory)
        hd_fs_remove_tree(directory);
    free(directory);
    hd_errand_release(&ask);
    return failed;
}

/* ---- rank 0 ---- */

struct ledger {
    const struct hd_ranks *ranks;
    const struct hd_check *check;
    const struct hd_job *job;
    int n_ranks;
    struct hd_pool *waiting; /* names of units */
    struct rank {
        char *unit; /* being explored; NULL: nothing to do */
        bool asks;
        double seconds, patience; /* explored; of the unit, before it is cut */
        uint32_t n_failed;
    } *rank;
    int n_busy;
    bool broke;
    uint64_t executions, n_done;
    double began, shown;
};

static int is_unit(const struct dirent *d) { return hd_str_ends(d->d_name, ".unit"); }

static int find_units(struct ledger *l, struct hd_err *err)
{
    struct dirent **names = NULL;
    int n = scandir(l->check->units, &names, is_unit, alphasort);
    if (n < 0)
        return hd_err_set(err, "cannot read the directory %s: %s", l->check->units,
                          strerror(errno));
    for (int i = 0; i < n; i++) {
        char *path = hd_fs_join(l->check->units, names[i]->d_name);
        char *result = hd_str_format("%.*s.result", (int)(strlen(path) - strlen(".unit")), path);
        struct stat unit = { .st_size = 0 };
        if (!hd_fs_exists(result) && stat(path, &unit) == 0)
            hd_pool_add(l->waiting, hd_strdup(names[i]->d_name), (uint64_t)unit.st_size);
        free(result);
        free(path);
        free(names[i]);
    }
    free(names);
    return 0;
}

/* Seconds until a unit is cut: at most what is left of --time. */
static double patience(const struct ledger *l)
{
    double seconds = hd_pool_seconds(l->waiting, (uint32_t)l->n_ranks - 1);
    double left = l->check->seconds > 0 ? l->began + l->check->seconds - hd_watch_now() : seconds;
    return seconds < left ? seconds : left > 0.1 ? left : 0.1;
}

static bool ends(const struct ledger *l)
{
    bool late = l->check->seconds > 0 && hd_watch_now() - l->began >= l->check->seconds;
    return late || l->broke || (l->job->watch.interrupted && *l->job->watch.interrupted);
}

/* Give units to ranks that ask. */
static int hand_out(struct ledger *l, struct hd_err *err)
{
    int failed = 0;
    for (int r = 1; r < l->n_ranks && !failed; r++) {
        struct rank *rank = &l->rank[r];
        if (!rank->asks || (!rank->unit && (l->waiting->n == 0 || ends(l))))
            continue;
        struct hd_errand errand;
        if (!rank->unit) { /* otherwise again, with more time */
            rank->unit = hd_pool_take(l->waiting, (uint32_t)l->n_ranks - 1);
            rank->patience = patience(l);
            rank->n_failed = 0;
            l->n_busy++;
        }
        hd_errand_init(&errand, HD_ERRAND_UNIT);
        errand.milliseconds = (uint64_t)(rank->patience * 1000);
        failed = hd_errand_add(&errand, l->check->units, rank->unit, err) ||
                 send(l->ranks, r, &errand, err);
        hd_errand_release(&errand);
        rank->asks = false;
    }
    return failed;
}

static void done(struct ledger *l, struct rank *rank)
{
    free(rank->unit);
    rank->unit = NULL;
    l->n_busy--;
}

static int take_answer(struct ledger *l, int from, const struct hd_errand *answer,
                       struct hd_err *err)
{
    struct rank *rank = &l->rank[from];
    rank->asks = true;
    if (!rank->unit)
        return 0;
    rank->seconds += (double)answer->milliseconds / 1000;
    if (answer->kind == HD_ERRAND_FAILED) {
        if (++rank->n_failed > MOST_FAILED)
            return hd_err_set(err, "rank %d, unit %s: %s", from, rank->unit, answer->text.text);
        rank->patience *= 2;
        if (ends(l))
            done(l, rank);
        return 0;
    }
    if (hd_errand_save(answer, l->check->units, err) != 0)
        return -1;
    for (uint32_t i = 0; i < answer->n_files; i++)
        if (hd_str_ends(answer->files[i].name, ".unit"))
            hd_pool_add(l->waiting, hd_strdup(answer->files[i].name),
                        answer->files[i].bytes.length);
    l->executions += answer->executions;
    l->n_done++;
    l->broke = l->broke || answer->broke;
    done(l, rank);
    return 0;
}

static void show(struct ledger *l)
{
    if (l->check->quiet || hd_watch_now() - l->shown < SHOW_SECONDS)
        return;
    l->shown = hd_watch_now();
    fprintf(stderr,
            "%llu executions, %llu units explored, %llu wait, %d of %d ranks busy, %.0f s\n",
            (unsigned long long)l->executions, (unsigned long long)l->n_done,
            (unsigned long long)l->waiting->n, l->n_busy, l->n_ranks - 1, l->shown - l->began);
}

static int lead(struct ledger *l, struct hd_err *err)
{
    int failed = find_units(l, err);
    l->shown = l->began;
    while (!failed && (l->n_busy || (l->waiting->n && !ends(l)))) {
        struct hd_errand answer;
        int from = 0, got = receive(l->ranks, &from, &answer, err);
        failed = got < 0;
        if (got == 1) {
            failed = take_answer(l, from, &answer, err);
            hd_errand_release(&answer);
        }
        failed = failed || hand_out(l, err);
        show(l);
    }
    return failed;
}

static void stop_all(const struct ledger *l)
{
    struct hd_errand stop;
    struct hd_err ignored;
    hd_errand_init(&stop, HD_ERRAND_STOP);
    for (int r = 1; r < l->n_ranks; r++)
        send(l->ranks, r, &stop, &ignored);
    hd_errand_release(&stop);
}

static void print_ranks(const struct ledger *l)
{
    double seconds = hd_watch_now() - l->began;
    if (l->check->quiet || (l->check->json && strcmp(l->check->json, "-") == 0))
        return;
    printf("ranks:");
    for (int r = 1; r < l->n_ranks; r++)
        printf("%s %d busy %.0f %%", r > 1 ? "," : "", r, 100 * l->rank[r].seconds / seconds);
    printf("\n");
}

static int explore_all(struct ledger *l, struct hd_result *result, struct hd_err *err)
{
    char *manifest = hd_fs_join(l->check->units, HD_MANIFEST);
    struct hd_check split = *l->check;
    int status = HD_EXIT_OK;
    bool over = false;
    split.n_units = hd_pool_first_units((uint32_t)l->n_ranks - 1);
    if (!hd_fs_exists(manifest)) {
        status = hd_parts_split(&split, l->job, result, err);
        over = status == HD_EXIT_OK && result->stop == HD_STOP_VIOLATION;
        if (status == HD_EXIT_OK && !over)
            hd_result_release(result);
    }
    free(manifest);
    if (status == HD_EXIT_OK && !over && lead(l, err) != 0)
        status = HD_EXIT_INPUT;
    stop_all(l);
    if (status != HD_EXIT_OK || over)
        return status;
    print_ranks(l);
    return hd_parts_merge(l->check, l->job, result, err);
}

static int coordinate(struct ledger *l, struct hd_result *result, struct hd_err *err)
{
    l->rank = hd_alloc((size_t)l->n_ranks * sizeof *l->rank);
    l->began = hd_watch_now();
    l->waiting = hd_alloc(sizeof *l->waiting);
    int status = explore_all(l, result, err);
    for (int r = 0; r < l->n_ranks; r++)
        free(l->rank[r].unit);
    free(l->rank);
    for (char *name; (name = hd_pool_take(l->waiting, 1)) != NULL;)
        free(name);
    hd_pool_release(l->waiting);
    free(l->waiting);
    return status;
}

int hd_distributed_explore(const struct hd_check *check, const struct hd_job *job,
                           struct hd_result *result, struct hd_err *err)
{
    struct ledger l = { .ranks = load(err), .check = check, .job = job };
    int rank = 0;
    if (!l.ranks || l.ranks->begin(&rank, &l.n_ranks, err) != 0)
        return HD_EXIT_INPUT;
    if (l.n_ranks < 2) {
        l.ranks->end();
        hd_err_set(err, "--distributed needs two ranks or more: mpirun -n 4 heddle check "
                        "--distributed …; on one machine use -j");
        return HD_EXIT_INPUT;
    }
    if (rank > 0) {
        if (work(l.ranks, check, job, err) != 0) {
            fprintf(stderr, "heddle: rank %d: %s\n", rank, err->text);
            l.ranks->abort();
        }
        l.ranks->end();
        exit(HD_EXIT_OK);
    }
    int status = coordinate(&l, result, err);
    l.ranks->end();
    return status;
}
