#define _GNU_SOURCE
#include "strategy/trials.h"

#include "strategy/dice.h"

#include <errno.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

static void add(struct hd_spread *s, double value, uint32_t before)
{
    s->least = before == 0 || value < s->least ? value : s->least;
    s->most = before == 0 || value > s->most ? value : s->most;
    s->sum += value;
}

/* The result of one trial, in memory that all processes share. */
struct trial {
    bool done, found;
    int status; /* exit status of a trial that failed; err says why */
    double states, seconds;
    struct hd_err err;
};

static void try_one(const struct hd_trials_request *request, const struct hd_job *job,
                    uint32_t seed, struct trial *trial)
{
    struct hd_job one = *job;
    struct hd_result result;
    one.options.seed = seed;
    trial->status = one.options.filters & HD_FILTER_DICE
                        ? hd_dice_explore(&one, request->targets, &result, &trial->err)
                        : hd_supervise_explore(&one, &result, &trial->err);
    if (trial->status != HD_EXIT_OK)
        return;
    /* searches without states: count events */
    const struct hd_counters *c = &result.counters;
    trial->found = hd_result_violations(&result) > 0;
    trial->states = (double)(c->states ? c->states : c->events);
    trial->seconds = result.seconds;
    trial->done = true;
    hd_result_release(&result);
}

/* The share of one of several processes. */
static void try_some(const struct hd_trials_request *request, const struct hd_job *job,
                     uint32_t who, uint32_t of, struct trial *trials)
{
    for (uint32_t i = who; i < request->n && !*job->watch.interrupted; i += of) {
        try_one(request, job, i + 1, &trials[i]);
        if (trials[i].status != HD_EXIT_OK)
            return;
    }
}

static int try_all(const struct hd_trials_request *request, const struct hd_job *job,
                   struct trial *trials, struct hd_err *err)
{
    uint32_t of = request->at_a_time, begun = 0;
    if (of <= 1) {
        try_some(request, job, 0, 1, trials);
        return HD_EXIT_OK;
    }
    fflush(NULL);
    for (; begun < of; begun++) {
        pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            try_some(request, job, begun, of, trials);
            _exit(0);
        }
    }
    bool whole = true;
    for (int status;;) {
        pid_t child = wait(&status);
        if (child < 0 && errno != EINTR)
            break;
        whole = whole && (child < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 0));
    }
    if (begun == of && whole)
        return HD_EXIT_OK;
    if (begun == of) {
        hd_err_set(err, "internal error: a process that made trials did not come to its end");
        return HD_EXIT_INTERNAL;
    }
    hd_err_set(err, "cannot start %u processes: try fewer with -j", of);
    return HD_EXIT_INPUT;
}

static int sum_up(const struct hd_trials_request *request, const struct trial *trials,
                  struct hd_trials *t, struct hd_err *err)
{
    for (uint32_t i = 0; i < request->n; i++) {
        if (trials[i].status != HD_EXIT_OK) {
            *err = trials[i].err;
            return trials[i].status;
        }
        if (trials[i].found) {
            add(&t->states, trials[i].states, t->found);
            add(&t->seconds, trials[i].seconds, t->found);
            t->found++;
        }
        t->n += trials[i].done;
    }
    return HD_EXIT_OK;
}

int hd_trials_run(const struct hd_trials_request *request, const struct hd_job *job,
                  struct hd_trials *sum, struct hd_err *err)
{
    *sum = (struct hd_trials){ 0 };
    size_t bytes = request->n * sizeof(struct trial);
    struct trial *trials = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                                -1, 0);
    if (trials == MAP_FAILED) {
        hd_err_set(err, "no memory for %u trials", request->n);
        return HD_EXIT_INPUT;
    }
    int status = try_all(request, job, trials, err);
    if (status == HD_EXIT_OK)
        status = sum_up(request, trials, sum, err);
    munmap(trials, bytes);
    return status;
}
