#include "supervise/exploration_results.h"
#include "supervise/exploration_check.h"

#include <string.h>

static void candidate_add(struct hd_exploration *x, const struct hd_finding *finding,
                          const uint32_t *schedule, uint32_t n_steps)
{
    struct hd_candidate *c = &x->candidates[x->n_candidates++];
    c->threads = NULL;
    c->finding = *finding;
    hd_finding_shown(&c->finding);
    c->n_steps = n_steps;
    c->schedule = hd_alloc((n_steps + 1) * sizeof *schedule);
    memcpy(c->schedule, schedule, n_steps * sizeof *schedule);
}

void hd_exploration_take_damage(struct hd_exploration *x, const struct hd_worker_memory *shared,
                                const struct hd_err *damage)
{
    struct hd_finding finding = { .kind = HD_KIND_MEMORY };
    memcpy(finding.message, damage->text, sizeof finding.message - 1);
    uint32_t n = shared->depth <= HD_MAX_STEPS ? shared->depth : 0;
    x->threads.n = shared->n_threads <= HD_MAX_THREADS ? shared->n_threads : 1;
    memcpy(x->threads.names, shared->threads, sizeof x->threads.names);
    for (uint32_t i = 1; i < x->threads.n; i++)
        if (x->threads.names[i].parent >= i)
            x->threads.n = i;
    for (uint32_t i = 0; i < n; i++)
        if (HD_STEP_THREAD(shared->steps[i]) >= x->threads.n)
            n = 0;
    finding.thread = n ? HD_STEP_THREAD(shared->steps[n - 1]) : 0;
    candidate_add(x, &finding, shared->steps, n);
}

/* Does it end an execution?  A race does not, nor a partial deadlock. */
static bool ends(const struct hd_finding *f)
{
    return f->kind != HD_KIND_DATA_RACE && !f->partial;
}

static bool has_ending(const struct hd_exploration *x)
{
    for (uint32_t i = 0; i < x->n_candidates; i++)
        if (ends(&x->candidates[i].finding))
            return true;
    return false;
}

/* One of a worker's findings, unless another has found the same, or only the first is
 * wanted. */
static void take_finding(struct hd_exploration *x, const struct hd_worker_memory *shared,
                         const struct hd_finding *f)
{
    if (ends(f) && !x->job->options.keep_going && has_ending(x))
        return;
    for (uint32_t i = 0; i < x->n_candidates; i++)
        if (x->candidates[i].finding.fingerprint == f->fingerprint)
            return;
    if (x->n_candidates == HD_MAX_FINDINGS)
        x->result->n_lost++;
    else
        candidate_add(x, f, shared->schedule + f->schedule, f->n_steps);
}

static void take_inversion(struct hd_result *r, const struct hd_inversion *inversion)
{
    for (uint32_t i = 0; i < r->n_inversions; i++)
        if (r->inversions[i].n == inversion->n && (r->inversions[i].sites == inversion->sites ||
                                                   r->inversions[i].locks == inversion->locks))
            return;
    if (r->n_inversions < HD_MAX_INVERSIONS)
        r->inversions[r->n_inversions++] = *inversion;
}

/* Has a worker recorded the same finding in another execution? */
static bool is_known(const struct hd_exploration *x, const struct hd_finding *f)
{
    for (uint32_t k = 0; k < x->crew.n_members; k++) {
        const struct hd_worker_memory *shared = x->crew.members[k].worker.shared;
        for (uint32_t i = 0; i < shared->n_findings; i++)
            if (shared->findings[i].kind == f->kind && shared->findings[i].pc == f->pc &&
                shared->findings[i].site == f->site && shared->findings[i].line == f->line)
                return true;
    }
    return false;
}

bool hd_exploration_has_violation(const struct hd_exploration *x)
{
    bool warns = x->job->options.races == HD_RACES_WARN;
    for (uint32_t k = 0; k < x->crew.n_members; k++) {
        const struct hd_worker_memory *shared = x->crew.members[k].worker.shared;
        for (uint32_t i = 0; i < shared->n_findings; i++)
            if (!warns || shared->findings[i].kind != HD_KIND_DATA_RACE)
                return true;
    }
    return false;
}

static void record(struct hd_exploration *x, const struct hd_unrecorded *u)
{
    struct hd_counters *cnt = &x->result->counters;
    struct hd_finding finding = u->died->died;
    finding.execution = hd_executions_ended(cnt) + 1;
    cnt->executions++;
    if (u->depth > cnt->max_depth)
        cnt->max_depth = u->depth;
    if (!is_known(x, &finding))
        candidate_add(x, &finding, u->died->steps, u->depth);
}

void hd_exploration_take_results(struct hd_exploration *x, const struct hd_unrecorded *unrecorded)
{
    struct hd_result *r = x->result;
    r->counters = hd_crew_counters(&x->crew);
    r->shared = x->crew.tree != NULL;
    hd_crew_notes(&x->crew, &r->notes);
    r->n_lost = 0;
    for (uint32_t k = 0; k < x->crew.n_members; k++) {
        const struct hd_worker_memory *shared = x->crew.members[k].worker.shared;
        r->n_lost += shared->n_lost;
        if (shared->n_threads > x->threads.n) {
            r->n_threads = x->threads.n = shared->n_threads;
            memcpy(x->threads.names, shared->threads, sizeof x->threads.names);
        }
    }
    if (unrecorded->died)
        record(x, unrecorded);
    for (uint32_t k = 0; k < x->crew.n_members; k++)
        hd_exploration_take_findings(x, x->crew.members[k].worker.shared);
}

void hd_exploration_take_findings(struct hd_exploration *x, const struct hd_worker_memory *shared)
{
    for (uint32_t i = 0; i < shared->n_findings; i++)
        take_finding(x, shared, &shared->findings[i]);
    for (uint32_t i = 0; i < shared->n_inversions; i++)
        take_inversion(x->result, &shared->inversions[i]);
}
