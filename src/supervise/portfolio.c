/* Several searches take turns on one program. */
#include "supervise/portfolio.h"

#include "supervise/checkpoint.h"
#include "supervise/portfolio_turn.h"
#include "supervise/prospects.h"

#include <stdlib.h>
#include <string.h>

/* The first slices are short, so that what another search finds at once is not delayed by much
 * more than the start of a process. */
static const struct hd_slice tiny_slice = { 8000, 0.25 }, first_slice = { 300000, 0.5 },
                             other_slice = { 100000, 0.5 }, early_slice = { 200000, 1 },
                             brief_slice = { 12000, 1 }, long_slice = { 100000, 0.5 },
                             second_slice = { 4000000, 4 }, loops_slice = { 1000000, 10 },
                             whole_slice = { 0, 0 };

/* The first of them goes on where all of it is expected to take so much; less where a search
 * over graphs is likely to be faster.  It is shorter where one over states is. */
#define NEAR_WORK 65000
#define NEAR_EXPECTED 200000
#define NEAR_GRAPHS 20000
#define STATES_WORK 4000

/* Steps after which executions are cut in the first turns, and in a search that may not end. */
#define FIRST_DEPTH 20000
#define LONG_EXECUTION 2000
#define LOOPS_DEPTH 10000 /* a loop that never repeats a state */

/* The share of --time that a turn may use at most. */
#define TIME_SHARE 0.25
#define BRIEF_SHARE 0.0625

/* Rounds in which `other` may be skipped, and the explored share from which `whole` counts as
 * nearly finished. */
#define PATIENT_ROUNDS 3
#define SAMPLED_ROUNDS 3 /* rounds after which there are samples */
#define NEARLY 0.2
#define FIRST_SAMPLES 2 /* samples that are taken before a long slice of `whole` */

/* The turns of one check. */
struct turns {
    struct hd_plan *plan;
    const struct hd_search_plan *search; /* of `whole` */
    struct hd_turn whole, other, weak;
    struct hd_counters first; /* of the first slice of `whole` */
    /* `other` gets no turn: it reached a bound itself, and states after unknown code are
     * unknown */
    bool alone;
    bool shortened;    /* `whole` cuts executions after FIRST_DEPTH steps */
    bool resumes;      /* the checkpoint to go on with is of `weak` */
    bool nameless;     /* `other` takes threads for interchangeable */
    bool named;        /* `other` distinguishes all threads: something tells them apart */
    uint32_t sampled;  /* the samples that were taken, as bits */
    bool other_began;  /* `other` had its first turn */
    bool other_begins; /* and has not got anywhere, but may in its second */
};

/* A data race ends no execution, so that worse is looked for.  When every search had a turn and
 * has found nothing else, the rest would take too long for what is broken anyway. */
static bool races_are_enough(const struct hd_portfolio *p, const struct hd_turn *whole)
{
    return !hd_turn_wants_more(p, whole) && p->job->options.races == HD_RACES_ERROR &&
           !p->job->checkpoint && whole->result.stop == HD_STOP_WORK;
}

static int weak_turns(struct hd_portfolio *p, struct turns *t, bool *is_over, struct hd_err *err);

/* `turn` has come to its end, or to a violation: the check is over unless the executions of C11
 * are still to be explored. */
static int decide(struct hd_portfolio *p, struct turns *t, struct hd_turn *turn,
                  struct hd_err *err)
{
    bool is_over = false;
    int status = HD_EXIT_OK;
    if (hd_turn_met_weak(p, turn))
        status = weak_turns(p, t, &is_over, err);
    if (status != HD_EXIT_OK || is_over)
        return status;
    return hd_portfolio_conclude(p, turn, p->weak ? &t->weak : &t->whole, err);
}

/* Is `other` to take threads for interchangeable? */
static bool wants_alike(struct hd_portfolio *p, struct turns *t)
{
    const char *why = hd_program_told_apart(p->job->program);
    uint64_t least = t->other_began ? HD_ALIKE : HD_SEVERAL_ALIKE + 1;
    if (t->named || t->first.alike < least || !hd_plan_search(t->plan, HD_PLANNED_ALIKE))
        return false;
    if (*why)
        hd_err_set(&p->result->told_apart, "%s", why);
    t->named = *why != 0;
    return !t->named;
}

/* Run `other` for one turn, without the names of threads if they are alike, with them from
 * where something tells them apart. */
static int run_other(struct hd_portfolio *p, struct turns *t, struct hd_start how,
                     struct hd_err *err)
{
    struct hd_turn *other = &t->other;
    int status;
    if (hd_turn_can_go_on(other)) {
        status = hd_turn_go_on(p, other, how.slice, err);
    } else {
        hd_turn_end(p, other);
        t->nameless = wants_alike(p, t);
        status = hd_turn_begin(
            p, other, hd_plan_search(t->plan, t->nameless ? HD_PLANNED_ALIKE : HD_PLANNED_OTHER),
            how, err);
    }
    bool told = status == HD_EXIT_INPUT ||
                (status == HD_EXIT_OK && other->result.stop == HD_STOP_GAVE_UP);
    if (!t->nameless || !told)
        return status;
    p->result->told_apart = status == HD_EXIT_OK ? other->result.gave_up : *err;
    t->named = true;
    t->nameless = false;
    hd_turn_end(p, other);
    return hd_turn_begin(p, other, hd_plan_search(t->plan, HD_PLANNED_OTHER), how, err);
}

/* Run `other` for one turn.  *over: the check is over. */
static int other_turn(struct hd_portfolio *p, struct turns *t, struct hd_slice slice,
                      bool *is_over, struct hd_err *err)
{
    struct hd_start how = { .jobs = 1, .slice = slice };
    int status = run_other(p, t, how, err);
    *is_over = status == HD_EXIT_OK && hd_turn_over(p, &t->other);
    if (*is_over)
        return decide(p, t, &t->other, err);
    t->alone = status == HD_EXIT_OK && t->other.result.stop == HD_STOP_FINISHED;
    return status;
}

/* `whole` has finished, except for loops that it cut (options.polls): if they repeat a state,
 * `other` can prove it. */
static int cut_loops(struct hd_portfolio *p, struct turns *t, struct hd_err *err)
{
    struct hd_turn *whole = &t->whole, *other = &t->other;
    struct hd_start how = { .jobs = 1, .slice = loops_slice, .depth = LOOPS_DEPTH };
    if (hd_turn_can_go_on(other))
        how.slice = (struct hd_slice){ 2 * hd_counters_work(&other->result.counters), 0 };
    int status = run_other(p, t, how, err);
    if (status != HD_EXIT_OK)
        return status;
    return decide(p, t, hd_turn_over(p, other) ? other : whole, err);
}

/* The budget of `other` when `whole` has ended at a bound: unlimited at the largest bound; if
 * --depth has set the bound, a multiple of what `whole` used. */
static struct hd_slice behind_whole(const struct turns *t)
{
    if (!(t->plan->options->filters & HD_FILTER_DEPTH))
        return whole_slice;
    uint64_t work = 4 * hd_counters_work(&t->whole.result.counters);
    return (struct hd_slice){ work > first_slice.work ? work : first_slice.work, 0 };
}

/* `whole` has ended: can more be learnt?  Where it met executions without end, `other` may
 * recognise repeated states. */
static int end_of_whole(struct hd_portfolio *p, struct turns *t, struct hd_err *err)
{
    bool is_over = false;
    int status = HD_EXIT_OK;
    struct hd_turn *whole = &t->whole, *other = &t->other;
    if (hd_turn_only_polls(whole) && !t->alone)
        return cut_loops(p, t, err);
    if (whole->result.stop == HD_STOP_FINISHED && !hd_turn_over(p, whole) && !t->alone &&
        hd_turn_wants_more(p, whole))
        status = other_turn(p, t, behind_whole(t), &is_over, err);
    if (status != HD_EXIT_OK || is_over)
        return status;
    /* `other` may have found data races without having finished */
    if (other->open && other->x.n_candidates && whole->x.n_candidates == 0)
        other->result.stop = whole->result.stop;
    else
        other = whole;
    return decide(p, t, other, err);
}

/* Has `whole` met an execution that may be endless? */
static bool is_long(const struct turns *t)
{
    const struct hd_counters *c = &t->whole.result.counters;
    return c->dropped[HD_FILTER_INDEX_DEPTH] || c->polled[0] || c->max_depth > LONG_EXECUTION;
}

static const struct hd_search_plan *whole_plan(struct turns *t)
{
    return hd_plan_search(t->plan, HD_PLANNED_WHOLE);
}

/* Has the search over graphs met something that it does not know?  Then another one is to
 * begin. */
static bool was_refused(struct turns *t, int status)
{
    bool refused = status == HD_EXIT_INPUT && t->search != whole_plan(t);
    if (refused)
        t->search = whole_plan(t);
    return refused;
}

/* `whole` from its beginning, or from a checkpoint. */
static int anew(struct hd_portfolio *p, struct turns *t, uint32_t jobs, struct hd_slice slice,
                struct hd_err *err)
{
    hd_turn_end(p, &t->whole);
    t->shortened = false;
    struct hd_start how = { .jobs = jobs, .slice = slice, .kept = true, .resumes = !t->resumes };
    int status = hd_turn_begin(p, &t->whole, t->search, how, err);
    return was_refused(t, status) ? anew(p, t, jobs, slice, err) : status;
}

/* `whole` from its beginning, or from a checkpoint, to its end. */
static int anew_to_end(struct hd_portfolio *p, struct turns *t, struct hd_err *err)
{
    int status = anew(p, t, p->job->options.jobs, whole_slice, err);
    return status == HD_EXIT_OK ? end_of_whole(p, t, err) : status;
}

/* Has `whole` been cut without need?  Not if it has found data races: they are to be
 * reported. */
static bool must_begin_anew(const struct hd_portfolio *p, const struct turns *t)
{
    const struct hd_result *r = &t->whole.result;
    return t->shortened && r->counters.dropped[HD_FILTER_INDEX_DEPTH] &&
           hd_turn_wants_more(p, &t->whole) &&
           (r->stop == HD_STOP_WORK || r->stop == HD_STOP_FINISHED);
}

static int whole_turn(struct hd_portfolio *p, struct turns *t, struct hd_slice slice,
                      struct hd_err *err)
{
    int status = HD_EXIT_OK;
    struct hd_turn *whole = &t->whole;
    if (whole->result.stop == HD_STOP_WORK && !must_begin_anew(p, t))
        status = hd_turn_go_on(p, whole, slice, err);
    if (was_refused(t, status) || (status == HD_EXIT_OK && must_begin_anew(p, t)))
        status = anew(p, t, 1, slice, err);
    return status;
}

static int brief_turn(struct hd_portfolio *p, struct turns *t, enum hd_planned which,
                      struct hd_slice slice, uint32_t nth, bool *is_over, struct hd_err *err)
{
    struct hd_turn brief = { .used = true };
    struct hd_start how = { .jobs = 1,
                            .nth = nth,
                            .slice = hd_slice_share(p, slice, BRIEF_SHARE),
                            .depth = FIRST_DEPTH };
    int status = hd_turn_begin(p, &brief, hd_plan_search(t->plan, which), how, err);
    *is_over = status == HD_EXIT_OK && hd_turn_over(p, &brief);
    if (*is_over)
        status = decide(p, t, &brief, err);
    hd_turn_end(p, &brief);
    return status;
}

/* What finds violations of large programs: short samples under SC, for the nth time. */
static int brief_turns(struct hd_portfolio *p, struct turns *t, struct hd_slice slice,
                       uint32_t nth, bool *is_over, struct hd_err *err)
{
    int status = HD_EXIT_OK;
    for (uint32_t i = 0; i < HD_SHORT_PHASES && status == HD_EXIT_OK && !*is_over; i++)
        status = brief_turn(p, t, HD_PLANNED_BRIEF + i, slice, nth, is_over, err);
    return status;
}

/* The ith of them for the first time, unless it has been taken. */
static int first_sample(struct hd_portfolio *p, struct turns *t, uint32_t i,
                        struct hd_slice slice, bool *is_over, struct hd_err *err)
{
    if (t->sampled >> i & 1)
        return HD_EXIT_OK;
    t->sampled |= 1u << i;
    return brief_turn(p, t, HD_PLANNED_BRIEF + i, slice, 0, is_over, err);
}

/* The first `n` of them. */
static int first_samples(struct hd_portfolio *p, struct turns *t, uint32_t n, bool *is_over,
                         struct hd_err *err)
{
    int status = HD_EXIT_OK;
    for (uint32_t i = 0; i < n && status == HD_EXIT_OK && !*is_over; i++)
        status = first_sample(p, t, i, brief_slice, is_over, err);
    return status;
}

/* Where `whole` has seen so little of its tree that an exploration has no prospect, a sample
 * comes first: executions are long then, threads many, and a state of them is expensive. */
static int early_sample(struct hd_portfolio *p, struct turns *t, bool *is_over,
                        struct hd_err *err)
{
    if (t->whole.result.stop != HD_STOP_WORK || !hd_prospects_none(&t->first))
        return HD_EXIT_OK;
    return first_sample(p, t, HD_EARLY_PHASE, early_slice, is_over, err);
}

/* Before a slice of `whole` beside which samples cost little. */
static int samples_before(struct hd_portfolio *p, struct turns *t, bool *is_over,
                          struct hd_err *err)
{
    int status = HD_EXIT_OK;
    if (hd_prospects_hopeless(
            &t->first)) /* threads are many: fewer changes between them are likely to matter */
        status = first_sample(p, t, HD_EARLY_PHASE, brief_slice, is_over, err);
    if (status == HD_EXIT_OK && !*is_over && hd_prospects_sampled(&t->first))
        status = first_samples(p, t, FIRST_SAMPLES, is_over, err);
    return status;
}

/* Is the search over graphs to take the place of race reversal?  Where threads share nothing
 * but variables it is mostly faster, and its parts do not wait for each other.  Without races
 * and with seq_cst alone, the executions of C11 are those of SC.  A checkpoint stays with the
 * search that it is of. */
static bool may_prefer_graphs(const struct hd_portfolio *p, const struct turns *t)
{
    const struct hd_job *job = p->job;
    return !*p->result->refused.text && !job->checkpoint && !job->resume &&
           job->options.races == HD_RACES_ERROR && !job->options.finer &&
           t->whole.result.stop == HD_STOP_WORK && t->whole.x.n_candidates == 0 && !is_long(t) &&
           !hd_program_info(job->program)->has_objects &&
           hd_plan_search(t->plan, HD_PLANNED_WEAK);
}

/* The first turn of `other`. */
static int first_of_other(struct hd_portfolio *p, struct turns *t, bool *is_over,
                          struct hd_err *err)
{
    const struct hd_counters *c = &t->first;
    bool graphs = t->search != whole_plan(t) || may_prefer_graphs(p, t);
    struct hd_slice slice = hd_prospects_states(c, t->whole.result.n_threads, graphs);
    int status = HD_EXIT_OK;
    if (slice.work)
        status = other_turn(p, t, hd_slice_share(p, slice, TIME_SHARE), is_over, err);
    else
        t->other_begins = hd_prospects_states_later(c);
    t->other_began = true;
    if (status != HD_EXIT_OK || *is_over || !hd_turn_can_go_on(&t->other))
        return status;
    t->other_begins = hd_prospects_goes_on(c, &t->other.result.counters);
    if (c->alike >= HD_ALIKE && c->alike <= HD_SEVERAL_ALIKE)
        hd_turn_end(p, &t->other); /* it begins anew, without their names */
    return status;
}

/* `whole` and `other` in turns, the first of which is for `whole` unless its executions are
 * long. */
static int in_turns(struct hd_portfolio *p, struct turns *t, struct hd_err *err)
{
    bool first = !t->alone && is_long(t);
    for (uint32_t round = 0;; round++) {
        struct hd_slice slice = hd_slice_longer(hd_slice_share(p, second_slice, TIME_SHARE),
                                                round);
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
        if (status == HD_EXIT_OK && round < SAMPLED_ROUNDS && hd_turn_wants_more(p, &t->whole))
            status = brief_turns(p, t, hd_slice_longer(long_slice, round), round + 1, &is_over,
                                 err);
        bool nearly = round < PATIENT_ROUNDS && t->whole.result.counters.explored >= NEARLY;
        if (status == HD_EXIT_OK && !is_over && !t->alone && !nearly)
            status = other_turn(p, t, slice, &is_over, err);
        if (status != HD_EXIT_OK || is_over)
            return status;
    }
}

/* The search over graphs for its first slice, in the place of `whole`. */
static int graphs_turn(struct hd_portfolio *p, struct turns *t, struct hd_slice slice,
                       bool *is_over, struct hd_err *err)
{
    t->search = hd_plan_search(t->plan, HD_PLANNED_WEAK);
    int status = anew(p, t, 1, hd_slice_share(p, slice, TIME_SHARE), err);
    *is_over = status == HD_EXIT_OK && hd_turn_over(p, &t->whole);
    return *is_over ? decide(p, t, &t->whole, err) : status;
}

/* The same before any other search, where the end is near or very far. */
static int early_graphs(struct hd_portfolio *p, struct turns *t, bool *is_over,
                        struct hd_err *err)
{
    struct hd_slice slice = hd_prospects_graphs(&t->first);
    if (!slice.work || !may_prefer_graphs(p, t))
        return HD_EXIT_OK;
    int status = graphs_turn(p, t, slice, is_over, err);
    hd_prospects_missed(&t->first);
    return status;
}

/* `whole` and `other` once more, longer: what they can do in a moment is known then.  Whether
 * `whole` ends soon is only estimated, so before a long slice of it samples are taken where
 * they cost little beside it, and `other` goes on if it has begun. */
static int second_turns(struct hd_portfolio *p, struct turns *t, bool *is_over,
                        struct hd_err *err)
{
    struct hd_slice slice = hd_slice_share(p, hd_prospects_slice(&t->first, first_slice),
                                           TIME_SHARE);
    int status = samples_before(p, t, is_over, err);
    if (hd_prospects_is_long(slice) && t->other_begins && hd_turn_can_go_on(&t->other) &&
        status == HD_EXIT_OK && !*is_over)
        status = other_turn(p, t, hd_slice_share(p, other_slice, TIME_SHARE), is_over, err);
    if (status != HD_EXIT_OK || *is_over)
        return status;
    if (t->search == whole_plan(t) && may_prefer_graphs(p, t)) {
        t->search = hd_plan_search(t->plan, HD_PLANNED_WEAK);
        status = anew(p, t, 1, slice, err);
    } else if (hd_turn_can_go_on(&t->whole)) {
        status = hd_turn_go_on(p, &t->whole, slice, err);
        if (was_refused(t, status))
            status = anew(p, t, 1, slice, err);
    }
    if (status != HD_EXIT_OK)
        return status;
    *is_over = hd_turn_over(p, &t->whole);
    if (*is_over)
        return decide(p, t, &t->whole, err);
    if (t->other_begins && !hd_turn_did(&t->other, other_slice))
        status = other_turn(p, t, hd_slice_share(p, other_slice, TIME_SHARE), is_over, err);
    return status;
}

/* The search of C11's executions has met something that it does not know: all goes on as if it
 * had not been tried, and the verdict says why. */
static void give_up_weak(struct hd_portfolio *p, struct turns *t, const struct hd_err *why)
{
    p->weak = false;
    p->result->refused = *why;
    hd_turn_end(p, &t->weak);
}

/* `weak` to its end, after the short samples. */
static int weak_to_end(struct hd_portfolio *p, struct turns *t, struct hd_err *err)
{
    uint32_t jobs = p->job->options.jobs;
    if (jobs <= 1 && hd_turn_can_go_on(&t->weak))
        return hd_turn_go_on(p, &t->weak, whole_slice, err);
    hd_turn_end(p, &t->weak);
    struct hd_start how = {
        .jobs = jobs, .slice = whole_slice, .kept = true, .resumes = t->resumes
    };
    return hd_turn_begin(p, &t->weak, hd_plan_search(t->plan, HD_PLANNED_WEAK), how, err);
}

/* Orders weaker than seq_cst were executed: the executions of C11 decide.  Searches under SC
 * still look for violations, which are violations of C11, too. */
static int weak_turns(struct hd_portfolio *p, struct turns *t, bool *is_over, struct hd_err *err)
{
    bool one_worker = p->job->options.jobs <= 1;
    struct hd_start how = { .jobs = 1,
                            .slice = hd_slice_share(p, first_slice, TIME_SHARE),
                            .kept = one_worker,
                            .resumes = one_worker && t->resumes };
    if (!hd_plan_search(t->plan, HD_PLANNED_WEAK)) {
        p->result->refused = t->plan->refused;
        return HD_EXIT_OK;
    }
    p->weak = true;
    t->whole.result.saved = false; /* the file is another search's from now on */
    t->whole.job.resume = NULL;
    int status = hd_turn_begin(p, &t->weak, hd_plan_search(t->plan, HD_PLANNED_WEAK), how, err);
    if (status == HD_EXIT_OK && !hd_turn_over(p, &t->weak)) {
        if (!t->alone)
            status = other_turn(p, t, hd_slice_share(p, first_slice, TIME_SHARE), is_over, err);
        if (status == HD_EXIT_OK && !*is_over)
            status = first_samples(p, t, HD_SHORT_PHASES, is_over, err);
        if (status == HD_EXIT_OK && !*is_over)
            status = brief_turn(p, t, HD_PLANNED_WEAK_SAMPLE, brief_slice, 0, is_over, err);
        if (status != HD_EXIT_OK || *is_over)
            return status;
        status = weak_to_end(p, t, err);
    }
    if (status != HD_EXIT_OK && t->resumes)
        return status;
    if (status != HD_EXIT_OK) {
        give_up_weak(p, t, err);
        return HD_EXIT_OK;
    }
    *is_over = true;
    return hd_portfolio_conclude(p, &t->weak, &t->weak, err);
}

/* Several workers, or one that cannot be paused: `whole` begins again. */
static int at_once(struct hd_portfolio *p, struct turns *t, struct hd_err *err)
{
    bool is_over = false;
    int status = HD_EXIT_OK;
    if (!t->alone && is_long(t))
        status = other_turn(p, t, hd_slice_share(p, second_slice, TIME_SHARE), &is_over, err);
    return status != HD_EXIT_OK || is_over ? status : anew_to_end(p, t, err);
}

/* `whole` for its first slice: most tests end here.  Its first execution is a random one, which
 * meets bugs that a depth-first search comes to last.  It
 * goes on where its end is near. */
static int first_turn(struct hd_portfolio *p, struct turns *t, bool one_worker,
                      struct hd_err *err)
{
    /* a checkpoint must be of the search that continues */
    t->shortened = !p->job->checkpoint && t->plan->options->depth > FIRST_DEPTH;
    bool has_objects = hd_program_info(p->job->program)->has_objects;
    struct hd_start how = { .jobs = 1,
                            .slice = hd_slice_share(p, tiny_slice, TIME_SHARE),
                            .depth = t->shortened ? FIRST_DEPTH : 0,
                            .near_work = has_objects ? NEAR_WORK : NEAR_GRAPHS,
                            .near_expected = has_objects ? NEAR_EXPECTED : NEAR_GRAPHS,
                            .states_work = STATES_WORK,
                            .drawn = true,
                            .kept = one_worker && !t->resumes,
                            .resumes = one_worker && !t->resumes };
    int status = hd_turn_begin(p, &t->whole, t->search, how, err);
    t->first = t->whole.result.counters;
    return status;
}

/* Is the checkpoint that is resumed one of the search of C11's executions? */
static bool resumes_weak(const struct hd_job *job, struct hd_plan *plan)
{
    const struct hd_search_plan *weak = job->resume ? hd_plan_search(plan, HD_PLANNED_WEAK)
                                                    : NULL;
    if (!weak)
        return false;
    struct hd_checkpoint what = { .program = job->program,
                                  .args = job->args,
                                  .options = &weak->options };
    return hd_checkpoint_is_of(&what, job->resume);
}

static int explore(struct hd_portfolio *p, struct turns *t, struct hd_err *err)
{
    struct hd_turn *whole = &t->whole;
    bool one_worker = p->job->options.jobs <= 1, is_over = false;
    t->resumes = resumes_weak(p->job, t->plan);
    int status = first_turn(p, t, one_worker, err);
    if (status != HD_EXIT_OK)
        return status;
    if (hd_turn_met_weak(p, whole))
        status = weak_turns(p, t, &is_over, err);
    if (status != HD_EXIT_OK || is_over)
        return status;
    if (hd_turn_only_polls(whole) && one_worker)
        return cut_loops(p, t, err);
    if (hd_turn_over(p, whole))
        return decide(p, t, whole, err);
    bool one = one_worker && !whole->x.crew.members[0].worker.randomised;
    status = early_sample(p, t, &is_over, err);
    if (status == HD_EXIT_OK && !is_over)
        status = early_graphs(p, t, &is_over, err);
    if (status == HD_EXIT_OK && !is_over)
        status = first_of_other(p, t, &is_over, err);
    if (status == HD_EXIT_OK && !is_over)
        status = second_turns(p, t, &is_over, err);
    if (status == HD_EXIT_OK && !is_over && hd_turn_met_weak(p, whole))
        status = weak_turns(p, t, &is_over, err);
    t->alone = t->alone || whole->result.counters.opaque > 0;
    if (status == HD_EXIT_OK && !is_over)
        status = first_samples(p, t, HD_SHORT_PHASES, &is_over, err);
    if (status != HD_EXIT_OK || is_over)
        return status;
    if (whole->result.stop == HD_STOP_FINISHED && !must_begin_anew(p, t))
        return end_of_whole(p, t, err);
    if (races_are_enough(p, whole)) {
        whole->result.stop = HD_STOP_VIOLATION;
        return hd_portfolio_conclude(p, whole, whole, err);
    }
    return one ? in_turns(p, t, err) : at_once(p, t, err);
}

int hd_portfolio_explore(const struct hd_job *job, struct hd_plan *plan, struct hd_result *result,
                         struct hd_err *err)
{
    struct hd_portfolio p = { .job = job, .result = result, .started = hd_watch_now() };
    struct turns *turns = hd_alloc(sizeof *turns); /* large: unused pages stay away */
    turns->plan = plan;
    turns->search = hd_plan_search(plan, HD_PLANNED_WHOLE);
    memset(result, 0, sizeof *result);
    int status = explore(&p, turns, err);
    hd_turn_end(&p, &turns->whole);
    hd_turn_end(&p, &turns->other);
    hd_turn_end(&p, &turns->weak);
    free(turns);
    if (status == HD_EXIT_OK)
        hd_portfolio_check(&p);
    hd_portfolio_release(&p);
    if (status != HD_EXIT_OK)
        hd_result_release(result);
    return status;
}
