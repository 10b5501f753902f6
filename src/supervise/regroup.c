#include "supervise/regroup.h"

#include <stdlib.h>
#include <string.h>

/* The schedule of a run, and an order of some of its steps that is to be tried. */
struct sorting {
    struct hd_trial *trial;
    struct hd_run *run;
    hd_regroup_take *take;
    struct hd_step *steps; /* of a race: with the solo steps, which stay where they are */
    uint32_t n, solo;      /* of them */
    uint32_t *order;       /* indices of steps */
    uint32_t m;
};

static bool is_race(const struct hd_run *run) { return run->finding.kind == HD_KIND_DATA_RACE; }

static void begin(struct sorting *s)
{
    const struct hd_run *run = s->run;
    s->solo = 0;
    if (!is_race(run)) {
        s->steps = hd_trial_schedule(run, &s->n);
    } else {
        s->n = run->n_log;
        s->steps = hd_alloc((s->n + 1) * sizeof *s->steps);
        for (uint32_t i = 0; i < s->n; i++) {
            s->steps[i] = (struct hd_step){ .thread = run->log[i].thread,
                                            .choice = run->log[i].choice };
            if (run->log[i].flags & HD_STEP_SOLO && s->solo == i)
                s->solo++;
        }
    }
    s->order = hd_alloc((s->n + 1) * sizeof *s->order);
    s->m = 0;
}

static void end(struct sorting *s)
{
    free(s->steps);
    free(s->order);
}

/* Where the first access of the race has gone, + 1; 0: it was left out. */
static uint32_t moved(const struct sorting *s, uint32_t race_step)
{
    for (uint32_t i = 0; i < s->m; i++)
        if (s->order[i] + 1 == race_step)
            return i + 1;
    return 0;
}

static bool lead_to_race(const struct sorting *s, struct hd_script *script)
{
    const struct hd_finding *f = &s->run->finding;
    script->has_solo = true;
    script->leads_to = HD_LEADS_TO_RACE;
    script->race[0] = f->standings[0].thread;
    script->race[1] = f->standings[1].thread;
    if (!f->race_step)
        return true;
    script->leads_to = HD_LEADS_TO_UNORDERED;
    script->race[0] = moved(s, f->race_step);
    return script->race[0] != 0;
}

/* Runs the order; if that is a smaller run with the same violation, it is the new run. */
static bool try_order(struct sorting *s)
{
    struct hd_step *steps = hd_alloc((s->m + 1) * sizeof *steps);
    struct hd_script script = { .steps = steps, .n = s->m, .threads = &s->run->threads };
    bool same = s->m == s->n, better = false;
    struct hd_run other;
    for (uint32_t i = 0; i < s->m; i++) {
        steps[i] = s->steps[s->order[i]];
        same = same && s->order[i] == i;
    }
    script.guide = is_race(s->run) ? HD_GUIDE_NONE : HD_GUIDE_STAY;
    if (!same && (!is_race(s->run) || lead_to_race(s, &script)) &&
        hd_trial_run(s->trial, &script, s->run->n_log + 1, &other))
        better = s->take(s->run, &other);
    free(steps);
    return better;
}

/* Appends the steps [from, to), thread after thread, in the order in which they appear. */
static void append_sorted(struct sorting *s, uint32_t from, uint32_t to)
{
    bool done[HD_MAX_THREADS] = { false };
    for (uint32_t i = from; i < to; i++) {
        uint32_t thread = s->steps[i].thread;
        for (uint32_t k = i; k < to && !done[thread]; k++)
            if (s->steps[k].thread == thread)
                s->order[s->m++] = k;
        done[thread] = true;
    }
}

static void append(struct sorting *s, uint32_t from, uint32_t to)
{
    for (uint32_t i = from; i < to; i++)
        s->order[s->m++] = i;
}

/* Where the stretch begins that is `count` stretches after step `from`. */
static uint32_t stretches_on(const struct sorting *s, uint32_t from, uint32_t count)
{
    uint32_t at = from;
    for (; at < s->n && count > 0; count--) {
        uint32_t thread = s->steps[at].thread;
        while (at < s->n && s->steps[at].thread == thread)
            at++;
    }
    return at;
}

/* Sorts part after part of so many stretches, each in a run of its own. */
static bool sort_parts(struct hd_trial *trial, struct hd_run *run, hd_regroup_take *take,
                       uint32_t stretches)
{
    bool any = false;
    for (uint32_t from = 0, to = 0;; from = to) {
        struct sorting s = { .trial = trial, .run = run, .take = take };
        begin(&s);
        from = from < s.solo ? s.solo : from;
        to = stretches_on(&s, from, stretches);
        bool over = from >= s.n || hd_trial_over(trial);
        if (!over) {
            append(&s, 0, from);
            append_sorted(&s, from, to);
            append(&s, to, s.n);
            if (try_order(&s)) {
                any = true; /* the schedule is another one now, but its beginning is the same */
                to = from + 1;
            }
        }
        end(&s);
        if (over)
            return any;
    }
}

/* Leaves out all scheduled steps of a thread: a guided run does them where it has to. */
static bool try_without(struct hd_trial *trial, struct hd_run *run, hd_regroup_take *take,
                        uint32_t thread)
{
    struct sorting s = { .trial = trial, .run = run, .take = take };
    begin(&s);
    for (uint32_t i = 0; i < s.n; i++)
        if (i < s.solo || s.steps[i].thread != thread)
            s.order[s.m++] = i;
    bool better = s.m < s.n && try_order(&s);
    end(&s);
    return better;
}

/* Joins the stretch that begins at `from` with the next one of its thread: that comes earlier,
 * or this one later. */
static bool try_join(struct sorting *s, uint32_t from, bool later)
{
    uint32_t to = stretches_on(s, from, 1), next = to;
    while (next < s->n && s->steps[next].thread != s->steps[from].thread)
        next = stretches_on(s, next, 1);
    if (next >= s->n)
        return false;
    uint32_t end = stretches_on(s, next, 1);
    s->m = 0;
    append(s, 0, from);
    if (later)
        append(s, to, next);
    append(s, from, to);
    append(s, next, end);
    if (!later)
        append(s, to, next);
    append(s, end, s->n);
    return try_order(s);
}

/* One pass from the end; true when the run has changed. */
static bool join(struct hd_trial *trial, struct hd_run *run, hd_regroup_take *take)
{
    struct sorting s = { .trial = trial, .run = run, .take = take };
    bool better = false;
    begin(&s);
    for (uint32_t from = s.n; from-- > s.solo && !better && !hd_trial_over(trial);)
        if (from == s.solo || s.steps[from].thread != s.steps[from - 1].thread)
            better = try_join(&s, from, true) || try_join(&s, from, false);
    end(&s);
    return better;
}

static uint32_t count_stretches(struct hd_run *run)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_log; i++)
        n += i == 0 || run->log[i].thread != run->log[i - 1].thread;
    return n;
}

static void leave_out_threads(struct hd_trial *trial, struct hd_run *run, hd_regroup_take *take)
{
    for (uint32_t t = run->threads.n; t-- > 0 && !hd_trial_over(trial);)
        try_without(trial, run, take, t);
}

void hd_regroup(struct hd_trial *trial, struct hd_run *run, hd_regroup_take *take)
{
    leave_out_threads(trial, run, take);
    for (uint32_t part = count_stretches(run); part > 1; part = (part + 1) / 2) {
        sort_parts(trial, run, take, part);
        if (part == 2)
            break;
    }
    while (hd_run_preemptions(run) > 1 && join(trial, run, take))
        ;
    leave_out_threads(trial, run, take);
}
