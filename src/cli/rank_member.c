#define _GNU_SOURCE
#include "cli/rank_member.h"

#include "base/fs.h"
#include "cli/parts.h"
#include "supervise/errand.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define POLL_MS 200

/* While a unit is explored, the leader may say that it is enough. */
struct ear {
    const struct hd_ranks *ranks;
    const struct hd_watch *watch; /* of the check */
    volatile sig_atomic_t stop;
    bool over, left; /* the leader said so; it was told that we are interrupted */
    int failed;
    struct hd_err err;
};

static int signal_of(const struct ear *ear)
{
    return ear->watch->interrupted ? (int)*ear->watch->interrupted : 0;
}

static void listen(void *context, const struct hd_progress *progress)
{
    struct ear *ear = context;
    struct hd_errand errand;
    int from;
    (void)progress;
    if (signal_of(ear))
        ear->stop = signal_of(ear);
    if (ear->stop)
        return;
    int got = hd_errand_receive(ear->ranks, 0, &from, &errand, &ear->err);
    ear->failed = got < 0;
    if (got == 1) { /* nothing else is sent to a member that explores */
        ear->stop = ear->over = true;
        hd_errand_release(&errand);
    }
}

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

static void explore(struct ear *ear, const struct hd_check *check, const struct hd_job *job,
                    const char *directory, const struct hd_errand *errand,
                    struct hd_errand *answer)
{
    struct hd_check one = *check;
    struct hd_job part = *job;
    struct hd_result result;
    struct hd_err err;
    char *path = errand->n_files ? hd_fs_join(directory, errand->files[0].name) : hd_strdup("");
    double began = hd_watch_now();
    one.units = path;
    part.seconds = (double)errand->milliseconds / 1000;
    part.watch.progress = listen;
    part.watch.context = ear;
    part.watch.interrupted = &ear->stop;
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

static int send_kind(const struct ear *ear, int leader, enum hd_errand_kind kind,
                     struct hd_err *err)
{
    struct hd_errand errand;
    hd_errand_init(&errand, kind);
    errand.signal = (uint32_t)signal_of(ear);
    int failed = hd_errand_send(ear->ranks, leader, &errand, err);
    hd_errand_release(&errand);
    return failed;
}

/* A unit, or the end.  A member that is interrupted hands back what it gets, so that the leader
 * does not wait for it. */
static int serve(struct ear *ear, int leader, const struct hd_check *check,
                 const struct hd_job *job, const char *directory, const struct hd_errand *errand,
                 struct hd_err *err)
{
    struct hd_errand answer;
    if (errand->kind != HD_ERRAND_UNIT) {
        ear->over = true;
        return 0;
    }
    if (ear->left)
        return send_kind(ear, leader, HD_ERRAND_RESULT, err);
    explore(ear, check, job, directory, errand, &answer);
    int failed = hd_errand_send(ear->ranks, leader, &answer, err);
    hd_errand_release(&answer);
    if (ear->failed) {
        *err = ear->err;
        failed = -1;
    }
    return failed;
}

int hd_rank_member(const struct hd_ranks *ranks, int leader, const struct hd_check *check,
                   const struct hd_job *job, struct hd_err *err)
{
    struct ear ear = { .ranks = ranks, .watch = &job->watch };
    struct hd_errand errand;
    char *directory = NULL;
    int failed = hd_fs_temp_dir(&directory, err) || send_kind(&ear, leader, HD_ERRAND_ASK, err);
    while (!failed && !ear.over) {
        if (signal_of(&ear) && !ear.left) {
            ear.left = true;
            failed = send_kind(&ear, leader, HD_ERRAND_LEAVE, err);
        }
        int from, got = failed ? -1 : hd_errand_receive(ranks, POLL_MS, &from, &errand, err);
        failed = got < 0;
        if (got != 1)
            continue;
        failed = serve(&ear, leader, check, job, directory, &errand, err);
        hd_errand_release(&errand);
    }
    if (directory)
        hd_fs_remove_tree(directory);
    free(directory);
    return failed;
}
