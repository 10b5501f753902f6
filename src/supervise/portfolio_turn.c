#include "supervise/portfolio_turn.h"

#include <stdlib.h>
#include <string.h>

/* What a phase has found, with the names of its threads. */
struct hd_catch {
    struct hd_threads threads;
    uint32_t n;
    struct hd_candidate items[HD_MAX_FINDINGS];
};

static uint64_t executions_of_others(const struct hd_portfolio *p, const struct hd_turn *t)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->result->n_phases; i++)
        if (i != t->phase)
            sum += p->result->phases[i].counters.executions;
    return sum;
}

/* The bound on executions for this turn, counted from its beginning; 0: none. */
static uint64_t executions_left(const struct hd_portfolio *p, const struct hd_turn *t)
{
    uint64_t all = p->job->options.max_executions, others = executions_of_others(p, t);
    return all == 0 ? 0 : all > others ? all - others : 1;
}

static void note(struct hd_portfolio *p, const struct hd_turn *t)
{
    p->result->phases[t->phase] = (struct hd_phase){ .name = t->plan->name,
                                                     .counters = t->result.counters,
                                                     .seconds = t->result.seconds };
}

static void empty(struct hd_catch *c)
{
    for (uint32_t i = 0; c && i < c->n; i++)
        free(c->items[i].schedule);
    free(c);
}

/* Another phase may decide: keep what this one has found. */
static void catch_findings(struct hd_portfolio *p, const struct hd_turn *t)
{
    const struct hd_exploration *x = &t->x;
    if (x->n_candidates == 0)
        return;
    struct hd_catch *c = hd_alloc(sizeof *c);
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

/* Runs of both models are replayed under the weaker one: an interleaving is an execution in
 * which every load reads the newest store. */
static void follow_graph(struct hd_options *options, const struct hd_search_plan *plan)
{
    options->search = plan->options.search;
    options->memory = plan->options.memory;
}

/* Add what other phases have found to the findings of the deciding one. */
static void add_caught(struct hd_portfolio *p, struct hd_turn *t)
{
    struct hd_exploration *x = &t->x;
    for (uint32_t i = 0; i < x->n_candidates; i++)
        x->candidates[i].interleaving = hd_memory_is_sc(t->plan->options.memory);
    for (uint32_t k = 0; k < HD_MAX_PHASES; k++) {
        struct hd_catch *c = k == t->phase ? NULL : p->pool[k];
        for (uint32_t i = 0; c && i < c->n && x->n_candidates < HD_MAX_FINDINGS; i++) {
            if (is_known(x, &c->items[i].finding))
                continue;
            if (p->plans[k]->options.memory != HD_MEMORY_SC)
                follow_graph(&t->job.options, p->plans[k]);
            x->candidates[x->n_candidates] = c->items[i];
            x->candidates[x->n_candidates].interleaving = hd_memory_is_sc(
                p->plans[k]->options.memory);
            x->candidates[x->n_candidates++].threads = &c->threads;
            c->items[i].schedule = NULL; /* the exploration frees it */
        }
    }
}

/* F1 */
static void check_open(const struct hd_portfolio *p)
{
    if (p->n_open > HD_MOST_OPEN)
        hd_bug("F1 of the portfolio does not hold: %u explorations exist", p->n_open);
}

void hd_portfolio_check(const struct hd_portfolio *p)
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

static int begin(struct hd_portfolio *p, struct hd_turn *t, const struct hd_search_plan *plan,
                 struct hd_start how, struct hd_err *err)
{
    t->plan = plan;
    hd_job_copy(&t->job, p->job, &plan->options);
    if (t->used) /* otherwise it is new: large memory that needs no pages yet */
        memset(&t->result, 0, sizeof t->result);
    t->open = t->used = true;
    if (!how.kept)
        t->job.checkpoint = NULL;
    if (!how.resumes)
        t->job.resume = NULL;
    if (p->result->n_phases == HD_MAX_PHASES)
        hd_bug("a portfolio of more than %u phases", HD_MAX_PHASES);
    t->phase = p->result->n_phases++;
    p->plans[t->phase] = plan;
    p->n_open++;
    check_open(p);
    t->job.options.jobs = how.jobs;
    t->job.options.seed += how.nth;
    t->job.options.first_random = how.drawn;
    t->job.options.max_work = how.slice.work;
    t->job.options.near_work = how.near_work;
    t->job.options.near_expected = how.near_expected;
    t->job.options.states_work = how.states_work;
    if (how.depth && how.depth < t->job.options.depth)
        t->job.options.depth = how.depth;
    t->job.options.max_executions = executions_left(p, t);
    t->job.watch.phase = plan->name;
    t->job.watch.started = p->started;
    t->job.watch.pause_after = how.slice.seconds;
    return hd_exploration_begin(&t->x, &t->job, &t->result, err);
}

void hd_turn_end(struct hd_portfolio *p, struct hd_turn *t)
{
    if (!t->open)
        return;
    hd_exploration_end(&t->x);
    hd_result_drop(&t->result);
    t->open = false;
    p->n_open--;
}

/* Run the exploration; `begun` is the status of its start or continuation. */
static int run(struct hd_portfolio *p, struct hd_turn *t, int begun, struct hd_err *err)
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

int hd_turn_begin(struct hd_portfolio *p, struct hd_turn *t, const struct hd_search_plan *plan,
                  struct hd_start how, struct hd_err *err)
{
    return run(p, t, begin(p, t, plan, how, err), err);
}

bool hd_turn_can_go_on(const struct hd_turn *t)
{
    return t->open && t->result.stop == HD_STOP_WORK && t->x.crew.n == 1 &&
           !t->x.crew.members[0].worker.randomised;
}

int hd_turn_go_on(struct hd_portfolio *p, struct hd_turn *t, struct hd_slice slice,
                  struct hd_err *err)
{
    t->x.watch.pause_after = slice.seconds;
    return run(p, t, hd_exploration_go_on(&t->x, slice.work, executions_left(p, t), err), err);
}

bool hd_turn_over(const struct hd_portfolio *p, const struct hd_turn *t)
{
    const struct hd_counters *c = &t->result.counters;
    if (t->result.stop == HD_STOP_FINISHED && p->weak && t->plan->options.memory == HD_MEMORY_SC)
        return false;
    if (t->result.stop == HD_STOP_FINISHED)
        return !c->dropped[HD_FILTER_INDEX_DEPTH] && !c->dropped[HD_FILTER_INDEX_PREEMPTIONS];
    return t->result.stop != HD_STOP_WORK;
}

struct hd_slice hd_slice_share(const struct hd_portfolio *p, struct hd_slice slice, double most)
{
    double left = p->job->seconds * most;
    if (left > 0 && slice.seconds > left)
        slice.seconds = left;
    return slice;
}

struct hd_slice hd_slice_longer(struct hd_slice slice, uint32_t round)
{
    uint64_t times = 1ull << (round < 40 ? round : 40);
    return (struct hd_slice){ slice.work * times, slice.seconds * (double)times };
}

bool hd_turn_wants_more(const struct hd_portfolio *p, const struct hd_turn *t)
{
    return p->job->options.keep_going || t->x.n_candidates == 0;
}

bool hd_turn_met_weak(const struct hd_portfolio *p, const struct hd_turn *t)
{
    return !p->weak && t->plan->options.memory == HD_MEMORY_SC && !*p->result->refused.text &&
           hd_notes_any(&t->result.notes, HD_NOTE_WEAK) &&
           (t->result.stop == HD_STOP_FINISHED || t->result.stop == HD_STOP_WORK) &&
           hd_turn_wants_more(p, t);
}

bool hd_turn_only_polls(const struct hd_turn *t)
{
    const struct hd_counters *c = &t->result.counters;
    return t->result.stop == HD_STOP_FINISHED && t->x.n_candidates == 0 && c->polled[0] &&
           c->opaque == 0 && !c->dropped[HD_FILTER_INDEX_DEPTH] &&
           !c->dropped[HD_FILTER_INDEX_PREEMPTIONS];
}

bool hd_turn_did(const struct hd_turn *t, struct hd_slice slice)
{
    return t->open && hd_counters_work(&t->result.counters) >= slice.work;
}

/* Does this phase decide the result?  Not if its time is up or it was interrupted. */
static bool decides(const struct hd_turn *t)
{
    return t->result.stop == HD_STOP_FINISHED || t->result.stop == HD_STOP_VIOLATION ||
           t->result.stop == HD_STOP_DAMAGED || t->result.stop == HD_STOP_GAVE_UP;
}

/* The result of the turn becomes the check's, whose lines stay. */
static void take_result(struct hd_portfolio *p, struct hd_turn *t, enum hd_stop stop, bool saved,
                        const struct hd_err *save_error)
{
    struct hd_result *r = &t->result;
    r->refused = p->result->refused;
    r->told_apart = p->result->told_apart;
    r->stop = stop;
    r->saved = saved;
    r->save_error = *save_error;
    r->n_phases = p->result->n_phases;
    r->decided_by = t->phase;
    memcpy(r->phases, p->result->phases, r->n_phases * sizeof *r->phases);
    r->seconds = 0;
    for (uint32_t i = 0; i < r->n_phases; i++)
        r->seconds += r->phases[i].seconds;
    *p->result = *r;
    r->n_runs = 0; /* they are the check's */
    r->runs = NULL;
    r->parts = NULL;
}

int hd_portfolio_conclude(struct hd_portfolio *p, struct hd_turn *t, struct hd_turn *whole,
                          struct hd_err *err)
{
    enum hd_stop stop = t->result.stop;
    if (!decides(t) && (t->x.n_candidates == 0 || whole->x.n_candidates))
        t = whole;
    hd_crew_release(&t->x.crew);
    if (p->job->options.keep_going || p->job->options.races == HD_RACES_WARN)
        add_caught(p, t);
    bool saved = whole->result.saved; /* a checkpoint is of this search, whichever decides */
    struct hd_err save_error = whole->result.save_error;
    int status = hd_exploration_confirm(&t->x, err);
    if (status == HD_EXIT_OK)
        take_result(p, t, stop, saved, &save_error);
    return status;
}

void hd_portfolio_release(struct hd_portfolio *p)
{
    for (uint32_t i = 0; i < HD_MAX_PHASES; i++)
        empty(p->pool[i]);
}
