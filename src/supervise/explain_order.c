/* Every candidate is a pair of conflicting steps of different threads, `early` before `late` in
 * the run.  To try it, the thread of `early` is held back before that step until `late` has
 * run, and everything else stays as close to the run as possible (runtime/guide.c).  A pair
 * decides if that run passes.
 *
 * A step that the run never reached can be a `late` half, too (for example: if the pointer had
 * been set before).  Runs that pass, made without guidance, show which steps there would be.
 *
 * Candidates are tried from the end of the run: a late difference leaves most of the run as it
 * was.  When no pair decides alone, two and then three of the latest are reversed together.
 *
 * A signal that woke one of several threads is no pair: it is tried with the others. */
#include "supervise/explain_order.h"

#include "core/enabled.h"
#include "supervise/minimise.h"

#include <stdlib.h>
#include <string.h>

#define MOST_CANDIDATES 64
#define MOST_JOINT 8 /* of which two or three are reversed together */

struct event {
    struct hd_step step;
    uint32_t index; /* index among the steps of its thread, from 0 */
    uint32_t at;    /* in the run's log; ~0u: only in a run that passes */
};

struct candidate {
    struct event early, late;
};

struct search {
    struct hd_trial *trial;
    struct hd_run *run;
    struct hd_step *schedule;
    uint32_t n_schedule;
    struct event *events;
    uint32_t n_events, n_in_run;
    struct candidate candidates[MOST_CANDIDATES];
    uint32_t n_candidates;
};

struct range {
    struct hd_name name;
    int64_t begin;
    uint32_t size; /* 0: a synchronisation object */
    bool writes;
};

static struct range range_of(const struct hd_name *name, uint32_t size, bool writes)
{
    bool down = name->where == HD_WHERE_STACK || name->where == HD_WHERE_TLS;
    return (struct range){ *name, down ? -(int64_t)name->offset : (int64_t)name->offset, size,
                           writes };
}

/* The one or two objects that a step touches. */
static uint32_t ranges_of(const struct hd_step *s, struct range out[2])
{
    const struct hd_op_row *row = &hd_op_table[s->op];
    uint32_t n = 0;
    if (s->object.where != HD_WHERE_NONE && row->access != HD_ACCESS_NONE &&
        (row->space == HD_SPACE_MEM || row->space == HD_SPACE_SYNC))
        out[n++] = range_of(&s->object, row->space == HD_SPACE_MEM ? s->size : 0,
                            row->access != HD_ACCESS_READ);
    /* what is done to the second object: core/op.def */
    enum hd_op op = (enum hd_op)s->op;
    bool awaits = op == HD_OP_AWAIT;
    if (s->object2.where != HD_WHERE_NONE && row->access != HD_ACCESS_NONE)
        out[n++] = range_of(&s->object2,
                            hd_op_second_is_sync(op) ? 0
                            : awaits                 ? s->action.size2
                                                     : s->size,
                            !awaits && !hd_op_reads_second(op));
    return n;
}

static bool overlap(const struct range *a, const struct range *b)
{
    if (a->name.where != b->name.where || a->name.thread != b->name.thread ||
        a->name.index != b->name.index || !(a->writes || b->writes))
        return false;
    if (a->size == 0 || b->size == 0)
        return a->size == b->size && a->begin == b->begin;
    return a->begin < b->begin + b->size && b->begin < a->begin + a->size;
}

bool hd_explain_order_conflict(const struct hd_step *a, const struct hd_step *b)
{
    struct range x[2], y[2];
    uint32_t n = ranges_of(a, x), m = ranges_of(b, y);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < m; k++)
            if (overlap(&x[i], &y[k]))
                return true;
    return false;
}

/* Does the step only follow from other steps of its thread?  Then its order decides nothing. */
static bool follows(uint16_t op) { return hd_op_has((enum hd_op)op, HD_OPTRAIT_FOLLOWS); }

/* The end of an object: a release that comes after it is too late. */
static bool destroys(uint16_t op) { return hd_op_has((enum hd_op)op, HD_OPTRAIT_DESTROYS); }

static void add_event(struct search *s, const struct hd_step *step, uint32_t index, uint32_t at)
{
    s->events[s->n_events++] = (struct event){ *step, index, at };
}

/* The operations at which the threads stand when a deadlock ends the run. */
static void add_standings(struct search *s, const uint32_t *counts)
{
    const struct hd_finding *f = &s->run->finding;
    for (uint32_t i = 0; i < f->n_standings; i++) {
        const struct hd_standing *st = &f->standings[i];
        struct hd_step step = {
            .thread = st->thread, .op = st->op, .site = st->site, .object = st->object
        };
        if (st->op != HD_OP_NONE && st->op != HD_OP_BLOCKED && st->thread < HD_MAX_THREADS)
            add_event(s, &step, counts[st->thread], ~0u);
    }
}

/* Steps of a passing run that the violating run did not reach. */
static void add_unreached(struct search *s, const struct hd_run *passing, const uint32_t *counts)
{
    uint32_t seen[HD_MAX_THREADS] = { 0 };
    for (uint32_t i = 0; i < passing->n_log; i++) {
        const struct hd_step *step = &passing->log[i];
        uint32_t index = seen[step->thread]++;
        if (index >= counts[step->thread])
            add_event(s, step, index, ~0u);
    }
}

/* A run that passes, made without guidance. */
static bool find_passing(struct search *s, struct hd_run *passing)
{
    for (uint32_t guide = HD_GUIDE_STAY; guide < HD_GUIDE_COUNT; guide++) {
        struct hd_script script = { .steps = s->schedule,
                                    .guide = (enum hd_guide)guide,
                                    .threads = &s->run->threads };
        if (!hd_trial_run(s->trial, &script, 4 * s->run->n_log + 2000, passing))
            continue;
        if (!passing->found)
            return true;
        hd_run_release(passing);
    }
    return false;
}

static void collect_events(struct search *s)
{
    uint32_t counts[HD_MAX_THREADS] = { 0 };
    struct hd_run passing;
    bool passes = find_passing(s, &passing);
    s->events = hd_alloc((s->run->n_log + (passes ? passing.n_log : 0) + 65) * sizeof *s->events);
    for (uint32_t i = 0; i < s->run->n_log; i++) {
        const struct hd_step *step = &s->run->log[i];
        add_event(s, step, counts[step->thread]++, i);
    }
    s->n_in_run = s->n_events;
    add_standings(s, counts);
    if (passes) {
        add_unreached(s, &passing, counts);
        hd_run_release(&passing);
    }
}

/* Add, for every other thread, its first step after `early` that conflicts with it; all such
 * steps when `early` is the end of an object. */
static void add_candidates(struct search *s, uint32_t early)
{
    bool seen[HD_MAX_THREADS] = { false };
    const struct event *a = &s->events[early];
    if (a->step.flags & HD_STEP_SOLO || follows(a->step.op))
        return;
    for (uint32_t i = early + 1; i < s->n_events && s->n_candidates < MOST_CANDIDATES; i++) {
        const struct event *b = &s->events[i];
        if (b->step.thread == a->step.thread || seen[b->step.thread] ||
            (follows(b->step.op) && !destroys(a->step.op)) ||
            !hd_explain_order_conflict(&a->step, &b->step))
            continue;
        seen[b->step.thread] = !destroys(a->step.op); /* all uses must come before that */
        s->candidates[s->n_candidates++] = (struct candidate){ *a, *b };
    }
}

/* Run with these candidates reversed.  True if that run passes. */
static bool passes_with(struct search *s, const struct candidate *const *turned, uint32_t n,
                        struct hd_run *passing)
{
    struct hd_script script = { .steps = s->schedule,
                                .n = s->n_schedule,
                                .guide = HD_GUIDE_STAY,
                                .n_orders = n,
                                .threads = &s->run->threads };
    for (uint32_t i = 0; i < n; i++)
        script.orders[i] = (struct hd_order){ turned[i]->late.step.thread, turned[i]->late.index,
                                              turned[i]->early.step.thread,
                                              turned[i]->early.index };
    if (!hd_trial_run(s->trial, &script, 4 * s->run->n_log + 2000, passing))
        return false;
    if (!passing->found)
        return true;
    hd_run_release(passing);
    return false;
}

static void keep(struct hd_run *run, const struct candidate *c)
{
    uint32_t done = 0;
    for (uint32_t i = 0; i < run->n_log; i++)
        done += run->log[i].thread == c->late.step.thread;
    run->orderings[run->n_orderings++] =
        (struct hd_ordering){ c->early.step, c->late.step, c->early.at, c->late.at,
                              c->late.at == ~0u ? c->late.index - done + 1 : 0 };
}

/* If several candidates hold one thread back for the same step of another, only the nearest is
 * reported. */
static bool known(const struct hd_run *run, const struct candidate *c)
{
    for (uint32_t i = 0; i < run->n_orderings; i++) {
        const struct hd_ordering *o = &run->orderings[i];
        if (o->early.thread == c->early.step.thread && o->late.thread == c->late.step.thread &&
            o->late.site == c->late.step.site)
            return true;
    }
    return false;
}

/* Would `late` only repeat a step that its thread has made before in the run? */
static bool once_more(const struct hd_run *run, const struct candidate *c)
{
    for (uint32_t i = 0; c->late.at == ~0u && i < run->n_log; i++)
        if (run->log[i].thread == c->late.step.thread && run->log[i].site == c->late.step.site)
            return true;
    return false;
}

static bool is_access(const struct hd_step *s)
{
    return hd_op_table[s->op].space == HD_SPACE_MEM;
}

/* Is `late` what an assertion looks at?  That an earlier look is luckier explains little. */
static bool is_symptom(const struct hd_run *run, const struct hd_ordering *o)
{
    uint32_t i = run->n_log;
    while (i > 0 && run->log[i - 1].thread != run->finding.thread)
        i--;
    return run->finding.kind == HD_KIND_ASSERTION && i && o->late_at == i - 1;
}

/* Did a thread that waits for ever begin to wait after the signal? */
static bool is_missed(const struct hd_run *run, const struct hd_ordering *o)
{
    return run->finding.kind == HD_KIND_DEADLOCK && o->late.op == HD_OP_WAIT &&
           (o->early.op == HD_OP_SIGNAL || o->early.op == HD_OP_BROADCAST);
}

/* How much an ordering says: a signal that was missed says most, then two accesses of data that
 * both happened. */
static uint32_t worth(const struct hd_run *run, const struct hd_ordering *o)
{
    if (is_missed(run, o))
        return 16;
    struct candidate c = { .late = { .step = o->late, .at = o->late_at } };
    return (o->late_at != ~0u ? 4u : 0) + (is_access(&o->early) && is_access(&o->late) ? 2u : 0) +
           !once_more(run, &c) + (is_symptom(run, o) ? 0 : 3u);
}

/* The better an ordering, the earlier it comes; `run->passing` is the run with the first one
 * reversed. */
static void best_first(struct hd_run *run, struct hd_run *passing)
{
    for (uint32_t i = 1; i < run->n_orderings; i++) {
        struct hd_ordering o = run->orderings[i];
        struct hd_run with = passing[i];
        uint32_t k = i;
        for (; k > 0 && worth(run, &o) > worth(run, &run->orderings[k - 1]); k--) {
            run->orderings[k] = run->orderings[k - 1];
            passing[k] = passing[k - 1];
        }
        run->orderings[k] = o;
        passing[k] = with;
    }
    for (uint32_t i = 1; i < run->n_orderings; i++)
        hd_run_release(&passing[i]);
    if (run->n_orderings == 0)
        return;
    run->passing = hd_alloc(sizeof *run->passing);
    *run->passing = passing[0];
}

/* Steps of the run, or new ones, say more than another iteration of a loop. */
static void try_alone(struct search *s)
{
    struct hd_run passing[HD_MAX_ORDERS];
    for (int more = 0; more < 2; more++)
        for (uint32_t i = 0; i < s->n_candidates && s->run->n_orderings < HD_MAX_ORDERS; i++) {
            const struct candidate *c = &s->candidates[i];
            if (once_more(s->run, c) != more || known(s->run, c) ||
                !passes_with(s, &c, 1, &passing[s->run->n_orderings]))
                continue;
            keep(s->run, c);
        }
    best_first(s->run, passing);
}

static bool try_joint(struct search *s, const struct candidate **turned, uint32_t n,
                      uint32_t wanted, uint32_t from)
{
    struct hd_run passing;
    if (n == wanted) {
        if (!passes_with(s, turned, n, &passing))
            return false;
        for (uint32_t i = 0; i < n; i++)
            keep(s->run, turned[i]);
        s->run->joint = true;
        s->run->passing = hd_alloc(sizeof passing);
        *s->run->passing = passing;
        return true;
    }
    uint32_t most = s->n_candidates < MOST_JOINT ? s->n_candidates : MOST_JOINT;
    for (uint32_t i = from; i < most; i++) {
        turned[n] = &s->candidates[i];
        if (try_joint(s, turned, n + 1, wanted, i + 1))
            return true;
    }
    return false;
}

static bool waits_for_signal(const struct hd_run *run, uint32_t thread)
{
    for (uint32_t i = 0; i < run->finding.n_standings; i++)
        if (run->finding.standings[i].thread == thread &&
            run->finding.standings[i].op == HD_OP_BLOCKED)
            return true;
    return false;
}

/* Run with the signal, which is step `at` of the log and `entry` of the schedule, waking the
 * thread that the choice stands for.  True if that run passes. */
static bool passes_waking(struct search *s, uint32_t at, uint32_t entry, uint32_t choice,
                          struct hd_run *passing)
{
    struct hd_script script = { .steps = s->schedule,
                                .n = s->n_schedule,
                                .guide = HD_GUIDE_STAY,
                                .threads = &s->run->threads };
    uint16_t before = s->schedule[entry].choice;
    s->schedule[entry].choice = (uint16_t)choice;
    bool ran = hd_trial_run(s->trial, &script, 4 * s->run->n_log + 2000, passing);
    s->schedule[entry].choice = before;
    if (!ran)
        return false;
    uint32_t woken = at < passing->n_log ? passing->log[at].woken : 0;
    if (!passing->found && woken && woken != s->run->log[at].woken &&
        waits_for_signal(s->run, woken - 1)) {
        s->run->rewake = at + 1;
        s->run->rewoken = woken - 1;
        return true;
    }
    hd_run_release(passing);
    return false;
}

/* Looks for a signal that should have woken another thread, from the end of the run. */
static void try_wakes(struct search *s)
{
    enum { MOST_SIGNALS = 4, MOST_WAITING = 4 };
    struct hd_run *run = s->run, passing;
    uint32_t entry = s->n_schedule, tried = 0;
    if (run->finding.kind != HD_KIND_DEADLOCK)
        return;
    for (uint32_t at = run->n_log; at-- > 0 && tried < MOST_SIGNALS;) {
        const struct hd_step *step = &run->log[at];
        entry -= !(step->flags & HD_STEP_SOLO);
        if (step->flags & HD_STEP_SOLO || step->op != HD_OP_SIGNAL || !step->woken)
            continue;
        tried++;
        for (uint32_t choice = 0; choice < MOST_WAITING; choice++) {
            if (choice == step->choice || !passes_waking(s, at, entry, choice, &passing))
                continue;
            if (run->passing) {
                hd_run_release(run->passing);
                free(run->passing);
            }
            run->passing = hd_alloc(sizeof passing);
            *run->passing = passing;
            return;
        }
    }
}

void hd_explain_order_find(struct hd_trial *trial, struct hd_run *run)
{
    struct search s = { .trial = trial, .run = run };
    const struct candidate *turned[HD_MAX_ORDERS];
    if (!hd_minimise_can(run))
        return;
    s.schedule = hd_trial_schedule(run, &s.n_schedule);
    collect_events(&s);
    for (uint32_t i = s.n_in_run; i-- > 0 && s.n_candidates < MOST_CANDIDATES;)
        add_candidates(&s, i);
    try_alone(&s);
    for (uint32_t n = 2; n <= HD_MAX_ORDERS && run->n_orderings == 0; n++)
        try_joint(&s, turned, 0, n, 0);
    try_wakes(&s);
    free(s.events);
    free(s.schedule);
}
