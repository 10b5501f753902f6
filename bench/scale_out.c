/* How many ranks does one ledger feed?  A simulation of heddle check --distributed with the code that
 * chooses units and their time (supervise/pool.c), on a tree whose parts are cut as those of real
 * programs were (bench/scale-out.sh measures).
 *
 *   scale_out EXECUTIONS < measured
 *
 * measured: `cost NAME SECONDS` lines (execution, start, answer, file, message), and `cut N N …` lines:
 * the executions in each of the units that a unit was cut into, the nearest to the root first. */
#include "supervise/pool.h"

#include "base/err.h"
#include "base/rng.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define MOST_CUTS 1000
#define MOST_PARTS 300
#define BYTES_PER_NODE 20 /* of a unit, for each node of its path, about */

struct unit {
    double size; /* executions */
    uint64_t bytes;
};

static struct cut {
    uint32_t n;
    double share[MOST_PARTS];
} cuts[MOST_CUTS];
static uint32_t n_cuts;

static struct {
    double execution, start, answer, file, message;
} cost;

/* What a rank does next: at `at`, its message is at rank 0. */
struct event {
    double at;
    uint32_t rank;
};

static struct sim {
    struct event *heap;
    uint64_t n_heap;
    struct hd_pool pool;
    struct hd_rng rng;
    struct rank {
        struct unit *unit; /* explored; NULL: asks for the first time */
        double seconds;    /* it was given */
        double busy;
    } *ranks;
    uint32_t *idle, n_idle, n_ranks;
    double free_at, served; /* rank 0: until when it is busy, and how long it was */
    uint64_t messages, units, most_waiting;
    double left; /* executions */
} sim;

static void push(double at, uint32_t rank)
{
    uint64_t i = sim.n_heap++;
    for (; i && sim.heap[(i - 1) / 2].at > at; i = (i - 1) / 2)
        sim.heap[i] = sim.heap[(i - 1) / 2];
    sim.heap[i] = (struct event){ at, rank };
}

static struct event pop(void)
{
    struct event first = sim.heap[0], last = sim.heap[--sim.n_heap];
    uint64_t i = 0, child;
    while ((child = 2 * i + 1) < sim.n_heap) {
        child += child + 1 < sim.n_heap && sim.heap[child + 1].at < sim.heap[child].at;
        if (sim.heap[child].at >= last.at)
            break;
        sim.heap[i] = sim.heap[child];
        i = child;
    }
    sim.heap[i] = last;
    return first;
}

/* Into units of whole executions; returns how many. */
static uint32_t cut(double size, uint64_t bytes)
{
    const struct cut *c = &cuts[hd_rng_next(&sim.rng) % n_cuts];
    uint32_t n = 0;
    double given = 0;
    for (uint32_t i = 0; i < c->n && given < size; i++) {
        double part = (double)(uint64_t)(size * c->share[i]) + 1;
        part = part > size - given ? size - given : part;
        given += part;
        struct unit *unit = hd_alloc(sizeof *unit);
        *unit = (struct unit){ part, bytes + BYTES_PER_NODE * (i + 1ull) };
        hd_pool_add(&sim.pool, unit, unit->bytes);
        n++;
    }
    if (given < size) { /* rounding */
        struct unit *unit = hd_alloc(sizeof *unit);
        *unit = (struct unit){ size - given, bytes + BYTES_PER_NODE };
        hd_pool_add(&sim.pool, unit, unit->bytes);
        n++;
    }
    sim.units += n;
    return n;
}

/* Rank 0 gives a unit to a rank at `now`: when it comes back. */
static void hand_out(uint32_t who, double now)
{
    struct rank *r = &sim.ranks[who];
    r->unit = hd_pool_take(&sim.pool, sim.n_ranks);
    r->seconds = hd_pool_seconds(&sim.pool, sim.n_ranks);
    double took = r->unit->size * cost.execution;
    took = (took > r->seconds ? r->seconds + cost.start : took) + cost.start;
    r->busy += took;
    push(now + 2 * cost.message + took, who);
}

static void answer(struct event e)
{
    struct rank *r = &sim.ranks[e.rank];
    double begin = e.at > sim.free_at ? e.at : sim.free_at, service = cost.answer;
    sim.messages += 2;
    if (r->unit) {
        double done = r->seconds / cost.execution;
        done = done < r->unit->size ? (double)(uint64_t)done : r->unit->size;
        done = done < 1 ? 1 : done;
        sim.left -= done;
        if (r->unit->size > done)
            service += cost.file * cut(r->unit->size - done, r->unit->bytes);
        free(r->unit);
        r->unit = NULL;
    }
    sim.free_at = begin + service;
    sim.served += service;
    sim.most_waiting = sim.pool.n > sim.most_waiting ? sim.pool.n : sim.most_waiting;
    sim.idle[sim.n_idle++] = e.rank;
    while (sim.n_idle && sim.pool.n)
        hand_out(sim.idle[--sim.n_idle], sim.free_at);
}

/* As `heddle split` does: rank 0 alone, two processes for each cut. */
static double split(double size, uint32_t wanted)
{
    double seconds = 0;
    struct unit root = { size, 200 };
    uint32_t ranks = UINT32_MAX; /* always the nearest */
    seconds += 2 * cost.start + cost.file * cut(root.size, root.bytes);
    while (sim.pool.n < wanted) {
        struct unit *unit = hd_pool_take(&sim.pool, ranks);
        seconds += 2 * cost.start + cost.file * cut(unit->size, unit->bytes);
        free(unit);
    }
    return seconds;
}

static void simulate(double size, uint32_t ranks, uint32_t wanted)
{
    sim.n_ranks = ranks;
    sim.rng.state = ranks;
    sim.left = size;
    sim.heap = hd_alloc((ranks + 1ull) * sizeof *sim.heap);
    sim.ranks = hd_alloc(ranks * sizeof *sim.ranks);
    sim.idle = hd_alloc(ranks * sizeof *sim.idle);
    double end = sim.free_at = split(size, wanted), busy = 0, alone = size * cost.execution;
    for (uint32_t i = 0; i < ranks; i++)
        push(sim.free_at, i);
    while (sim.n_heap) {
        struct event e = pop();
        end = e.at;
        answer(e);
    }
    end = sim.free_at > end ? sim.free_at : end;
    for (uint32_t i = 0; i < ranks; i++)
        busy += sim.ranks[i].busy;
    printf("| %u | %.0f | %.0f | %.0f %% | %.0f %% | %.0f %% | %llu | %llu | %llu |\n", ranks, end,
           alone / end, 100 * alone / end / ranks, 100 - 100 * busy / end / ranks,
           100 * sim.served / end, (unsigned long long)sim.units, (unsigned long long)sim.messages,
           (unsigned long long)sim.most_waiting);
    if (sim.left > 1 || sim.left < -1)
        hd_bug("%g executions are left", sim.left);
    hd_pool_release(&sim.pool);
    free(sim.heap);
    free(sim.ranks);
    free(sim.idle);
    memset(&sim, 0, sizeof sim);
}

static void read_cut(char *line)
{
    struct cut *c = &cuts[n_cuts];
    double sum = 0;
    char *rest = line, *word;
    memset(c, 0, sizeof *c);
    while ((word = strsep(&rest, " \n")) && c->n < MOST_PARTS)
        if (*word)
            sum += c->share[c->n++] = strtod(word, NULL);
    for (uint32_t i = 0; i < c->n; i++)
        c->share[i] /= sum > 0 ? sum : 1;
    n_cuts += c->n > 1 && sum > 0 && n_cuts + 1 < MOST_CUTS;
}

int main(int argc, char **argv)
{
    static char line[1 << 16];
    double size = argc > 1 ? strtod(argv[1], NULL) : 1e9;
    while (fgets(line, sizeof line, stdin)) {
        double *into = !strncmp(line, "cost execution ", 15) ? &cost.execution
                       : !strncmp(line, "cost start ", 11)   ? &cost.start
                       : !strncmp(line, "cost answer ", 12)  ? &cost.answer
                       : !strncmp(line, "cost file ", 10)    ? &cost.file
                       : !strncmp(line, "cost message ", 13) ? &cost.message
                                                             : NULL;
        if (into)
            *into = strtod(strrchr(line, ' '), NULL);
        else if (!strncmp(line, "cut ", 4))
            read_cut(line + 4);
    }
    if (!n_cuts || cost.execution <= 0) {
        fputs("scale_out: there is nothing measured on standard input\n", stderr);
        return 2;
    }
    static const uint32_t ranks[] = { 2, 10, 30, 100, 300, 1000, 3000, 10000 };
    for (size_t i = 0; i < sizeof ranks / sizeof *ranks; i++)
        simulate(size, ranks[i], hd_pool_first_units(ranks[i]));
    return 0;
}
