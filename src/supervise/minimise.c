/* Three methods, one after the other (and before them, under a weak memory model, another order
 * of the same execution graph, straighten.h):
 *
 *  1. explore again with a preemption bound of 0, 1, … below what the run has (Musuvathi &
 *     Qadeer, PLDI 2007).  If that finishes, or finds the violation, the number of preemptions
 *     is minimal.
 *  2. sort parts of the schedule by threads (regroup.h).
 *  3. remove runs of steps of one thread from the schedule, or join them (delta debugging:
 *     Zeller & Hildebrandt, TSE 2002), replay the rest as guidance, and keep it if it breaks
 *     the program in the same way and is smaller.
 *
 * The way into a livelock is made short by the third method, too (shorten_cycle.h).  Nothing is
 * done about an execution that was stopped after a time.
 *
 *  M1  `run` is always a run that happened; its finding is the one that was given */
#include "supervise/minimise.h"

#include "supervise/explain_memory.h"
#include "supervise/regroup.h"
#include "supervise/shorten_cycle.h"
#include "supervise/straighten.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 20000        /* longer runs are not minimised */
#define EXPLORE_SECONDS 0.5  /* for the first method */
#define MOST_PREEMPTIONS 100 /* more preemptions are not tried */

bool hd_minimise_can(const struct hd_run *run)
{
    return run->found && !run->scheduled_only && run->n_log > 0 && run->n_log <= LONGEST &&
           !(run->finding.kind == HD_KIND_NO_PROGRESS && !run->finding.site) &&
           run->finding.kind != HD_KIND_DATA_RACE && run->finding.kind != HD_KIND_LIVELOCK &&
           !run->finding.partial;
}

static uint32_t scheduled(const struct hd_run *run)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_log; i++)
        n += !(run->log[i].flags & HD_STEP_SOLO);
    return n;
}

static bool smaller(const struct hd_run *a, const struct hd_run *b)
{
    uint32_t sa = hd_straighten_stale(a), sb = hd_straighten_stale(b);
    if (sa != sb)
        return sa < sb;
    uint32_t pa = hd_run_preemptions(a), pb = hd_run_preemptions(b);
    return pa < pb || (pa == pb && scheduled(a) < scheduled(b));
}

/* A checker from outside says the same of another execution with the same text at the same
 * place in the source, after however many steps. */
static bool same_violation(const struct hd_finding *a, const struct hd_finding *b)
{
    if (a->kind == HD_KIND_OBJECTION)
        return b->kind == a->kind && b->site == a->site && strcmp(b->message, a->message) == 0;
    return hd_finding_same(a, b);
}

/* Replace `run` by `other` if that is the same violation and smaller; otherwise release
 * `other`. */
static bool take_if_better(struct hd_run *run, struct hd_run *other)
{
    if (!other->found || other->scheduled_only ||
        !same_violation(&run->finding, &other->finding) || !smaller(other, run)) {
        hd_run_release(other);
        return false;
    }
    other->warning = run->warning;
    other->finding.execution = run->finding.execution;
    other->finding.fingerprint = run->finding.fingerprint;
    other->finding.n_steps = scheduled(other);
    other->finding.preemptions = hd_run_preemptions(other);
    hd_run_release(run);
    *run = *other;
    return true;
}

/* The first method.  `all`: go on after other violations. */
static bool explore_below(struct hd_trial *trial, struct hd_run *run, bool all)
{
    struct hd_job job = *trial->job;
    struct hd_result result;
    struct hd_err ignored;
    double left = trial->deadline - hd_watch_now();
    if (left <= 0 || job.options.memory != HD_MEMORY_SC)
        return false;
    if (run->finding.kind != HD_KIND_OBJECTION) { /* which takes the checker */
        job.options.search = HD_SEARCH_DFS;
        job.options.plugin.used = 0;
    }
    job.options.shuffled = job.options.first_random = 0;
    job.options.filters = HD_FILTER_PREEMPTIONS;
    job.options.preemptions = hd_run_preemptions(run) - 1;
    job.options.iterative = 1;
    job.options.keep_going = all;
    job.options.max_executions = 0;
    if (run->finding.kind != HD_KIND_DATA_RACE)
        job.options.races = HD_RACES_OFF;
    job.watch.progress = NULL;
    job.resume = job.checkpoint = NULL;
    job.seconds = left < EXPLORE_SECONDS ? left : EXPLORE_SECONDS;
    if (hd_supervise_explore(&job, &result, &ignored) != HD_EXIT_OK)
        return false;
    bool better = false, other = false;
    if (result.options.reuse.classes != job.options.reuse.classes) {
        hd_result_release(&result); /* its steps are others, so its schedule is no use here */
        return false;
    }
    for (uint32_t i = 0; i < result.n_runs && !better; i++) {
        better = take_if_better(run, &result.runs[i]);
        result.runs[i] = (struct hd_run){ 0 };
        other = other || !better;
    }
    hd_result_release(&result);
    return better || (other && !all && explore_below(trial, run, true));
}

/* The graph of the run with fewer stale reads.  A run that the model does not allow is none. */
static void straighten(struct hd_trial *trial, struct hd_run *run)
{
    const struct hd_finding *f = &run->finding;
    uint32_t race_step = f->kind == HD_KIND_DATA_RACE ? f->race_step : 0;
    if (run->scheduled_only || f->kind == HD_KIND_NO_PROGRESS || f->kind == HD_KIND_LIVELOCK ||
        f->partial || (f->kind == HD_KIND_DATA_RACE && !race_step))
        return;
    struct hd_step *steps = hd_straighten(run, &race_step);
    struct hd_script script = {
        .steps = steps, .n = run->n_log, .has_solo = true, .threads = &run->threads
    };
    if (race_step) {
        script.leads_to = HD_LEADS_TO_UNORDERED;
        script.race[0] = race_step;
        script.race[1] = f->standings[1].thread;
    }
    struct hd_run other;
    if (steps && hd_trial_run(trial, &script, 0, &other)) {
        if (hd_explain_memory_forbidden(&other))
            hd_run_release(&other);
        else
            take_if_better(run, &other);
    }
    free(steps);
}

/* A stretch: steps [from, to) of one thread. */
struct stretch {
    uint32_t from, to;
};

static uint32_t cut(const struct hd_step *steps, uint32_t n, struct stretch *stretches)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < n;) {
        uint32_t end = i;
        while (end < n && steps[end].thread == steps[i].thread)
            end++;
        stretches[found++] = (struct stretch){ i, end };
        i = end;
    }
    return found;
}

static bool try_schedule(struct hd_trial *trial, struct hd_run *run, const struct hd_step *steps,
                         uint32_t n)
{
    struct hd_run other;
    struct hd_script script = {
        .steps = steps, .n = n, .guide = HD_GUIDE_STAY, .threads = &run->threads
    };
    return hd_trial_run(trial, &script, run->n_log + 1, &other) && take_if_better(run, &other);
}

static uint32_t copy(struct hd_step *to, const struct hd_step *from, struct stretch s)
{
    memcpy(to, from + s.from, (s.to - s.from) * sizeof *to);
    return s.to - s.from;
}

/* Without stretch i. */
static bool try_without(struct hd_trial *trial, struct hd_run *run, const struct hd_step *steps,
                        const struct stretch *s, uint32_t n, uint32_t i)
{
    struct hd_step *other = hd_alloc((s[n - 1].to + 1) * sizeof *other);
    uint32_t at = 0;
    for (uint32_t k = 0; k < n; k++)
        if (k != i)
            at += copy(other + at, steps, s[k]);
    bool better = try_schedule(trial, run, other, at);
    free(other);
    return better;
}

/* With the next stretch of its thread directly after stretch i. */
static bool try_together(struct hd_trial *trial, struct hd_run *run, const struct hd_step *steps,
                         const struct stretch *s, uint32_t n, uint32_t i)
{
    uint32_t next = i + 1;
    while (next < n && steps[s[next].from].thread != steps[s[i].from].thread)
        next++;
    if (next == n)
        return false;
    struct hd_step *other = hd_alloc((s[n - 1].to + 1) * sizeof *other);
    uint32_t at = 0;
    for (uint32_t k = 0; k < n; k++) {
        if (k != next)
            at += copy(other + at, steps, s[k]);
        if (k == i)
            at += copy(other + at, steps, s[next]);
    }
    bool better = try_schedule(trial, run, other, at);
    free(other);
    return better;
}

/* One pass of the third method, from the end: true when the run has changed. */
static bool reduce(struct hd_trial *trial, struct hd_run *run)
{
    uint32_t n;
    struct hd_step *steps = hd_trial_schedule(run, &n);
    struct stretch *s = hd_alloc((n + 1) * sizeof *s);
    uint32_t n_stretches = cut(steps, n, s);
    bool better = false;
    for (uint32_t i = n_stretches; i-- > 0 && !better && !hd_trial_over(trial);)
        better = try_together(trial, run, steps, s, n_stretches, i) ||
                 try_without(trial, run, steps, s, n_stretches, i);
    free(s);
    free(steps);
    return better;
}

void hd_minimise(struct hd_trial *trial, struct hd_run *run)
{
    straighten(trial, run);
    uint32_t preemptions = hd_run_preemptions(run);
    bool race = run->found && !run->scheduled_only && !run->finding.partial &&
                run->finding.kind == HD_KIND_DATA_RACE && run->n_log <= LONGEST;
    if (race && preemptions > 0 && preemptions <= MOST_PREEMPTIONS)
        explore_below(trial, run, false); /* a replay of stretches would not see the race */
    if (race && run->memory == HD_MEMORY_SC && hd_run_preemptions(run) > 0)
        hd_regroup(trial, run, take_if_better);
    if (run->found && run->finding.kind == HD_KIND_LIVELOCK && !run->scheduled_only &&
        run->memory == HD_MEMORY_SC && run->n_log <= LONGEST)
        hd_shorten_cycle(trial, run, take_if_better);
    if (!hd_minimise_can(run))
        return;
    if (preemptions > 0 && preemptions <= MOST_PREEMPTIONS)
        explore_below(trial, run, false);
    if (run->memory == HD_MEMORY_SC && hd_run_preemptions(run) > 1)
        hd_regroup(trial, run, take_if_better);
    while (reduce(trial, run))
        ;
}
