/* Fair cycles: by hand, and on random graphs against the definition, which tries every set of
 * edges. */
#include "explore/states/fair_cycles.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define STATES 5u
#define EDGES 8u
#define BYTES (1u << 20)

struct graph {
    uint32_t n, m;
    uint64_t enabled[STATES];
    struct hd_fair_edge edges[EDGES];
};

static char memory[BYTES];

static struct hd_fair fair(void)
{
    struct hd_arena arena = { memory, 0, BYTES };
    struct hd_fair f;
    assert_true(hd_fair_init(&f, &arena, STATES, EDGES));
    return f;
}

/* What hd_fair_find says, after the walk has been looked at: a way from state 0 to a cycle that is
 * fair. */
static bool found(const struct graph *g)
{
    struct hd_fair f = fair();
    if (!hd_fair_find(&f, g->enabled, g->n, g->edges, g->m))
        return false;
    uint64_t can = 0, does = 0;
    uint32_t at = 0, begin = 0;
    assert_true(f.n_walk > f.n_stem);
    for (uint32_t i = 0; i < f.n_walk; i++) {
        const struct hd_fair_edge *e = &g->edges[f.walk[i]];
        assert_int_equal(e->from, at);
        if (i == f.n_stem)
            begin = at;
        at = e->to;
        if (i >= f.n_stem) {
            can |= e->enabled | g->enabled[e->to];
            does |= e->movers;
            assert_false(e->excused);
        }
    }
    assert_int_equal(at, begin);
    assert_int_equal(can & ~does, 0);
    return true;
}

static void test_by_hand(void **state)
{
    (void)state;
    struct graph alone = { 1, 1, { 1 }, { { .from = 0, .to = 0, .movers = 1 } } };
    assert_true(found(&alone));
    struct graph unfair = { 1, 1, { 3 }, { { .from = 0, .to = 0, .movers = 1 } } };
    assert_false(found(&unfair));
    unfair.enabled[0] = 1;
    unfair.edges[0].enabled = 2; /* on the way */
    assert_false(found(&unfair));
    struct graph both = {
        1, 2, { 3 }, { { .from = 0, .to = 0, .movers = 1 }, { .from = 0, .to = 0, .movers = 2 } }
    };
    assert_true(found(&both));
    /* thread 2 can move in state 0 and leaves; the cycle of states 1 and 2 does without it */
    struct graph inner = { 3,
                           4,
                           { 3, 1, 1 },
                           { { .from = 0, .to = 1, .movers = 1 },
                             { .from = 1, .to = 2, .movers = 1 },
                             { .from = 2, .to = 1, .movers = 1 },
                             { .from = 2, .to = 0, .movers = 1 } } };
    assert_true(found(&inner));
    inner.edges[0].excused = 1; /* on the way to the cycle, not on it */
    assert_true(found(&inner));
    inner.edges[1].excused = 1;
    assert_false(found(&inner));
    inner.edges[1].excused = 0;
    inner.enabled[2] = 3;
    assert_false(found(&inner));
}

/* Can every edge of the set follow every other, and itself, by edges of the set? */
static bool connected(const struct graph *g, uint32_t set)
{
    bool reach[STATES][STATES] = { { false } };
    for (uint32_t e = 0; e < g->m; e++)
        if (set >> e & 1)
            reach[g->edges[e].from][g->edges[e].to] = true;
    for (uint32_t k = 0; k < g->n; k++)
        for (uint32_t i = 0; i < g->n; i++)
            for (uint32_t j = 0; j < g->n; j++)
                reach[i][j] = reach[i][j] || (reach[i][k] && reach[k][j]);
    for (uint32_t a = 0; a < g->m; a++)
        for (uint32_t b = 0; b < g->m; b++)
            if ((set >> a & 1) && (set >> b & 1) && g->edges[a].to != g->edges[b].from &&
                !reach[g->edges[a].to][g->edges[b].from])
                return false;
    return true;
}

static bool expected(const struct graph *g)
{
    for (uint32_t set = 1; set < 1u << g->m; set++) {
        uint64_t can = 0, does = 0;
        bool excused = false;
        for (uint32_t e = 0; e < g->m; e++)
            if (set >> e & 1) {
                can |= g->edges[e].enabled | g->enabled[g->edges[e].from];
                does |= g->edges[e].movers;
                excused = excused || g->edges[e].excused;
            }
        if (!excused && !(can & ~does) && connected(g, set))
            return true;
    }
    return false;
}

/* As in a search every state can be reached from the first one: each has an edge from an earlier.
 */
static void test_random(void **state)
{
    (void)state;
    struct hd_rng rng = { 1 };
    uint32_t yes = 0, no = 0;
    for (uint32_t i = 0; i < 20000; i++) {
        struct graph g = { .n = 1 + (uint32_t)(hd_rng_next(&rng) % STATES), .m = EDGES };
        for (uint32_t v = 0; v < g.n; v++)
            g.enabled[v] = hd_rng_next(&rng) & 7;
        for (uint32_t e = 0; e < g.m; e++) {
            uint32_t to = e + 1 < g.n ? e + 1 : (uint32_t)(hd_rng_next(&rng) % g.n);
            uint32_t from = (uint32_t)(hd_rng_next(&rng) % (e + 1 < g.n ? e + 1 : g.n));
            uint64_t mover = 1ull << hd_rng_next(&rng) % 3;
            g.enabled[from] |= mover;
            g.edges[e] = (struct hd_fair_edge){ .from = from, .to = to, .movers = mover };
            if (hd_rng_next(&rng) % 4 == 0)
                g.edges[e].enabled = hd_rng_next(&rng) & 7;
            g.edges[e].excused = i % 2 && hd_rng_next(&rng) % 8 == 0;
        }
        bool want = expected(&g);
        *(want ? &yes : &no) += 1;
        assert_int_equal(found(&g), want);
    }
    assert_true(yes > 1000 && no > 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_by_hand),
                                        cmocka_unit_test(test_random) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
