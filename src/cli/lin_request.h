/* What heddle lin was asked for, and what it has come to. */
#ifndef HD_CLI_LIN_REQUEST_H
#define HD_CLI_LIN_REQUEST_H

#include "base/rng.h"
#include "cli/input.h"
#include "strategy/scenarios.h"
#include "supervise/result.h"

/* If neither bounds nor budgets are given: executions of all scenarios with the same number of
 * calls in each thread.  Then those are left. */
#define HD_LIN_BUDGET 1500000
#define HD_LIN_SHAPES 32 /* such kinds of scenarios */

struct hd_lin {
    /* the request */
    struct hd_strs files, cc_flags;
    struct hd_scenario_bounds bounds;
    uint64_t check; /* index in hd_lin_checks[]: as the program counts them */
    const char *scenario, *model, *memory, *emit, *html, *json, *trace_dir;
    const char *checkpoint, *resume; /* NULL: none */
    double seconds;
    uint64_t jobs, executions; /* executions: at most, 0: no bound */
    uint64_t random, seed;     /* how many random scenarios follow those that are listed */
    bool require, quiet, verbose, help, trust;
    struct hd_options races; /* of these only what --races says */
    const char *races_word;  /* NULL: not given */
    bool bounded;            /* bounds or budgets were given: there is no budget but theirs */
    /* the work */
    struct hd_input input;
    bool weak;        /* C11's memory model */
    struct hd_str sc; /* why it was not explored although it should have been; "" */
    double begun;
    uint64_t n_done, n_all; /* n_all: without the random ones */
    struct hd_rng rng;
    bool listed;  /* all scenarios that are not random have been tried or are being tried */
    bool all;     /* those have been tried */
    bool stopped; /* by a budget or a signal */
    struct {      /* the kinds of scenarios that were begun, if there is that budget */
        struct hd_shape shape;
        uint64_t spent, n_done;
        bool left;
    } kinds[HD_LIN_SHAPES];
    uint32_t n_kinds, kind; /* kind: of the current batch */
    uint32_t calls;         /* all scenarios of at most so many calls were explored; 0: none */
    uint64_t n_complete;    /* so many */
    uint64_t spent;         /* executions of this run */
    struct hd_counters counters, kept; /* kept: of batches that were finished */
    struct hd_strs downgrades, assumptions;
    struct hd_str race;    /* with --races warn: the first one, and its scenario; "" */
    char *failing;         /* scenario; NULL: none */
    bool fails_weakly;     /* under C11's memory model */
    struct hd_str history; /* of it; "" if its violation is of another kind */
};

#define HD_LIN_EXIT 77 /* of a run that comes to its end */

extern const char *const hd_lin_checks[];

/* lin_explore.c: everything that was asked for, in *l.  Returns an exit status, with err. */
int hd_lin_explore(struct hd_lin *l, struct hd_err *err);

/* lin_checkpoint.c: what has been explored, to and from l->checkpoint and l->resume. */
int hd_lin_checkpoint_write(const struct hd_lin *l, struct hd_err *err);
int hd_lin_checkpoint_read(struct hd_lin *l, struct hd_err *err);

/* lin_emit.c: the failing scenario as a program, in l->emit. */
int hd_lin_emit(const struct hd_lin *l, struct hd_err *err);

/* lin_report.c: for people, as JSON, as a program.  Returns an exit status, with err. */
int hd_lin_report(struct hd_lin *l, struct hd_err *err);

#endif
