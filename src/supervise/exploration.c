/* The exploration, over as many workers as it takes.
 *
 * Invariants (exploration_check.h; S4: confirm.c):
 *  S1  a worker starts with died_valid == 0 and a takeover that says how the memory was left
 *  S2  after a death the next worker records it: nothing is counted twice or lost.  Without
 *      keep_going there is no next worker, and one that is killed at the time limit may not
 *      have come so far: then the supervisor counts that execution itself
 *  S3  every takeover brings the exploration forward; one that does not is a bug of heddle
 *  S4  a violation is reported only after it has been replayed in a worker of its own */
#include "supervise/exploration.h"
#include "base/shown.h"
#include "core/work.h"
#include "supervise/checkpoint.h"
#include "supervise/exploration_check.h"
#include "supervise/exploration_part.h"
#include "supervise/exploration_results.h"
#include "supervise/exploration_tell.h"
#include "supervise/parts.h"
#include "supervise/suspects.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_KILLED 3

static int not_without_fixed_addresses(struct hd_err *err)
{
    hd_err_set(
        err,
        "cannot go on after the end of a worker, nor work with several or keep a checkpoint: "
        "the kernel refuses to switch off address randomisation (in a container: allow `personality`, e.g. "
        "docker run --security-opt seccomp=unconfined)");
    return HD_EXIT_INPUT;
}

/* Prepare the memory for a worker that takes over.  Returns 0, or the exit status. */
static int take_over(struct hd_worker *worker, enum hd_outcome outcome, uint64_t *before,
                     struct hd_err *err)
{
    struct hd_worker_memory *shared = worker->shared;
    if (worker->randomised)
        return not_without_fixed_addresses(err);
    if (outcome == HD_OUTCOME_MORE_PARKED) {
        if (shared->options.n_parked >= HD_MAX_THREADS) {
            hd_err_set(
                err,
                "the program has more than %u threads at a time, the most that heddle can run: test it with fewer",
                HD_MAX_THREADS);
            return HD_EXIT_INPUT;
        }
        shared->options.n_parked = HD_MORE_PARKED(shared->options.n_parked);
        hd_worker_seal(worker);
        shared->takeover = HD_TAKEOVER_AGAIN;
    } else {
        if (shared->ctl.deaths == *before) {
            hd_err_set(err, "the exploration does not go on after %s",
                       hd_kind_text(shared->died.kind));
            return HD_EXIT_INTERNAL;
        }
        *before = shared->ctl.deaths;
        shared->takeover = HD_TAKEOVER_RECORD;
    }
    shared->died_valid = 0;
    shared->ctl.state = HD_STATE_STARTING;
    return 0;
}

static struct hd_checkpoint what_to_keep(const struct hd_exploration *x)
{
    return (struct hd_checkpoint){ .program = x->job->program,
                                   .args = x->job->args,
                                   .options = &x->job->options,
                                   .seconds = x->seconds_before + hd_watch_now() - x->began,
                                   .trust = x->job->trust };
}

/* Have all workers been stopped between two executions, with more to come?  One of several
 * workers may have begun an execution when enough were made: that one would be lost. */
static bool between(const struct hd_exploration *x)
{
    const struct hd_crew *crew = &x->crew;
    uint64_t most = x->job->options.max_executions;
    for (uint32_t i = 0; i < crew->n; i++) {
        const struct hd_worker_memory *shared = crew->members[i].worker.shared;
        if (shared->ctl.state != HD_STATE_DONE || shared->cnt.finished)
            return false;
    }
    return !crew->tree || most == 0 || crew->tree->counted < most;
}

/* Have the workers been asked to stop for a checkpoint? */
static bool pausing(const struct hd_exploration *x)
{
    return x->watch.pause_at > 0 && hd_watch_now() >= x->watch.pause_at;
}

/* Save a checkpoint.  A full disk must not end the exploration. */
static int keep(struct hd_exploration *x, struct hd_err *err)
{
    struct hd_checkpoint what = what_to_keep(x);
    int packed = hd_crew_pack(&x->crew, x->job->program, x->job->args, err);
    if (packed < 0)
        return HD_EXIT_INTERNAL;
    if (packed == HD_PACK_FULL)
        hd_err_set(&x->result->save_error, "cannot write the checkpoint %s: not enough memory",
                   x->job->checkpoint);
    bool over = hd_crew_counters(&x->crew)
                    .finished; /* the last part of the tree was explored meanwhile */
    x->result->saved = !packed && !over &&
                       hd_checkpoint_save(&what, &x->crew, x->job->checkpoint,
                                          &x->result->save_error) == 0;
    hd_crew_forget_units(&x->crew);
    return HD_EXIT_OK;
}

/* From now on x->anew is the job, which may be changed. */
static void change_job(struct hd_exploration *x)
{
    if (x->anew)
        return;
    x->anew = hd_alloc(sizeof *x->anew);
    *x->anew = *x->job;
    x->job = x->anew;
}

/* Let the addresses of these classes be reused from now on.  The foresight is dropped: it was
 * computed for a program whose allocations are no steps. */
static void turn_on(struct hd_exploration *x, uint64_t classes)
{
    change_job(x);
    x->anew->options.reuse.classes |= classes;
    x->anew->foresight = NULL;
    x->result->options.reuse = x->anew->options.reuse;
}

/* Go on from the checkpoint that this exploration was resumed from, or has written since. */
static int go_on_from_file(struct hd_exploration *x, struct hd_err *err)
{
    struct hd_checkpoint what = what_to_keep(x);
    const char *path = x->result->saved ? x->job->checkpoint : x->job->resume;
    if (!path)
        return HD_EXIT_OK;
    if (hd_checkpoint_load(&what, &x->crew, path, err) != 0)
        return HD_EXIT_INPUT;
    uint64_t classes = x->crew.members[0].worker.shared->options.reuse.classes;
    if (classes != x->job->options.reuse.classes) {
        turn_on(x, classes);
        for (uint32_t i = 0; i < x->crew.n; i++)
            memset(&x->crew.members[i].worker.shared->foresight, 0,
                   offsetof(struct hd_foresight, bit));
    }
    x->seconds_before = what.seconds;
    x->began = hd_watch_now();
    return HD_EXIT_OK;
}

static int start_worker(struct hd_exploration *x, uint32_t who, struct hd_err *err)
{
    x->result->n_starts++;
    hd_exploration_check_start(x->crew.members[who].worker.shared);
    if (hd_crew_start(&x->crew, who, x->job->program, x->job->args, err) != 0)
        return HD_EXIT_INPUT;
    if ((x->crew.n > 1 || x->job->checkpoint) && x->crew.members[who].worker.randomised)
        return not_without_fixed_addresses(err);
    return HD_EXIT_OK;
}

static int start_workers(struct hd_exploration *x, struct hd_err *err)
{
    int status = HD_EXIT_OK;
    x->result->n_workers = x->crew.n;
    x->watch.pause_at = x->job->checkpoint ? hd_watch_now() + x->job->checkpoint_seconds : 0;
    for (uint32_t i = 0; i < x->crew.n && status == HD_EXIT_OK; i++)
        status = start_worker(x, i, err);
    return status;
}

/* The first worker again, which knows now that it needs more threads, and those that wait for
 * it. */
static int start_with_more(struct hd_exploration *x, struct hd_err *err)
{
    bool ran[HD_MAX_JOBS] = { true };
    for (uint32_t i = 1; i < x->crew.n; i++)
        ran[i] = x->crew.members[i].running;
    hd_crew_wait_anew(&x->crew);
    int status = HD_EXIT_OK;
    for (uint32_t i = 0; i < x->crew.n && status == HD_EXIT_OK; i++)
        if (ran[i] && !x->crew.members[i].running)
            status = start_worker(x, i, err);
    return status;
}

static int start_all(struct hd_exploration *x, struct hd_err *err)
{
    struct hd_options options = x->job->options;
    options.mode = HD_MODE_EXPLORE;
    options.n_parked = *hd_program_parked(x->job->program);
    if (hd_crew_init(&x->crew, &options, x->job->route, err) != 0)
        return HD_EXIT_INPUT;
    hd_exploration_tell(x);
    if (x->job->part && hd_exploration_lay_unit(x, err) != 0)
        return HD_EXIT_INPUT;
    for (uint32_t i = 0; i < x->crew.n; i++)
        hd_worker_foresee(&x->crew.members[i].worker, x->job->foresight);
    x->crew.host = options.plugin.used ? &x->host : NULL;
    if (options.plugin.used &&
        hd_plugin_host_start(&x->host, x->crew.members[0].worker.shared, x->job->program,
                             x->job->foresight, x->job->watch.hang_seconds, err) != 0)
        return HD_EXIT_INPUT;
    int status = x->n_grown ? HD_EXIT_OK : go_on_from_file(x, err);
    return status == HD_EXIT_OK ? start_workers(x, err) : status;
}

/* One worker of several was killed from outside, so the shared memory cannot be trusted.
 * Nothing has been reported yet: all begin again, or go on from the last checkpoint. */
static int begin_anew(struct hd_exploration *x, struct hd_err *err)
{
    if (x->crew.n == 1 || x->n_killed++ == MOST_KILLED) {
        size_t used = strlen(err->text); /* err has the message */
        if (x->result->saved)
            snprintf(err->text + used, sizeof err->text - used,
                     " (the same command with --resume %s goes on from the last checkpoint)",
                     x->job->checkpoint);
        return HD_EXIT_INPUT;
    }
    hd_crew_release(&x->crew);
    return start_all(x, err);
}

/* The job has changed: all begin again, without the checkpoint of the earlier search. */
static int begin_without_checkpoint(struct hd_exploration *x, struct hd_err *err)
{
    x->anew->resume = NULL;
    x->result->saved = false;
    hd_crew_release(&x->crew);
    return start_all(x, err);
}

/* A worker has seen the program compare a pointer to a freed block: earlier executions should
 * have had a choice of addresses at their allocations. */
static int begin_with_reuse(struct hd_exploration *x, uint64_t classes, struct hd_err *err)
{
    if (x->job->part && x->job->part->unit)
        return hd_exploration_cannot_change("the program compares addresses of freed memory",
                                            "split it again with --reuse all", err);
    turn_on(x, classes);
    return begin_without_checkpoint(x, err);
}

/* Several workers cannot find out what one can: the result is to be that of one. */
static int begin_alone(struct hd_exploration *x, const char *why, struct hd_err *err)
{
    if (x->job->part)
        return hd_exploration_cannot_change(why, "explore it with heddle check, not in units",
                                            err);
    change_job(x);
    x->anew->options.jobs = x->anew->options.no_estimate = 1;
    if (x->crew.n > 1) {
        hd_err_set(&x->result->alone, "%.300s", why);
        hd_shown_array(x->result->alone.text, sizeof x->result->alone.text);
    }
    return begin_without_checkpoint(x, err);
}

/* A search over states has met an operation that orders less than it seems to
 * (counters.orders_less).  Lock sets of all accesses can show that all accesses are ordered
 * nevertheless; most programs do not need their cost.  Such an operation is met early or not at
 * all. */
static int begin_with_lock_sets(struct hd_exploration *x, struct hd_err *err)
{
    change_job(x);
    x->anew->options.lock_sets = 1;
    if (x->crew.n > 1)
        return begin_alone(
            x,
            "something orders less than it seems to (a failed attempt to lock, a "
            "signal, a weak atomic), and only one worker can tell what locks order",
            err);
    return begin_without_checkpoint(x, err);
}

/* Several workers have met a step that may close a cycle of states.  Whether one does can be
 * told from all steps, which were not noted. */
static int begin_with_steps(struct hd_exploration *x, struct hd_err *err)
{
    change_job(x);
    x->anew->options.note_steps = 1;
    return begin_without_checkpoint(x, err);
}

/* An invariant has read bytes outside the read set: steps that write them were taken for
 * independent.  All begin again with the larger set, without a checkpoint. */
static int begin_larger(struct hd_exploration *x, const struct hd_worker_memory *shared,
                        struct hd_err *err)
{
    if (x->job->part)
        return hd_exploration_cannot_change(x->job->options.finer
                                                ? "critical sections have something in common"
                                                : "an invariant reads memory",
                                            "check the program without `heddle split`", err);
    hd_exploration_learn(x, shared);
    x->result->saved = false;
    x->seconds_before = 0;
    hd_crew_release(&x->crew);
    return start_all(x, err);
}

/* The reason for stopping when nothing was found; `cut`: the workers were made to stop. */
static enum hd_stop why_stopped(const struct hd_exploration *x, bool cut)
{
    if (x->result->counters.finished)
        return HD_STOP_FINISHED;
    const struct hd_member *first = &x->crew.members[0];
    const struct hd_options *o = &first->worker.shared->options;
    const struct hd_counters *c = &x->result->counters;
    if (c->plugin_stopped)
        return HD_STOP_PLUGIN;
    if (!cut) {
        bool worked = hd_work_used_up(o, c);
        bool enough = o->max_executions && c->executions >= o->max_executions;
        return (worked || first->vigil.used_up) && !enough ? HD_STOP_WORK : HD_STOP_EXECUTIONS;
    }
    return x->watch.interrupted && *x->watch.interrupted ? HD_STOP_INTERRUPTED : HD_STOP_TIME;
}

/* How the workers have ended. */
struct ends {
    uint64_t before[HD_MAX_JOBS]; /* deaths recorded when one last died (exploration_check.h) */
    uint32_t depth[HD_MAX_JOBS];  /* and the steps of the execution in which it did */
    struct hd_unrecorded unrecorded;
    bool cut, stopped, damaged, gave_up;
};

static void leave_unrecorded(struct ends *ends, const struct hd_worker_memory *died,
                             uint32_t depth)
{
    if (!ends->unrecorded.died)
        ends->unrecorded = (struct hd_unrecorded){ died, depth };
}

/* A worker is done, or was made to stop: stop the others, too. */
static void one_is_done(struct hd_exploration *x, const struct hd_worker_memory *shared,
                        struct ends *ends)
{
    ends->stopped = ends->stopped || shared->ctl.state == HD_STATE_STOPPED;
    if (shared->cnt.finished)
        hd_crew_kill(&x->crew); /* the others have nothing left to do */
    else if (ends->cut || ends->stopped || !pausing(x))
        hd_crew_stop(&x->crew);
}

/* A worker cannot go on.  What has been found before is reported. */
static int give_up(struct hd_exploration *x, const struct hd_worker_memory *shared,
                   struct ends *ends, const struct hd_err *err)
{
    if (shared->ctl.state != HD_STATE_ERROR || !hd_exploration_has_violation(x))
        return HD_EXIT_INPUT;
    ends->gave_up = true;
    x->result->gave_up = *err;
    hd_shown_array(x->result->gave_up.text, sizeof x->result->gave_up.text);
    hd_crew_kill(&x->crew);
    return HD_EXIT_OK;
}

/* No death is to be recorded by the workers that begin. */
static void expect_any(struct ends *ends) { memset(ends->before, 0xff, sizeof ends->before); }

/* What a worker found out changes the exploration: all begin again.  One worker is not needed
 * if another has found a violation, or the time is over. */
static int begin_again(struct hd_exploration *x, enum hd_outcome outcome,
                       const struct hd_worker_memory *shared, struct ends *ends,
                       struct hd_err *err)
{
    expect_any(ends);
    if (outcome == HD_OUTCOME_GREW)
        return begin_larger(x, shared, err);
    if (outcome == HD_OUTCOME_WEAK)
        return begin_with_lock_sets(x, err);
    if (outcome == HD_OUTCOME_REUSE)
        return begin_with_reuse(x, shared->ctl.reuse, err);
    if (ends->stopped || ends->cut)
        return HD_EXIT_OK;
    return outcome == HD_OUTCOME_STEPS ? begin_with_steps(x, err)
                                       : begin_alone(x, shared->ctl.error, err);
}

static int was_killed(struct hd_exploration *x, struct ends *ends, struct hd_err *err)
{
    if (ends->stopped || ends->cut)
        return HD_EXIT_OK; /* there is a result without it */
    expect_any(ends);
    return begin_anew(x, err);
}

/* Watch the workers until the last has ended. */
static int watch_all(struct hd_exploration *x, struct ends *ends, struct hd_err *err)
{
    const struct hd_job *job = x->job;
    struct hd_crew *crew = &x->crew;
    while (crew->n_running) {
        uint32_t who;
        enum hd_outcome outcome = hd_crew_watch(crew, &x->watch, job->program, &who, err);
        struct hd_worker *worker = &crew->members[who].worker;
        int failed = HD_EXIT_OK;
        switch (outcome) {
        case HD_OUTCOME_INPUT:
            failed = give_up(x, worker->shared, ends, err);
            break;
        case HD_OUTCOME_DIVERGED:
            return HD_UNREPEATED;
        case HD_OUTCOME_BUG:
            return HD_EXIT_INTERNAL;
        case HD_OUTCOME_KILLED:
            failed = was_killed(x, ends, err);
            break;
        case HD_OUTCOME_GREW:
        case HD_OUTCOME_WEAK:
        case HD_OUTCOME_REUSE:
        case HD_OUTCOME_STEPS:
        case HD_OUTCOME_ALONE:
            failed = begin_again(x, outcome, worker->shared, ends, err);
            break;
        case HD_OUTCOME_DAMAGED:
            ends->damaged = true;
            hd_exploration_take_damage(x, worker->shared, err);
            return HD_EXIT_OK;
        case HD_OUTCOME_DIED:
            if (!job->options.keep_going) {
                leave_unrecorded(ends, worker->shared, worker->shared->depth);
                hd_crew_stop(crew);
                break;
            }
            ends->depth[who] = worker->shared->depth;
            /* fall through */
        case HD_OUTCOME_MORE_PARKED:
            failed = take_over(worker, outcome, &ends->before[who], err);
            if (failed == HD_EXIT_OK)
                failed = outcome == HD_OUTCOME_MORE_PARKED && who == 0
                             ? start_with_more(x, err)
                             : start_worker(x, who, err);
            break;
        case HD_OUTCOME_CUT: /* perhaps killed before it had recorded */
            ends->cut = true;
            if (!hd_exploration_recorded(worker->shared, ends->before[who]))
                leave_unrecorded(ends, worker->shared, ends->depth[who]);
            one_is_done(x, worker->shared, ends);
            break;
        case HD_OUTCOME_OVER:
            hd_exploration_check_recorded(worker->shared, ends->before[who]);
            one_is_done(x, worker->shared, ends);
            break;
        }
        if (failed)
            return failed;
    }
    return HD_EXIT_OK;
}

/* Watch the workers, and start them again after pauses for checkpoints. */
static int watch_parts(struct hd_exploration *x, struct ends *ends, struct hd_err *err)
{
    for (;;) {
        int status = watch_all(x, ends, err);
        bool keeps = x->job->checkpoint && !ends->unrecorded.died && !ends->damaged &&
                     !ends->gave_up && between(x);
        if (status != HD_EXIT_OK || !keeps)
            return status;
        bool paused = pausing(x) && !ends->cut;
        status = keep(x, err);
        if (!paused || status != HD_EXIT_OK)
            return status;
        hd_crew_go_on(&x->crew);
        status = start_workers(x, err);
        if (status != HD_EXIT_OK)
            return status;
    }
}

static int run_crew(struct hd_exploration *x, struct hd_err *err)
{
    struct ends ends = { .unrecorded = { NULL, 0 } };
    expect_any(&ends);
    int status = watch_parts(x, &ends, err);
    if (status != HD_EXIT_OK)
        return status;
    const struct hd_worker_memory *damaged = ends.damaged
                                                 ? NULL
                                                 : hd_crew_damage(&x->crew, x->job->program, err);
    if (damaged)
        hd_exploration_take_damage(x, damaged, err);
    if (damaged || ends.damaged) {
        x->result->stop = HD_STOP_DAMAGED;
        return HD_EXIT_OK;
    }
    bool broke = ends.unrecorded.died && !x->job->options.keep_going;
    if (x->job->part && !ends.gave_up) {
        status = hd_exploration_part_over(x, broke || ends.stopped, &ends.unrecorded, err);
        if (status != HD_EXIT_OK)
            return status;
    }
    hd_exploration_take_results(x, &ends.unrecorded);
    hd_exploration_take_notes(x);
    if (ends.gave_up) {
        x->result->stop = HD_STOP_GAVE_UP;
        return HD_EXIT_OK;
    }
    x->result->stop = broke || ends.stopped ? HD_STOP_VIOLATION : why_stopped(x, ends.cut);
    return HD_EXIT_OK;
}

/* The runtime in the program may be older than this heddle: then it lacks the newest filters
 * and searches. */
static int runtime_has(const struct hd_job *job, struct hd_err *err)
{
    const struct hd_program_info *info = hd_program_info(job->program);
    const char *lacks = NULL;
    if (job->options.search >= info->n_searches)
        lacks = hd_search_table[job->options.search].text;
    for (uint32_t i = info->n_filters; i < HD_N_FILTERS; i++)
        if (job->options.filters >> i & 1)
            lacks = hd_filter_table[i].text;
    if (!lacks)
        return HD_EXIT_OK;
    hd_err_set(err, "%s was built by a heddle that did not have %s yet: build it again",
               hd_program_name(job->program), lacks);
    return HD_EXIT_INPUT;
}

/* A reduction that learns what threads touch is not faster with several workers
 * (docs/design/026-shared-states.md). */
static void leave_to_one(struct hd_exploration *x)
{
    if (x->job->options.jobs <= 1 || !(x->job->options.filters & HD_FILTERS_LEARNING))
        return;
    change_job(x);
    x->anew->options.jobs = 1;
    hd_err_set(&x->result->alone, "the reduction learns what threads touch, and goes back to "
                                  "steps that relied on less (stateful works with more)");
}

int hd_exploration_begin(struct hd_exploration *x, const struct hd_job *job,
                         struct hd_result *result, struct hd_err *err)
{
    *x = (struct hd_exploration){ .job = job, .watch = job->watch, .result = result };
    x->crew.memory = -1;
    hd_options_copy(&result->options, &job->options);
    x->candidates = hd_alloc((HD_MAX_FINDINGS + 1) * sizeof *x->candidates);
    x->began = hd_watch_now();
    x->watch.started = x->watch.started == 0 ? x->began : x->watch.started;
    x->watch.deadline = job->seconds > 0 ? x->began + job->seconds : 0;
    leave_to_one(x);
    int status = runtime_has(job, err);
    return status == HD_EXIT_OK ? start_all(x, err) : status;
}

int hd_exploration_run(struct hd_exploration *x, struct hd_err *err)
{
    int status = run_crew(x, err);
    hd_crew_kill(&x->crew);
    hd_plugin_host_stop(&x->host);
    x->result->seconds = x->seconds_before + hd_watch_now() - x->began;
    x->result->peak_rss_kb = hd_crew_peak_rss_kb(&x->crew);
    if (x->threads.n)
        *hd_program_parked(x->job->program) = x->threads.n;
    if (status != HD_EXIT_OK)
        hd_crew_notes(&x->crew, &x->result->notes);
    return hd_suspect(status, &x->result->notes, x->job->program, err);
}

int hd_exploration_go_on(struct hd_exploration *x, uint64_t max_work, uint64_t max_executions,
                         struct hd_err *err)
{
    struct hd_worker *worker = &x->crew.members[0].worker;
    if (worker->randomised)
        return not_without_fixed_addresses(err);
    worker->shared->options.max_work = max_work;
    worker->shared->options.near_work = worker->shared->options.states_work = 0;
    worker->shared->options.max_executions = max_executions;
    hd_worker_seal(worker);
    hd_crew_go_on(&x->crew);
    x->seconds_before = x->result->seconds;
    x->began = hd_watch_now();
    return start_workers(x, err);
}

void hd_exploration_end(struct hd_exploration *x)
{
    hd_plugin_host_stop(&x->host);
    hd_crew_release(&x->crew);
    while (x->n_candidates)
        free(x->candidates[--x->n_candidates].schedule);
    free(x->candidates);
    free(x->anew);
    free(x->learnt);
    x->anew = NULL;
    x->learnt = NULL;
    x->candidates = NULL;
}
