#include "supervise/shorten_cycle.h"

#include <stdlib.h>
#include <string.h>

#define LIKE 3        /* steps by which a place is recognised */
#define MOST_TURNS 24 /* that are tried in one pass */
#define PARTS 16      /* into which the way is cut */

/* Runs the `n` steps, the last of which are the cycle. */
static bool try_steps(struct hd_trial *trial, struct hd_run *run, const struct hd_step *steps,
                      uint32_t n, hd_regroup_take *take)
{
    struct hd_run other;
    struct hd_script script = { .steps = steps,
                                .n = n,
                                .leads_to = HD_LEADS_TO_CYCLE,
                                .race = { run->finding.cycle },
                                .threads = &run->threads };
    return hd_trial_run(trial, &script, 0, &other) && take(run, &other);
}

/* Without the steps [from, to). */
static bool try_without(struct hd_trial *trial, struct hd_run *run, const struct hd_step *steps,
                        uint32_t n, uint32_t from, uint32_t to, hd_regroup_take *take)
{
    struct hd_step *other = hd_alloc((n + 1) * sizeof *other);
    memcpy(other, steps, from * sizeof *other);
    memcpy(other + from, steps + to, (n - to) * sizeof *other);
    bool better = try_steps(trial, run, other, n - (to - from), take);
    free(other);
    return better;
}

/* With the steps [from, to) of one thread behind the last step of that thread before them. */
static bool try_earlier(struct hd_trial *trial, struct hd_run *run, const struct hd_step *steps,
                        uint32_t n, uint32_t from, uint32_t to, hd_regroup_take *take)
{
    uint32_t at = from;
    while (at > 0 && steps[at - 1].thread != steps[from].thread)
        at--;
    if (at == 0)
        return false;
    struct hd_step *other = hd_alloc((n + 1) * sizeof *other);
    memcpy(other, steps, at * sizeof *other);
    memcpy(other + at, steps + from, (to - from) * sizeof *other);
    memcpy(other + at + (to - from), steps + at, (from - at) * sizeof *other);
    memcpy(other + to, steps + to, (n - to) * sizeof *other);
    bool better = try_steps(trial, run, other, n, take);
    free(other);
    return better;
}

static uint32_t end_of_stretch(const struct hd_step *steps, uint32_t from, uint32_t n)
{
    uint32_t to = from;
    while (to < n && steps[to].thread == steps[from].thread)
        to++;
    return to;
}

/* The sites of the steps that hd_trial_schedule() gives. */
static uint32_t *sites_of(const struct hd_run *run)
{
    uint32_t *sites = hd_alloc((run->n_log + 1) * sizeof *sites), n = 0;
    for (uint32_t i = 0; i < run->n_log; i++)
        if (!(run->log[i].flags & HD_STEP_SOLO))
            sites[n++] = run->log[i].site;
    return sites;
}

/* The last step before `front` at which the run goes on as at step `at`; `at`: there is
 * none. */
static uint32_t same_again(const struct hd_step *steps, const uint32_t *sites, uint32_t at,
                           uint32_t front)
{
    for (uint32_t i = front; i-- > at + 1;) {
        bool same = true;
        for (uint32_t k = 0; k < LIKE && same; k++)
            same = steps[at + k].thread == steps[i + k].thread && sites[at + k] == sites[i + k];
        if (same)
            return i;
    }
    return at;
}

/* Leaves out turns of a loop in which the threads come to the same places again. */
static bool skip_turns(struct hd_trial *trial, struct hd_run *run, const struct hd_step *steps,
                       uint32_t n, uint32_t front, hd_regroup_take *take)
{
    uint32_t *sites = sites_of(run), tried = 0;
    bool better = false;
    for (uint32_t i = 0; i + LIKE < front && !better && tried < MOST_TURNS; i++) {
        uint32_t again = same_again(steps, sites, i, front);
        tried += again > i;
        better = again > i && try_without(trial, run, steps, n, i, again, take);
    }
    free(sites);
    return better;
}

/* One pass: true when the run has changed. */
static bool reduce(struct hd_trial *trial, struct hd_run *run, hd_regroup_take *take)
{
    uint32_t n;
    struct hd_step *steps = hd_trial_schedule(run, &n);
    uint32_t front = n > run->finding.cycle ? n - run->finding.cycle : 0;
    bool better = skip_turns(trial, run, steps, n, front, take);
    for (uint32_t from = 0, to; from < front && !better; from = to) {
        to = end_of_stretch(steps, from, front);
        better = try_earlier(trial, run, steps, n, from, to, take);
    }
    for (uint32_t size = front; size > front / PARTS && !better; size /= 2)
        for (uint32_t from = 0; from < front && !better; from += size) {
            uint32_t to = from + size < front ? from + size : front;
            better = try_without(trial, run, steps, n, from, to, take);
        }
    free(steps);
    return better;
}

void hd_shorten_cycle(struct hd_trial *trial, struct hd_run *run, hd_regroup_take *take)
{
    while (reduce(trial, run, take))
        ;
}
