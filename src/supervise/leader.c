#include "supervise/leader.h"

#include <stdlib.h>
#include <string.h>

#define FIRST_PAUSE 0.002 /* seconds after an answer without units */
#define MOST_PAUSES 5     /* that double */
#define SHARE 16          /* of the time of the search, for a unit */
#define STARVED 0.5       /* seconds after its question in which a leader counts as idle */

uint32_t hd_groups(uint32_t n_ranks, uint32_t size)
{
    uint32_t n = (n_ranks + size - 1) / size, most = n_ranks / 2;
    return n > most ? most : n;
}

uint32_t hd_group_leader(uint32_t n_ranks, uint32_t n_groups, uint32_t group)
{
    return (uint32_t)((uint64_t)n_ranks * group / n_groups);
}

void hd_leader_init(struct hd_leader *l, uint32_t me, uint32_t n_leaders, uint32_t n_members)
{
    memset(l, 0, sizeof *l);
    l->me = me;
    l->n_leaders = n_leaders;
    l->n_members = n_members;
    l->idle = hd_alloc((n_members + 1) * sizeof *l->idle);
    l->rng.state = me;
}

void hd_leader_release(struct hd_leader *l)
{
    hd_pool_release(&l->waiting);
    free(l->idle);
}

void hd_leader_add(struct hd_leader *l, void *unit, uint64_t bytes)
{
    hd_pool_add(&l->waiting, unit, bytes);
}

void hd_leader_idle(struct hd_leader *l, uint32_t member, bool was_busy)
{
    l->n_busy -= was_busy;
    l->idle[l->n_idle++] = member;
}

int hd_leader_asked(struct hd_leader *l, uint32_t by, double now, struct hd_err *err)
{
    l->starved_until = now + STARVED;
    uint64_t n = l->closed ? 0 : l->waiting.n / 2;
    /* a single unit that nobody here has time for may go, too */
    if (!l->closed && l->waiting.n == 1 && l->n_idle == 0)
        n = 1;
    void **units = hd_alloc((n + 1) * sizeof *units);
    for (uint64_t i = 0; i < n; i++)
        units[i] = hd_pool_nearest(&l->waiting);
    l->given += n;
    int failed = l->ops->give(l->context, by, units, n, err);
    free(units);
    return failed;
}

void hd_leader_answered(struct hd_leader *l, uint64_t n, double now)
{
    l->asking = false;
    l->taken += n;
    l->n_refused = n ? 0 : l->n_refused + 1;
    uint32_t doubled = l->n_refused < MOST_PAUSES ? l->n_refused : MOST_PAUSES;
    l->ask_at = n ? now : now + FIRST_PAUSE * (double)(1u << doubled);
}

static bool wants_units(const struct hd_leader *l)
{
    return l->n_leaders > 1 && l->n_idle && !l->waiting.n && !l->closed && !l->asking;
}

bool hd_leader_pauses(const struct hd_leader *l) { return wants_units(l); }

/* What is explored in the end is cut only when its time is over, and all others wait for it.
 * So a unit has no more than a share of the time that the search has taken. */
static double time_of_unit(const struct hd_leader *l, double now)
{
    double seconds = hd_pool_seconds(&l->waiting, l->n_members);
    double most = (now - l->began) / SHARE;
    if (now < l->starved_until || most < HD_POOL_LEAST_SECONDS)
        return HD_POOL_LEAST_SECONDS;
    return seconds < most ? seconds : most;
}

int hd_leader_act(struct hd_leader *l, double now, struct hd_err *err)
{
    int failed = 0;
    if (l->began == 0)
        l->began = now;
    while (l->n_idle && l->waiting.n && !l->closed && !failed) {
        uint32_t member = l->idle[--l->n_idle];
        void *unit = hd_pool_take(&l->waiting, l->n_members);
        l->n_busy++;
        failed = l->ops->explore(l->context, member, unit, time_of_unit(l, now), err);
    }
    if (failed || !wants_units(l) || now < l->ask_at)
        return failed;
    uint32_t other = hd_rng_below(&l->rng, l->n_leaders - 1);
    l->asking = true;
    return l->ops->ask(l->context, other + (other >= l->me), err);
}

bool hd_leader_quiet(const struct hd_leader *l)
{
    return !l->n_busy && (l->closed || !l->waiting.n);
}

bool hd_survey_begin(struct hd_survey *r)
{
    if (r->n_answers < r->n_leaders && r->round)
        return false;
    r->before = r->taken;
    r->round++;
    r->n_answers = 0;
    r->quiet = true;
    r->given = r->taken = 0;
    return true;
}

void hd_survey_answer(struct hd_survey *r, uint64_t round, bool quiet, uint64_t given,
                      uint64_t taken)
{
    if (round != r->round)
        return;
    r->n_answers++;
    r->quiet = r->quiet && quiet;
    r->given += given;
    r->taken += taken;
}

bool hd_survey_over(const struct hd_survey *r)
{
    return r->n_answers == r->n_leaders && r->quiet && r->given == r->taken &&
           r->taken == r->before;
}
