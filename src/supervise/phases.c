/*  F1  at most three explorations exist at a time: the one that runs, `whole` and `other`
 *  F2  a phase that has not decided leaves nothing behind but its line in result->phases
 *  F3  the result's counters, options and runs are all of the phase decided_by */
#include "supervise/phases.h"

#include "supervise/exploration.h"

#include <string.h>

/* Work (hd_counters_work) before the next phase has its turn: about a tenth of a second, less, and
 * some seconds. */
#define FIRST_SLICE 300000
#define BRIEF_SLICE 50000
#define SECOND_SLICE 10000000
#define LOOPS_SLICE 1000000
#define LOOPS_DEPTH 10000 /* a loop that does not come back to a state */
/* Rounds in which `other` may be passed over, and the explored share from which `whole` is taken to
 * be nearly through. */
#define PATIENT_ROUNDS 3
#define NEARLY 0.2

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

/* `kept`: it is the one that a checkpoint is made of. */
static int begin(struct phases *p, struct turn *t, const struct hd_search_plan *plan,
                 uint32_t jobs, uint64_t work, bool kept, struct hd_err *err)
{
    *t = (struct turn){ .plan = plan, .job = *p->job, .open = true };
    if (!kept)
        t->job.checkpoint = t->job.resume = NULL;
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

/* The turns of one check. */
struct turns {
    const struct hd_plan *plan;
    struct turn whole, other;
    /* `other` has no turn: states behind code that cannot be seen are unknown, a loop without
     * end is for `whole` to tell, and a checkpoint is of one search */
    bool alone;
};

/* Let `other` come to so much work.  *over: the check is. */
static int other_turn(struct phases *p, struct turns *t, uint64_t work, bool *is_over,
                      struct hd_err *err)
{
    int status = t->other.open
                     ? go_on(p, &t->other, work, err)
                     : run(p, &t->other,
                           begin(p, &t->other, &t->plan->other, 1, work, false, err), err);
    *is_over = status == HD_EXIT_OK && over(&t->other);
    if (*is_over)
        return conclude(p, &t->other, &t->whole, err);
    t->alone = status == HD_EXIT_OK && t->other.result.stop == HD_STOP_FINISHED;
    return status;
}

/* `whole` is through, but for loops that it cut (options.polls): where they come back to a state,
 * `other` knows that they do. */
static int cut_loops(struct phases *p, struct turns *t, struct hd_err *err)
{
    struct hd_search_plan plan = t->plan->other;
    struct turn *whole = &t->whole, *other = &t->other;
    if (plan.options.depth > LOOPS_DEPTH)
        plan.options.depth = LOOPS_DEPTH;
    int status = other->open
                     ? go_on(p, other, 2 * hd_counters_work(&other->result.counters), err)
                     : run(p, other, begin(p, other, &plan, 1, LOOPS_SLICE, false, err), err);
    if (status != HD_EXIT_OK)
        return status;
    return conclude(p, over(other) ? other : whole, whole, err);
}

static bool only_polls(const struct turn *t)
{
    const struct hd_counters *c = &t->result.counters;
    return t->result.stop == HD_STOP_FINISHED && t->x.n_candidates == 0 && c->polled[0] &&
           c->opaque == 0 && !c->depth_reached && !c->preemption_reached;
}

/* `whole` and `other` in turns, the first of which is for `whole`. */
static int in_turns(struct phases *p, struct turns *t, struct hd_err *err)
{
    for (uint32_t round = 0;; round++) {
        uint64_t work = (uint64_t)SECOND_SLICE << round;
        bool is_over = false;
        int status = go_on(p, &t->whole, t->alone ? 0 : work, err);
        if (status == HD_EXIT_OK && only_polls(&t->whole) && !t->alone)
            return cut_loops(p, t, err);
        if (status == HD_EXIT_OK && t->whole.result.stop != HD_STOP_WORK)
            return conclude(p, &t->whole, &t->whole, err);
        bool nearly = round < PATIENT_ROUNDS && t->whole.result.counters.explored >= NEARLY;
        if (status == HD_EXIT_OK && !t->alone && !nearly)
            status = other_turn(p, t, work, &is_over, err);
        if (status != HD_EXIT_OK || is_over)
            return status;
    }
}

/* `whole` from its beginning, or from a checkpoint, to its end. */
static int anew(struct phases *p, struct turns *t, struct hd_err *err)
{
    end(&t->whole);
    int status = begin(p, &t->whole, &t->plan->whole, p->job->options.jobs, 0, true, err);
    status = run(p, &t->whole, status, err);
    return status == HD_EXIT_OK ? conclude(p, &t->whole, &t->whole, err) : status;
}

static int brief_turn(struct phases *p, struct turns *t, const struct hd_search_plan *plan,
                      bool *is_over, struct hd_err *err)
{
    struct turn brief;
    int status = run(p, &brief, begin(p, &brief, plan, 1, BRIEF_SLICE, false, err), err);
    *is_over = status == HD_EXIT_OK && over(&brief);
    if (*is_over)
        status = conclude(p, &brief, &t->whole, err);
    end(&brief);
    return status;
}

static int explore(struct phases *p, struct turns *t, struct hd_err *err)
{
    struct turn *whole = &t->whole;
    bool alone = p->job->options.jobs <= 1;
    if (p->job->resume)
        return anew(p, t, err);
    int status = run(p, whole, begin(p, whole, &t->plan->whole, 1, FIRST_SLICE, alone, err), err);
    if (status != HD_EXIT_OK)
        return status;
    if (only_polls(whole) && alone && !p->job->checkpoint)
        return cut_loops(p, t, err);
    if (whole->result.stop != HD_STOP_WORK)
        return conclude(p, whole, whole, err);
    const struct hd_counters *c = &whole->result.counters;
    bool one = alone && !whole->x.crew.members[0].worker.randomised;
    bool is_over = false;
    t->alone = c->opaque > 0 || c->depth_reached || p->job->checkpoint;
    for (uint32_t i = 0; i < HD_SHORT_PHASES && status == HD_EXIT_OK && !is_over; i++)
        status = brief_turn(p, t, &t->plan->brief[i], &is_over, err);
    if (status != HD_EXIT_OK || is_over)
        return status;
    return one ? in_turns(p, t, err) : anew(p, t, err);
}

int hd_phases_explore(const struct hd_job *job, const struct hd_plan *plan,
                      struct hd_result *result, struct hd_err *err)
{
    struct phases p = { .job = job, .result = result, .started = hd_watch_now() };
    struct turns turns = { .plan = plan };
    *result = (struct hd_result){ 0 };
    int status = explore(&p, &turns, err);
    end(&turns.whole);
    end(&turns.other);
    if (status != HD_EXIT_OK)
        hd_result_release(result);
    return status;
}
