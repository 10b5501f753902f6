/* The scenarios of `heddle lin`: which operations of a data structure run side by side,
 * which before and which after (include/heddle/lin_run.h has their text).  Smallest first,
 * and without those that are equal up to the names of threads. */
#ifndef HD_STRATEGY_SCENARIOS_H
#define HD_STRATEGY_SCENARIOS_H

#include "base/err.h"
#include "base/rng.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_LIN_THREADS 4 /* as in include/heddle/lin_run.h */
#define HD_LIN_CALLS 8
#define HD_LIN_TOGETHER 32 /* in all threads */

#define HD_LIN_ORDERS 5040 /* of the calls of a scenario, one after the other */

/* How large a scenario may be.  `together` counts the calls of all threads.  `any_order`: the
 * calls of one thread may be exchanged, too. */
struct hd_scenario_bounds {
    uint32_t threads, per_thread, together, before, after;
    bool any_order;
};

struct hd_shape {
    uint8_t before, after, n_threads;
    uint8_t length[HD_LIN_THREADS]; /* never increasing */
    bool left;                      /* there are no more of this shape */
};

#define HD_LIN_LONGEST ((HD_LIN_THREADS + 2) * HD_LIN_CALLS)

struct hd_scenarios {
    struct hd_strs calls; /* "put(1)", "get" */
    struct hd_strs only;  /* by call: its tag, or "" */
    struct hd_shape *shapes;
    uint32_t n_shapes, shape;
    bool may_fail;                  /* some call may, at any time: that is one more order */
    bool begun;                     /* the current shape has been begun */
    uint32_t digit[HD_LIN_LONGEST]; /* calls of the current scenario: before, threads, after */
};

/* `operations` is what a program says to --operations: a line `NAME TAG : VALUES : VALUES`
 * each, with as many lists of values as it has arguments; before these may stand `may-fail`.
 * The error says what is too large. */
int hd_scenarios_init(struct hd_scenarios *s, const char *operations,
                      const struct hd_scenario_bounds *bounds, struct hd_err *err);
void hd_scenarios_release(struct hd_scenarios *s);

/* The next one, appended to `text`.  False: there is none. */
bool hd_scenarios_next(struct hd_scenarios *s, struct hd_str *text);

/* The shape of the next one; NULL: there is none. */
const struct hd_shape *hd_scenarios_next_shape(const struct hd_scenarios *s);

/* Leave out those that are to come with so many calls in each thread, whatever is before and
 * after. */
void hd_scenarios_leave(struct hd_scenarios *s, const struct hd_shape *shape);

/* The largest number of calls such that all scenarios with at most so many are among the first
 * n ones, and how many these are.  0: there is none. */
uint32_t hd_scenarios_complete(const struct hd_scenarios *s, uint64_t n, uint64_t *n_complete);

/* A random one that is larger than the bounds allow, as far as the program takes it; it is
 * appended to `text`.  False: there seems to be none that keeps the tags. */
bool hd_scenarios_random(struct hd_scenarios *s, const struct hd_scenario_bounds *bounds,
                         struct hd_rng *rng, struct hd_str *text);

/* The scenarios that lack one call of this one, with two threads at least. */
void hd_scenarios_smaller(const char *scenario, struct hd_strs *smaller);

/* How many there are, but at most `most`. */
uint64_t hd_scenarios_count(const struct hd_scenarios *s, uint64_t most);

#endif
