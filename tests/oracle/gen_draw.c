/* Which of the programs that gen.c makes are kept: programs are drawn again until one has as many
 * interleavings as was drawn for the seed, and enough of them differ. */
#include "gen_parts.h"

#include <stdio.h>
#include <stdlib.h>

/* Programs that never end well are kept only now and then. */
static bool dull(struct gen *g, const struct orc_result *r)
{
    return r->ends[ORC_ENDED] == 0 && !percent(g, 5);
}

/* So are those whose threads have little to do with each other. */
static bool loose(struct gen *g, const struct orc_result *r)
{
    if (g->invariants)
        return false;
    return r->traces == 1 ? !percent(g, 3) : r->traces * 60 < r->interleavings && !percent(g, 25);
}

static void check_brute(const struct orc_program *p, const struct orc_lowered *m, uint64_t most,
                        const struct orc_result *dag)
{
    struct orc_result *brute = malloc(sizeof *brute);
    if (!brute)
        abort();
    orc_brute(m, most, brute);
    /* where it overflows, it has met too many runs against an assumption */
    bool whole = !brute->overflow || brute->interleavings > most;
    if (whole && !orc_result_same(brute, dag)) {
        fprintf(stderr,
                "oracle: seed %llu: the interpreter contradicts itself: %llu interleavings and "
                "%llu traces one by one, %llu and %llu as a graph\n",
                (unsigned long long)p->seed, (unsigned long long)brute->interleavings,
                (unsigned long long)brute->traces, (unsigned long long)dag->interleavings,
                (unsigned long long)dag->traces);
        abort();
    }
    free(brute);
}

/* Bounds are spread over the orders of magnitude: small programs are as frequent as large ones.
 * Four threads have thousands of interleavings whatever they do. */
static uint64_t draw_bound(struct gen *g, uint32_t n_threads, uint64_t most)
{
    uint64_t bound = n_threads == 2 ? 16 : n_threads == 3 ? 128 : 8192;
    while (bound < most && percent(g, 85))
        bound *= 2;
    return bound < most ? bound : most;
}

struct target {
    uint32_t n_threads;
    bool large;
    uint64_t most, bound, least;
};

static bool draw(struct gen *g, uint64_t seed, const struct orc_limits *limits,
                 const struct target *t, struct orc_lowered *lowered, struct orc_result *result)
{
    orc_gen_program(g, seed, t->n_threads, limits);
    if (g->p->n_stmts == ORC_MAX_STMTS || !orc_lower(g->p, lowered))
        return false;
    orc_dag(lowered, t->bound, result);
    result->large = t->large;
    if (result->overflow || result->interleavings < 2 || dull(g, result))
        return false;
    if (t->large)
        return result->traces >= t->least;
    return result->interleavings >= t->least && result->interleavings <= t->bound &&
           !loose(g, result);
}

void orc_generate(uint64_t seed, const struct orc_limits *limits, struct orc_program *p,
                  struct orc_lowered *lowered, struct orc_result *result)
{
    struct gen g = { .p = p };
    orc_rng_seed(&g.rng, seed);
    orc_rng_seed(&g.extra, seed ^ 0x9e3779b97f4a7c15ull);
    uint32_t r = below(&g, 100);
    g.more = orc_gen_draw_more(&g);
    struct target t = { .n_threads = r < 45 ? 2 : r < 92 ? 3 : 4, .large = percent(&g, 20) };
    bool observers = limits->finer & ORC_FINER_OBSERVERS;
    if (limits->invariants)
        t.n_threads = r < 15 ? 2 : 3;
    if (observers) { /* what is seen is known when a run is over: they are tried one by one */
        t.n_threads = r < 30 ? 2 : 3;
        t.large = false;
    }
    if (t.n_threads == 4 && limits->most < ORC_DEFAULT_MOST)
        t.large = true; /* none has so few interleavings */
    t.most = t.n_threads == 4 || t.large ? 5 * limits->most : limits->most;
    t.bound = t.large ? limits->most / 2 : draw_bound(&g, t.n_threads, t.most);
    if (t.n_threads == 4 && t.bound < 2000)
        t.bound = t.most = 2000;
    g.size = t.n_threads == 2 || t.large ? 3 + below(&g, 8) : 1 + below(&g, 5);
    for (uint32_t tries = 1;; tries++) {
        if (tries % 16 == 0 && g.size > 1)
            g.size--;
        if (tries % 100 == 0)
            t.bound = t.bound * 2 < t.most ? t.bound * 2 : t.most;
        t.least = tries >= 50 ? 2 : t.large ? 30 : t.bound / 16;
        if (draw(&g, seed, limits, &t, lowered, result))
            break;
    }
    if (observers)
        orc_brute(lowered, t.most, result);
    else if (!t.large)
        check_brute(p, lowered, t.most, result);
}
