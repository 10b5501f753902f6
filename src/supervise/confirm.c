/* Every finding is replayed in a worker of its own before it is reported; the same violation is
 * reported once. */
#include "base/hash.h"
#include "base/shown.h"
#include "supervise/exploration.h"
#include "supervise/plugin.h"
#include "supervise/supervise.h"
#include "supervise/suspects.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ROUNDS = 4 }; /* of a cycle, until it closes */

/* A hash of the places where the threads stand, independent of their ids. */
static uint64_t standing_places(const struct hd_finding *f)
{
    uint64_t places = 0;
    for (uint32_t i = 0; i < f->n_standings; i++)
        places += hd_hash_mix((uint64_t)f->standings[i].op << 32 | f->standings[i].site);
    return places;
}

/* Is it the same finding?  (The place of an endless loop does not count: it is interrupted
 * anywhere.) */
bool hd_finding_same(const struct hd_finding *a, const struct hd_finding *b)
{
    if (a->kind == HD_KIND_NO_PROGRESS)
        return b->kind == a->kind && b->thread == a->thread;
    if (a->kind == HD_KIND_CRASH) /* while solo an exploration does not know the site */
        return b->kind == a->kind && b->thread == a->thread &&
               strcmp(b->message, a->message) == 0;
    if (a->kind == HD_KIND_OBJECTION)
        return b->kind == a->kind && b->judged == a->judged && b->site == a->site &&
               strcmp(b->message, a->message) == 0;
    if (a->kind == HD_KIND_ASSERTION && strcmp(b->message, a->message) != 0)
        return false; /* there may be two on a line */
    return b->kind == a->kind && b->partial == a->partial && b->site == a->site &&
           b->pc == a->pc && b->line == a->line && strcmp(b->file, a->file) == 0 &&
           (a->kind == HD_KIND_LIVELOCK || standing_places(b) == standing_places(a));
}

void hd_finding_shown(struct hd_finding *f)
{
    hd_shown_array(f->message, sizeof f->message);
    hd_shown_array(f->file, sizeof f->file);
    hd_shown_array(f->function, sizeof f->function);
}

/* Damage that no replay shows was done in an earlier execution than the one in which it was
 * noticed: it is reported without a schedule. */
static void untraced_damage(struct hd_run *run, const struct hd_candidate *c,
                            const struct hd_threads *threads)
{
    hd_run_release(run);
    run->found = run->scheduled_only = true;
    run->status = HD_REPLAY_END;
    run->finding = c->finding;
    run->threads = *threads;
    run->log = hd_alloc(sizeof *run->log);
    run->output = hd_alloc(1);
    size_t used = strlen(run->finding.message);
    snprintf(run->finding.message + used, sizeof run->finding.message - used,
             "; in which execution is not known");
}

/* The steps of the finding's schedule; a cycle is repeated `rounds` times more. */
static struct hd_step *steps_of(const struct hd_candidate *c, uint32_t rounds, bool weak,
                                uint32_t *n)
{
    uint32_t cycle = c->finding.kind == HD_KIND_LIVELOCK ? c->finding.cycle : 0;
    *n = c->n_steps + rounds * cycle;
    struct hd_step *steps = hd_alloc((*n + 1) * sizeof *steps);
    for (uint32_t i = 0; i < c->n_steps; i++)
        steps[i] = (struct hd_step){ .thread = HD_STEP_THREAD(c->schedule[i]),
                                     .choice = (uint16_t)HD_STEP_CHOICE(c->schedule[i]),
                                     .flags = weak && c->interleaving ? HD_STEP_UNFENCED : 0 };
    for (uint32_t i = c->n_steps; i < *n; i++)
        steps[i] = steps[i - cycle];
    return steps;
}

static void say_where_it_leads(const struct hd_finding *f, struct hd_script *script)
{
    if (f->kind == HD_KIND_DATA_RACE) {
        script->leads_to = HD_LEADS_TO_RACE;
        script->race[0] = f->standings[0].thread;
        script->race[1] = f->standings[1].thread;
        if (f->race_step) {
            script->leads_to = HD_LEADS_TO_UNORDERED;
            script->race[0] = f->race_step;
        }
    }
    if (f->partial) {
        script->leads_to = HD_LEADS_TO_PARTIAL;
        script->race[0] = f->standings[0].thread;
    }
    if (f->kind == HD_KIND_LIVELOCK) {
        script->leads_to = HD_LEADS_TO_CYCLE;
        script->race[0] = f->cycle;
    }
}

static int replay(const struct hd_exploration *x, const struct hd_candidate *c, uint32_t rounds,
                  struct hd_run *run, struct hd_err *err)
{
    struct hd_script script = { .threads = c->threads ? c->threads : &x->threads };
    struct hd_step *steps = steps_of(c, rounds, !hd_memory_is_sc(x->job->options.memory),
                                     &script.n);
    script.steps = steps;
    say_where_it_leads(&c->finding, &script);
    struct hd_job job = *x->job;
    job.watch.progress = NULL;
    job.watch.interrupted = NULL; /* an interrupted check still reports what it found */
    int failed = hd_supervise_replay(&job, &script, run, err);
    free(steps);
    run->finding.n_steps = script.n;
    return failed;
}

/* The steps of a cycle come from several paths.  Every path leaves other bytes below the stack
 * pointer, and a later frame contains them where it has not written yet, so the state looks
 * different: the first round may end in another state than it began.  The next round begins
 * with what the first has left. */
static int replay_found(const struct hd_exploration *x, const struct hd_candidate *c,
                        struct hd_run *run, struct hd_err *err)
{
    uint32_t cycle = c->finding.kind == HD_KIND_LIVELOCK ? c->finding.cycle : 0;
    for (uint32_t rounds = 0;; rounds++) {
        int failed = replay(x, c, rounds, run, err);
        if (failed || run->found || !cycle || rounds == MOST_ROUNDS ||
            c->n_steps + (rounds + 1ull) * cycle >= HD_MAX_STEPS)
            return failed;
        hd_run_release(run);
    }
}

#define HD_UNDEFINED 101 /* beside the exit statuses, as HD_UNREPEATED is */

/* The finding did not replay.  If its execution has a data race before, nothing else was
 * promised; that race is reported.  State outside the process is not restored. */
static int did_not_replay(const struct hd_exploration *x, const struct hd_finding *found,
                          const struct hd_run *run, struct hd_err *err)
{
    const char *instead = run->found ? hd_kind_text(run->finding.kind) : "none";
    if (found->racy)
        return HD_UNDEFINED;
    if (found->kind == HD_KIND_OBJECTION &&
        (!run->found || run->finding.kind == HD_KIND_OBJECTION)) {
        hd_err_set(err,
                   "the checker %s is not deterministic: it objected after step %u (%s), and "
                   "asked again about the same execution alone %s%s%s; it must judge by the "
                   "steps of one execution, and forget all when n is 0",
                   hd_plugin_name(&x->job->options.plugin), found->judged, found->message,
                   run->found ? "it objects otherwise (" : "it does not object",
                   run->found ? run->finding.message : "", run->found ? ")" : "");
        return HD_EXIT_INPUT;
    }
    if (x->result->counters.opaque == 0) {
        hd_err_set(err, "the violation did not replay: found %s (%s), the replay gave %s (%s)",
                   hd_kind_text(found->kind), found->message, instead,
                   run->found ? run->finding.message : "");
        return HD_EXIT_INTERNAL;
    }
    hd_err_set(
        err,
        "the program does not do the same when it is run again (%s: %s; the next time: %s): "
        "what an execution leaves outside the process, as in a file, is not undone before the "
        "next; write such a file anew after the first pthread_create, or keep it in memory",
        hd_kind_text(found->kind), found->message, instead);
    return HD_UNREPEATED;
}

/* Is the first a partial deadlock, and part of the other, which is one of all threads? */
static bool grew_into(const struct hd_finding *partial, const struct hd_finding *whole)
{
    uint32_t found = 0;
    for (uint32_t k = 0; partial->partial && k < partial->n_standings; k++) {
        const struct hd_standing *s = &partial->standings[k], *t = whole->standings;
        const struct hd_standing *end = t + whole->n_standings;
        while (t < end && !(s->op == t->op && s->site == t->site))
            t++;
        found += t < end;
    }
    return partial->partial && whole->kind == HD_KIND_DEADLOCK && !whole->partial &&
           found == partial->n_standings;
}

/* Does the replay show what was found?  When a partial deadlock is replayed, the others may be
 * at their end, or wait: then it is one of all threads.  (That one may have been found in
 * another part of the search.) */
static bool shows(const struct hd_run *run, const struct hd_finding *found)
{
    return run->found &&
           (hd_finding_same(found, &run->finding) || grew_into(found, &run->finding));
}

static int confirm_one(struct hd_exploration *x, const struct hd_candidate *c, struct hd_run *run,
                       struct hd_err *err)
{
    bool race = c->finding.kind == HD_KIND_DATA_RACE;
    int failed = replay_found(x, c, run, err);
    if (failed)
        return failed;
    bool damage = x->result->stop == HD_STOP_DAMAGED;
    if (damage && !run->found) {
        untraced_damage(run, c, c->threads ? c->threads : &x->threads);
        return HD_EXIT_OK;
    }
    if (!damage && !shows(run, &c->finding)) {
        int status = did_not_replay(x, &c->finding, run, err);
        hd_run_release(run);
        return status;
    }
    run->finding.execution = c->finding.execution;
    run->warning = race && x->job->options.races == HD_RACES_WARN;
    run->finding.preemptions = run->scheduled_only ? c->finding.preemptions
                                                   : hd_run_preemptions(run);
    return HD_EXIT_OK;
}

static bool same_line(const struct hd_program *program, const struct hd_standing *a,
                      const struct hd_standing *b)
{
    struct hd_place p = hd_program_site(program, a->site), q = hd_program_site(program, b->site);
    return p.line != 0 && p.line == q.line && strcmp(p.file, q.file) == 0 &&
           strcmp(p.variable, q.variable) == 0;
}

/* Is it a race of the same two lines on the same variable?  (`x++` reads and writes: three
 * races.) */
static bool same_race(const struct hd_program *program, const struct hd_finding *a,
                      const struct hd_finding *b)
{
    const struct hd_standing *s = a->standings, *t = b->standings;
    return (same_line(program, &s[0], &t[0]) && same_line(program, &s[1], &t[1])) ||
           (same_line(program, &s[0], &t[1]) && same_line(program, &s[1], &t[0]));
}

static bool seen_before(const struct hd_exploration *x, uint32_t i)
{
    for (uint32_t k = 0; k < i; k++)
        if (x->candidates[k].finding.kind == HD_KIND_DATA_RACE &&
            same_race(x->job->program, &x->candidates[k].finding, &x->candidates[i].finding))
            return true;
    return false;
}

/* Is it a partial deadlock that grew into one of all threads, which is reported? */
static bool grew(const struct hd_exploration *x, const struct hd_finding *partial)
{
    for (uint32_t i = 0; i < x->n_candidates; i++)
        if (grew_into(partial, &x->candidates[i].finding))
            return true;
    return false;
}

static bool stands_at(const struct hd_finding *f, uint32_t site)
{
    for (uint32_t i = 0; i < f->n_standings; i++)
        if (f->standings[i].site == site)
            return true;
    return false;
}

/* Do the threads of a deadlock stand where the locks of the inversion are taken? */
static bool came_true(const struct hd_exploration *x, const struct hd_inversion *inversion)
{
    for (uint32_t i = 0; i < x->n_candidates; i++) {
        const struct hd_finding *f = &x->candidates[i].finding;
        uint32_t n = 0;
        while (n < inversion->n && stands_at(f, inversion->order[n].site))
            n++;
        if (f->kind == HD_KIND_DEADLOCK && n == inversion->n)
            return true;
    }
    return false;
}

static void keep_warnings(struct hd_exploration *x)
{
    struct hd_result *r = x->result;
    uint32_t n = 0;
    r->threads = x->threads;
    for (uint32_t i = 0; i < r->n_inversions; i++)
        if (!came_true(x, &r->inversions[i]))
            r->inversions[n++] = r->inversions[i];
    r->n_inversions = n;
}

/* S4 of exploration.c: a worker of its own has shown the same, or the memory of all workers was
 * destroyed, which need not come out again. */
static void check_shown(const struct hd_exploration *x, const struct hd_run *run,
                        const struct hd_finding *found)
{
    bool same = shows(run, found);
    bool logged = run->n_log > 0 || run->scheduled_only || found->n_steps == 0;
    if ((!same || !logged) && x->result->stop != HD_STOP_DAMAGED)
        hd_bug("S4 of the exploration does not hold: %s is to be reported and was not replayed",
               hd_kind_text(found->kind));
}

/* Findings that are worse than a race come first, because few people read on. */
int hd_exploration_confirm(struct hd_exploration *x, struct hd_err *err)
{
    struct hd_result *r = x->result;
    r->runs_search = x->job->options.search;
    r->runs_memory = x->job->options.memory;
    r->runs = hd_alloc((x->n_candidates + 1) * sizeof *r->runs);
    keep_warnings(x);
    for (int races = 0; races < 2; races++)
        for (uint32_t i = 0; i < x->n_candidates; i++) {
            bool race = x->candidates[i].finding.kind == HD_KIND_DATA_RACE;
            if (race != races || (race && seen_before(x, i)) ||
                grew(x, &x->candidates[i].finding))
                continue;
            int failed = confirm_one(x, &x->candidates[i], &r->runs[r->n_runs], err);
            if (failed == HD_UNDEFINED) {
                r->n_undefined++;
                continue;
            }
            if (failed)
                return hd_suspect(failed, &r->notes, x->job->program, err);
            check_shown(x, &r->runs[r->n_runs++], &x->candidates[i].finding);
        }
    return HD_EXIT_OK;
}
