/* The calls of a run that include/heddle/lin_run.h made: which steps are theirs, and which
 * belong to the code around them, which is nobody's program.  Reports hide those but for two:
 * the last one before a call, and the one behind it. */
#ifndef HD_REPORT_LIN_CALLS_H
#define HD_REPORT_LIN_CALLS_H

#include "base/str.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_lin_call {
    uint32_t thread;
    uint32_t part;       /* of the scenario: 0 before the threads, 1 the first of them, … */
    bool last;           /* it is in the part behind them */
    uint32_t begin, end; /* steps; end is ~0u if it does not return */
    bool has_value;
    int64_t value;
    char *words; /* "put(1)" */
};

enum hd_lin_role {
    HD_LIN_STEP,   /* of the program */
    HD_LIN_HIDDEN, /* of the code around it */
    HD_LIN_BEGINS, /* a call begins */
    HD_LIN_RETURNS /* a call returns */
};

struct hd_lin_calls {
    bool any;      /* it is such a run; otherwise there is nothing in here */
    uint8_t *role; /* by step */
    uint32_t *of;  /* by step that is no HD_LIN_STEP: the number of the call that it belongs to,
                      + 1; 0: none */
    uint32_t n_calls;
    struct hd_lin_call *calls;
};

void hd_lin_calls_init(struct hd_lin_calls *c, const struct hd_run *run,
                       const struct hd_program *program);
void hd_lin_calls_release(struct hd_lin_calls *c);

enum hd_lin_role hd_lin_calls_role(const struct hd_lin_calls *c, uint32_t step);

/* Appends "put(1) begins", "put(1) returns 1"; false and nothing if the step does neither. */
bool hd_lin_calls_words(struct hd_str *out, const struct hd_lin_calls *c, uint32_t step);

/* The call that the step begins or ends, or belongs to in front of it; NULL: none. */
const struct hd_lin_call *hd_lin_calls_of(const struct hd_lin_calls *c, uint32_t step);

/* The step that is shown for it: the begin of the call, for those in front of it. */
uint32_t hd_lin_calls_seen(const struct hd_lin_calls *c, uint32_t step);

/* Does the step preempt another thread, or one before it that is hidden? */
bool hd_lin_calls_preempts(const struct hd_lin_calls *c, const struct hd_run *run, uint32_t step);

/* Is the place in the code around the calls? */
bool hd_lin_calls_around(const struct hd_place *place);

/* Does the thread wait in the code around calls, which is for the threads that make them? */
bool hd_lin_calls_joins(const struct hd_standing *s, const struct hd_program *program);

/* The run without what is said of the code around the calls: stale reads and remedies.  All but
 * `stale`, the caller's to free, is that of `run`. */
struct hd_run hd_lin_calls_shown(const struct hd_run *run, const struct hd_program *program);

/* What the program itself printed: the output without the lines that are for heddle. */
struct hd_lin_output {
    struct hd_str text;
    uint32_t *cut; /* by length of a part of the output: the length of that part here */
};

void hd_lin_output_init(struct hd_lin_output *o, const struct hd_lin_calls *c,
                        const struct hd_run *run);
void hd_lin_output_release(struct hd_lin_output *o);

#endif
