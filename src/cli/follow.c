#include "cli/follow.h"

#include <stdlib.h>
#include <string.h>

#define ROUNDS 8
#define MOST_PAIRS (1u << 22) /* of steps that are compared */
#define NONE (~0u)

struct follow {
    const struct hd_trace *trace;
    struct hd_program *program;
    struct hd_step *steps; /* the script */
    uint32_t n;
    uint32_t *match;   /* per step of the trace: which of its thread's steps of the log */
    uint32_t *emitted; /* per step of the trace: where it stands in the script */
};

/* The steps of a thread: indices into a trace, or into a log. */
struct own {
    uint32_t *at;
    uint32_t n;
};

static bool counts(const struct follow *f, const struct hd_run *run, uint32_t i)
{
    return f->trace->all || !(run->log[i].flags & HD_STEP_SOLO);
}

static struct own of_trace(const struct follow *f, uint32_t thread)
{
    struct own own = { hd_alloc((f->trace->n_steps + 1) * sizeof *own.at), 0 };
    for (uint32_t i = 0; i < f->trace->n_steps; i++)
        if (f->trace->steps[i].step.thread == thread)
            own.at[own.n++] = i;
    return own;
}

static struct own of_log(const struct follow *f, const struct hd_run *run, uint32_t thread)
{
    struct own own = { hd_alloc((run->n_log + 1) * sizeof *own.at), 0 };
    for (uint32_t i = 0; i < run->n_log; i++)
        if (run->log[i].thread == thread && counts(f, run, i))
            own.at[own.n++] = i;
    return own;
}

static bool same(const struct follow *f, const struct hd_run *run, uint32_t in_trace,
                 uint32_t in_log)
{
    const struct hd_trace_step *a = &f->trace->steps[in_trace];
    const struct hd_step *b = &run->log[in_log];
    const char *function = hd_program_site(f->program, b->site).function;
    return a->step.op == b->op &&
           strcmp(a->function ? a->function : "", function ? function : "") == 0;
}

/* Finds which steps of the thread are the same: match[] of the trace's steps. */
static void compare(struct follow *f, const struct hd_run *run, const struct own *a,
                    const struct own *b)
{
    uint32_t head = 0;
    for (; head < a->n && head < b->n && same(f, run, a->at[head], b->at[head]); head++)
        f->match[a->at[head]] = head;
    uint32_t n = a->n - head, m = b->n - head;
    if (n == 0 || m == 0 || n > MOST_PAIRS / (m + 1))
        return;
    uint32_t width = m + 1;
    uint32_t *longest = hd_alloc((uint64_t)(n + 1) * width * sizeof *longest);
    for (uint32_t i = n; i-- > 0;)
        for (uint32_t k = m; k-- > 0;) {
            uint32_t skip_a = longest[(i + 1) * width + k], skip_b = longest[i * width + k + 1];
            longest[i * width + k] = same(f, run, a->at[head + i], b->at[head + k])
                                         ? longest[(i + 1) * width + k + 1] + 1
                                     : skip_a > skip_b ? skip_a
                                                       : skip_b;
        }
    for (uint32_t i = 0, k = 0; i < n && k < m;)
        if (same(f, run, a->at[head + i], b->at[head + k]))
            f->match[a->at[head + i++]] = head + k++;
        else if (longest[(i + 1) * width + k] >= longest[i * width + k + 1])
            i++;
        else
            k++;
    free(longest);
}

/* Makes the script anew from the trace and the run that the last one gave.  False: it is the
 * same again. */
static bool align(struct follow *f, const struct hd_run *run)
{
    const struct hd_trace *trace = f->trace;
    uint32_t n_threads = run->threads.n > trace->threads.n ? run->threads.n : trace->threads.n;
    struct own *logs = hd_alloc((n_threads + 1) * sizeof *logs);
    uint32_t *done = hd_alloc((n_threads + 1) * sizeof *done), n = 0;
    struct hd_step *steps = hd_alloc((trace->n_steps + run->n_log + 1) * sizeof *steps);
    memset(f->match, 0xff, trace->n_steps * sizeof *f->match);
    for (uint32_t t = 0; t < n_threads; t++) {
        struct own own = of_trace(f, t);
        logs[t] = of_log(f, run, t);
        compare(f, run, &own, &logs[t]);
        free(own.at);
    }
    for (uint32_t i = 0; i < trace->n_steps; i++) {
        uint32_t t = trace->steps[i].step.thread;
        for (; f->match[i] != NONE && done[t] <= f->match[i]; done[t]++) {
            const struct hd_step *s = &run->log[logs[t].at[done[t]]];
            steps[n++] = (struct hd_step){ .thread = t, .choice = s->choice };
        }
        if (f->match[i] != NONE)
            steps[n - 1].choice = trace->steps[i].step.choice;
        f->emitted[i] = n ? n - 1 : 0;
    }
    bool changed = n != f->n;
    for (uint32_t i = 0; i < n && !changed; i++)
        changed = steps[i].thread != f->steps[i].thread || steps[i].choice != f->steps[i].choice;
    for (uint32_t t = 0; t < n_threads; t++)
        free(logs[t].at);
    free(logs);
    free(done);
    free(f->steps);
    f->steps = steps;
    f->n = n;
    return changed;
}

/* How far the run has followed the script. */
static uint32_t common(const struct follow *f, const struct hd_run *run)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_log && n < f->n; i++) {
        if (!counts(f, run, i))
            continue;
        if (run->log[i].thread != f->steps[n].thread)
            break;
        n++;
    }
    return n;
}

/* The run itself as a script. */
static void take_run(struct follow *f, const struct hd_run *run)
{
    free(f->steps);
    f->steps = hd_alloc((run->n_log + 1) * sizeof *f->steps);
    f->n = 0;
    for (uint32_t i = 0; i < run->n_log; i++)
        if (counts(f, run, i))
            f->steps[f->n++] = (struct hd_step){ .thread = run->log[i].thread,
                                                 .choice = run->log[i].choice };
}

/* Does the script lead to what the trace led to: a race, threads that wait for each other? */
static bool leads_there(const struct follow *f, const struct hd_rerun *rerun,
                        struct hd_script *script)
{
    struct hd_run run;
    struct hd_err ignored;
    script->steps = f->steps;
    script->n = f->n;
    if (script->leads_to == HD_LEADS_TO_UNORDERED && script->race[0] &&
        script->race[0] <= f->trace->n_steps)
        script->race[0] = f->emitted[script->race[0] - 1] + 1;
    if (hd_supervise_replay(&rerun->job, script, &run, &ignored) != HD_EXIT_OK)
        return false;
    bool found = run.found;
    hd_run_release(&run);
    return found;
}

static int near(const struct hd_rerun *rerun, const struct follow *f, struct hd_run *run,
                struct hd_err *err)
{
    struct hd_script script = { .steps = f->steps,
                                .n = f->n,
                                .has_solo = f->trace->all,
                                .guide = HD_GUIDE_STAY,
                                .threads = &f->trace->threads };
    return hd_supervise_replay(&rerun->job, &script, run, err) == HD_EXIT_OK ? 0 : -1;
}

int hd_follow(struct hd_rerun *rerun, const struct hd_trace *trace, struct hd_program *program,
              struct hd_followed *followed, struct hd_err *err)
{
    struct follow f = { .trace = trace,
                        .program = program,
                        .steps = rerun->steps,
                        .n = trace->n_steps,
                        .match = hd_alloc((trace->n_steps + 1) * sizeof *f.match),
                        .emitted = hd_alloc((trace->n_steps + 1) * sizeof *f.emitted) };
    struct hd_run run;
    int failed = near(rerun, &f, &run, err);
    for (int round = 0; !failed && round < ROUNDS && align(&f, &run); round++) {
        hd_run_release(&run);
        failed = near(rerun, &f, &run, err);
    }
    rerun->steps = f.steps;
    if (!failed) {
        uint32_t reached = common(&f, &run);
        *followed = (struct hd_followed){ .changed = true };
        for (uint32_t i = 0; i < trace->n_steps; i++)
            followed->n += f.match[i] != NONE && f.emitted[i] < reached;
        struct hd_script script = rerun->script;
        if (script.leads_to == HD_LEADS_NOWHERE || reached < f.n ||
            !leads_there(&f, rerun, &script)) {
            take_run(&f, &run);
            script.leads_to = HD_LEADS_NOWHERE;
        }
        script.steps = rerun->steps = f.steps;
        script.n = f.n;
        rerun->script = script;
        hd_run_release(&run);
    }
    free(f.match);
    free(f.emitted);
    return failed;
}
