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
    int failed;
    struct hd_err err;
};

static void listen(void *context, const struct hd_progress *progress)
{
    struct ear *ear = context;
    struct hd_errand errand;
    int from;
    (void)progress;
    if (ear->watch->interrupted && *ear->watch->interrupted)
        ear->stop = *ear->watch->interrupted;
    if (ear->stop)
        return;
    int got = hd_errand_receive(ear->ranks, 0, &from, &errand, &ear->err);
    ear->failed = got < 0;
    if (got == 1) { /* nothing else is sent to a member that explores */
        ear->stop = 1;
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

int hd_rank_member(const struct hd_ranks *ranks, int leader, const struct hd_check *check,
                   const struct hd_job *job, struct hd_err *err)
{
    struct ear ear = { .ranks = ranks, .watch = &job->watch };
    struct hd_errand ask, errand;
    char *directory = NULL;
    hd_errand_init(&ask, HD_ERRAND_ASK);
    int failed = hd_fs_temp_dir(&directory, err) || hd_errand_send(ranks, leader, &ask, err);
    while (!failed && !ear.stop) {
        int from, got = hd_errand_receive(ranks, POLL_MS, &from, &errand, err);
        failed = got < 0;
        if (got != 1)
            continue;
        if (errand.kind == HD_ERRAND_UNIT) {
            struct hd_errand answer;
            explore(&ear, check, job, directory, &errand, &answer);
            failed = hd_errand_send(ranks, leader, &answer, err);
            hd_errand_release(&answer);
            if (ear.failed) {
                *err = ear.err;
                failed = -1;
            }
        } else {
            ear.stop = 1;
        }
        hd_errand_release(&errand);
    }
    if (directory)
        hd_fs_remove_tree(directory);
    free(directory);
    hd_errand_release(&ask);
    return failed;
}
