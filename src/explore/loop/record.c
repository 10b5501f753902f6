#include "explore/loop/record.h"

#include "base/hash.h"
#include "explore/jobs/split.h"
#include "explore/loop/explorer_inner.h"

#include <stdio.h>
#include <string.h>

uint64_t hd_explorer_fingerprint(const struct hd_finding *f)
{
    uint64_t h = hd_hash_step(f->kind, f->partial ? ~0ull : f->line);
    h = hd_hash_bytes(h, f->file, strnlen(f->file, sizeof f->file));
    if (f->kind == HD_KIND_ASSERTION || f->kind == HD_KIND_OBJECTION) /* two on a line */
        h = hd_hash_bytes(h, f->message, strnlen(f->message, sizeof f->message));
    if (f->kind != HD_KIND_DEADLOCK && f->kind != HD_KIND_DATA_RACE)
        return hd_hash_step(hd_hash_step(h, f->site), f->pc);
    /* a deadlock or race is identified by where its threads stand, not by which they are */
    uint64_t places = 0;
    for (uint32_t i = 0; i < f->n_standings; i++)
        places += hd_hash_mix((uint64_t)f->standings[i].op << 32 | f->standings[i].site);
    return hd_hash_step(h, places);
}

/* A new entry among the findings with room for n steps; NULL if the finding is known or there
 * is no room. */
static struct hd_finding *take(struct hd_explorer *ex, const struct hd_finding *finding,
                               uint32_t n)
{
    struct hd_worker_memory *shared = ex->shared;
    uint64_t fingerprint = hd_explorer_fingerprint(finding);
    if (finding->kind == HD_KIND_DATA_RACE)
        ex->raced = true;
    if (ex->split && ex->raced)
        __atomic_store_n(&ex->split->tree->head.raced, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < shared->n_findings; i++)
        if (shared->findings[i].fingerprint == fingerprint)
            return NULL;
    if (shared->n_findings == HD_MAX_FINDINGS || shared->n_schedule + n > HD_SCHEDULE_POOL) {
        shared->n_lost++;
        return NULL;
    }
    struct hd_finding *f = &shared->findings[shared->n_findings];
    *f = *finding;
    f->fingerprint = fingerprint;
    f->execution = ex->split ? hd_split_executions(ex) : ex->executions_begun;
    f->schedule = shared->n_schedule;
    f->racy = ex->opt->search == HD_SEARCH_GRAPH &&
              (ex->opt->races == HD_RACES_OFF || (ex->first_race && ex->first_race <= n));
    return f;
}

bool hd_explorer_has_raced(const struct hd_explorer *ex)
{
    return ex->raced || hd_notes_any(&ex->shared->notes, HD_NOTE_SUPPRESSED) ||
           (ex->split && __atomic_load_n(&ex->split->tree->head.raced, __ATOMIC_RELAXED));
}

/* Is the step in a section of a part of a mutex that its thread has not left before step `end`?
 * In a section there are accesses only. */
static bool is_inside(const struct hd_explorer *ex, uint32_t step, uint32_t end,
                      const struct hd_hb *hb, uint32_t e)
{
    const struct hd_path *p = &ex->path;
    uint32_t thread = HD_STEP_THREAD(p->steps[step]), d = step + 1;
    while (d-- > 0) { /* back to the lock */
        const struct hd_action *a = &p->nodes[d].action;
        if (HD_STEP_THREAD(p->steps[d]) != thread || hd_op_table[a->op].space == HD_SPACE_MEM)
            continue;
        if (a->op != HD_OP_LOCK || !HD_PART_NUMBER(a->object))
            return false;
        break;
    }
    if (d == UINT32_MAX)
        return false;
    for (d = step + 1; d < end; d++) /* forward to the unlock, if it is kept */
        if (HD_STEP_THREAD(p->steps[d]) == thread && p->nodes[d].action.op == HD_OP_UNLOCK)
            return d >= e && hd_hb_before(hb, e, d);
    return true;
}

static bool is_involved(const struct hd_finding *f, uint32_t thread)
{
    bool involved = f->thread == thread;
    for (uint32_t i = 0; i < f->n_standings && f->kind == HD_KIND_DATA_RACE; i++)
        involved = involved || f->standings[i].thread == thread;
    return involved;
}

/* The steps that lead to the finding.  A section of a mutex that was not left comes last, if
 * the thread is one that the finding is about; otherwise it is left out.  Then nobody needs the
 * mutex any more, of which others may have had another part meanwhile (core/lock_parts.h). */
static void keep(struct hd_explorer *ex, struct hd_finding *f, const struct hd_hb *hb, uint32_t e,
                 uint32_t end)
{
    struct hd_worker_memory *shared = ex->shared;
    bool parts = ex->world.config->sections != NULL;
    for (uint32_t last = 0; last <= parts; last++)
        for (uint32_t d = 0; d < end; d++) {
            if (d >= e && hd_hb_before(hb, e, d))
                continue;
            bool inside = parts && is_inside(ex, d, end, hb, e);
            if (inside == last && (!inside || is_involved(f, HD_STEP_THREAD(shared->steps[d]))))
                shared->schedule[f->schedule + f->n_steps++] = shared->steps[d];
        }
}

bool hd_record_schedule(struct hd_explorer *ex, const struct hd_finding *finding,
                        const struct hd_hb *hb, uint32_t e, uint32_t end)
{
    struct hd_worker_memory *shared = ex->shared;
    struct hd_finding *f = take(ex, finding, end);
    if (!f)
        return false;
    f->preemptions = hd_path_preemptions(&ex->path, end);
    f->n_steps = 0;
    keep(ex, f, hb, e, end);
    shared->n_schedule += f->n_steps;
    shared->n_findings++;
    return true;
}

bool hd_record_steps(struct hd_explorer *ex, const struct hd_finding *finding,
                     const uint32_t *steps, uint32_t n)
{
    struct hd_worker_memory *shared = ex->shared;
    struct hd_finding *f = take(ex, finding, n);
    if (!f)
        return false;
    memcpy(shared->schedule + f->schedule, steps, n * sizeof *steps);
    f->n_steps = n;
    shared->n_schedule += n;
    shared->n_findings++;
    return true;
}

bool hd_record_finding(struct hd_explorer *ex, const struct hd_finding *finding)
{
    return hd_record_schedule(ex, finding, NULL, ex->path.depth, ex->path.depth);
}

static bool grow_observed(struct hd_explorer *ex)
{
    uint64_t size = ex->observed_size ? 2 * ex->observed_size : 256;
    uint64_t *table = hd_arena_take(&ex->arena, 8 * size);
    if (!table)
        return false;
    for (uint64_t i = 0; i < ex->observed_size; i++) {
        uint64_t at = ex->observed[i] & (size - 1);
        while (ex->observed[i] && table[at])
            at = (at + 1) & (size - 1);
        if (ex->observed[i])
            table[at] = ex->observed[i];
    }
    ex->observed = table;
    ex->observed_size = size;
    return true;
}

bool hd_explorer_known_observation(struct hd_explorer *ex, uint64_t key)
{
    if (2 * (ex->n_observed + 1) > ex->observed_size && !grow_observed(ex))
        return false;
    uint64_t at = key & (ex->observed_size - 1);
    for (; ex->observed[at]; at = (at + 1) & (ex->observed_size - 1))
        if (ex->observed[at] == key)
            return false;
    ex->observed[at] = key;
    ex->n_observed++;
    return true;
}

void hd_explorer_observe(struct hd_explorer *ex, uint64_t hash)
{
    struct hd_counters *cnt = ex->cnt;
    uint64_t key = hash ? hash : 1;
    if (!hd_explorer_known_observation(ex, key) ||
        (ex->split && !hd_split_new_observation(ex, key)))
        return;
    cnt->observations++;
    cnt->observations_hash ^= hash;
}

void hd_explorer_digest(struct hd_explorer *ex, uint32_t alternative, const struct hd_action *a)
{
    uint64_t h = hd_hash_step(ex->cnt->digest, alternative);
    h = hd_hash_step(h, a->object);
    h = hd_hash_step(h, a->object2);
    ex->cnt->digest = hd_hash_step(h, (uint64_t)a->site << 32 | (uint64_t)a->op << 16 | a->size);
}

/* The site of the last call of code that is not seen, among these steps; 0: there is none. */
static uint32_t last_outside(const struct hd_explorer *ex, uint32_t steps)
{
    while (steps-- > 0) {
        const struct hd_action *a = &ex->path.nodes[steps].action;
        if (a->op == HD_OP_OUTSIDE || a->op == HD_OP_OUTSIDE_MAPPED)
            return a->site;
    }
    return 0;
}

void hd_record_divergence(struct hd_explorer *ex, uint32_t depth, uint32_t thread)
{
    const struct hd_action *was = &ex->path.nodes[depth].action;
    const struct hd_action *is = &ex->world.config->next[thread];
    bool moves = thread < ex->world.config->n_threads &&
                 hd_tset_has(&ex->world.config->enabled, thread);
    uint32_t outside = last_outside(ex, depth);
    ex->shared->ctl.error_site = outside ? outside : was->site;
    snprintf(
        ex->error, sizeof ex->error,
        "the program is not deterministic: at step %u thread %u did '%s' (object %#llx) before, "
        "and now %s '%s' (object %#llx)%s; likely causes: time, randomness, input or memory that "
        "heddle does not control",
        depth + 1, thread, hd_op_table[was->op].text, (unsigned long long)was->object,
        moves ? "does" : "cannot do", hd_op_table[is->op].text, (unsigned long long)is->object,
        outside ? ", and the last call out of the program before was here" : "");
}
