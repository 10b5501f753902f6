/* All runs of a fake program by plain recursion: what the explorer is compared with. */
#include "core/dependence.h"
#include "fake_machine.h"

#include <stdlib.h>
#include <string.h>

#define MOST_STEPS 64
#define MOST_THREADS 8
#define MOST_RUNS (1u << 18)

struct event {
    struct hd_action action;
    uint32_t thread, chosen;
    uint8_t clock[MOST_THREADS];
};

struct enumeration {
    const struct fake_program *p;
    struct fake_sums *sums;
    uint32_t depth;
    struct event events[MOST_STEPS];
    uint64_t *traces;
};

static void set_clock(struct enumeration *e)
{
    struct event *now = &e->events[e->depth];
    uint8_t mine = 1;
    memset(now->clock, 0, sizeof now->clock);
    for (uint32_t d = 0; d < e->depth; d++) {
        const struct event *was = &e->events[d];
        mine = (uint8_t)(mine + (was->thread == now->thread));
        if (was->thread != now->thread && !hd_action_dependent(&was->action, &now->action))
            continue;
        for (int t = 0; t < MOST_THREADS; t++)
            if (was->clock[t] > now->clock[t])
                now->clock[t] = was->clock[t];
    }
    now->clock[now->thread] = mine;
}

/* Which events, each with what is before it: a sum, as their order is in the clocks. */
static uint64_t trace(const struct enumeration *e)
{
    uint64_t sum = 0;
    for (uint32_t d = 0; d < e->depth; d++) {
        const struct event *v = &e->events[d];
        uint64_t words[6] = { v->thread,         v->action.op, v->action.object,
                              v->action.object2, v->chosen,    0 };
        memcpy(&words[5], v->clock, sizeof v->clock);
        uint64_t h = fake_hash(3, words, sizeof words);
        sum += h * (h | 1);
    }
    return sum;
}

static uint64_t preemptions(const struct enumeration *e)
{
    struct fake_state s;
    uint64_t n = 0;
    fake_state_init(e->p, &s);
    for (uint32_t d = 0; d < e->depth; d++) {
        uint32_t t = e->events[d].thread, last = d ? e->events[d - 1].thread : t;
        bool yielded = d && e->events[d - 1].action.op == HD_OP_YIELD;
        n += t != last && !yielded && fake_state_enabled(e->p, &s, last);
        uint32_t choice = 0;
        if (e->events[d].action.op == HD_OP_SIGNAL)
            while (fake_state_waiter(e->p, &s, e->p->threads[t].steps[s.pc[t]].object, choice) !=
                   e->events[d].chosen)
                choice++;
        fake_state_step(e->p, &s, t, choice);
    }
    return n;
}

static void finish(struct enumeration *e)
{
    uint64_t h = trace(e), i = 0;
    if (e->sums->runs == MOST_RUNS)
        abort();
    e->sums->runs++;
    e->sums->by_preemptions[preemptions(e)]++;
    while (i < e->sums->traces && e->traces[i] != h)
        i++;
    if (i == e->sums->traces)
        e->traces[e->sums->traces++] = h;
}

static void good_end(struct enumeration *e, const struct fake_state *s)
{
    static uint64_t seen[512];
    uint64_t h = fake_hash(2, s->memory, sizeof s->memory), i = 0;
    while (i < e->sums->finals && seen[i] != h)
        i++;
    if (i < e->sums->finals)
        return;
    if (e->sums->finals == 512)
        abort();
    seen[e->sums->finals++] = h;
    e->sums->finals_hash ^= h;
}

static void from(struct enumeration *e, const struct fake_state *s)
{
    bool moved = false;
    for (uint32_t t = 0; t < e->p->n_threads; t++) {
        if (!fake_state_enabled(e->p, s, t))
            continue;
        moved = true;
        struct hd_action a = fake_state_action(e->p, s, t);
        for (uint32_t choice = 0; choice < a.choices; choice++) {
            struct fake_state next = *s;
            struct event *v = &e->events[e->depth];
            v->action = a;
            v->thread = t;
            v->chosen = a.op == HD_OP_SIGNAL
                            ? fake_state_waiter(e->p, s, e->p->threads[t].steps[s->pc[t]].object,
                                                choice)
                            : 0;
            set_clock(e);
            enum fake_outcome out = fake_state_step(e->p, &next, t, choice);
            e->depth++;
            if (out == FAKE_GOES_ON)
                from(e, &next);
            else
                finish(e);
            if (out == FAKE_DONE)
                good_end(e, &next);
            e->sums->failures += out == FAKE_FAILED;
            e->sums->crashes += out == FAKE_CRASH;
            e->depth--;
        }
    }
    if (!moved) {
        finish(e);
        e->sums->deadlocks++;
    }
}

void fake_enumerate(const struct fake_program *p, struct fake_sums *sums)
{
    struct enumeration *e = calloc(1, sizeof *e);
    if (!e || p->n_threads > MOST_THREADS)
        abort();
    e->p = p;
    e->sums = sums;
    e->traces = calloc(MOST_RUNS, sizeof *e->traces);
    if (!e->traces)
        abort();
    memset(sums, 0, sizeof *sums);
    struct fake_state s;
    fake_state_init(p, &s);
    from(e, &s);
    free(e->traces);
    free(e);
}
