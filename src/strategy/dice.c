/* Algorithms 1 and 3 of Noonan's thesis; Algorithm 2 is explore/filters/dice.c.
 *
 *  D1  round 0 is the program without any interleaving; every later one has at least one thread
 *      inside
 *  D2  a round that is not the first has at least one more thread inside than the one before,
 *      or more places of those inside, or is the first that is wide
 *  D3  a violation that is reported was found by an exploration and replayed, as by any other
 *      strategy
 */
#include "strategy/dice.h"

#include "analyse/query_dice.h"
#include "base/rng.h"
#include "strategy/dice_rank.h"
#include "strategy/targets.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST_RUN 100000 /* steps of the first run, which only shows the threads */

struct dicing {
    const struct hd_job *job;
    struct hd_result *result; /* of the last round, with the sums of all */
    uint32_t n_targets;
    struct hd_query *query;
    struct hd_query_sites sites;
    struct hd_abstraction *abstraction;
    struct hd_threads threads; /* T_a: those of the run without interleaving, and met later */
    struct hd_tset usable;     /* the threads whose kind is known */
    struct hd_rank *rank;
    struct hd_dice *dice;
    uint64_t *alone; /* like dice->reached: what main reaches while it is alone */
    uint64_t *slices;
    struct hd_refined refined;
    struct hd_rng rng;
    double started;
};

/* ---- before the first round ---- */

static int open_program(struct dicing *d, const struct hd_strs *targets, struct hd_err *err)
{
    struct hd_program *program = d->job->program;
    uint32_t n = hd_program_info(program)->n_sites;
    size_t bytes;
    const void *module = hd_program_module(program, &bytes);
    if (n > HD_MAX_GUIDED)
        return hd_err_set(err, "the program has %u instrumented places; slice-n-dice can have %u",
                          n, HD_MAX_GUIDED);
    if (hd_query_open(&d->query, module, bytes, hd_program_name(program), err) != 0)
        return -1;
    d->sites = hd_targets_sites(program);
    d->dice = hd_alloc(sizeof *d->dice);
    d->dice->n_sites = n;
    d->alone = hd_alloc((n + 1) * sizeof *d->alone);
    d->slices = hd_alloc((n + 1) * sizeof *d->slices);
    d->refined.wanted = hd_alloc((n + 1) * sizeof *d->refined.wanted);
    d->n_targets = targets->n ? (uint32_t)targets->n : 1;
    return hd_abstraction_create(&d->abstraction, d->query, &d->sites, targets, err);
}

static void meet(struct dicing *d, uint32_t thread, uint32_t kind)
{
    if (thread >= HD_MAX_THREADS || kind >= HD_MAX_THREAD_KINDS ||
        hd_tset_has(&d->usable, thread))
        return;
    d->dice->kind[thread] = (uint8_t)kind;
    hd_tset_add(&d->usable, thread);
}

/* For threads that have done nothing, the place of their creation may say enough. */
static void meet_created(struct dicing *d)
{
    for (uint32_t i = 1; i < d->threads.n; i++)
        if (d->dice->created[i])
            meet(d, i, hd_abstraction_kind_created(d->abstraction, d->dice->created[i]));
}

/* Find out with which function every thread of the run began. */
static void meet_threads(struct dicing *d, const struct hd_run *run)
{
    uint32_t sites[HD_MAX_FRAMES];
    d->threads = run->threads;
    hd_tset_add(&d->usable, 0);
    for (uint32_t i = 0; i < run->n_log; i++) {
        const struct hd_step *step = &run->log[i];
        uint32_t n = hd_run_stack(run, step->stack, sites);
        uint32_t outermost = n ? sites[n - 1] : step->site;
        if (step->flags & HD_STEP_SOLO && step->thread == 0 && step->site < d->sites.n)
            d->alone[step->site] |= 1;
        if (step->op == HD_OP_CREATE && step->object.thread < HD_MAX_THREADS)
            d->dice->created[step->object.thread] = step->site;
        if (outermost)
            meet(d, step->thread, hd_abstraction_kind(d->abstraction, outermost));
    }
    meet_created(d);
}

/* The run without interleaving, to know the threads. */
static int first_run(struct dicing *d, struct hd_err *err)
{
    struct hd_run run;
    struct hd_threads main_alone = { .n = 1 };
    struct hd_step none = { 0 };
    struct hd_script script = {
        .steps = &none, .has_solo = true, .guide = HD_GUIDE_STAY, .threads = &main_alone
    };
    struct hd_job job = *d->job;
    job.route = NULL;
    job.options.filters = 0;
    job.options.until = LONGEST_RUN;
    int status = hd_supervise_replay(&job, &script, &run, err);
    if (status != HD_EXIT_OK)
        return status;
    meet_threads(d, &run);
    d->rank = hd_rank_create(&run);
    hd_run_release(&run);
    return HD_EXIT_OK;
}

/* ---- choosing threads ---- */

static bool is_candidate(const struct dicing *d, uint32_t thread)
{
    return hd_tset_has(&d->usable, thread) && !hd_tset_has(&d->dice->inside, thread);
}

static bool gets_to_a_target(const struct dicing *d, uint32_t thread)
{
    for (uint32_t i = 0; i < d->n_targets; i++)
        if (hd_abstraction_gets_to(d->abstraction, d->dice->kind[thread], i))
            return true;
    return false;
}

/* May the thread execute a place of the abstraction? */
static bool has_places(const struct dicing *d, uint32_t thread)
{
    for (uint32_t i = 0; i < d->sites.n; i++)
        if (d->slices[i] >> d->dice->kind[thread] & 1)
            return true;
    return false;
}

/* Find a thread for every target; false if there is none for one of them. */
static bool begin_with(struct dicing *d)
{
    for (uint32_t t = 0; t < d->n_targets; t++) {
        uint32_t list[HD_MAX_THREADS], n = 0;
        for (uint32_t i = 0; i < d->threads.n; i++)
            if (is_candidate(d, i) && hd_abstraction_gets_to(d->abstraction, d->dice->kind[i], t))
                list[n++] = i;
        if (n == 0)
            return false;
        bool random = d->job->options.random_threads;
        hd_tset_add(&d->dice->inside, list[random ? hd_rng_below(&d->rng, n) : 0]);
    }
    return true;
}

/* How useful it is to add this thread.  Helpers come before further threads that may reach a
 * target themselves. */
static uint32_t worth(const struct dicing *d, const struct hd_ranking *ranking, uint32_t thread)
{
    uint32_t helper = !gets_to_a_target(d, thread);
    if (d->job->options.random_threads)
        return helper;
    uint32_t waited_for = d->refined.weight[d->dice->kind[thread]] > 0;
    return waited_for * 8 * (1 + ranking->worth[thread]) + helper * 4;
}

/* A helper runs before the threads that it helps, as far as the order is free. */
static void let_in(struct dicing *d, uint32_t thread)
{
    hd_tset_add(&d->dice->inside, thread);
    hd_tset_add(&d->dice->first, thread);
}

static bool add_thread(struct dicing *d)
{
    struct hd_ranking ranking;
    uint32_t list[HD_MAX_THREADS], n = 0, best = 0;
    bool random = d->job->options.random_threads;
    hd_rank_threads(d->rank, d->dice, d->refined.wanted, &ranking);
    for (uint32_t i = 0; i < d->threads.n; i++) {
        if (!is_candidate(d, i) || !has_places(d, i))
            continue;
        uint32_t w = worth(d, &ranking, i);
        if (n == 0 || w > best)
            n = 0;
        if (n == 0 || w == best) {
            best = w;
            list[n++] = i;
        }
    }
    if (n == 0)
        return false;
    uint32_t chosen = list[random ? hd_rng_below(&d->rng, n) : 0];
    uint32_t needed = random ? 1 : hd_rank_needed(d->rank, d->dice, &d->refined, list, n);
    let_in(d, chosen);
    for (uint32_t i = 0; i < needed && needed > 1; i++)
        let_in(d, list[i]);
    if (!random && ranking.worth[chosen] == HD_WORTH_PAIR &&
        is_candidate(d, ranking.other[chosen]) && has_places(d, ranking.other[chosen]))
        let_in(d, ranking.other[chosen]);
    return true;
}

/* ---- rounds ---- */

static uint64_t kinds_inside(const struct dicing *d)
{
    uint64_t kinds = 0;
    for (uint32_t i = 0; i < d->threads.n; i++)
        if (hd_tset_has(&d->dice->inside, i))
            kinds |= 1ull << d->dice->kind[i];
    return kinds;
}

/* Take over the current slices.  Do threads inside have more places? */
static bool take_places(struct dicing *d)
{
    uint64_t inside = kinds_inside(d);
    bool more = false;
    hd_abstraction_places(d->abstraction, d->slices);
    d->result->rounds.places = 0;
    for (uint32_t i = 0; i < d->sites.n; i++) {
        more |= (d->slices[i] & inside) != (d->dice->slice[i] & inside);
        d->dice->slice[i] = d->slices[i];
        d->result->rounds.places += (uint32_t)__builtin_popcountll(d->slices[i] & inside);
    }
    return more;
}

/* Algorithm 3.  Returns false if nothing is left to add. */
static bool refine(struct dicing *d)
{
    hd_abstraction_refine(d->abstraction, d->dice->reached, kinds_inside(d), d->dice->wide,
                          &d->refined);
    bool more = take_places(d);
    if (add_thread(d)) {
        take_places(d);
        return true;
    }
    if (more || d->dice->wide || d->job->options.random_threads)
        return more;
    d->dice->wide = true;
    refine(d);
    return true;
}

static void add_counters(struct hd_counters *sum, const struct hd_counters *c)
{
    struct hd_counters before = *sum;
    *sum = *c;
    sum->executions += before.executions;
    sum->blocked += before.blocked;
    sum->pruned += before.pruned;
    sum->bounded += before.bounded;
    sum->assumed += before.assumed;
    sum->begun += before.begun;
    sum->events += before.events;
    sum->replayed += before.replayed;
    sum->states += before.states;
    sum->restarts += before.restarts;
    sum->opaque += before.opaque;
    sum->max_depth = c->max_depth > before.max_depth ? c->max_depth : before.max_depth;
    for (uint32_t i = 0; i < HD_MAX_FILTERS; i++)
        sum->dropped[i] |= before.dropped[i];
    sum->explored = 0;
}

/* One exploration.  *over: no further round is needed. */
static int explore_round(struct dicing *d, bool *over, struct hd_err *err)
{
    struct hd_job job = *d->job;
    struct hd_result before = *d->result, *r = d->result;
    double left = job.seconds > 0 ? job.seconds - (hd_watch_now() - d->started) : 0;
    job.seconds = job.seconds > 0 && left < 0.001 ? 0.001 : left;
    job.dice = d->dice;
    job.known = &d->threads;
    job.watch.started = d->started;
    if (job.options.max_executions)
        job.options.max_executions -= before.counters.executions;
    memcpy(d->dice->reached, d->alone, d->sites.n * sizeof *d->alone);
    int status = hd_supervise_explore(&job, r, err);
    if (status != HD_EXIT_OK)
        return status;
    meet_created(d);
    struct hd_counters sum = before.counters;
    add_counters(&sum, &r->counters);
    r->counters = sum;
    r->rounds = before.rounds;
    r->rounds.n++;
    r->n_starts += before.n_starts;
    r->seconds = hd_watch_now() - d->started;
    r->peak_rss_kb = r->peak_rss_kb > before.peak_rss_kb ? r->peak_rss_kb : before.peak_rss_kb;
    bool used_up = d->job->options.max_executions &&
                   sum.executions >= d->job->options.max_executions;
    if (used_up && r->stop == HD_STOP_FINISHED)
        r->stop = HD_STOP_EXECUTIONS;
    *over = r->stop != HD_STOP_FINISHED || hd_result_violations(r);
    return HD_EXIT_OK;
}

/* Algorithm 1. */
static int rounds(struct dicing *d, struct hd_err *err)
{
    bool over = false, more = true;
    int status = explore_round(d, &over, err);
    if (status == HD_EXIT_OK && !over) {
        hd_abstraction_places(d->abstraction, d->slices);
        more = begin_with(d);
        if (!more)
            hd_tset_clear(&d->dice->inside);
        take_places(d);
    }
    while (status == HD_EXIT_OK && !over && more) {
        struct hd_result last = *d->result;
        status = explore_round(d, &over, err);
        hd_result_release(&last);
        more = status == HD_EXIT_OK && !over && refine(d);
    }
    d->result->rounds.fixpoint = !over;
    d->result->rounds.threads = hd_tset_count(&d->dice->inside, HD_TSET_WORDS);
    d->result->rounds.of_threads = d->threads.n;
    return status;
}

int hd_dice_explore(const struct hd_job *job, const struct hd_strs *targets,
                    struct hd_result *result, struct hd_err *err)
{
    struct dicing d = { .job = job, .result = result, .started = hd_watch_now() };
    d.rng.state = job->options.seed;
    *result = (struct hd_result){ .options = job->options };
    int status = open_program(&d, targets, err) == 0 ? first_run(&d, err) : HD_EXIT_INPUT;
    if (status == HD_EXIT_OK)
        status = rounds(&d, err);
    hd_rank_destroy(d.rank);
    hd_abstraction_destroy(d.abstraction);
    hd_query_close(d.query);
    hd_targets_sites_release(&d.sites);
    free(d.dice);
    free(d.alone);
    free(d.slices);
    free(d.refined.wanted);
    return status;
}
