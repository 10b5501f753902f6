#include "supervise/prospects.h"

/* Estimates of the work that a search needs.  They are wrong by about a factor of TIMES. */
#define NEAR 200000
#define SOON 1500000
#define MOST 4000000 /* in one slice */
#define FAR 1e7
#define TIMES 5
#define SOON_SECONDS 1

/* Ten times what the two samples cost that are taken before a slice, in its steps. */
#define TENFOLD 600000

/* The same beyond which no search will end. */
#define HOPELESS 1e12

/* Shares of a tree: below them nothing of it has been explored. */
#define NO_TRACES 1e-30
#define NO_STATES 1e-12

/* A step that looks at a state without the names of threads takes several times as long as one
 * with them. */
static const struct hd_slice states_slice = { 20000, 0.25 }, several_slice = { 60000, 0.25 },
                             near_slice = { 300000, 0.5 }, far_slice = { 8000, 0.25 };

bool hd_prospects_hopeless(const struct hd_counters *c)
{
    return c->explored > 0 && hd_work_expected(c) >= HOPELESS;
}

bool hd_prospects_sampled(const struct hd_counters *c)
{
    return c->explored > 0 && hd_work_expected(c) > TENFOLD;
}

bool hd_prospects_none(const struct hd_counters *c)
{
    return c->explored < NO_TRACES && !c->dropped[HD_FILTER_INDEX_DEPTH] && !c->polled[0];
}

struct hd_slice hd_prospects_slice(const struct hd_counters *c, struct hd_slice least)
{
    double expected = hd_work_expected(c), work = TIMES * expected;
    if (expected > SOON || work < (double)least.work)
        return least;
    return (struct hd_slice){ work < MOST ? (uint64_t)work : MOST, SOON_SECONDS };
}

struct hd_slice hd_prospects_graphs(const struct hd_counters *c)
{
    double work = hd_work_expected(c);
    if (work <= NEAR && !hd_work_few_states(c))
        return near_slice;
    return work >= FAR ? far_slice : (struct hd_slice){ 0, 0 };
}

void hd_prospects_missed(struct hd_counters *c) { c->explored /= TIMES; }

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

struct hd_slice hd_prospects_states(const struct hd_counters *c, uint32_t n_threads, bool graphs)
{
    double expected = hd_work_expected(c);
    bool contended = hd_work_contended(c);
    if (has_many_states(n_threads, c->alike))
        return contended && expected < HOPELESS ? several_slice : (struct hd_slice){ 0, 0 };
    if (c->alike < HD_ALIKE)
        return contended ? several_slice : states_slice;
    if (c->alike <= HD_SEVERAL_ALIKE)
        return several_slice;
    struct hd_slice slice = TIMES * expected > NEAR && !graphs ? several_slice : states_slice;
    slice.work = slice.work * HD_SEVERAL_ALIKE / c->alike;
    return slice;
}

bool hd_prospects_states_later(const struct hd_counters *c)
{
    return hd_work_expected(c) < HOPELESS;
}

bool hd_prospects_goes_on(const struct hd_counters *traces, const struct hd_counters *states)
{
    /* an estimate is too low where traces lead to few states */
    return traces->alike >= HD_ALIKE || states->explored >= NO_STATES;
}
