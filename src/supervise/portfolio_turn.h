/* One phase of a portfolio: it begins, runs for a slice, goes on, and ends or decides.
 *
 * Invariants (check_open, hd_portfolio_check):
 *  F1  at most HD_MOST_OPEN explorations exist at a time
 *  F2  a phase that has not decided leaves nothing but its line in result->phases, and what
 *      it found in the pool
 *  F3  the result's counters, options and runs are all of the phase decided_by */
#ifndef HD_SUPERVISE_PORTFOLIO_TURN_H
#define HD_SUPERVISE_PORTFOLIO_TURN_H

#include "supervise/exploration.h"
#include "supervise/plan.h"

/* What a turn may use: work (hd_counters_work), or processor time where steps take long or are
 * looked back from far.  The first are meant to be what ends it: they are the same on every
 * machine. */
struct hd_slice {
    uint64_t work;  /* 0: as much as it likes */
    double seconds; /* 0: likewise */
};

/* The one that runs, and up to three that may go on: under SC, under C11, over states. */
#define HD_MOST_OPEN 4

struct hd_turn {
    const struct hd_search_plan *plan;
    struct hd_job job;
    struct hd_exploration x;
    struct hd_result result;
    uint32_t phase; /* its line */
    bool open;      /* x and result are there */
    bool used;      /* result may hold what another phase has left; the job's options are the
                       check's, or zeros */
};

/* How a turn begins. */
struct hd_start {
    uint32_t jobs;
    struct hd_slice slice;
    uint32_t depth; /* 0: that of the plan */
    uint32_t nth;   /* of a sample: how often it was taken before, each with its own seed */
    uint64_t near_work, near_expected, states_work; /* as in options; 0: none */
    bool drawn;                                     /* its first execution is a random one */
    bool kept;                                      /* its checkpoints are the check's */
    bool resumes;                                   /* it goes on with the check's checkpoint */
};

struct hd_catch;

struct hd_portfolio {
    const struct hd_job *job;
    struct hd_result *result; /* the phases' lines so far */
    double started;
    bool weak;       /* orders weaker than seq_cst were executed, and a phase explores them */
    uint32_t n_open; /* explorations that exist */
    struct hd_catch *pool[HD_MAX_PHASES]; /* by phase; NULL: nothing */
    const struct hd_search_plan *plans[HD_MAX_PHASES];
};

/* Lets a search explore for its slice.  Returns HD_EXIT_OK, or another exit status with err;
 * hd_turn_end() must follow in any case. */
int hd_turn_begin(struct hd_portfolio *p, struct hd_turn *t, const struct hd_search_plan *plan,
                  struct hd_start how, struct hd_err *err);

/* Another slice, of one for which hd_turn_can_go_on(). */
int hd_turn_go_on(struct hd_portfolio *p, struct hd_turn *t, struct hd_slice slice,
                  struct hd_err *err);
bool hd_turn_can_go_on(const struct hd_turn *t);
void hd_turn_end(struct hd_portfolio *p, struct hd_turn *t);

/* Has the whole check come to its end with this phase? */
bool hd_turn_over(const struct hd_portfolio *p, const struct hd_turn *t);

/* Limit a slice so that --time, of which it has `most`, leaves something for other phases; the
 * slice in that round: twice as much in each. */
struct hd_slice hd_slice_share(const struct hd_portfolio *p, struct hd_slice slice, double most);
struct hd_slice hd_slice_longer(struct hd_slice slice, uint32_t round);

/* One violation is enough, unless all are wanted. */
bool hd_turn_wants_more(const struct hd_portfolio *p, const struct hd_turn *t);

/* Were orders weaker than seq_cst executed?  A search under SC is not complete then. */
bool hd_turn_met_weak(const struct hd_portfolio *p, const struct hd_turn *t);

/* Has it ended but for loops that poll?  Has it done as much as that slice? */
bool hd_turn_only_polls(const struct hd_turn *t);
bool hd_turn_did(const struct hd_turn *t, struct hd_slice slice);

/* Phase `t` has ended the check: its result, or that of `whole`, is the check's. */
int hd_portfolio_conclude(struct hd_portfolio *p, struct hd_turn *t, struct hd_turn *whole,
                          struct hd_err *err);

/* F2 and F3: what is reported is that of the phase that decided, and no other is left. */
void hd_portfolio_check(const struct hd_portfolio *p);
void hd_portfolio_release(struct hd_portfolio *p);

#endif
