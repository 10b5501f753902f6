#define _GNU_SOURCE
#include "cli/trials.h"

#include "base/fs.h"
#include "base/json.h"
#include "base/version.h"
#include "cli/dice.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

/* One number of the trials that found something. */
struct spread {
    double least, most, sum;
};

static void add(struct spread *s, double value, uint32_t before)
{
    s->least = before == 0 || value < s->least ? value : s->least;
    s->most = before == 0 || value > s->most ? value : s->most;
    s->sum += value;
}

struct trials {
    uint32_t n, found;
    struct spread states, seconds;
};

static void print(const struct trials *t, const struct hd_check *check)
{
    printf("%u trial%s, %u found a violation: error density %.2f\n", t->n, t->n == 1 ? "" : "s",
           t->found, t->n ? t->found / (double)t->n : 0.0);
    if (t->found)
        printf("  states:  %.0f at least, %.0f on average, %.0f at most\n"
               "  seconds: %.3f at least, %.3f on average, %.3f at most\n",
               t->states.least, t->states.sum / t->found, t->states.most, t->seconds.least,
               t->seconds.sum / t->found, t->seconds.most);
    if (!check->quiet)
        printf("  strategy: %s\n", check->strategy);
}

static void json_spread(struct hd_str *out, const char *name, const struct spread *s, uint32_t n)
{
    if (n)
        hd_str_appendf(out, ",\"%s\":{\"min\":%g,\"avg\":%g,\"max\":%g}", name, s->least,
                       s->sum / n, s->most);
}

static int write_json(const struct trials *t, const struct hd_check *check, struct hd_err *err)
{
    struct hd_str out;
    hd_str_init(&out);
    hd_str_appendf(&out, "{\"heddle\":\"%s\",\"program\":", HD_VERSION);
    hd_json_string(&out, check->name);
    hd_str_append(&out, ",\"strategy\":");
    hd_json_string(&out, check->strategy);
    hd_str_appendf(&out, ",\"trials\":%u,\"found\":%u,\"density\":%.4f", t->n, t->found,
                   t->n ? t->found / (double)t->n : 0.0);
    json_spread(&out, "states", &t->states, t->found);
    json_spread(&out, "seconds", &t->seconds, t->found);
    hd_str_append(&out, "}\n");
    int failed = 0;
    if (strcmp(check->json, "-") == 0)
        fputs(out.text, stdout);
    else
        failed = hd_fs_write(check->json, out.text, out.length, err);
    hd_str_release(&out);
    return failed;
}

/* What one trial has come to, in memory that all processes share. */
struct trial {
    bool done, found;
    int status; /* exit status of one that could not be made; err says why */
    double states, seconds;
    struct hd_err err;
};

static void try_one(const struct hd_check *check, const struct hd_job *job, uint32_t seed,
                    struct trial *trial)
{
    struct hd_job one = *job;
    struct hd_result result;
    one.options.seed = seed;
    trial->status = one.options.filters & HD_FILTER_DICE
                        ? hd_dice_explore(&one, &check->targets, &result, &trial->err)
                        : hd_supervise_explore(&one, &result, &trial->err);
    if (trial->status != HD_EXIT_OK)
        return;
    /* searches that keep no states: what they have met is events */
    const struct hd_counters *c = &result.counters;
    trial->found = hd_result_violations(&result) > 0;
    trial->states = (double)(c->states ? c->states : c->events);
    trial->seconds = result.seconds;
    trial->done = true;
    hd_result_release(&result);
}

/* The share of one of several processes. */
static void try_some(const struct hd_check *check, const struct hd_job *job, uint32_t who,
                     uint32_t of, struct trial *trials)
{
    for (uint32_t i = who; i < check->trials && !*job->watch.interrupted; i += of) {
        try_one(check, job, i + 1, &trials[i]);
        if (trials[i].status != HD_EXIT_OK)
            return;
    }
}

static int try_all(const struct hd_check *check, const struct hd_job *job, struct trial *trials,
                   struct hd_err *err)
{
    uint32_t of = check->trials_at_a_time, begun = 0;
    if (of <= 1) {
        try_some(check, job, 0, 1, trials);
        return HD_EXIT_OK;
    }
    fflush(NULL);
    for (; begun < of; begun++) {
        pid_t child = fork();
        if (child < 0)
            break;
        if (child == 0) {
            try_some(check, job, begun, of, trials);
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

static int sum_up(const struct hd_check *check, const struct trial *trials, struct trials *t,
                  struct hd_err *err)
{
    for (uint32_t i = 0; i < check->trials; i++) {
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

int hd_trials(const struct hd_check *check, const struct hd_job *job, struct hd_err *err)
{
    struct trials t = { 0 };
    size_t bytes = check->trials * sizeof(struct trial);
    struct trial *trials = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                                -1, 0);
    if (trials == MAP_FAILED) {
        hd_err_set(err, "no memory for %u trials", check->trials);
        return HD_EXIT_INPUT;
    }
    int status = try_all(check, job, trials, err);
    if (status == HD_EXIT_OK)
        status = sum_up(check, trials, &t, err);
    munmap(trials, bytes);
    if (status != HD_EXIT_OK)
        return status;
    if (check->json && write_json(&t, check, err) != 0)
        return HD_EXIT_INPUT;
    if (!check->json || strcmp(check->json, "-") != 0)
        print(&t, check);
    return t.found ? HD_EXIT_VIOLATION : HD_EXIT_OK;
}
