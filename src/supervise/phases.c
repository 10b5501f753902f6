/*  F1  at most two explorations exist at a time: the one that runs, and `whole` that waits
 *  F2  a phase that has not decided leaves nothing behind but its line in result->phases
 *  F3  the result's counters, options and runs are all of the phase decided_by */
#include "supervise/phases.h"

#include "supervise/exploration.h"

#include <string.h>

/* Work (hd_counters_work) before the next phase has its turn: about half a second, and less. */
#define FIRST_SLICE 1000000
#define BRIEF_SLICE 200000

struct turn {
    const struct hd_search_plan *plan;
    struct hd_job job;
    struct hd_exploration x;
    struct hd_result result;
    uint32_t phase; /* its line */
    bool open;      /* x and result are there */
};

struct phases {
    const struct hd_job *job;
    struct hd_result *result; /* the phases' lines so far */
    double started;
};

static uint64_t executions_of_others(const struct phases *p, const struct turn *t)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->result->n_phases; i++)
        if (i != t->phase)
            sum += p->result->phases[i].counters.executions;
    return sum;
}

/* How many this turn may come to, counted from its beginning; 0: as many as it likes. */
static uint64_t executions_left(const struct phases *p, const struct turn *t)
{
    uint64_t all = p->job->options.max_executions, others = executions_of_others(p, t);
    return all == 0 ? 0 : all > others ? all - others : 1;
}

static void note(struct phases *p, const struct turn *t)
{
    p->result->phases[t->phase] = (struct hd_phase){ .name = t->plan->name,
                                                     .counters = t->result.counters,
                                                     .seconds = t->result.seconds };
}

static int begin(struct phases *p, struct turn *t, const struct hd_search_plan *plan,
                 uint32_t jobs, uint64_t work, struct hd_err *err)
{
    *t = (struct turn){ .plan = plan, .job = *p->job, .open = true };
    t->phase = p->result->n_phases++;
    t->job.options = plan->options;
    t->job.options.jobs = jobs;
    t->job.options.max_work = work;
    t->job.options.max_executions = executions_left(p, t);
    t->job.watch.phase = plan->name;
    t->job.watch.started = p->started;
    return hd_exploration_begin(&t->x, &t->job, &t->result, err);
}

static void end(struct turn *t)
{
    if (!t->open)
        return;
    hd_exploration_end(&t->x);
    hd_result_release(&t->result);
    t->open = false;
}

/* Let it explore; `begun` is what beginning it, or letting it go on, has come to. */
static int run(struct phases *p, struct turn *t, int begun, struct hd_err *err)
{
    if (begun == HD_EXIT_OK) {
        t->x.watch.deadline = p->job->seconds > 0 ? p->started + p->job->seconds : 0;
        begun = hd_exploration_run(&t->x, err);
    }
    note(p, t);
    return begun;
}

static int go_on(struct phases *p, struct turn *t, uint64_t work, struct hd_err *err)
{
    return run(p, t, hd_exploration_go_on(&t->x, work, executions_left(p, t), err), err);
}

/* Has the whole check come to its end with this phase? */
static bool over(const struct turn *t)
{
    const struct hd_counters *c = &t->result.counters;
    if (t->result.stop == HD_STOP_FINISHED)
        return !c->depth_reached && !c->preemption_reached;
    return t->result.stop != HD_STOP_WORK;
}

/* Is the result its own?  A phase whose time is up, or that was interrupted, says nothing. */
static bool decides(const struct turn *t)
{
    return t->result.stop == HD_STOP_FINISHED || t->result.stop == HD_STOP_VIOLATION ||
           t->result.stop == HD_STOP_DAMAGED;
}

/* Phase `t` has ended the check: its result, or that of `whole`, is the check's. */
static int conclude(struct phases *p, struct turn *t, struct turn *whole, struct hd_err *err)
{
    struct hd_result lines = *p->result;
    enum hd_stop stop = t->result.stop;
    if (!decides(t))
        t = whole;
    hd_crew_release(&t->x.crew);
    int status = hd_exploration_confirm(&t->x, err);
    if (status == HD_EXIT_OK) {
        *p->result = t->result;
        p->result->stop = stop;
        p->result->n_phases = lines.n_phases;
        p->result->decided_by = t->phase;
        p->result->seconds = 0;
        memcpy(p->result->phases, lines.phases, sizeof lines.phases);
        for (uint32_t i = 0; i < lines.n_phases; i++)
            p->result->seconds += lines.phases[i].seconds;
        t->result = (struct hd_result){ 0 };
    }
    return status;
}

/* `whole` and `other` in turns; or `whole` alone, anew, where it cannot go on. */
static int to_the_end(struct phases *p, const struct hd_plan *plan, struct turn *whole,
                      struct hd_err *err)
{
    struct turn other = { 0 };
    const struct hd_counters *c = &whole->result.counters;
    int status;
    if (p->job->options.jobs > 1 || whole->x.crew.members[0].worker.randomised) {
        end(whole);
        status = run(p, whole, begin(p, whole, &plan->whole, p->job->options.jobs, 0, err), err);
        return status == HD_EXIT_OK ? conclude(p, whole, whole, err) : status;
    }
    /* states behind code that cannot be seen are unknown, and a loop without end is `whole`'s to tell */
    bool alone = c->opaque > 0 || c->depth_reached;
    for (uint64_t work = FIRST_SLICE;; work *= 2) {
        struct turn *last = &other;
        status = alone        ? HD_EXIT_OK
                 : other.open ? go_on(p, &other, work, err)
                              : run(p, &other, begin(p, &other, &plan->other, 1, work, err), err);
        if (status == HD_EXIT_OK && !alone && other.result.stop == HD_STOP_FINISHED &&
            !over(&other))
            alone = true;
        if (status == HD_EXIT_OK && (alone || !over(&other))) {
            last = whole;
            status = go_on(p, whole, alone ? 0 : 2 * work, err);
        }
        if (status != HD_EXIT_OK || last->result.stop != HD_STOP_WORK) {
            status = status == HD_EXIT_OK ? conclude(p, last, whole, err) : status;
            break;
        }
    }
    end(&other);
    return status;
}

static int explore(struct phases *p, const struct hd_plan *plan, struct turn *whole,
                   struct hd_err *err)
{
    int status = run(p, whole, begin(p, whole, &plan->whole, 1, FIRST_SLICE, err), err);
    if (status != HD_EXIT_OK)
        return status;
    if (whole->result.stop != HD_STOP_WORK)
        return conclude(p, whole, whole, err);
    for (uint32_t i = 0; i < HD_SHORT_PHASES; i++) {
        struct turn brief;
        status = run(p, &brief, begin(p, &brief, &plan->brief[i], 1, BRIEF_SLICE, err), err);
        bool ended = status != HD_EXIT_OK || over(&brief);
        if (status == HD_EXIT_OK && ended)
            status = conclude(p, &brief, whole, err);
        end(&brief);
        if (ended)
            return status;
    }
    return to_the_end(p, plan, whole, err);
}

int hd_phases_explore(const struct hd_job *job, const struct hd_plan *plan,
                      struct hd_result *result, struct hd_err *err)
{
    struct phases p = { .job = job, .result = result, .started = hd_watch_now() };
    struct turn whole = { 0 };
    *result = (struct hd_result){ 0 };
    int status = explore(&p, plan, &whole, err);
    end(&whole);
    if (status != HD_EXIT_OK)
        hd_result_release(result);
    return status;
}
