/* A result is read twice: first for the units that it is of and that are left of it, which says
 * what covers the tree, then for what its workers have counted and found. */
#define _GNU_SOURCE
#include "supervise/part_merge.h"

#include "base/fs.h"
#include "core/worker_pack.h"
#include "supervise/exploration.h"
#include "supervise/exploration_results.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#define MOST_NAMED 5
#define MOST_WORKER (1u << 28) /* bytes of what one worker has counted and found */

/* The result of one unit. */
struct entry {
    struct hd_part_result result;
    char *path;
    bool used;
};

struct merge {
    struct hd_exploration x;
    struct hd_checkpoint what;
    struct hd_merged *merged;
    struct entry *entries; /* in the order of their units' hashes */
    size_t n_entries;
    const struct hd_part_result **queue; /* whose units that are left are to be covered */
    size_t n_queue;
    struct hd_threads **tables; /* names of threads in schedules */
    uint32_t n_tables;
    uint64_t *keys; /* of observations, sorted; several may be the same */
    uint64_t n_keys;
    bool broke;
};

static int by_unit(const void *a, const void *b)
{
    const struct entry *e = a, *f = b;
    int order = memcmp(&e->result.unit, &f->result.unit, sizeof e->result.unit);
    return order ? order : strcmp(e->path, f->path);
}

static int by_key(const void *a, const void *b)
{
    uint64_t k = *(const uint64_t *)a, l = *(const uint64_t *)b;
    return (k > l) - (k < l);
}

/* ---- what there is ---- */

static int only_results(const struct dirent *d) { return hd_str_ends(d->d_name, ".result"); }

static int read_entries(struct merge *m, const char *directory, struct hd_err *err)
{
    struct dirent **names = NULL;
    int n = scandir(directory, &names, only_results, alphasort), failed = 0;
    if (n < 0)
        return hd_err_set(err, "cannot read the directory %s: %s", directory, strerror(errno));
    m->entries = hd_alloc(((size_t)n + 1) * sizeof *m->entries);
    for (int i = 0; i < n; i++) {
        struct entry *e = &m->entries[m->n_entries];
        if (!failed) {
            e->path = hd_fs_join(directory, names[i]->d_name);
            m->n_entries++;
            failed = hd_part_result_read(e->path, false, &e->result, &m->what, err);
            hd_str_release(&e->result.workers); /* read again when it is needed */
            hd_str_init(&e->result.workers);
        }
        free(names[i]);
    }
    free(names);
    qsort(m->entries, m->n_entries, sizeof *m->entries, by_unit);
    m->merged->n_results = (uint32_t)m->n_entries;
    return failed;
}

/* The first result of the unit, or NULL. */
static struct entry *find(const struct merge *m, const struct hd_part_id *unit)
{
    size_t low = 0, high = m->n_entries;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (memcmp(&m->entries[middle].result.unit, unit, sizeof *unit) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low < m->n_entries && hd_part_same(&m->entries[low].result.unit, unit)
               ? &m->entries[low]
               : NULL;
}

/* ---- adding up ---- */

static void add_worker(struct merge *m)
{
    struct hd_exploration *x = &m->x;
    struct hd_result *r = x->result;
    const struct hd_worker_memory *shared = x->crew.members[0].worker.shared;
    uint32_t before = x->n_candidates;
    hd_counters_add(&r->counters, &shared->cnt);
    hd_notes_merge(&r->notes, &shared->notes);
    r->n_lost += shared->n_lost;
    if (shared->n_threads > x->threads.n) {
        r->n_threads = x->threads.n = shared->n_threads;
        memcpy(x->threads.names, shared->threads, sizeof x->threads.names);
    }
    hd_exploration_take_findings(x, shared);
    if (x->n_candidates == before)
        return;
    struct hd_threads *table = hd_alloc(sizeof *table);
    table->n = shared->n_threads;
    memcpy(table->names, shared->threads, sizeof table->names);
    m->tables = hd_realloc(m->tables, (m->n_tables + 1) * sizeof *m->tables);
    m->tables[m->n_tables++] = table;
    for (uint32_t i = before; i < x->n_candidates; i++)
        x->candidates[i].threads = table;
}

/* Read what one worker has counted and found into the memory of the only member. */
static int load_worker(struct merge *m, const char *bytes, uint64_t n, const char *path,
                       struct hd_err *err)
{
    struct hd_worker *worker = &m->x.crew.members[0].worker;
    struct hd_worker_memory *shared = worker->shared;
    struct hd_options options = shared->options;
    void *copy = hd_alloc(n + 1);
    memcpy(copy, bytes, n);
    memset(&shared->cnt, 0, sizeof shared->cnt);
    memset(&shared->notes, 0, sizeof shared->notes);
    memset(&shared->readset, 0, sizeof shared->readset);
    memset(&shared->parts, 0, sizeof shared->parts);
    memset(&shared->parts_found, 0, sizeof shared->parts_found);
    shared->n_findings = shared->n_lost = shared->n_inversions = 0;
    shared->n_schedule = 0;
    struct hd_pack p = hd_pack_reader(copy, n);
    hd_worker_pack(shared, &p);
    bool bad = p.bad || p.at != p.end;
    free(copy);
    shared->options = options;
    hd_worker_seal(worker);
    const char *wrong = hd_shared_check(shared, hd_program_info(m->x.job->program)->n_sites);
    if (bad || wrong)
        return hd_err_set(err, "%s is damaged: %s", path,
                          wrong ? wrong : "no worker can have written what it holds");
    add_worker(m);
    return 0;
}

static int add_result(struct merge *m, const struct hd_part_result *r, const char *path,
                      struct hd_err *err)
{
    size_t at = 0;
    int failed = 0;
    for (uint32_t i = 0; i < r->n_workers && !failed; i++) {
        uint64_t n = 0;
        if (r->workers.length - at >= sizeof n)
            memcpy(&n, r->workers.text + at, sizeof n);
        at += sizeof n;
        if (n == 0 || n > MOST_WORKER || at > r->workers.length || n > r->workers.length - at)
            return hd_err_set(err, "%s is damaged: its lengths do not fit", path);
        failed = load_worker(m, r->workers.text + at, n, path, err);
        at += n;
    }
    if (!failed && (at != r->workers.length || r->n_workers == 0))
        return hd_err_set(err, "%s is damaged: its lengths do not fit", path);
    m->keys = hd_realloc(m->keys, (m->n_keys + r->n_keys + 1) * sizeof *m->keys);
    if (r->n_keys)
        memcpy(m->keys + m->n_keys, r->keys, r->n_keys * sizeof *m->keys);
    m->n_keys += r->n_keys;
    m->broke = m->broke || r->broke;
    m->x.result->seconds += r->seconds;
    return failed;
}

static void note_missing(struct hd_merged *merged, const char *name)
{
    if (merged->n_missing < MOST_NAMED)
        hd_str_appendf(&merged->missing, "%s%s", merged->n_missing ? ", " : "", name);
    else if (merged->n_missing == MOST_NAMED)
        hd_str_append(&merged->missing, ", …");
    merged->n_missing++;
}

/* A unit that is left of what was added before: add its result, or note that it is missing. */
static int cover_unit(struct merge *m, const struct hd_part_ref *ref, struct hd_err *err)
{
    struct entry *e = find(m, &ref->id);
    m->merged->n_units++;
    if (!e) {
        note_missing(m->merged, ref->name);
        return 0;
    }
    if (e->used)
        return hd_err_set(err, "%s: unit %s is named twice", e->path, ref->name);
    e->used = true;
    struct hd_part_result whole;
    int failed = hd_part_result_read(e->path, false, &whole, &m->what, err);
    if (!failed && !hd_part_same(&whole.unit, &e->result.unit))
        failed = hd_err_set(err, "%s has changed while it was read", e->path);
    if (!failed)
        failed = add_result(m, &whole, e->path, err);
    hd_part_result_release(&whole);
    m->queue[m->n_queue++] = &e->result;
    return failed;
}

/* Each result is used once at most, so there is room for all. */
static int cover(struct merge *m, const struct hd_part_result *manifest, struct hd_err *err)
{
    int failed = 0;
    m->queue = hd_alloc((m->n_entries + 1) * sizeof *m->queue);
    m->queue[m->n_queue++] = manifest;
    for (size_t q = 0; q < m->n_queue && !failed; q++)
        for (uint32_t i = 0; i < m->queue[q]->n_left && !failed; i++)
            failed = cover_unit(m, &m->queue[q]->left[i], err);
    return failed;
}

static void count_others(struct merge *m)
{
    for (size_t i = 0; i < m->n_entries; i++) {
        bool repeated = i > 0 &&
                        hd_part_same(&m->entries[i - 1].result.unit, &m->entries[i].result.unit);
        m->merged->n_repeated += repeated;
        m->merged->n_unasked += !repeated && !m->entries[i].used;
    }
}

/* Observations that several units made count once. */
static void count_observations(struct merge *m)
{
    struct hd_counters *c = &m->x.result->counters;
    c->observations = c->observations_hash = 0;
    qsort(m->keys, m->n_keys, sizeof *m->keys, by_key);
    for (uint64_t i = 0; i < m->n_keys; i++)
        if (i == 0 || m->keys[i] != m->keys[i - 1]) {
            c->observations++;
            c->observations_hash ^= m->keys[i];
        }
}

static void conclude(struct merge *m)
{
    struct hd_result *r = m->x.result;
    bool covered = m->merged->n_missing == 0 && !m->broke;
    count_others(m);
    count_observations(m);
    r->counters.finished = covered;
    r->stop = m->broke ? HD_STOP_VIOLATION : covered ? HD_STOP_FINISHED : HD_STOP_PART;
    if (!covered)
        hd_err_set(&r->gave_up, "%u of %u work units have no result: %s", m->merged->n_missing,
                   m->merged->n_units, m->merged->missing.text);
}

static int merge_all(struct merge *m, const char *directory, struct hd_err *err)
{
    struct hd_part_result manifest;
    char *path = hd_fs_join(directory, HD_MANIFEST);
    bool there = hd_fs_exists(path);
    int failed = hd_part_result_read(path, true, &manifest, &m->what, err);
    if (!there)
        hd_err_set(err,
                   "there is no %s: give the directory of `heddle split -o`, which has one "
                   "unless the split ended with an error or a violation",
                   path);
    failed = failed || read_entries(m, directory, err);
    if (!failed)
        m->x.result->options.reuse.classes = manifest.classes;
    failed = failed || add_result(m, &manifest, path, err) || cover(m, &manifest, err);
    if (!failed)
        conclude(m);
    hd_part_result_release(&manifest);
    free(path);
    return failed;
}

static void release(struct merge *m)
{
    for (size_t i = 0; i < m->n_entries; i++) {
        hd_part_result_release(&m->entries[i].result);
        free(m->entries[i].path);
    }
    for (uint32_t i = 0; i < m->n_tables; i++)
        free(m->tables[i]);
    free(m->entries);
    free(m->queue);
    free(m->tables);
    free(m->keys);
    hd_exploration_end(&m->x);
}

int hd_merge_results(const struct hd_job *job, const char *directory, struct hd_result *result,
                     struct hd_merged *merged, struct hd_err *err)
{
    struct hd_job changed = *job;
    struct hd_options options = job->options;
    struct merge m = { .x = { .job = &changed, .watch = job->watch, .result = result },
                       .what = { .program = job->program,
                                 .args = job->args,
                                 .options = &job->options,
                                 .trust = job->trust },
                       .merged = merged };
    options.mode = HD_MODE_EXPLORE;
    options.jobs = 1;
    *merged = (struct hd_merged){ .n_units = 0 };
    hd_str_init(&merged->missing);
    *result = (struct hd_result){ .options = job->options };
    m.x.candidates = hd_alloc((HD_MAX_FINDINGS + 1) * sizeof *m.x.candidates);
    m.x.crew.memory = -1;
    int status = hd_crew_init(&m.x.crew, &options, job->route, err) != 0 ||
                         merge_all(&m, directory, err) != 0
                     ? HD_EXIT_INPUT
                     : HD_EXIT_OK;
    changed.options.reuse.classes = result->options.reuse.classes;
    hd_crew_release(&m.x.crew);
    if (status == HD_EXIT_OK)
        status = hd_exploration_confirm(&m.x, err);
    release(&m);
    if (status != HD_EXIT_OK)
        hd_result_release(result);
    return status;
}
