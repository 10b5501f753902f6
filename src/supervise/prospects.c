#include "supervise/prospects.h"

#include <math.h>

/* Estimates of the work that a search needs.  They are wrong by about a factor of TIMES. */
#define NEAR 200000
#define SOON 600000
#define TIMES 5
#define SOON_SECONDS 1

/* Where there seem to be too many states for a slice: the part of the work of a search of
 * traces that is worth trying all the same, and when neither of them will end. */
#define STATES_PART 10
#define STATES_LEAST 2000
#define HOPELESS 1e12

/* Shares of a tree: below them nothing of it has been explored. */
#define NO_TRACES 1e-30
#define NO_STATES 1e-12

/* A step that looks at a state without the names of threads takes several times as long as one
 * with them. */
static const struct hd_slice states_slice = { 20000, 0.25 }, several_slice = { 60000, 0.25 };

static double expected_work(const struct hd_counters *c)
{
    return c->explored > 0 ? (double)hd_counters_work(c) / c->explored : HUGE_VAL;
}

bool hd_prospects_near(const struct hd_counters *c)
{
    return expected_work(c) <= NEAR && c->alike < HD_ALIKE;
}

bool hd_prospects_none(const struct hd_counters *c)
{
    return c->explored < NO_TRACES && !c->dropped[HD_FILTER_INDEX_DEPTH] && !c->polled[0];
}

struct hd_slice hd_prospects_slice(const struct hd_counters *c, struct hd_slice least)
{
    double work = TIMES * expected_work(c);
    if (work > TIMES * SOON || work < (double)least.work)
        return least;
    return (struct hd_slice){ (uint64_t)work, SOON_SECONDS };
}

bool hd_prospects_is_long(struct hd_slice slice) { return slice.work > (uint64_t)TIMES * NEAR; }

/* Every thread has three places at least: before, in and after what it does.  Those that are
 * alike count once. */
static bool has_many_states(uint64_t n_threads, uint64_t alike)
{
    uint64_t states = 1;
    for (uint64_t n = alike; n <= n_threads && states <= states_slice.work; n++)
        states *= 3;
    return states > states_slice.work;
}

struct hd_slice hd_prospects_states(const struct hd_counters *c, uint32_t n_threads)
{
    struct hd_slice slice = states_slice;
    if (has_many_states(n_threads, c->alike)) {
        double work = expected_work(c);
        uint64_t part = work < HOPELESS ? (uint64_t)(work / STATES_PART) : 0;
        if (part < STATES_LEAST)
            return (struct hd_slice){ 0, 0 };
        slice.work = part < several_slice.work ? part : several_slice.work;
        return slice;
    }
    if (c->alike > HD_SEVERAL_ALIKE)
        slice.work = slice.work * HD_SEVERAL_ALIKE / c->alike;
    return c->alike < HD_ALIKE || c->alike > HD_SEVERAL_ALIKE ? slice : several_slice;
}

bool hd_prospects_goes_on(const struct hd_counters *traces, const struct hd_counters *states)
{
    /* an estimate is too low where traces lead to few states */
    return traces->alike >= HD_ALIKE || states->explored >= NO_STATES;
}
