#define _GNU_SOURCE
#include "supervise/crew.h"

#include "supervise/plugin_host.h"
#include "supervise/program_start.h"
#include "supervise/result.h"
#include "supervise/swarm.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

static int create_tree(struct hd_crew *crew, struct hd_err *err)
{
    crew->memory = memfd_create("heddle-tree", MFD_CLOEXEC);
    if (crew->memory < 0 || ftruncate(crew->memory, (off_t)HD_TREE_BYTES) != 0)
        return hd_err_set(err,
                          "cannot reserve shared memory: %s (is there a limit on file sizes? see "
                          "`ulimit -f`)",
                          strerror(errno));
    void *at = mmap(NULL, sizeof *crew->tree, PROT_READ | PROT_WRITE, MAP_SHARED, crew->memory,
                    0);
    if (at == MAP_FAILED)
        return hd_err_set(err, "cannot map shared memory: %s", strerror(errno));
    crew->tree = at;
    return 0;
}

int hd_crew_share(struct hd_crew *crew, struct hd_err *err)
{
    if (crew->tree)
        return 0;
    if (create_tree(crew, err) != 0)
        return -1;
    for (uint32_t i = 0; i < crew->n; i++) {
        struct hd_worker *worker = &crew->members[i].worker;
        worker->shared->tree_memory = worker->tree = crew->memory;
    }
    return 0;
}

int hd_crew_keep(struct hd_crew *crew, uint32_t n_members, struct hd_err *err)
{
    if (n_members <= crew->n_members)
        return 0;
    struct hd_member *members = hd_alloc(n_members * sizeof *members);
    memcpy(members, crew->members, crew->n_members * sizeof *members);
    free(crew->members);
    crew->members = members;
    for (; crew->n_members < n_members; crew->n_members++) {
        struct hd_worker *worker = &members[crew->n_members].worker;
        if (hd_worker_init(worker, &members[0].worker.shared->options, NULL, err) != 0)
            return -1;
        worker->shared->tree_memory = -1;
    }
    return 0;
}

int hd_crew_init(struct hd_crew *crew, const struct hd_options *options,
                 const struct hd_route *route, struct hd_err *err)
{
    *crew = (struct hd_crew){ .n = options->jobs > 1 ? options->jobs : 1, .memory = -1 };
    crew->n_members = crew->n;
    crew->members = hd_alloc(crew->n * sizeof *crew->members);
    for (uint32_t i = 0; i < crew->n; i++)
        crew->members[i].worker.memory = -1;
    int failed = crew->n > 1 ? create_tree(crew, err) : 0;
    for (uint32_t i = 0; i < crew->n && !failed; i++) {
        struct hd_worker *worker = &crew->members[i].worker;
        struct hd_options own = *options;
        if (own.swarm)
            hd_swarm_member(&own, i);
        failed = hd_worker_init(worker, &own, route, err);
        if (failed)
            break;
        worker->shared->worker = i;
        worker->shared->tree_memory = worker->tree = crew->memory;
    }
    if (failed)
        hd_crew_release(crew);
    return failed;
}

void hd_crew_release(struct hd_crew *crew)
{
    for (uint32_t i = 0; crew->members && i < crew->n_members; i++)
        hd_worker_release(&crew->members[i].worker);
    free(crew->members);
    if (crew->tree)
        munmap(crew->tree, sizeof *crew->tree);
    if (crew->memory >= 0)
        close(crew->memory);
    *crew = (struct hd_crew){ .memory = -1 };
}

int hd_crew_start(struct hd_crew *crew, uint32_t who, const struct hd_program *program,
                  char *const *args, struct hd_err *err)
{
    struct hd_member *m = &crew->members[who];
    if (hd_program_start(program, &m->worker, args, err) != 0)
        return -1;
    m->running = true;
    crew->n_running++;
    hd_vigil_begin(&m->vigil, &m->worker);
    return 0;
}

/* A separate process writes the unit, or the parts: the data is mapped in workers only. */
static int pack_one(struct hd_worker *worker, enum hd_takeover how,
                    const struct hd_program *program, char *const *args, struct hd_err *err)
{
    struct hd_worker_memory *shared = worker->shared;
    shared->takeover = how;
    shared->unit_at = shared->unit_bytes = 0;
    shared->ctl.stop = 1;
    if (hd_program_start(program, worker, args, err) != 0)
        return -1;
    while (!hd_worker_poll(worker, 1000))
        ;
    if (worker->status != 0 || shared->ctl.state != HD_STATE_DONE ||
        shared->unit_at > HD_TOOL_BYTES || shared->unit_bytes > HD_TOOL_BYTES - shared->unit_at)
        return hd_err_set(err, "internal error: the state of the search could not be written%s%s",
                          shared->ctl.error[0] ? ": " : "", shared->ctl.error);
    return shared->unit_bytes ? 0 : HD_PACK_FULL;
}

/* The first worker comes last: it writes what all share. */
int hd_crew_pack(struct hd_crew *crew, const struct hd_program *program, char *const *args,
                 struct hd_err *err)
{
    int failed = 0;
    for (uint32_t i = crew->n; i-- > 0 && !failed;)
        failed = pack_one(&crew->members[i].worker, HD_TAKEOVER_PACK, program, args, err);
    return failed;
}

/* The first worker comes last: it writes the observations of all. */
int hd_crew_scatter(struct hd_crew *crew, bool finished, const struct hd_program *program,
                    char *const *args, struct hd_err *err)
{
    for (uint32_t i = finished ? 1 : crew->n; i-- > 0;)
        if (pack_one(&crew->members[i].worker, HD_TAKEOVER_SCATTER, program, args, err) < 0)
            return -1;
    return 0;
}

void hd_crew_forget_units(struct hd_crew *crew)
{
    for (uint32_t i = 0; i < crew->n; i++) {
        struct hd_worker *worker = &crew->members[i].worker;
        if (worker->shared->unit_bytes)
            fallocate(worker->memory, FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                      (off_t)worker->shared->unit_at, (off_t)worker->shared->unit_bytes);
        worker->shared->unit_bytes = 0;
    }
}

void hd_crew_go_on(struct hd_crew *crew)
{
    for (uint32_t i = 0; i < crew->n; i++) {
        struct hd_worker_memory *shared = crew->members[i].worker.shared;
        shared->takeover = HD_TAKEOVER_NEXT;
        shared->died_valid = 0;
        shared->ctl.stop = 0;
        shared->ctl.state = HD_STATE_STARTING;
    }
    if (!crew->tree)
        return;
    crew->tree->stop = 0;
    crew->tree->counted = hd_crew_counters(crew).executions; /* the bound may be a new one */
}

static void show_progress(const struct hd_crew *crew, const struct hd_watch *watch)
{
    if (!watch->progress)
        return;
    const struct hd_options *options = &crew->members[0].worker.shared->options;
    struct hd_progress progress = { .counters = hd_crew_counters(crew),
                                    .seconds = hd_watch_now() - watch->started,
                                    .phase = watch->phase,
                                    .states = hd_result_of_states(options) };
    for (uint32_t i = 0; i < crew->n_members; i++)
        progress.n_findings += crew->members[i].worker.shared->n_findings;
    watch->progress(watch->context, &progress);
}

enum hd_outcome hd_crew_watch(struct hd_crew *crew, const struct hd_watch *watch,
                              struct hd_program *program, uint32_t *who, struct hd_err *err)
{
    struct hd_worker *running[HD_MAX_JOBS];
    for (;;) { /* poll first: workers may end at once, again and again */
        uint32_t n = 0;
        for (uint32_t i = 0; i < crew->n; i++) {
            struct hd_member *m = &crew->members[i];
            if (!m->running)
                continue;
            if (!hd_worker_poll(&m->worker, 0))
                hd_vigil_look(&m->vigil, &m->worker, watch);
            if (m->worker.pid != 0) {
                running[n++] = &m->worker;
                continue;
            }
            m->running = false;
            crew->n_running--;
            *who = i;
            return hd_vigil_conclude(&m->vigil, &m->worker, program, err);
        }
        if (crew->host)
            hd_plugin_host_look(crew->host, crew->members[0].worker.shared);
        show_progress(crew, watch);
        hd_worker_wait_any(running, n, HD_POLL_MS);
    }
}

/* While they wait they have not touched their memory (start.c). */
void hd_crew_wait_anew(struct hd_crew *crew)
{
    uint32_t n_parked = crew->members[0].worker.shared->options.n_parked;
    bool begun = !crew->tree || __atomic_load_n(&crew->tree->begun, __ATOMIC_ACQUIRE);
    for (uint32_t i = 1; i < crew->n && !begun; i++) {
        struct hd_member *m = &crew->members[i];
        if (!m->running || !m->worker.copied)
            continue;
        hd_worker_kill(&m->worker);
        m->running = false;
        crew->n_running--;
        m->worker.shared->options.n_parked = n_parked;
        m->worker.shared->ctl.state = HD_STATE_STARTING;
        hd_worker_seal(&m->worker);
    }
}

void hd_crew_stop(struct hd_crew *crew)
{
    if (crew->tree)
        __atomic_store_n(&crew->tree->stop, 1, __ATOMIC_RELAXED);
    for (uint32_t i = 0; i < crew->n; i++)
        if (crew->members[i].running)
            hd_vigil_stop(&crew->members[i].vigil, &crew->members[i].worker);
}

void hd_crew_kill(struct hd_crew *crew)
{
    for (uint32_t i = 0; i < crew->n; i++) {
        hd_worker_kill(&crew->members[i].worker);
        crew->members[i].running = false;
    }
    crew->n_running = 0;
}

const struct hd_worker_memory *
hd_crew_damage(const struct hd_crew *crew, const struct hd_program *program, struct hd_err *err)
{
    for (uint32_t i = 0; i < crew->n_members; i++) {
        const struct hd_worker_memory *shared = crew->members[i].worker.shared;
        const char *wrong = hd_shared_check(shared, hd_program_info(program)->n_sites);
        if (wrong) {
            hd_err_set(err, HD_DAMAGED, wrong);
            return shared;
        }
    }
    return NULL;
}

static void most(uint64_t *a, uint64_t b) { *a = b > *a ? b : *a; }

void hd_counters_add(struct hd_counters *sum, const struct hd_counters *c)
{
    sum->executions += c->executions;
    sum->blocked += c->blocked;
    sum->pruned += c->pruned;
    sum->bounded += c->bounded;
    sum->assumed += c->assumed;
    sum->begun += c->begun;
    sum->events += c->events;
    sum->replayed += c->replayed;
    sum->states += c->states;
    sum->states_dropped += c->states_dropped;
    sum->states_forgotten += c->states_forgotten;
    sum->choices += c->choices;
    most(&sum->max_depth, c->max_depth);
    sum->restarts += c->restarts;
    sum->opaque += c->opaque;
    sum->digest ^= c->digest;
    sum->traces += c->traces;
    sum->observations += c->observations;
    sum->observations_hash ^= c->observations_hash;
    for (uint32_t i = 0; i < HD_MAX_FILTERS; i++)
        sum->dropped[i] |= c->dropped[i];
    if (!sum->repeated[0])
        memcpy(sum->repeated, c->repeated, sizeof sum->repeated);
    sum->faults_reached |= c->faults_reached;
    sum->faults_skipped |= c->faults_skipped;
    sum->reuse_left_out |= c->reuse_left_out;
    sum->last_runs_handlers |= c->last_runs_handlers;
    if (!sum->polled[0])
        memcpy(sum->polled, c->polled, sizeof sum->polled);
    sum->nondet_cut |= c->nondet_cut;
    sum->left_out |= c->left_out;
    sum->orders_less |= c->orders_less;
    for (uint32_t i = 0; i < HD_MAX_SITE_ORDERS / 64; i++)
        sum->site_orders_used[i] |= c->site_orders_used[i];
    sum->bound_now = c->bound_now > sum->bound_now ? c->bound_now : sum->bound_now;
    sum->cycles_unknown |= c->cycles_unknown;
    sum->alike = c->alike > sum->alike ? c->alike : sum->alike;
    sum->alike_looks += c->alike_looks;
    sum->invariants |= c->invariants;
    sum->invariants_unsure |= c->invariants_unsure;
    sum->left_out_by_plugin += c->left_out_by_plugin;
    sum->plugin_stopped |= c->plugin_stopped;
    sum->finished |= c->finished;
}

struct hd_counters hd_crew_counters(const struct hd_crew *crew)
{
    struct hd_counters sum = { 0 };
    if (crew->n_members == 1)
        return crew->members[0].worker.shared->cnt;
    for (uint32_t i = 0; i < crew->n_members; i++)
        hd_counters_add(&sum, &crew->members[i].worker.shared->cnt);
    return sum;
}

void hd_crew_notes(const struct hd_crew *crew, struct hd_notes *sum)
{
    *sum = (struct hd_notes){ 0 };
    for (uint32_t i = 0; i < crew->n_members; i++)
        hd_notes_merge(sum, &crew->members[i].worker.shared->notes);
}

uint64_t hd_crew_peak_rss_kb(const struct hd_crew *crew)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < crew->n_members; i++)
        sum += crew->members[i].worker.peak_rss_kb;
    return sum;
}
