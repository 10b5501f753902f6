/* While a worker runs, the supervisor asks whether it still makes progress and whether it
 * should stop.  When it has ended, its memory is checked first.  Then its own report counts
 * (state DONE, ERROR, a finding of its signal handler).  A worker without a report is judged by
 * how it ended according to the kernel. */
#define _GNU_SOURCE
#include "supervise/autopsy.h"

#include "base/hash.h"
#include "base/str.h"
#include "supervise/suspects.h"

#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>

#define GRACE_SECONDS 2.0 /* between asking a worker to stop and stopping it */
#define HANGS_ASLEEP 6    /* limits that pass before a worker that sleeps counts as stuck */

double hd_watch_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static uint64_t pulse_mark(const struct hd_worker_memory *shared)
{
    uint64_t words[] = { shared->ctl.heartbeat, shared->cnt.events, shared->cnt.replayed,
                         shared->cnt.executions, shared->ctl.state };
    return hd_hash_bytes(0, words, sizeof words);
}

static void pulse_take(struct hd_vigil *vigil, const struct hd_worker *worker,
                       const struct hd_watch *watch)
{
    struct hd_pulse *pulse = &vigil->pulse;
    struct hd_worker_usage usage;
    double now = hd_watch_now();
    if (now - pulse->wall < HD_POLL_MS / 2000.0)
        return; /* it has just begun, or moved: most have ended before the next look */
    uint64_t mark = pulse_mark(worker->shared);
    if (!hd_worker_usage(worker, &usage))
        return;
    vigil->used_up = vigil->used_up ||
                     (watch->pause_after > 0 && usage.cpu_seconds >= watch->pause_after);
    uint32_t state = worker->shared->ctl.state;
    if (mark != pulse->mark || (state != HD_STATE_PROGRAM && state != HD_STATE_STARTING)) {
        *pulse = (struct hd_pulse){ mark, usage.cpu_seconds, now };
        return;
    }
    vigil->loops = usage.cpu_seconds - pulse->cpu > watch->hang_seconds;
    vigil->sleeps = !vigil->loops && usage.sleeping &&
                    now - pulse->wall > HANGS_ASLEEP * watch->hang_seconds;
    vigil->hang_seconds = watch->hang_seconds;
}

void hd_vigil_begin(struct hd_vigil *vigil, const struct hd_worker *worker)
{
    *vigil = (struct hd_vigil){ .pulse = { pulse_mark(worker->shared), 0, hd_watch_now() } };
}

void hd_vigil_stop(struct hd_vigil *vigil, struct hd_worker *worker)
{
    if (vigil->stop_at != 0)
        return;
    worker->shared->ctl.stop = 1;
    vigil->stop_at = hd_watch_now() + GRACE_SECONDS;
}

void hd_vigil_look(struct hd_vigil *vigil, struct hd_worker *worker, const struct hd_watch *watch)
{
    double now = hd_watch_now();
    if ((watch->interrupted && *watch->interrupted) ||
        (watch->deadline > 0 && now >= watch->deadline)) {
        vigil->cut = true;
        hd_vigil_stop(vigil, worker);
    }
    if (watch->pause_at > 0 && now >= watch->pause_at)
        worker->shared->ctl.stop = 1;
    if (vigil->stop_at != 0 && now >= vigil->stop_at) {
        vigil->killed = true;
        hd_worker_kill(worker);
        return;
    }
    pulse_take(vigil, worker, watch);
    if (vigil->used_up)
        worker->shared->ctl.stop = 1;
    if (!vigil->loops && !vigil->sleeps)
        return;
    vigil->pc = hd_worker_pc(worker);
    if (worker->pid == 0) /* it has ended by itself meanwhile */
        vigil->loops = vigil->sleeps = false;
    hd_worker_kill(worker);
}

/* The thread that made the last step. */
static uint32_t last_thread(const struct hd_worker_memory *shared)
{
    if (shared->options.mode == HD_MODE_REPLAY && shared->ctl.n_log)
        return shared->log[shared->ctl.n_log - 1].thread;
    return shared->depth ? HD_STEP_THREAD(shared->steps[shared->depth - 1]) : 0;
}

/* The current execution ends with a finding of the supervisor's. */
static enum hd_outcome died(struct hd_worker_memory *shared, enum hd_kind kind, uint64_t pc,
                            const char *message)
{
    struct hd_finding *f = &shared->died;
    *f = (struct hd_finding){ .kind = kind, .thread = last_thread(shared), .pc = pc };
    snprintf(f->message, sizeof f->message, "%s", message);
    shared->died_valid = 1;
    return HD_OUTCOME_DIED;
}

/* Native code runs that the program has called, and there are other threads.  It may wait for
 * one of them, by means that heddle does not see, so that it never lets another thread run:
 * nothing is known of the program. */
static bool waits_unseen(const struct hd_worker_memory *shared, const struct hd_program *program,
                         struct hd_err *err)
{
    if (!shared->ctl.native_site || shared->n_threads < 2)
        return false;
    struct hd_str places;
    hd_str_init(&places);
    hd_note_place(&places, program, shared->ctl.native_site);
    hd_err_set(err,
               "native code does not come back, and lets no other thread run: %s; if it waits "
               "for another thread, heddle does not see it: build that code with heddle cc",
               places.text);
    hd_str_release(&places);
    return true;
}

/* Whether the program would have gone on is not known, so the message names the limit.
 *
 * A loop is interrupted at any of its instructions.  An exploration identifies it by its
 * function, so that it counts as one finding; the replay, which is shown, names the line. */
static enum hd_outcome stuck(struct hd_worker_memory *shared, const struct hd_vigil *vigil,
                             struct hd_program *program, struct hd_err *err)
{
    uint64_t in_file = vigil->pc - shared->ctl.load_base;
    uint64_t entry = vigil->pc ? hd_program_entry(program, in_file) : 0;
    bool exact = entry && shared->options.mode == HD_MODE_REPLAY;
    char message[160];
    struct hd_place place;
    bool compiled = hd_program_pc(program, in_file, &place) && place.line; /* by heddle cc */
    if (!compiled && waits_unseen(shared, program, err))
        return HD_OUTCOME_INPUT;
    if (vigil->loops)
        snprintf(message, sizeof message,
                 "no visible action for %g s of processor time (--hang): an endless loop, or one "
                 "that takes long",
                 vigil->hang_seconds);
    else
        snprintf(message, sizeof message,
                 "no visible action for %g s (6 times --hang): blocked in a system call",
                 HANGS_ASLEEP * vigil->hang_seconds);
    return died(shared, HD_KIND_NO_PROGRESS, exact ? in_file : entry, message);
}

/* "T1 T1 T2 …": the last steps, for the message about a crash of our own. */
static void append_schedule(struct hd_err *err, const struct hd_worker_memory *shared)
{
    struct hd_str s;
    hd_str_init(&s);
    uint32_t from = shared->depth > 60 ? shared->depth - 60 : 0;
    for (uint32_t i = from; i < shared->depth; i++)
        hd_str_appendf(&s, " %u", HD_STEP_THREAD(shared->steps[i]));
    size_t used = strlen(err->text);
    snprintf(err->text + used, sizeof err->text - used, "; %u steps into an execution%s%s",
             shared->depth, shared->depth ? ", threads" : "", s.text);
    hd_str_release(&s);
}

static enum hd_outcome by_signal(struct hd_worker_memory *shared, int sig, const char *name,
                                 struct hd_err *err)
{
    const char *text = sigabbrev_np(sig);
    if (!text)
        text = "?";
    if (sig == SIGKILL) {
        hd_err_set(err, "%s was killed from outside (SIGKILL): is the machine out of memory?",
                   name);
        return HD_OUTCOME_KILLED;
    }
    if (sig == SIGTERM || sig == SIGINT || sig == SIGHUP || sig == SIGQUIT || sig == SIGALRM ||
        sig == SIGUSR1 || sig == SIGUSR2) { /* the program's own do not reach the kernel */
        hd_err_set(err, "%s was killed from outside (SIG%s)", name, text);
        return HD_OUTCOME_INPUT;
    }
    if (sig == SIGSYS) {
        hd_err_set(
            err,
            "%s makes a system call that reaches outside of the program%s: heddle does not "
            "let it",
            name, shared->ctl.state == HD_STATE_STARTING ? " before its main begins" : "");
        return HD_OUTCOME_INPUT;
    }
    if (shared->ctl.state == HD_STATE_STARTING) {
        hd_err_set(err, "%s was ended by SIG%s before its main began", name, text);
        return HD_OUTCOME_INPUT;
    }
    if (shared->ctl.state == HD_STATE_PROGRAM) {
        char message[64];
        snprintf(message, sizeof message, "killed by signal SIG%s", text);
        return died(shared, HD_KIND_CRASH, 0, message);
    }
    hd_err_set(err, "heddle's own code crashed in the worker (SIG%s)", text);
    append_schedule(err, shared);
    return HD_OUTCOME_BUG;
}

static enum hd_outcome by_exit(struct hd_worker_memory *shared, int status, const char *name,
                               struct hd_err *err)
{
    if (shared->ctl.state == HD_STATE_STARTING) {
        hd_err_set(err, "%s ended with status %d before its main began%s", name, status,
                   status == 127 ? " (a library that is missing? see `ldd`)"
                                 : ": start it by itself to see why");
        return HD_OUTCOME_INPUT;
    }
    if (shared->ctl.state == HD_STATE_PROGRAM) {
        char message[100];
        snprintf(message, sizeof message,
                 "the program ended the process behind heddle's back with status %d", status);
        return died(shared, HD_KIND_ABORT, 0, message);
    }
    hd_err_set(err, "the worker ended with status %d while heddle's own code ran", status);
    append_schedule(err, shared);
    return HD_OUTCOME_BUG;
}

/* The worker's error message, with the line of the instruction or call that it names. */
static enum hd_outcome by_error(const struct hd_worker_memory *shared, struct hd_program *program,
                                struct hd_err *err)
{
    struct hd_place place;
    int n = (int)strnlen(shared->ctl.error, sizeof shared->ctl.error);
    if (!hd_program_pc(program, shared->ctl.error_pc, &place) || !place.line)
        place = hd_program_site(program, shared->ctl.error_site);
    struct hd_place other = hd_program_site(program, shared->ctl.error_other);
    if (place.line && other.line)
        hd_err_set(err, "%s:%u: %.*s (the other access is at %s:%u)", place.file, place.line, n,
                   shared->ctl.error, other.file, other.line);
    else if (place.line)
        hd_err_set(err, "%s:%u: %.*s", place.file, place.line, n, shared->ctl.error);
    else
        hd_err_set(err, "%.*s", n, shared->ctl.error);
    if (shared->ctl.state == HD_STATE_DIVERGED)
        return HD_OUTCOME_DIVERGED;
    return hd_str_starts(shared->ctl.error, "internal error") ? HD_OUTCOME_BUG : HD_OUTCOME_INPUT;
}

static enum hd_outcome by_state(struct hd_worker_memory *shared, int status,
                                struct hd_program *program, struct hd_err *err)
{
    const char *name = hd_program_name(program);
    switch (shared->ctl.state) {
    case HD_STATE_DONE:
    case HD_STATE_STOPPED:
        return HD_OUTCOME_OVER;
    case HD_STATE_MORE_PARKED:
        return HD_OUTCOME_MORE_PARKED;
    case HD_STATE_REUSE:
        return HD_OUTCOME_REUSE;
    case HD_STATE_WEAK:
        return HD_OUTCOME_WEAK;
    case HD_STATE_STEPS:
        return HD_OUTCOME_STEPS;
    case HD_STATE_ALONE:
        return HD_OUTCOME_ALONE;
    case HD_STATE_GREW:
        return HD_OUTCOME_GREW;
    case HD_STATE_ERROR:
    case HD_STATE_DIVERGED:
        return by_error(shared, program, err);
    default:
        break;
    }
    if (shared->died_valid)
        return HD_OUTCOME_DIED;
    return WIFSIGNALED(status) ? by_signal(shared, WTERMSIG(status), name, err)
                               : by_exit(shared, WEXITSTATUS(status), name, err);
}

enum hd_outcome hd_vigil_conclude(const struct hd_vigil *vigil, struct hd_worker *worker,
                                  struct hd_program *program, struct hd_err *err)
{
    struct hd_worker_memory *shared = worker->shared;
    bool hung = vigil->loops || vigil->sleeps;
    const char *wrong = hd_shared_check(shared, hd_program_info(program)->n_sites);
    if (wrong) {
        hd_err_set(err, HD_DAMAGED, wrong);
        return HD_OUTCOME_DAMAGED;
    }
    if (hung && shared->ctl.state == HD_STATE_STARTING) {
        hd_err_set(err, "%s does not come to its main: does a constructor loop or wait?",
                   hd_program_name(program));
        return HD_OUTCOME_INPUT;
    }
    if (hung)
        return stuck(shared, vigil, program, err);
    bool killed = WIFSIGNALED(worker->status) && WTERMSIG(worker->status) == SIGKILL;
    if (killed && (vigil->killed || vigil->cut)) /* otherwise it was killed from outside */
        return HD_OUTCOME_CUT;
    enum hd_outcome outcome = by_state(shared, worker->status, program, err);
    return vigil->cut && outcome == HD_OUTCOME_OVER ? HD_OUTCOME_CUT : outcome;
}

enum hd_outcome hd_autopsy(struct hd_worker *worker, const struct hd_watch *watch,
                           struct hd_program *program, struct hd_err *err)
{
    struct hd_vigil vigil;
    hd_vigil_begin(&vigil, worker);
    while (worker->pid != 0 && !hd_worker_poll(worker, HD_POLL_MS))
        hd_vigil_look(&vigil, worker, watch);
    return hd_vigil_conclude(&vigil, worker, program, err);
}
