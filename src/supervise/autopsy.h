/* Wait for a worker's end, and find out what it was. */
#ifndef HD_SUPERVISE_AUTOPSY_H
#define HD_SUPERVISE_AUTOPSY_H

#include "base/err.h"
#include "supervise/program.h"
#include "supervise/worker.h"

#include <signal.h>

struct hd_progress {
    struct hd_counters
        counters; /* as read while the workers run: not checked, for display only */
    uint32_t n_findings;
    double seconds;
    const char *phase; /* of several: its name; or NULL */
    bool states;       /* it stops at states that it has met: executions are not what counts */
};

struct hd_watch {
    double hang_seconds; /* of processor time without a visible action; six times that asleep */
    double deadline;     /* hd_watch_now() at which to stop; 0: never */
    double pause_at;     /* hd_watch_now() at which the worker is asked to stop */
    double pause_after;  /* so much processor time of the worker: likewise */
    double started;      /* for what is shown; 0: when the exploration begins */
    const char *phase;   /* for what is shown; may be NULL */
    const volatile sig_atomic_t *interrupted; /* stop when it becomes non-zero; may be NULL */
    void (*progress)(void *context, const struct hd_progress *progress); /* may be NULL */
    void *context;
};

enum hd_outcome {
    HD_OUTCOME_OVER,        /* it says that it is done */
    HD_OUTCOME_MORE_PARKED, /* it needs a worker with more thread-local blocks */
    HD_OUTCOME_REUSE,       /* the search has to begin again, with ctl.reuse turned on */
    HD_OUTCOME_WEAK,        /* it has to begin again, with options.lock_sets turned on */
    HD_OUTCOME_STEPS,       /* it has to begin again, with options.note_steps turned on */
    HD_OUTCOME_ALONE,       /* all have to begin again, with one worker (ctl.error: why) */
    HD_OUTCOME_GREW,        /* an invariant has read more than shared->readset */
    HD_OUTCOME_CUT,         /* stopped by deadline or interrupt */
    HD_OUTCOME_DIED,        /* the tested program ended it: shared->died is a checked finding */
    HD_OUTCOME_KILLED,      /* from outside, by SIGKILL: see err */
    HD_OUTCOME_DAMAGED,     /* the shared memory holds what no worker writes: see err */
    HD_OUTCOME_DIVERGED,    /* a step came out differently when it was run again: see err */
    HD_OUTCOME_INPUT,       /* err says what is wrong with the input */
    HD_OUTCOME_BUG,         /* err says what is wrong with heddle */
};

#define HD_DAMAGED "the program wrote into heddle's memory (damaged: %s)"
#define HD_POLL_MS 50 /* between two polls of a worker */

double hd_watch_now(void); /* monotonic seconds */

/* What is known of a worker that runs. */
struct hd_vigil {
    struct hd_pulse { /* when it last moved, by both clocks */
        uint64_t mark;
        double cpu, wall;
    } pulse;
    double stop_at; /* when it will be killed, having been asked to stop; 0: not asked */
    bool cut;       /* by deadline or interrupt */
    bool killed;    /* because it did not stop */
    bool used_up;   /* watch->pause_after is used up */
    bool loops, sleeps;
    double hang_seconds; /* the limit that it was measured against */
    uint64_t pc;         /* of the loop */
};

void hd_vigil_begin(struct hd_vigil *vigil, const struct hd_worker *worker);

/* Ask the worker to stop after the current execution; it is killed if it does not. */
void hd_vigil_stop(struct hd_vigil *vigil, struct hd_worker *worker);

/* Poll a running worker: does it still make progress, should it stop?  Its pid is 0 afterwards
 * if it has been ended. */
void hd_vigil_look(struct hd_vigil *vigil, struct hd_worker *worker,
                   const struct hd_watch *watch);

/* The worker has ended: find out how.  Except for DAMAGED the shared memory has been checked
 * then. */
enum hd_outcome hd_vigil_conclude(const struct hd_vigil *vigil, struct hd_worker *worker,
                                  struct hd_program *program, struct hd_err *err);

/* Watch a started worker until its end. */
enum hd_outcome hd_autopsy(struct hd_worker *worker, const struct hd_watch *watch,
                           struct hd_program *program, struct hd_err *err);

#endif
