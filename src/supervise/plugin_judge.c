#include "supervise/plugin_judge.h"

#include "supervise/plugin_host.h"

#include <stdio.h>
#include <string.h>

bool hd_plugin_judges(const struct hd_job *job, const struct hd_run *run)
{
    const struct hd_plugin *plugin = &job->options.plugin;
    return plugin->used && plugin->claims & HD_PLUGIN_CHECKS && !run->found &&
           run->status == HD_REPLAY_END;
}

/* The question that the explorer would have asked about the same execution. */
static void write_question(struct hd_worker_memory *shared, const struct hd_run *run)
{
    struct hd_mailbox *box = &shared->mailbox;
    uint32_t n = 0;
    for (uint32_t i = 0; i < run->n_log; i++) {
        const struct hd_step *s = &run->log[i];
        if (s->flags & HD_STEP_SOLO)
            continue;
        shared->steps[n] = HD_STEP_PACK(s->thread, s->choice);
        box->path[n++] = s->action;
    }
    box->question = HD_QUESTION_JUDGE;
    box->ending = HD_ENDING_COMPLETE;
    box->depth = n;
    box->since = box->n = 0;
    box->n_threads = run->threads.n;
    box->last = n ? HD_STEP_THREAD(shared->steps[n - 1]) : 0;
    box->execution = 1;
    memset(&box->live, 0, sizeof box->live);
    memset(&box->enabled, 0, sizeof box->enabled);
}

static int take_objection(const struct hd_worker_memory *shared, struct hd_run *run,
                          struct hd_err *err)
{
    const struct hd_mailbox *box = &shared->mailbox;
    uint32_t n = box->judged;
    if (!box->objects)
        return 0;
    if (n > box->depth)
        return hd_err_set(err, "the checker objects to a step that there is not");
    run->found = true;
    run->finding = (struct hd_finding){ .kind = HD_KIND_OBJECTION, .judged = n };
    if (n) {
        run->finding.thread = HD_STEP_THREAD(shared->steps[n - 1]);
        run->finding.site = box->path[n - 1].site;
    }
    snprintf(run->finding.message, sizeof run->finding.message, "%.*s", HD_OBJECTION_BYTES - 1,
             box->objection);
    return 0;
}

int hd_plugin_judge(const struct hd_job *job, struct hd_worker_memory *shared, struct hd_run *run,
                    struct hd_err *err)
{
    struct hd_plugin_host host = { 0 };
    write_question(shared, run);
    int failed = hd_plugin_host_start(&host, shared, job->program, job->foresight,
                                      job->watch.hang_seconds, err);
    if (!failed)
        failed = hd_plugin_host_ask(&host, shared, err);
    hd_plugin_host_stop(&host);
    return failed ? failed : take_objection(shared, run, err);
}
