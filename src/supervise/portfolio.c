/* Several searches take turns on one program.
 *
 * Invariants (check_open, check_result):
 *  F1  at most three explorations exist at a time: the one that runs, `whole` and `other`
 *  F2  a phase that has not decided leaves nothing but its line in result->phases, and what
 *      it found in the pool
 *  F3  the result's counters, options and runs are all of the phase decided_by */
#include "supervise/portfolio.h"

#include "supervise/exploration.h"

#include <stdlib.h>
#include <string.h>

/* What a turn may use: work (hd_counters_work), or processor time where steps take long or are
 * looked back from far.  The first are meant to be what ends it: they are the same on every
 * machine. */
struct slice {
    uint64_t work;  /* 0: as much as it likes */
    double seconds; /* 0: likewise */
};
static const struct slice first_slice = { 300000, 0.5 }, brief_slice = { 50000, 1 },
                          second_slice = { 10000000, 10 }, loops_slice = { 1000000, 10 },
                          whole_slice = { 0, 0 };

/* Steps after which executions of the first turns are cut, and those of one that may be on its
 * way to no end. */
#define FIRST_DEPTH 20000
#define LONG_EXECUTION 2000
#define LOOPS_DEPTH 10000 /* a loop that does not come back to a state */

/* Of --time, what a turn may use at most. */
#define TIME_SHARE 0.25
#define BRIEF_SHARE 0.0625

/* Rounds in which `other` may be passed over, and the explored share from which `whole` is
 * taken to be nearly through. */
#define PATIENT_ROUNDS 3
#define NEARLY 0.2

#define MOST_OPEN 3 /* explorations: the one that runs, `whole` and `other` */

struct turn {
    const struct hd_search_plan *plan;
    struct hd_job job;
    struct hd_exploration x;
    struct hd_result result;
    uint32_t phase; /* its line */
    bool open;      /* x and result are there */
};

/* What a phase has found, with the names of its threads. */
struct catch
{
    struct hd_threads threads;
    uint32_t n;
    struct hd_candidate items[HD_MAX_FINDINGS];
};

struct phases {
    const struct hd_job *job;
    struct hd_result *result; /* the phases' lines so far */
    double started;
    uint32_t n_open;                   /* explorations that exist */
    struct catch *pool[HD_MAX_PHASES]; /* by phase; NULL: nothing */
    const struct hd_search_plan *plans[HD_MAX_PHASES];
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

static void empty(struct catch *c)
{
    for (uint32_t i = 0; c && i < c->n; i++)
        free(c->items[i].schedule);
    free(c);
}

/* Another phase may have the last word: what this one has found is kept for it. */
static void catch_findings(struct phases *p, const struct turn *t)
{
    const struct hd_exploration *x = &t->x;
    if (x->n_candidates == 0)
        return;
    struct catch *c = hd_alloc(sizeof *c);
    c->threads = x->threads;
    for (uint32_t i = 0; i < x->n_candidates && c->n < HD_MAX_FINDINGS; i++) {
        struct hd_candidate *to = &c->items[c->n++];
        *to = x->candidates[i];
        to->schedule = hd_alloc((to->n_steps + 1) * sizeof *to->schedule);
        memcpy(to->schedule, x->candidates[i].schedule, to->n_steps * sizeof *to->schedule);
    }
    empty(p->pool[t->phase]);
    p->pool[t->phase] = c;
}

static bool is_known(const struct hd_exploration *x, const struct hd_finding *finding)
{
    for (uint32_t i = 0; i < x->n_candidates; i++)
        if (x->candidates[i].finding.fingerprint == finding->fingerprint)
            return true;
    return false;
}

/* What the other phases have found, beside what the deciding one has. */
static void add_caught(struct phases *p, struct turn *t)
{
    struct hd_exploration *x = &t->x;
    for (uint32_t k = 0; k < HD_MAX_PHASES; k++) {
        struct catch *c = k == t->phase ? NULL : p->pool[k];
        for (uint32_t i = 0; c && i < c->n && x->n_candidates < HD_MAX_FINDINGS; i++) {
            if (is_known(x, &c->items[i].finding))
                continue;
            x->candidates[x->n_candidates] = c->items[i];
            x->candidates[x->n_candidates++].threads = &c->threads;
            c->items[i].schedule = NULL; /* the exploration frees it */
        }
    }
}

/* How a turn begins. */
struct start {
    uint32_t jobs;
    struct slice slice;
    uint32_t depth; /* 0: that of the plan */
    bool kept;      /* it is the one that a checkpoint is made of */
};

/* F1 */
static void check_open(const struct phases *p)
{
    if (p->n_open > MOST_OPEN)
        hd_bug("F1 of the portfolio does not hold: %u explorations exist", p->n_open);
}

/* F2 and F3: what is reported is that of the phase that decided, and no other is left. */
static void check_result(const struct phases *p)
{
    const struct hd_result *r = p->result;
    if (p->n_open)
        hd_bug("F2 of the portfolio does not hold: %u explorations are left", p->n_open);
    const struct hd_counters *by = &r->phases[r->decided_by].counters;
    if (r->decided_by >= r->n_phases || r->counters.executions != by->executions ||
        r->counters.events != by->events || r->counters.states != by->states ||
        r->options.filters != p->plans[r->decided_by]->options.filters)
        hd_bug("F3 of the portfolio does not hold: the result is not that of phase %u",
               r->decided_by);
}

static int begin(struct phases *p, struct turn *t, const struct hd_search_plan *plan,
                 struct start how, struct hd_err *err)
{
    *t = (struct turn){ .plan = plan, .job = *p->job, .open = true };
    if (!how.kept)
        t->job.checkpoint = t->job.resume = NULL;
    t->phase = p->result->n_phases++;
    p->plans[t->phase] = plan;
    p->n_open++;
    check_open(p);
    t->job.options = plan->options;
    t->job.options.jobs = how.jobs;
    t->job.options.max_work = how.slice.work;
    if (how.depth && how.depth < t->job.options.depth)
        t->job.options.depth = how.depth;
    t->job.options.max_executions = executions_left(p, t);
    t->job.watch.phase = plan->name;
    t->job.watch.started = p->started;
    t->job.watch.pause_after = how.slice.seconds;
    return hd_exploration_begin(&t->x, &t->job, &t->result, err);
}

static void end(struct phases *p, struct turn *t)
{
    if (!t->open)
        return;
    hd_exploration_end(&t->x);
    hd_result_release(&t->result);
    t->open = false;
    p->n_open--;
}

/* Let it explore; `begun` is what beginning it, or letting it go on, has come to. */
static int run(struct phases *p, struct turn *t, int begun, struct hd_err *err)
{
    if (begun == HD_EXIT_OK) {
        t->x.watch.deadline = p->job->seconds > 0 ? p->started + p->job->seconds : 0;
        begun = hd_exploration_run(&t->x, err);
    }
    note(p, t);
    if (begun == HD_EXIT_OK)
        catch_findings(p, t);
    return begun;
}

static int go_on(struct phases *p, struct turn *t, struct slice slice, struct hd_err *err)
{
    t->x.watch.pause_after = slice.seconds;
    return run(p, t, hd_exploration_go_on(&t->x, slice.work, executions_left(p, t), err), err);
}

/* Has the whole check come to its end with this phase? */
static bool over(const struct turn *t)
{
    const struct hd_counters *c = &t->result.counters;
    if (t->result.stop == HD_STOP_FINISHED)
        return !c->dropped[HD_FILTER_INDEX_DEPTH] && !c->dropped[HD_FILTER_INDEX_PREEMPTIONS];
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
    if (!decides(t) && (t->x.n_candidates == 0 || whole->x.n_candidates))
        t = whole;
    hd_crew_release(&t->x.crew);
    if (p->job->options.keep_going || p->job->options.races == HD_RACES_WARN)
        add_caught(p, t);
    bool saved = whole->result.saved; /* a checkpoint is of this search, whichever decides */
    struct hd_err save_error = whole->result.save_error;
    int status = hd_exploration_confirm(&t->x, err);
    if (status == HD_EXIT_OK) {
        *p->result = t->result;
        p->result->stop = stop;
        p->result->saved = saved;
        p->result->save_error = save_error;
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
    /* `other` has no turn: states after code that cannot be seen are unknown, and it has come
     * to a bound itself */
    bool alone;
    bool shortened; /* `whole` cuts executions after FIRST_DEPTH steps */
};

/* Of the --time that there is, a slice must leave the others theirs. */
static struct slice share(const struct phases *p, struct slice slice, double most)
{
    double left = p->job->seconds * most;
    if (left > 0 && slice.seconds > left)
        slice.seconds = left;
    return slice;
}

static bool can_go_on(const struct turn *t)
{
    return t->open && t->result.stop == HD_STOP_WORK && t->x.crew.n == 1 &&
           !t->x.crew.members[0].worker.randomised;
}

/* Let `other` go on, or begin.  *over: the check is. */
static int other_turn(struct phases *p, struct turns *t, struct slice slice, bool *is_over,
                      struct hd_err *err)
{
    int status;
    if (can_go_on(&t->other)) {
        status = go_on(p, &t->other, slice, err);
    } else {
        end(p, &t->other);
        struct start how = { .jobs = 1, .slice = slice };
        status = run(p, &t->other, begin(p, &t->other, &t->plan->other, how, err), err);
    }
    *is_over = status == HD_EXIT_OK && over(&t->other);
    if (*is_over)
        return conclude(p, &t->other, &t->whole, err);
    t->alone = status == HD_EXIT_OK && t->other.result.stop == HD_STOP_FINISHED;
    return status;
}

/* `whole` is through, but for loops that it cut (options.polls): where they come back to a
 * state, `other` knows that they do. */
static int cut_loops(struct phases *p, struct turns *t, struct hd_err *err)
{
    struct turn *whole = &t->whole, *other = &t->other;
    int status;
    if (can_go_on(other)) {
        struct slice slice = { 2 * hd_counters_work(&other->result.counters), 0 };
        status = go_on(p, other, slice, err);
    } else {
        end(p, other);
        struct start how = { .jobs = 1, .slice = loops_slice, .depth = LOOPS_DEPTH };
        status = run(p, other, begin(p, other, &t->plan->other, how, err), err);
    }
    if (status != HD_EXIT_OK)
        return status;
    return conclude(p, over(other) ? other : whole, whole, err);
}

static bool only_polls(const struct turn *t)
{
    const struct hd_counters *c = &t->result.counters;
    return t->result.stop == HD_STOP_FINISHED && t->x.n_candidates == 0 && c->polled[0] &&
           c->opaque == 0 && !c->dropped[HD_FILTER_INDEX_DEPTH] &&
           !c->dropped[HD_FILTER_INDEX_PREEMPTIONS];
}

/* One violation is enough, unless all are wanted. */
static bool wants_more(const struct phases *p, const struct turn *t)
{
    return p->job->options.keep_going || t->x.n_candidates == 0;
}

/* What `other` may use when `whole` has come to its end at a bound: as much as it likes at the
 * largest one; where --depth has set it, some times as much as `whole` did. */
static struct slice behind_whole(const struct turns *t)
{
    if (!(t->plan->whole.options.filters & HD_FILTER_DEPTH))
        return whole_slice;
    uint64_t work = 4 * hd_counters_work(&t->whole.result.counters);
    return (struct slice){ work > first_slice.work ? work : first_slice.work, 0 };
}

/* `whole` has ended: is there more to be known? Where it came to executions without end,
 * `other` may come back to states that it has met. */
static int end_of_whole(struct phases *p, struct turns *t, struct hd_err *err)
{
    bool is_over = false;
    int status = HD_EXIT_OK;
    struct turn *whole = &t->whole, *other = &t->other;
    if (only_polls(whole) && !t->alone)
        return cut_loops(p, t, err);
    if (whole->result.stop == HD_STOP_FINISHED && !over(whole) && !t->alone &&
        wants_more(p, whole))
        status = other_turn(p, t, behind_whole(t), &is_over, err);
    if (status != HD_EXIT_OK || is_over)
        return status;
    /* it may have found data races in a slice, and not have come to an end */
    if (other->open && other->x.n_candidates && whole->x.n_candidates == 0)
        other->result.stop = whole->result.stop;
    else
        other = whole;
    return conclude(p, other, whole, err);
}

/* `whole` from its beginning, or from a checkpoint. */
static int anew(struct phases *p, struct turns *t, uint32_t jobs, struct slice slice,
                struct hd_err *err)
{
    end(p, &t->whole);
    t->shortened = false;
    struct start how = { .jobs = jobs, .slice = slice, .kept = true };
    return run(p, &t->whole, begin(p, &t->whole, &t->plan->whole, how, err), err);
}

/* `whole` from its beginning, or from a checkpoint, to its end. */
static int anew_to_end(struct phases *p, struct turns *t, struct hd_err *err)
{
    int status = anew(p, t, p->job->options.jobs, whole_slice, err);
    return status == HD_EXIT_OK ? end_of_whole(p, t, err) : status;
}

/* Has `whole` met an execution that may have no end? */
static bool is_long(const struct turns *t)
{
    const struct hd_counters *c = &t->whole.result.counters;
    return c->dropped[HD_FILTER_INDEX_DEPTH] || c->polled[0] || c->max_depth > LONG_EXECUTION;
}

/* Has `whole` been cut where it need not be? Not if it has found data races: they are to be
 * reported. */
static bool must_begin_anew(const struct phases *p, const struct turns *t)
{
    const struct hd_result *r = &t->whole.result;
    return t->shortened && r->counters.dropped[HD_FILTER_INDEX_DEPTH] &&
           wants_more(p, &t->whole) && (r->stop == HD_STOP_WORK || r->stop == HD_STOP_FINISHED);
}

static int whole_turn(struct phases *p, struct turns *t, struct slice slice, struct hd_err *err)
{
    int status = HD_EXIT_OK;
    struct turn *whole = &t->whole;
    if (whole->result.stop == HD_STOP_WORK && !must_begin_anew(p, t))
        status = go_on(p, whole, slice, err);
    if (status == HD_EXIT_OK && must_begin_anew(p, t))
        status = anew(p, t, 1, slice, err);
    return status;
}

/* `whole` and `other` in turns, the first of which is for `whole` unless its executions are
 * long. */
static int in_turns(struct phases *p, struct turns *t, struct hd_err *err)
{
    bool first = !t->alone && is_long(t);
    for (uint32_t round = 0;; round++) {
        struct slice slice = share(p, second_slice, TIME_SHARE);
        slice.work <<= round;
        slice.seconds *= (double)(1ull << round);
        bool is_over = false;
        int status = HD_EXIT_OK;
        if (first)
            status = other_turn(p, t, slice, &is_over, err);
        first = false;
        if (status != HD_EXIT_OK || is_over)
            return status;
        status = whole_turn(p, t, t->alone ? whole_slice : slice, err);
        if (status == HD_EXIT_OK && t->whole.result.stop != HD_STOP_WORK)
            return end_of_whole(p, t, err);
        bool nearly = round < PATIENT_ROUNDS && t->whole.result.counters.explored >= NEARLY;
        if (status == HD_EXIT_OK && !t->alone && !nearly)
            status = other_turn(p, t, slice, &is_over, err);
        if (status != HD_EXIT_OK || is_over)
            return status;
    }
}

static int brief_turn(struct phases *p, struct turns *t, const struct hd_search_plan *plan,
                      bool *is_over, struct hd_err *err)
{
    struct turn brief;
    struct start how = { .jobs = 1,
                         .slice = share(p, brief_slice, BRIEF_SHARE),
                         .depth = FIRST_DEPTH };
    int status = run(p, &brief, begin(p, &brief, plan, how, err), err);
    *is_over = status == HD_EXIT_OK && over(&brief);
    if (*is_over)
        status = conclude(p, &brief, &t->whole, err);
    end(p, &brief);
    return status;
}

/* Several workers, or one that cannot be stopped and go on: `whole` begins again. */
static int at_once(struct phases *p, struct turns *t, struct hd_err *err)
{
    bool is_over = false;
    int status = HD_EXIT_OK;
    if (!t->alone && is_long(t))
        status = other_turn(p, t, share(p, second_slice, TIME_SHARE), &is_over, err);
    return status != HD_EXIT_OK || is_over ? status : anew_to_end(p, t, err);
}

/* `whole` for its first slice: most tests end here. */
static int first_turn(struct phases *p, struct turns *t, bool one_worker, struct hd_err *err)
{
    /* a checkpoint must be of the search that it goes on with */
    t->shortened = !p->job->checkpoint && t->plan->whole.options.depth > FIRST_DEPTH;
    struct start how = { .jobs = 1,
                         .slice = share(p, first_slice, TIME_SHARE),
                         .depth = t->shortened ? FIRST_DEPTH : 0,
                         .kept = one_worker };
    return run(p, &t->whole, begin(p, &t->whole, &t->plan->whole, how, err), err);
}

static int explore(struct phases *p, struct turns *t, struct hd_err *err)
{
    struct turn *whole = &t->whole;
    bool one_worker = p->job->options.jobs <= 1, is_over = false;
    int status = first_turn(p, t, one_worker, err);
    if (status != HD_EXIT_OK)
        return status;
    if (only_polls(whole) && one_worker)
        return cut_loops(p, t, err);
    if (over(whole))
        return conclude(p, whole, whole, err);
    bool one = one_worker && !whole->x.crew.members[0].worker.randomised;
    status = other_turn(p, t, share(p, first_slice, TIME_SHARE), &is_over, err);
    t->alone = t->alone || whole->result.counters.opaque > 0;
    for (uint32_t i = 0; i < HD_SHORT_PHASES && status == HD_EXIT_OK && !is_over; i++)
        status = brief_turn(p, t, &t->plan->brief[i], &is_over, err);
    if (status != HD_EXIT_OK || is_over)
        return status;
    if (whole->result.stop == HD_STOP_FINISHED && !must_begin_anew(p, t))
        return end_of_whole(p, t, err);
    return one ? in_turns(p, t, err) : at_once(p, t, err);
}

int hd_portfolio_explore(const struct hd_job *job, const struct hd_plan *plan,
                         struct hd_result *result, struct hd_err *err)
{
    struct phases p = { .job = job, .result = result, .started = hd_watch_now() };
    struct turns turns = { .plan = plan };
    *result = (struct hd_result){ 0 };
    int status = explore(&p, &turns, err);
    end(&p, &turns.whole);
    end(&p, &turns.other);
    if (status == HD_EXIT_OK)
        check_result(&p);
    for (uint32_t i = 0; i < HD_MAX_PHASES; i++)
        empty(p.pool[i]);
    if (status != HD_EXIT_OK)
        hd_result_release(result);
    return status;
}
