#include "cli/rerun.h"

#include "base/shown.h"
#include "report/verdict.h"
#include "strategy/targets.h"
#include "supervise/explain_memory.h"
#include "supervise/plugin.h"
#include "supervise/suppressions.h"

#include <stdlib.h>
#include <string.h>

static void make_args(struct hd_rerun *rerun, const struct hd_trace *trace, const char *program)
{
    hd_strs_init(&rerun->args);
    hd_strs_add(&rerun->args, trace->bare ? program : trace->head.program);
    hd_strs_add_all(&rerun->args, &trace->head.args);
}

/* The rules of the head, which make volatile accesses atomic. */
static int take_rules(struct hd_suppressions *s, const struct hd_trace *trace, const char *path,
                      const struct hd_input *input, struct hd_err *err)
{
    for (size_t i = 0; i < trace->head.rules.n; i++) {
        const char *rule = trace->head.rules.items[i];
        const char *wrong = hd_suppressions_add(s, rule, strlen(rule), 0);
        if (wrong) {
            char *shown = hd_shown_dup(rule);
            hd_err_set(err, "%s: rule %.60s: %s", path, shown, wrong);
            free(shown);
            return -1;
        }
    }
    return hd_suppressions_resolve(s, input->program, err);
}

/* The checker of the head, which may object again. */
static int take_checker(struct hd_plugin *plugin, const struct hd_trace *trace, const char *path,
                        struct hd_err *err)
{
    struct hd_err why;
    const char *checker = trace->head.checker;
    if (!checker)
        return 0;
    if (!hd_plugin_is(checker))
        return hd_err_set(err, "%s: checker %.60s: not PATH.so or PATH.lua", path, checker);
    if (hd_plugin_find(plugin, checker, &why) != 0)
        return hd_err_set(err, "%s is judged by a checker that cannot be asked: %s", path,
                          why.text);
    if (!(plugin->claims & HD_PLUGIN_CHECKS))
        return hd_err_set(err, "%s: %.60s is no checker any more", path, checker);
    return 0;
}

/* Threads and choices alone. */
static struct hd_step *schedule(const struct hd_trace *trace)
{
    struct hd_step *steps = hd_alloc((trace->n_steps + 1) * sizeof *steps);
    for (uint32_t i = 0; i < trace->n_steps; i++)
        steps[i] = (struct hd_step){ .thread = trace->steps[i].step.thread,
                                     .choice = trace->steps[i].step.choice };
    return steps;
}

int hd_rerun_init(struct hd_rerun *rerun, const struct hd_trace *trace, const char *path,
                  const struct hd_input *input, const char *program, bool changed,
                  struct hd_err *err)
{
    *rerun = (struct hd_rerun){ .steps = NULL };
    make_args(rerun, trace, program);
    if (changed)
        rerun->steps = schedule(trace);
    else if (hd_trace_bind(trace, path, input->program, &rerun->steps, err) != 0)
        return -1;
    struct hd_options *o = &rerun->job.options;
    rerun->job.program = input->program;
    rerun->job.args = rerun->args.items;
    rerun->job.watch.interrupted = &hd_input_interrupted;
    hd_input_defaults(o);
    o->seed = trace->head.seed;
    o->expect_exit = trace->head.expect_exit;
    o->no_timeouts = trace->head.no_timeouts;
    o->spurious = trace->head.spurious;
    o->polls = trace->head.polls;
    o->memory = trace->head.memory;
    o->faults = trace->head.faults;
    o->reuse = trace->head.reuse;
    o->nondet = trace->head.nondet;
    o->input = trace->head.input;
    o->leaks = trace->head.leaks;
    o->files_off = trace->head.files_off;
    o->volatile_ok = trace->head.volatile_ok;
    if (take_checker(&o->plugin, trace, path, err) != 0)
        return -1;
    if (take_rules(&o->suppressions, trace, path, input, err) != 0)
        return -1;
    struct hd_strs via = { 0 };
    if (hd_input_invariants(input, &trace->head.invariants, o, err) != 0 ||
        hd_targets_route(input->program, &trace->head.targets, &via, false, &rerun->route, err) !=
            0)
        return -1;
    rerun->job.route = rerun->route;
    rerun->script = (struct hd_script){ .steps = rerun->steps,
                                        .n = trace->n_steps,
                                        .has_solo = trace->all,
                                        .partial = trace->bare,
                                        .leads_to = trace->leads_to,
                                        .race = { trace->race[0], trace->race[1] },
                                        .threads = &trace->threads };
    return 0;
}

int hd_rerun_allowed(const struct hd_trace *trace, const char *path, const struct hd_run *run,
                     struct hd_err *err)
{
    uint32_t step = hd_explain_memory_forbidden(run), solo = 0;
    if (!step)
        return 0;
    for (uint32_t i = 0; i < step && !trace->all; i++)
        solo += (run->log[i].flags & HD_STEP_SOLO) != 0;
    uint32_t entry = step - solo;
    uint32_t line = entry && entry <= trace->n_steps ? trace->steps[entry - 1].line : 0;
    return hd_err_set(err,
                      "%s:%u: step %u: choice=%u: %s does not allow it to read, or to store, "
                      "there: the trace is of no execution",
                      path, line, step, run->log[step - 1].choice,
                      hd_memory_text((enum hd_memory)run->memory));
}

void hd_rerun_release(struct hd_rerun *rerun)
{
    free(rerun->route);
    free(rerun->steps);
    hd_strs_release(&rerun->args);
}
