/* One exploration as it goes on: its workers, and what they have found.
 *
 *   begin ──▶ run ──▶ over ──▶ confirm ──▶ end
 *              ▲ │
 *         go_on└─┘ paused: its slice is used up                       end, at any time
 */
#ifndef HD_SUPERVISE_EXPLORATION_H
#define HD_SUPERVISE_EXPLORATION_H

#include "supervise/crew.h"
#include "supervise/result.h"

/* A finding and its schedule, in our own memory. */
struct hd_candidate {
    struct hd_finding finding;
    uint32_t *schedule;
    uint32_t n_steps;
    const struct hd_threads *threads; /* of the schedule; NULL: the exploration's */
};

struct hd_exploration {
    const struct hd_job *job;
    struct hd_crew crew;
    struct hd_watch watch;
    struct hd_result *result;
    struct hd_threads threads;
    struct hd_candidate *candidates;
    uint32_t n_candidates;
    double began;          /* this part of it */
    double seconds_before; /* of the parts before a checkpoint, or a pause */
    uint32_t n_killed;     /* how often all began again because one was killed from outside */
    uint32_t
        n_grown; /* how often all began again because an invariant reads more than was known: */
    struct hd_readset readset;
    struct hd_job *anew; /* the job with more addresses that come back; NULL: as it was given */
};

/* All four return HD_EXIT_OK, or another exit status with err; hd_exploration_end() must follow
 * in any case.  The job is borrowed; results go into *result. */
int hd_exploration_begin(struct hd_exploration *x, const struct hd_job *job,
                         struct hd_result *result, struct hd_err *err);
int hd_exploration_run(struct hd_exploration *x, struct hd_err *err);

/* A paused one (result->stop is HD_STOP_WORK), with these bounds from now on, counted from its
 * beginning; 0: none. */
int hd_exploration_go_on(struct hd_exploration *x, uint64_t max_work, uint64_t max_executions,
                         struct hd_err *err);

/* Run every finding again, in workers of their own: result->runs. */
int hd_exploration_confirm(struct hd_exploration *x, struct hd_err *err);

void hd_exploration_end(struct hd_exploration *x);

#endif
