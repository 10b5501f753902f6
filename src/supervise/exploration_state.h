/* The state of one exploration (exploration.h). */
#ifndef HD_SUPERVISE_EXPLORATION_STATE_H
#define HD_SUPERVISE_EXPLORATION_STATE_H

#include "supervise/crew.h"
#include "supervise/plugin_host.h"
#include "supervise/result.h"

/* A finding and its schedule, in our own memory. */
struct hd_candidate {
    struct hd_finding finding;
    uint32_t *schedule;
    uint32_t n_steps;
    const struct hd_threads *threads; /* of the schedule; NULL: the exploration's */
    bool interleaving; /* its steps are those of sequential consistency, without fences */
};

struct hd_exploration {
    const struct hd_job *job;
    struct hd_crew crew;
    struct hd_plugin_host host; /* of a strategy from outside */
    struct hd_watch watch;
    struct hd_result *result;
    struct hd_threads threads;
    struct hd_candidate *candidates;
    uint32_t n_candidates;
    double began;          /* this part of it */
    double seconds_before; /* of the parts before a checkpoint, or a pause */
    uint32_t n_killed;     /* how often all began again because one was killed from outside */
    uint32_t n_grown;      /* how often all began again with a larger read set, or parts: */
    struct hd_learnt {
        struct hd_readset readset;
        struct hd_lock_parts parts;
    } *learnt;           /* NULL: never */
    struct hd_job *anew; /* a changed copy of the job; NULL: it is as given */
};

#endif
