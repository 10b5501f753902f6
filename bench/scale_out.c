/* How far does heddle check --distributed scale?  A simulation with the code that chooses units and their
 * time and that takes them from others (supervise/leader.c), on a tree whose parts are cut as those of
 * real programs were (bench/scale-out.sh measures).
 *
 *   scale_out EXECUTIONS RANKS-OF-A-GROUP < measured
 *
 * measured: `cost NAME SECONDS` lines (execution, start, answer, file, message), and `cut N N …` lines:
 * the executions in each of the units that a unit was cut into, the nearest to the root first. */
#include "supervise/leader.h"

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

/* What arrives at a leader. */
struct event {
    double at;
    uint32_t leader;
    enum { MEMBER, QUESTION, ANSWER, PAUSE_ENDS } what;
    uint32_t from;       /* a member or a leader */
    struct unit **units; /* of an answer */
    uint64_t n;
};

static struct sim {
    struct event *heap;
    uint64_t n_heap, room;
    struct hd_rng rng;
    struct leader {
        struct hd_leader l;
        struct member {
            struct unit *unit; /* explored; NULL: asks for the first time */
            double seconds;    /* it was given */
            double busy;
        } *members;
        double free_at, served; /* until when it is busy, and how long it was */
        bool awaits;            /* the end of a pause */
    } *leaders;
    uint32_t n_leaders;
    uint64_t messages, units, most_waiting;
    double left; /* executions */
} sim;

static void push(struct event e)
{
    if (sim.n_heap == sim.room) {
        sim.room = sim.room ? 2 * sim.room : 1024;
        sim.heap = hd_realloc(sim.heap, sim.room * sizeof *sim.heap);
    }
    uint64_t i = sim.n_heap++;
    for (; i && sim.heap[(i - 1) / 2].at > e.at; i = (i - 1) / 2)
        sim.heap[i] = sim.heap[(i - 1) / 2];
    sim.heap[i] = e;
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

static void add(struct leader *leader, double size, uint64_t bytes)
{
    struct unit *unit = hd_alloc(sizeof *unit);
    *unit = (struct unit){ size, bytes };
    hd_leader_add(&leader->l, unit, bytes);
    sim.units++;
}

/* Into units of whole executions; returns how many. */
static uint32_t cut(struct leader *leader, double size, uint64_t bytes)
{
    const struct cut *c = &cuts[hd_rng_next(&sim.rng) % n_cuts];
    uint32_t n = 0;
    double given = 0;
    for (uint32_t i = 0; i < c->n && given < size; i++, n++) {
        double part = (double)(uint64_t)(size * c->share[i]) + 1;
        part = part > size - given ? size - given : part;
        given += part;
        add(leader, part, bytes + BYTES_PER_NODE * (i + 1ull));
    }
    if (given < size) { /* rounding */
        add(leader, size - given, bytes + BYTES_PER_NODE);
        n++;
    }
    return n;
}

/* ---- what a leader does, at the time at which it is free ---- */

static int explore(void *context, uint32_t who, void *unit, double seconds, struct hd_err *err)
{
    struct leader *leader = context;
    struct member *m = &leader->members[who];
    (void)err;
    m->unit = unit;
    m->seconds = seconds;
    double took = m->unit->size * cost.execution;
    took = (took > seconds ? seconds + cost.start : took) + cost.start;
    m->busy += took;
    sim.messages += 2;
    push((struct event){ .at = leader->free_at + 2 * cost.message + took,
                         .leader = leader->l.me,
                         .what = MEMBER,
                         .from = who });
    return 0;
}

static int ask(void *context, uint32_t other, struct hd_err *err)
{
    struct leader *leader = context;
    (void)err;
    sim.messages++;
    push((struct event){ .at = leader->free_at + cost.message,
                         .leader = other,
                         .what = QUESTION,
                         .from = leader->l.me });
    return 0;
}

static int give(void *context, uint32_t other, void **units, uint64_t n, struct hd_err *err)
{
    struct leader *leader = context;
    struct event e = {
        .at = leader->free_at + cost.message, .leader = other, .what = ANSWER, .n = n
    };
    (void)err;
    e.units = hd_alloc((n + 1) * sizeof *e.units);
    memcpy(e.units, units, n * sizeof *e.units);
    sim.messages++;
    push(e);
    return 0;
}

static const struct hd_leader_ops ops = { explore, ask, give };

/* A member is through with a unit, or with its time: how long that keeps the leader. */
static double member_answers(struct leader *leader, uint32_t who)
{
    struct member *m = &leader->members[who];
    struct unit *unit = m->unit;
    double service = cost.answer;
    m->unit = NULL;
    if (unit) {
        double done = m->seconds / cost.execution;
        done = done < unit->size ? (double)(uint64_t)done : unit->size;
        done = done < 1 ? 1 : done;
        sim.left -= done;
        if (unit->size > done)
            service += cost.file * cut(leader, unit->size - done, unit->bytes);
    }
    hd_leader_idle(&leader->l, who, unit != NULL);
    free(unit);
    return service;
}

static void happens(struct event e)
{
    struct leader *leader = &sim.leaders[e.leader];
    double begin = e.at > leader->free_at ? e.at : leader->free_at, service = cost.message;
    struct hd_err err;
    if (e.what == MEMBER)
        service = member_answers(leader, e.from);
    leader->free_at = begin + service;
    leader->served += service;
    if (e.what == QUESTION)
        hd_leader_asked(&leader->l, e.from, leader->free_at, &err);
    if (e.what == PAUSE_ENDS)
        leader->awaits = false;
    if (e.what == ANSWER) {
        for (uint64_t i = 0; i < e.n; i++)
            hd_leader_add(&leader->l, e.units[i], e.units[i]->bytes);
        hd_leader_answered(&leader->l, e.n, leader->free_at);
        free(e.units);
    }
    hd_leader_act(&leader->l, leader->free_at, &err);
    if (!leader->awaits && hd_leader_pauses(&leader->l) && sim.left >= 1) {
        leader->awaits = true;
        push((struct event){ .at = leader->l.ask_at, .leader = e.leader, .what = PAUSE_ENDS });
    }
    if (leader->l.waiting.n > sim.most_waiting)
        sim.most_waiting = leader->l.waiting.n;
}

/* As `heddle split` does: rank 0 alone, two processes for each cut. */
static double split(double size, uint32_t wanted)
{
    struct leader *leader = &sim.leaders[0];
    double seconds = 2 * cost.start + cost.file * cut(leader, size, 200);
    while (leader->l.waiting.n < wanted) {
        struct unit *unit = hd_pool_nearest(&leader->l.waiting);
        seconds += 2 * cost.start + cost.file * cut(leader, unit->size, unit->bytes);
        free(unit);
    }
    return seconds;
}

static void prepare(uint32_t ranks, uint32_t group)
{
    sim.n_leaders = hd_groups(ranks, group);
    sim.rng.state = ranks;
    sim.leaders = hd_alloc(sim.n_leaders * sizeof *sim.leaders);
    for (uint32_t i = 0; i < sim.n_leaders; i++) {
        struct leader *leader = &sim.leaders[i];
        uint32_t first = hd_group_leader(ranks, sim.n_leaders, i);
        uint32_t members = hd_group_leader(ranks, sim.n_leaders, i + 1) - first - 1;
        hd_leader_init(&leader->l, i, sim.n_leaders, members);
        leader->l.ops = &ops;
        leader->l.context = leader;
        leader->members = hd_alloc((members + 1) * sizeof *leader->members);
    }
}

static void simulate(double size, uint32_t ranks, uint32_t group)
{
    prepare(ranks, group);
    sim.left = size;
    double begin = split(size, hd_pool_first_units(ranks)), end = begin, busy = 0, served = 0;
    double alone = size * cost.execution;
    for (uint32_t i = 0; i < sim.n_leaders; i++)
        for (uint32_t k = 0; k < sim.leaders[i].l.n_members; k++)
            push((struct event){ .at = begin, .leader = i, .what = MEMBER, .from = k });
    while (sim.n_heap) {
        struct event e = pop();
        end = e.what == MEMBER && e.at > end ? e.at : end;
        happens(e);
    }
    for (uint32_t i = 0; i < sim.n_leaders; i++) {
        struct leader *leader = &sim.leaders[i];
        for (uint32_t k = 0; k < leader->l.n_members; k++)
            busy += leader->members[k].busy;
        served = leader->served > served ? leader->served : served;
        end = leader->free_at > end ? leader->free_at : end;
        hd_leader_release(&leader->l);
        free(leader->members);
    }
    printf("| %u | %u | %.0f | %.0f | %.0f %% | %.0f %% | %.0f %% | %llu | %llu | %llu |\n",
           ranks, sim.n_leaders, end, alone / end, 100 * alone / end / ranks,
           100 - 100 * busy / end / ranks, 100 * served / end, (unsigned long long)sim.units,
           (unsigned long long)sim.messages, (unsigned long long)sim.most_waiting);
    if (sim.left > 1 || sim.left < -1)
        hd_bug("%g executions are left", sim.left);
    free(sim.heap);
    free(sim.leaders);
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
    uint32_t group = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : HD_GROUP;
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
        simulate(size, ranks[i], group);
    return 0;
}
