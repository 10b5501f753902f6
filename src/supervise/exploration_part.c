#define _GNU_SOURCE
#include "supervise/exploration_part.h"

#include "base/hash.h"
#include "core/worker_pack.h"
#include "supervise/exploration_check.h"
#include "supervise/parts.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int hd_exploration_cannot_change(const char *why, const char *remedy, struct hd_err *err)
{
    hd_err_set(err, "%s, which was not known when the units were made: %s", why, remedy);
    return HD_EXIT_INPUT;
}

int hd_exploration_lay_unit(struct hd_exploration *x, struct hd_err *err)
{
    const struct hd_part_unit *unit = x->job->part->unit;
    struct hd_crew *crew = &x->crew;
    if (hd_crew_share(crew, err) != 0)
        return -1;
    if (!unit)
        return 0;
    uint64_t n = unit->bytes.length;
    if (n > HD_TREE_BYTES / 2)
        return hd_err_set(err, "the work unit is too large");
    struct hd_shared_tree_head *tree = crew->tree;
    tree->reserved = (n + 4095) & ~4095ull;
    tree->units[0] =
        (struct hd_waiting_unit){ .at = HD_TREE_BYTES - tree->reserved, .bytes = n, .room = n };
    tree->n_units = tree->n_slots = 1;
    tree->n_threads = unit->threads.n;
    memcpy(tree->threads, unit->threads.names, sizeof tree->threads);
    for (uint32_t i = 0; i < crew->n; i++) {
        struct hd_worker_memory *shared = crew->members[i].worker.shared;
        shared->n_threads = unit->threads.n;
        memcpy(shared->threads, unit->threads.names, sizeof shared->threads);
    }
    if (pwrite(crew->memory, unit->bytes.text, n, (off_t)tree->units[0].at) != (ssize_t)n)
        return hd_err_set(err, "cannot write the work unit into shared memory");
    return 0;
}

/* A worker died where only the first violation is wanted: note in its memory how. */
static void record(struct hd_worker_memory *shared, uint32_t depth)
{
    struct hd_finding f = shared->died;
    if (shared->n_findings == HD_MAX_FINDINGS || depth > HD_MAX_STEPS ||
        shared->n_schedule + depth > HD_SCHEDULE_POOL)
        return;
    f.execution = hd_executions_ended(&shared->cnt) + 1;
    f.schedule = shared->n_schedule;
    f.n_steps = depth;
    f.fingerprint = hd_hash_step(hd_hash_step(f.kind, f.pc), (uint64_t)f.site << 32 | f.line);
    memcpy(shared->schedule + shared->n_schedule, shared->steps, depth * sizeof *shared->steps);
    shared->n_schedule += depth;
    shared->findings[shared->n_findings++] = f;
    shared->cnt.executions++;
    if (depth > shared->cnt.max_depth)
        shared->cnt.max_depth = depth;
}

static void take_workers(const struct hd_crew *crew, struct hd_part_result *r)
{
    for (uint32_t i = 0; i < crew->n_members; i++) {
        struct hd_worker_memory *shared = crew->members[i].worker.shared;
        uint64_t room = hd_worker_pack_room(shared), n;
        void *bytes = hd_alloc(room);
        struct hd_pack p = hd_pack_writer(bytes, room);
        hd_worker_pack(shared, &p);
        n = (uint64_t)(p.at - (uint8_t *)bytes);
        hd_str_append_bytes(&r->workers, &n, sizeof n);
        hd_str_append_bytes(&r->workers, bytes, n);
        r->n_workers++;
        free(bytes);
    }
}

/* Copy n bytes of a memory file. */
static int copy(int memory, uint64_t at, uint64_t n, struct hd_str *into, struct hd_err *err)
{
    char *bytes = hd_alloc(n + 1);
    bool whole = pread(memory, bytes, n, (off_t)at) == (ssize_t)n;
    if (whole)
        hd_str_append_bytes(into, bytes, n);
    free(bytes);
    return whole ? 0 : hd_err_set(err, "cannot read the shared memory");
}

static int take_units(struct hd_exploration *x, struct hd_err *err)
{
    const struct hd_shared_tree_head *tree = x->crew.tree;
    int failed = 0;
    for (uint32_t i = 0; i < HD_MAX_UNITS && !failed; i++) {
        uint64_t at = tree->units[i].at, n = tree->units[i].bytes;
        if (!n)
            continue;
        if (at > HD_TREE_BYTES || n > HD_TREE_BYTES - at || tree->n_threads == 0 ||
            tree->n_threads > HD_MAX_THREADS)
            return hd_err_set(err, HD_DAMAGED, "the units that are left");
        struct hd_part_unit *unit = hd_part_add_unit(x->job->part);
        unit->classes = x->job->options.reuse.classes;
        unit->threads.n = tree->n_threads;
        memcpy(unit->threads.names, tree->threads, sizeof tree->threads);
        failed = copy(x->crew.memory, at, n, &unit->bytes, err);
    }
    return failed;
}

static int take_keys(struct hd_exploration *x, struct hd_err *err)
{
    const struct hd_worker *first = &x->crew.members[0].worker;
    struct hd_str bytes;
    hd_str_init(&bytes);
    int failed = copy(first->memory, first->shared->unit_at, first->shared->unit_bytes, &bytes,
                      err);
    for (size_t i = 0; !failed && i + 8 <= bytes.length; i += 8) {
        uint64_t key;
        memcpy(&key, bytes.text + i, sizeof key);
        hd_part_add_keys(&x->job->part->result, &key, 1);
    }
    hd_str_release(&bytes);
    return failed;
}

/* Have all workers been stopped between two executions? */
static bool between(const struct hd_crew *crew)
{
    for (uint32_t i = 0; i < crew->n; i++)
        if (crew->members[i].worker.shared->ctl.state != HD_STATE_DONE)
            return false;
    return true;
}

static int scatter(struct hd_exploration *x, struct hd_err *err)
{
    struct hd_crew *crew = &x->crew;
    struct hd_counters sum = hd_crew_counters(crew);
    if (sum.finished && !sum.observations)
        return 0;
    if (!sum.finished && !between(crew))
        return hd_err_set(err, "stopped in the middle of an execution, so there is no result of "
                               "the unit: explore it again, with more time");
    if (hd_crew_scatter(crew, sum.finished, x->job->program, x->job->args, err) != 0 ||
        take_keys(x, err) != 0)
        return -1;
    hd_crew_forget_units(crew);
    return take_units(x, err);
}

int hd_exploration_part_over(struct hd_exploration *x, bool broke,
                             struct hd_unrecorded *unrecorded, struct hd_err *err)
{
    struct hd_part_result *r = &x->job->part->result;
    if (unrecorded->died)
        for (uint32_t i = 0; i < x->crew.n; i++)
            if (x->crew.members[i].worker.shared == unrecorded->died)
                record(x->crew.members[i].worker.shared, unrecorded->depth);
    unrecorded->died = NULL;
    if (!broke && scatter(x, err) != 0)
        return HD_EXIT_INPUT;
    r->broke = broke;
    r->classes = x->job->options.reuse.classes;
    r->seconds = x->seconds_before + hd_watch_now() - x->began;
    if (x->job->part->unit)
        r->unit = x->job->part->unit->id;
    take_workers(&x->crew, r);
    return HD_EXIT_OK;
}
