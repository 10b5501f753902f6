/* Steps are taken one by one, of threads whose next step depends on nothing that is missing.
 * Among them, one that makes fewest others stale is taken: a store makes those stale that
 * have not run and read, or make, an older store of the location.  The thread that ran last
 * goes on if it can.  This is done with several orders of preference, and the best result is
 * kept. */
#include "supervise/straighten.h"

#include "core/dependence.h"
#include "core/enabled.h"
#include "supervise/run_graph.h"

#include <stdlib.h>
#include <string.h>

#define LONGEST 2000u

struct line {
    const struct hd_run *run;
    struct hd_run_graph graph;
    uint8_t *hard;  /* [i * n + j]: step i must come before j */
    uint8_t *soft;  /* [i * n + j]: step i is stale after j */
    bool *done;     /* by step */
    uint32_t *best; /* steps in their order */
    uint32_t *now;
    uint32_t best_stale, best_switches;
};

static bool is_weak(const struct line *l, uint32_t step)
{
    return hd_op_table[l->run->log[step].op].space == HD_SPACE_MEM &&
           hd_run_graph_access(&l->graph, step);
}

/* Does its choice say which store it reads or makes? */
static bool chooses(const struct line *l, uint32_t step)
{
    const struct hd_action *a = &l->run->log[step].action;
    return is_weak(l, step) &&
           (hd_op_atomic((enum hd_op)a->op) ||
            (hd_memory_plain_events(l->run->memory) && !hd_action_on_memory(a)));
}

uint32_t hd_straighten_stale(const struct hd_run *run)
{
    uint32_t n = 0;
    for (uint32_t i = 0; run->memory != HD_MEMORY_SC && i < run->n_log; i++)
        n += run->log[i].choice && hd_op_table[run->log[i].op].space == HD_SPACE_MEM;
    return n;
}

static bool reads(const struct line *l, uint32_t load, uint32_t store)
{
    const struct hd_graph_access *a = hd_run_graph_access(&l->graph, load);
    return a->reads != HD_NO_STORE && l->graph.stores[a->reads].step == store + 1;
}

/* Must step i come before step j, which comes after it in the run? */
static bool must(const struct line *l, uint32_t i, uint32_t j)
{
    const struct hd_step *a = &l->run->log[i], *b = &l->run->log[j];
    if (a->thread == b->thread)
        return true;
    if (chooses(l, i) && chooses(l, j) &&
        hd_run_graph_access(&l->graph, i)->place == hd_run_graph_access(&l->graph, j)->place)
        return reads(l, j, i);
    return hd_action_dependent(&a->action, &b->action);
}

static void find_edges(struct line *l)
{
    uint32_t n = l->run->n_log;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            l->hard[i * n + j] = i < j && must(l, i, j);
            if (i == j || !is_weak(l, i) || !is_weak(l, j))
                continue;
            const struct hd_graph_access *a = hd_run_graph_access(&l->graph, i);
            const struct hd_graph_access *b = hd_run_graph_access(&l->graph, j);
            l->soft[i * n + j] = a->place == b->place && b->stores != HD_NO_STORE &&
                                 hd_run_graph_eco(&l->graph, a, b);
        }
}

static bool ready(const struct line *l, uint32_t step)
{
    uint32_t n = l->run->n_log;
    for (uint32_t i = 0; i < step; i++)
        if (l->hard[i * n + step] && !l->done[i])
            return false;
    return true;
}

/* Steps that become stale if this one comes now. */
static uint32_t victims(const struct line *l, uint32_t step)
{
    uint32_t n = l->run->n_log, found = 0;
    for (uint32_t i = 0; i < n; i++)
        found += l->soft[i * n + step] && !l->done[i];
    return found;
}

/* The next step: of thread `last` if it makes nothing stale, otherwise the best one. */
static uint32_t choose(const struct line *l, uint32_t last, uint32_t turn)
{
    bool seen[HD_MAX_THREADS] = { false };
    uint32_t best = ~0u, best_cost = ~0u;
    for (uint32_t i = 0; i < l->run->n_log; i++) {
        uint32_t thread = l->run->log[i].thread;
        if (l->done[i] || seen[thread])
            continue;
        seen[thread] = true;
        if (!ready(l, i))
            continue;
        uint32_t preference = (thread + turn) % HD_MAX_THREADS;
        uint32_t cost = victims(l, i) * 4 * HD_MAX_THREADS +
                        (thread == last ? 0 : 1 + preference);
        if (cost < best_cost) {
            best = i;
            best_cost = cost;
        }
    }
    return best;
}

/* How many newer stores there are in this order when the step runs. */
static uint32_t newer(const struct line *l, const uint32_t *order, uint32_t at)
{
    uint32_t n = l->run->n_log, found = 0;
    for (uint32_t i = 0; i < at; i++)
        found += l->soft[order[at] * n + order[i]];
    return found;
}

static void try_turn(struct line *l, uint32_t turn)
{
    uint32_t n = l->run->n_log, last = 0, stale = 0, switches = 0;
    memset(l->done, 0, n * sizeof *l->done);
    for (uint32_t i = 0; i < n; i++) {
        uint32_t step = choose(l, last, turn);
        switches += l->run->log[step].thread != last;
        last = l->run->log[step].thread;
        l->done[step] = true;
        l->now[i] = step;
        stale += newer(l, l->now, i) > 0;
    }
    if (stale > l->best_stale || (stale == l->best_stale && switches >= l->best_switches))
        return;
    l->best_stale = stale;
    l->best_switches = switches;
    memcpy(l->best, l->now, n * sizeof *l->best);
}

static struct hd_step *script_of(const struct line *l, uint32_t *race_step)
{
    uint32_t n = l->run->n_log, was = *race_step;
    struct hd_step *steps = hd_alloc((n + 1) * sizeof *steps);
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_step *s = &l->run->log[l->best[i]];
        steps[i] = (struct hd_step){ .thread = s->thread, .op = s->op, .choice = s->choice };
        steps[i].flags = HD_STEP_CHECK_OP;
        if (chooses(l, l->best[i]))
            steps[i].choice = (uint16_t)newer(l, l->best, i);
        if (was == l->best[i] + 1)
            *race_step = i + 1;
    }
    return steps;
}

struct hd_step *hd_straighten(const struct hd_run *run, uint32_t *race_step)
{
    uint32_t n = run->n_log, threads = run->threads.n;
    struct line l = { .run = run, .best_stale = hd_straighten_stale(run), .best_switches = 0 };
    uint32_t was = l.best_stale;
    if (!was || n > LONGEST || !hd_run_graph_init(&l.graph, run))
        return NULL;
    l.hard = hd_alloc((unsigned long)n * n);
    l.soft = hd_alloc((unsigned long)n * n);
    l.done = hd_alloc(n * sizeof *l.done);
    l.best = hd_alloc(n * sizeof *l.best);
    l.now = hd_alloc(n * sizeof *l.now);
    find_edges(&l);
    for (uint32_t turn = 0; turn < threads && turn < 8; turn++)
        try_turn(&l, HD_MAX_THREADS - turn);
    struct hd_step *script = l.best_stale < was ? script_of(&l, race_step) : NULL;
    free(l.hard);
    free(l.soft);
    free(l.done);
    free(l.best);
    free(l.now);
    hd_run_graph_release(&l.graph);
    return script;
}
