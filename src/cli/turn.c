#include "cli/turn.h"

#include "base/str.h"
#include "report/name.h"
#include "supervise/trial.h"

#include <stdlib.h>
#include <string.h>

#define BAD                                                                                        \
    "--turn %s: give two steps, the one that is to come first and the other, as in 9,6 or T2+1,6 " \
    "(T2's first step after the end of the run)"

/* One step of a thread, counted as the worker counts (struct hd_order). */
struct place {
    uint32_t thread, step;
};

int hd_turns_add(struct hd_turns *turns, const char *text, struct hd_err *err)
{
    if (turns->n == HD_MAX_ORDERS)
        return hd_err_set(err, "--turn can be given %u times at most", HD_MAX_ORDERS);
    turns->texts[turns->n++] = text;
    return 0;
}

static uint32_t steps_of(const struct hd_run *run, uint32_t thread, uint32_t before)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < before; i++)
        n += run->log[i].thread == thread;
    return n;
}

static bool number(const char *text, uint32_t *n)
{
    char *end;
    if (*text < '1' || *text > '9')
        return false;
    unsigned long long value = strtoull(text, &end, 10);
    *n = (uint32_t)value;
    return *end == 0 && value <= HD_MAX_STEPS;
}

/* "9" or "T2+1"; changes the text. */
static int find(char *text, struct hd_run *run, const char *all, struct place *place,
                struct hd_err *err)
{
    uint32_t n;
    char *plus = strchr(text, '+');
    if (!plus && number(text, &n)) {
        if (n > run->n_log)
            return hd_err_set(err, "--turn %s: the run has %u steps", all, run->n_log);
        place->thread = run->log[n - 1].thread;
        place->step = steps_of(run, place->thread, n - 1);
        return 0;
    }
    if (!plus || !number(plus + 1, &n))
        return hd_err_set(err, BAD, all);
    *plus = 0;
    int thread = hd_name_find_thread(&run->threads, text, false);
    if (thread < 0)
        return hd_err_set(err, "--turn %s: there is no thread %s in the run", all, text);
    place->thread = (uint32_t)thread;
    place->step = steps_of(run, place->thread, run->n_log) + n - 1;
    return 0;
}

static int parse(const char *text, struct hd_run *run, struct hd_order *order, struct hd_err *err)
{
    char *copy = hd_str_format("%s", text), *comma = strchr(copy, ',');
    struct place first, then;
    int failed = comma ? 0 : hd_err_set(err, BAD, text);
    if (!failed) {
        *comma = 0;
        failed = find(copy, run, text, &first, err) != 0 ||
                 find(comma + 1, run, text, &then, err) != 0;
    }
    if (!failed && first.thread == then.thread)
        failed = hd_err_set(err,
                            "--turn %s: both are steps of one thread, which does them in its "
                            "order",
                            text);
    if (!failed)
        *order = (struct hd_order){ first.thread, first.step, then.thread, then.step };
    free(copy);
    return failed ? -1 : 0;
}

int hd_turns_run(const struct hd_turns *turns, const struct hd_job *job, struct hd_run *run,
                 struct hd_err *err)
{
    struct hd_script script = { .guide = HD_GUIDE_STAY,
                                .n_orders = turns->n,
                                .threads = &run->threads };
    struct hd_run turned;
    for (uint32_t i = 0; i < turns->n; i++)
        if (parse(turns->texts[i], run, &script.orders[i], err) != 0)
            return HD_EXIT_INPUT;
    struct hd_step *steps = hd_trial_schedule(run, &script.n);
    script.steps = steps;
    int status = hd_supervise_replay(job, &script, &turned, err);
    free(steps);
    if (status != HD_EXIT_OK)
        return status;
    hd_run_release(run);
    *run = turned;
    if (run->found || run->status != HD_REPLAY_HELD)
        return HD_EXIT_OK;
    hd_err_set(err,
               "--turn %s: no run near this one has that order: all that could move would have "
               "to wait for it",
               turns->texts[turns->n - 1]);
    return HD_EXIT_INPUT;
}
