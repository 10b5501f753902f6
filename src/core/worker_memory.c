#include "core/worker_memory.h"

#include "base/hash.h"

#include <stdbool.h>
#include <string.h>

/* Four sums, which a processor works out at the same time: in one, each step waits for the
 * last. */
uint64_t hd_shared_checksum(const struct hd_options *options)
{
    enum { LANES = 4, STRIDE = LANES * sizeof(uint64_t) };
    uint64_t h[LANES] = { HD_SHARED_MAGIC }, words[LANES];
    const char *bytes = (const char *)options;
    size_t at = 0;
    for (; at + STRIDE <= sizeof *options; at += STRIDE) {
        memcpy(words, bytes + at, STRIDE);
        for (uint32_t i = 0; i < LANES; i++)
            h[i] = hd_hash_step(h[i], words[i]);
    }
    return hd_hash_bytes(hd_hash_bytes(0, h, sizeof h), bytes + at, sizeof *options - at);
}

uint32_t hd_shared_name(struct hd_worker_memory *shared, uint32_t parent, uint32_t nth, bool add)
{
    for (uint32_t i = 1; i < shared->n_threads; i++)
        if (shared->threads[i].parent == parent && shared->threads[i].nth == nth)
            return i;
    if (!add || shared->n_threads == HD_MAX_THREADS)
        return HD_MAX_THREADS;
    shared->threads[shared->n_threads] = (struct hd_thread_name){ (uint16_t)parent,
                                                                  (uint16_t)nth };
    return shared->n_threads++;
}

static bool terminated(const char *text, size_t n) { return memchr(text, 0, n) != NULL; }

const char *hd_finding_check(const struct hd_finding *finding, uint32_t n_threads,
                             uint32_t n_sites)
{
    if (finding->kind == HD_KIND_NONE || finding->kind >= HD_KIND_COUNT)
        return "a finding of no kind";
    if (finding->thread >= n_threads)
        return "a finding of a thread that does not exist";
    if (finding->site != 0 && finding->site >= n_sites)
        return "a finding at a site that does not exist";
    if (!terminated(finding->message, sizeof finding->message) ||
        !terminated(finding->file, sizeof finding->file) ||
        !terminated(finding->function, sizeof finding->function))
        return "a finding with a text without end";
    if (finding->n_standings > sizeof finding->standings / sizeof *finding->standings)
        return "a finding with too many standings";
    if (finding->kind == HD_KIND_DATA_RACE && finding->n_standings != 2)
        return "a data race not of two threads";
    if ((finding->kind == HD_KIND_LIVELOCK) != (finding->cycle != 0) ||
        finding->cycle > HD_MAX_STEPS)
        return "a livelock without a cycle, or a cycle without one";
    if (finding->partial && finding->n_standings == 0)
        return "a partial deadlock of no thread";
    for (uint32_t i = 0; i < finding->n_standings; i++) {
        const struct hd_standing *s = &finding->standings[i];
        if (s->thread >= n_threads || s->op >= HD_OP_COUNT ||
            (s->owner != ~0u && s->owner >= n_threads) || (s->site != 0 && s->site >= n_sites) ||
            (s->owner_site != 0 && s->owner_site >= n_sites))
            return "a standing that cannot be";
    }
    if (finding->n_origins > HD_MAX_ORIGINS)
        return "a finding with too many origins";
    for (uint32_t i = 0; i < finding->n_origins; i++) {
        const struct hd_origin *o = &finding->origins[i];
        if (o->what == 0 || o->what >= HD_ORIGIN_KINDS || o->thread >= n_threads ||
            (o->site != 0 && o->site >= n_sites))
            return "an origin that cannot be";
    }
    return NULL;
}

static const char *check_threads(const struct hd_worker_memory *shared)
{
    if (shared->n_threads > HD_MAX_THREADS)
        return "more threads than there can be";
    for (uint32_t i = 1; i < shared->n_threads; i++)
        if (shared->threads[i].parent >= i || shared->threads[i].nth == 0)
            return "a thread without a parent";
    return NULL;
}

static const char *check_schedules(const struct hd_worker_memory *shared, uint32_t n_sites)
{
    if (shared->depth > HD_MAX_STEPS)
        return "an execution that is too long";
    for (uint32_t i = 0; i < shared->depth; i++)
        if (HD_STEP_THREAD(shared->steps[i]) >= shared->n_threads)
            return "a step of a thread that does not exist";
    if (shared->n_findings > HD_MAX_FINDINGS)
        return "more findings than there can be";
    if (shared->n_schedule > HD_SCHEDULE_POOL)
        return "more schedule steps than there can be";
    for (uint32_t i = 0; i < shared->n_findings; i++) {
        const struct hd_finding *f = &shared->findings[i];
        const char *wrong = hd_finding_check(f, shared->n_threads, n_sites);
        if (wrong)
            return wrong;
        if (shared->options.mode == HD_MODE_REPLAY)
            continue; /* the log is its schedule */
        if (f->schedule > shared->n_schedule || f->n_steps > shared->n_schedule - f->schedule ||
            f->n_steps > HD_MAX_STEPS)
            return "a finding with a schedule that does not exist";
        for (uint32_t k = 0; k < f->n_steps; k++)
            if (HD_STEP_THREAD(shared->schedule[f->schedule + k]) >= shared->n_threads)
                return "a schedule with a thread that does not exist";
    }
    return shared->died_valid ? hd_finding_check(&shared->died, shared->n_threads, n_sites)
                              : NULL;
}

static const char *check_inversions(const struct hd_worker_memory *shared, uint32_t n_sites)
{
    if (shared->n_inversions > HD_MAX_INVERSIONS)
        return "more inversions of locks than there can be";
    for (uint32_t i = 0; i < shared->n_inversions; i++) {
        const struct hd_inversion *v = &shared->inversions[i];
        if (v->n < 2 || v->n > HD_MAX_INVERSION)
            return "an inversion of locks that cannot be";
        for (uint32_t k = 0; k < v->n; k++)
            if (v->order[k].thread >= shared->n_threads ||
                (v->order[k].site != 0 && v->order[k].site >= n_sites) ||
                (v->order[k].held_site != 0 && v->order[k].held_site >= n_sites))
                return "an inversion of locks that cannot be";
    }
    return NULL;
}

static const char *check_stacks(const struct hd_stacks *stacks, uint32_t n_sites)
{
    if (stacks->n > HD_MAX_STACKS)
        return "more call stacks than there can be";
    for (uint32_t i = 1; i < stacks->n; i++)
        if (stacks->calls[i].around >= i || stacks->calls[i].site >= n_sites)
            return "a call stack that cannot be";
    return NULL;
}

static const char *check_log(const struct hd_worker_memory *shared, uint32_t n_sites)
{
    const struct hd_control *ctl = &shared->ctl;
    if (ctl->n_log > HD_MAX_STEPS)
        return "a log that is too long";
    if (ctl->output_bytes > HD_OUTPUT_BYTES)
        return "more program output than there can be";
    uint32_t output = 0;
    for (uint32_t i = 0; i < ctl->n_log; i++) {
        const struct hd_step *s = &shared->log[i];
        if (s->thread >= shared->n_threads || s->op >= HD_OP_COUNT ||
            s->action.op >= HD_OP_COUNT || (s->site != 0 && s->site >= n_sites))
            return "a logged step that cannot be";
        if (i + 1 == ctl->n_log)
            break; /* its end was not reached, perhaps */
        if (s->output_end < output || s->output_end > ctl->output_bytes)
            return "a logged step whose output cannot be";
        output = s->output_end;
    }
    if (ctl->got.op >= HD_OP_COUNT || (ctl->got.site != 0 && ctl->got.site >= n_sites))
        return "a replay that met an action that cannot be";
    return NULL;
}

const char *hd_shared_check(const struct hd_worker_memory *shared, uint32_t n_sites)
{
    if (shared->magic != HD_SHARED_MAGIC || shared->version != HD_SHARED_VERSION)
        return "the head of the shared memory";
    if (shared->options_checksum != hd_shared_checksum(&shared->options))
        return "the options";
    if (shared->ctl.state > HD_STATE_STEPS || shared->ctl.replay_status > HD_REPLAY_HELD ||
        !terminated(shared->ctl.error, sizeof shared->ctl.error))
        return "the state of the worker";
    const char *wrong = check_threads(shared);
    if (!wrong)
        wrong = check_schedules(shared, n_sites);
    if (!wrong)
        wrong = check_log(shared, n_sites);
    if (!wrong)
        wrong = check_stacks(&shared->stacks, n_sites);
    if (!wrong)
        wrong = check_inversions(shared, n_sites);
    if (!wrong && !hd_readset_check(&shared->readset))
        wrong = "what invariants read";
    /* without the option nobody reads them, and to look makes pages of what has none */
    if (!wrong && shared->options.finer & HD_FINER_LOCKS &&
        (!hd_lock_parts_check(&shared->parts) || !hd_lock_parts_check(&shared->parts_found)))
        wrong = "the parts of mutexes";
    return wrong;
}
