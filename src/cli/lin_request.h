/* What heddle lin was asked for, and what it has come to. */
#ifndef HD_CLI_LIN_REQUEST_H
#define HD_CLI_LIN_REQUEST_H

#include "cli/input.h"
#include "strategy/scenarios.h"
#include "supervise/result.h"

struct hd_lin {
    /* the request */
    struct hd_strs files, cc_flags;
    struct hd_scenario_bounds bounds;
    uint64_t check; /* index in hd_lin_checks[]: as the program counts them */
    const char *scenario, *model, *memory, *emit, *html, *json, *trace_dir;
    double seconds;
    uint64_t jobs;
    bool require, quiet, help;
    /* the work */
    struct hd_input input;
    bool weak;        /* C11's memory model */
    struct hd_str sc; /* why it was not explored although it should have been; "" */
    double begun;
    uint64_t n_done, n_all;
    bool stopped; /* by time or a signal */
    struct hd_counters counters;
    struct hd_strs downgrades, assumptions;
    char *failing;         /* scenario; NULL: none */
    struct hd_str history; /* of it; "" if its violation is of another kind */
};

#define HD_LIN_EXIT 77 /* of a run that comes to its end */

extern const char *const hd_lin_checks[];

/* lin_explore.c: everything that was asked for, in *l.  Returns an exit status, with err. */
int hd_lin_explore(struct hd_lin *l, struct hd_err *err);

/* lin_emit.c: the failing scenario as a program, in l->emit. */
int hd_lin_emit(const struct hd_lin *l, struct hd_err *err);

/* lin_report.c: for people, as JSON, as a program.  Returns an exit status, with err. */
int hd_lin_report(struct hd_lin *l, struct hd_err *err);

#endif
