/* One run of a given schedule, in a worker of its own. */
#include "supervise/plugin_judge.h"
#include "supervise/program_start.h"
#include "supervise/supervise.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *copy(const void *from, size_t bytes)
{
    void *to = hd_alloc(bytes + 1);
    memcpy(to, from, bytes);
    return to;
}

int hd_supervise_prepare(struct hd_worker *worker, const struct hd_job *job,
                         const struct hd_script *script, uint32_t n_parked, struct hd_err *err)
{
    struct hd_options options = job->options;
    options.mode = HD_MODE_REPLAY;
    options.n_script = script->n;
    options.script_has_solo = script->has_solo;
    options.script_partial = script->partial;
    options.script_guide = script->guide;
    options.n_orders = script->n_orders;
    memcpy(options.orders, script->orders, sizeof options.orders);
    options.leads_to = script->leads_to;
    memcpy(options.race, script->race, sizeof options.race);
    options.show_output = 1;
    options.n_parked = n_parked;
    /* a violation that ends no execution may be in the state in which the targets are
     * reached */
    const struct hd_route *route = script->leads_to ? NULL : job->route;
    if (hd_worker_init(worker, &options, route, err) != 0)
        return -1;
    struct hd_worker_memory *shared = worker->shared;
    if (script->n)
        memcpy(shared->script, script->steps, script->n * sizeof *script->steps);
    shared->n_threads = script->threads->n;
    memcpy(shared->threads, script->threads->names,
           script->threads->n * sizeof *script->threads->names);
    return 0;
}

static void take_log(struct hd_run *run, const struct hd_worker_memory *shared)
{
    const struct hd_control *ctl = &shared->ctl;
    run->status = ctl->replay_status;
    run->step = ctl->replay_step;
    run->got = ctl->got;
    run->exit_status = ctl->exit_status;
    run->load_base = ctl->load_base;
    run->polled = shared->cnt.polled[0] != 0;
    run->n_log = ctl->n_log;
    run->log = copy(shared->log, ctl->n_log * sizeof *shared->log);
    if (run->n_log)
        run->log[run->n_log - 1].output_end = ctl->output_bytes;
    run->n_calls = shared->stacks.n;
    run->calls = copy(shared->stacks.calls, run->n_calls * sizeof *run->calls);
    run->output_bytes = ctl->output_bytes;
    run->output = copy(shared->output, ctl->output_bytes);
    run->threads.n = shared->n_threads;
    memcpy(run->threads.names, shared->threads, sizeof run->threads.names);
}

/* The log cannot be trusted: the script is all that is known of the run. */
static void take_script(struct hd_run *run, const struct hd_script *script,
                        const struct hd_err *damage)
{
    run->scheduled_only = !script->has_solo;
    run->n_log = script->n;
    run->log = copy(script->steps, script->n * sizeof *script->steps);
    run->output = copy("", 0);
    run->threads = *script->threads;
    run->found = true;
    run->status = HD_REPLAY_END;
    run->finding.kind = HD_KIND_MEMORY;
    memcpy(run->finding.message, damage->text, sizeof run->finding.message - 1);
}

/* A worker identifies an invariant by its address, and by its name only when that was given. */
static void name_invariant(struct hd_finding *finding, struct hd_program *program)
{
    struct hd_place place;
    char name[200];
    if (finding->kind != HD_KIND_INVARIANT)
        return;
    hd_program_pc(program, finding->pc, &place);
    snprintf(name, sizeof name, "%s", *finding->message ? finding->message : place.function);
    snprintf(finding->message, sizeof finding->message, "%s does not hold", name);
}

/* "int main(void)", as assert gives it to us -> "main" */
static void strip_signature(struct hd_finding *finding)
{
    char *end = strchr(finding->function, '(');
    if (!end)
        return;
    *end = 0;
    char *begin = end;
    while (begin > finding->function && begin[-1] != ' ' && begin[-1] != '*')
        begin--;
    memmove(finding->function, begin, strlen(begin) + 1);
}

int hd_supervise_replay(const struct hd_job *job, const struct hd_script *script,
                        struct hd_run *run, struct hd_err *err)
{
    *run = (struct hd_run){ .memory = job->options.memory };
    uint32_t *parked = hd_program_parked(job->program);
    if (*parked < script->threads->n)
        *parked = script->threads->n;
    for (uint32_t before = 0;; before = *parked, *parked = HD_MORE_PARKED(before)) {
        struct hd_worker worker;
        if (before == HD_MAX_THREADS) {
            hd_err_set(
                err,
                "the program has more than %u threads at a time, the most that heddle can run: test it with fewer",
                HD_MAX_THREADS);
            return HD_EXIT_INPUT;
        }
        if (hd_supervise_prepare(&worker, job, script, *parked, err) != 0)
            return HD_EXIT_INPUT;
        enum hd_outcome outcome = HD_OUTCOME_INPUT;
        if (hd_program_start(job->program, &worker, job->args, err) == 0)
            outcome = hd_autopsy(&worker, &job->watch, job->program, err);
        if (outcome == HD_OUTCOME_DAMAGED) {
            take_script(run, script, err);
        } else if (outcome == HD_OUTCOME_OVER || outcome == HD_OUTCOME_DIED) {
            take_log(run, worker.shared);
            run->found = outcome == HD_OUTCOME_DIED || worker.shared->n_findings > 0;
            if (run->found)
                run->finding = outcome == HD_OUTCOME_DIED ? worker.shared->died
                                                          : worker.shared->findings[0];
            if (outcome == HD_OUTCOME_OVER && hd_plugin_judges(job, run) &&
                hd_plugin_judge(job, worker.shared, run, err) != 0)
                outcome = HD_OUTCOME_INPUT;
            hd_finding_shown(&run->finding);
            name_invariant(&run->finding, job->program);
            strip_signature(&run->finding);
            if (outcome == HD_OUTCOME_DIED)
                run->status = HD_REPLAY_END;
        }
        run->peak_rss_kb = worker.peak_rss_kb;
        hd_worker_release(&worker);
        switch (outcome) {
        case HD_OUTCOME_MORE_PARKED:
            continue;
        case HD_OUTCOME_CUT:
            hd_err_set(err, "interrupted");
            return HD_EXIT_INPUT;
        case HD_OUTCOME_INPUT:
        case HD_OUTCOME_DIVERGED:
        case HD_OUTCOME_KILLED:
            hd_run_release(run);
            return HD_EXIT_INPUT;
        case HD_OUTCOME_BUG:
            return HD_EXIT_INTERNAL;
        default:
            return HD_EXIT_OK;
        }
    }
}
