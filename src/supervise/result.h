/* The result of an exploration, and the runs that it found. */
#ifndef HD_SUPERVISE_RESULT_H
#define HD_SUPERVISE_RESULT_H

#include "base/err.h"
#include "supervise/job.h"

/* Two steps of different threads whose order decides: `early` came before `late`; with the
 * other order the run would have passed. */
struct hd_ordering {
    struct hd_step early, late;
    uint32_t early_at, late_at; /* in the log; ~0u: `late` was never reached */
    uint32_t beyond;            /* then: which step of its thread after the end, from 1 */
};

/* An atomic access or fence of the source with a stronger order, or a new fence. */
struct hd_stronger {
    uint32_t step;  /* a step of the run that it makes, in the log */
    uint32_t order; /* the bits that it lacks (core/memory_order.h) */
    uint32_t after; /* a new seq_cst fence: it stands after this step, + 1, and before `step` */
};

#define HD_MOST_STRONGER 6

/* Together they make something impossible. */
struct hd_remedy {
    uint32_t n;
    struct hd_stronger items[HD_MOST_STRONGER];
};

#define HD_MOST_REMEDIES 3

/* A load that read an older store than the newest, or a store that took a place before one
 * that was there. */
struct hd_stale {
    uint32_t step;
    bool store;           /* it only stores */
    uint32_t source;      /* a load: the step whose store it read, + 1; 0: nobody's */
    uint32_t newer;       /* the step of a newer store, + 1 */
    struct hd_remedy why; /* what would have made the newer store visible; empty: not known */
};

/* One run, step by step, copied and checked. */
struct hd_run {
    bool found;   /* it ended in a violation */
    bool warning; /* it is a warning, no violation (--races warn) */
    struct hd_finding finding;
    uint32_t status;    /* enum hd_replay_status */
    uint32_t step;      /* index into the script of the step that could not run */
    struct hd_step got; /* what its thread would do instead */
    uint32_t exit_status;
    uint64_t peak_rss_kb; /* of its worker */
    bool polled;          /* a thread waited for ever where time alone would have let it go on
                            (options.polls) */
    uint64_t load_base;   /* what addresses among its values are relative to; 0: not known */
    uint32_t memory;      /* enum hd_memory: the model under which it was made */
    bool scheduled_only;  /* there is no log, only the schedule: threads and choices */
    struct hd_step *log;
    uint32_t n_log;
    /* hd_step.stack, hd_standing.stack and hd_finding.stack count in these: hd_run_stack() */
    struct hd_kept_call *calls;
    uint32_t n_calls;
    char *output; /* what the program printed; hd_step.output_end counts in it */
    uint32_t output_bytes;
    struct hd_threads threads;
    /* for a violation, if requested */
    uint32_t n_orderings;
    bool joint; /* only all of them together flip the verdict; otherwise each does by itself */
    struct hd_ordering orderings[HD_MAX_ORDERS];
    /* The signal at log[rewake - 1] woke another thread; had it woken `rewoken`, which waits
     * for ever, the run would pass.  0: no such signal is known. */
    uint32_t rewake, rewoken;
    /* under a weak memory model (supervise/explain_memory.h): */
    uint32_t n_stale;
    struct hd_stale *stale; /* in the order of steps */
    uint32_t n_remedies;
    struct hd_remedy remedies[HD_MOST_REMEDIES]; /* each makes the violating run impossible */
    /* The nearest run that passes: with the other thread woken; otherwise with the first
     * ordering reversed, or with all of them. */
    struct hd_run *passing;
};

enum hd_stop {
    HD_STOP_FINISHED,  /* everything within the bounds was explored */
    HD_STOP_VIOLATION, /* at the first violation */
    HD_STOP_TIME,
    HD_STOP_EXECUTIONS,
    HD_STOP_WORK, /* options.max_work or watch.pause_after is used up: it may go on */
    HD_STOP_INTERRUPTED,
    HD_STOP_DAMAGED, /* the tested program destroyed the exploration's memory */
    HD_STOP_GAVE_UP, /* it cannot go on, but has found violations; result.gave_up says why */
    HD_STOP_PLUGIN,  /* the strategy from outside has ended it */
    HD_STOP_PART,    /* only units of it were explored; result.gave_up says which */
};

/* One search of several (supervise/portfolio.h). */
struct hd_phase {
    const char *name;
    struct hd_counters counters;
    double seconds;
};

#define HD_MAX_PHASES 32

/* The result of slice-n-dice */
struct hd_rounds {
    uint32_t n; /* 0: another strategy */
    uint32_t threads, of_threads;
    uint32_t places; /* of the slices */
    bool fixpoint;   /* nothing was left to add */
};

struct hd_result {
    enum hd_stop stop;
    struct hd_counters counters;
    struct hd_notes notes;     /* what the same search has reached */
    struct hd_options options; /* of the search whose counters these are */
    uint32_t n_phases;         /* 0: it was the only search; otherwise number of phases */
    uint32_t decided_by;       /* the phase whose counters and verdict these are */
    struct hd_phase phases[HD_MAX_PHASES];
    struct hd_rounds rounds;
    uint32_t n_threads;    /* most that were ever known */
    uint32_t n_lost;       /* violations for which there was no room */
    uint32_t n_undefined;  /* violations of executions with data races that did not replay */
    uint32_t n_inversions; /* warnings: orders of locks that no deadlock among the runs shows */
    struct hd_inversion inversions[HD_MAX_INVERSIONS];
    struct hd_threads threads; /* of these */
    uint32_t n_runs;
    struct hd_run *runs;               /* one per distinct violation or warning */
    uint32_t runs_search, runs_memory; /* enum hd_search, enum hd_memory: of their replays */
    struct hd_err gave_up;             /* of HD_STOP_GAVE_UP and HD_STOP_PART */
    struct hd_err refused;             /* why C11's executions were not explored; "" */
    struct hd_lock_parts *parts;       /* --finer locks: of the last search; NULL: of none */
    struct hd_err told_apart;          /* why like threads were not interchangeable; "" */
    struct hd_err alone;               /* why one worker did what was asked of several; "" */
    uint32_t n_workers;                /* that explored at the same time */
    bool shared;                       /* what they know is kept in memory of several */
    uint32_t n_starts; /* processes that were started for it: crashes and restarts take more */
    double seconds;
    bool saved;               /* a checkpoint of where it stopped has been written */
    struct hd_err save_error; /* why there is none, or an older one; "" when all went well */
    uint64_t peak_rss_kb;
};

/* How many of the runs are violations and no warnings. */
uint32_t hd_result_violations(const struct hd_result *result);

void hd_result_release(struct hd_result *result);

/* The same of one that is not read again before it is cleared: only its counters become
 * zero. */
void hd_result_drop(struct hd_result *result);
void hd_run_release(struct hd_run *run);

/* Does a search with these options stop at states that it has met?  Then what is left of its
 * tree tells nothing of how much there is to do, and an estimate is far from the truth. */
bool hd_result_of_states(const struct hd_options *options);

/* The estimated share of all executions (of the current bound) that was explored; 0: there is
 * no estimate. */
double hd_result_explored(const struct hd_result *result);

/* Is b the same violation as a: of the same kind, at the same place? */
bool hd_finding_same(const struct hd_finding *a, const struct hd_finding *b);

/* Escape its texts, which the tested program may have chosen (base/shown.h). */
void hd_finding_shown(struct hd_finding *finding);

/* The sites of the calls of a stack of the run, innermost first; returns how many. */
uint32_t hd_run_stack(const struct hd_run *run, uint32_t stack, uint32_t sites[HD_MAX_FRAMES]);

/* How the step is stale; NULL: it is not, or nobody has looked (supervise/explain_memory.h). */
const struct hd_stale *hd_run_stale(const struct hd_run *run, const struct hd_step *step);

/* How many steps a report of the run shows. */
uint32_t hd_run_steps(const struct hd_run *run);

/* Preemptions in the run, from its log. */
uint32_t hd_run_preemptions(const struct hd_run *run);

#endif
