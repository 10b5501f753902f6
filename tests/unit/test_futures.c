/* Futures of local states on random searches: what they say, and whom they tell that they have
 * grown, against the definition, which follows all steps that were ever made. */
#include "explore/states/futures.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

enum {
    THREADS = 4,
    LOCALS = 6,
    OBJECTS = 3,
    DEPTH = 12,
    NODES = 150,
    ROUNDS = 300,
    RELIED = 4096
};
#define BYTES (2ull << 30)

struct relied {                     /* a step that was taken alone */
    uint32_t thread, object, depth; /* HD_FUTURES_LEFT: its node has left the path */
    uint32_t locals[THREADS];
    bool told;
};

struct search {
    struct hd_explorer *ex;
    struct hd_config config;
    struct hd_action next[THREADS];
    struct hd_futures f;
    uint32_t local[DEPTH + 1][THREADS]; /* + 1; 0: the thread is not there */
    bool leads[THREADS][LOCALS][THREADS][LOCALS];
    bool reaches[THREADS][LOCALS][THREADS][LOCALS];
    struct relied relied[RELIED];
    uint32_t n_relied;
    struct hd_rng rng;
};

static struct search s;

static uint32_t below(uint32_t n) { return (uint32_t)(hd_rng_next(&s.rng) % n); }

static void local_state(void *self, uint32_t thread, uint64_t out[2])
{
    (void)self;
    out[0] = s.local[s.ex->path.depth][thread];
    out[1] = 0;
}

/* Every local state has one action: to write one object. */
static struct hd_action action_of(uint32_t thread, uint32_t local)
{
    return (struct hd_action){ .op = HD_OP_WRITE,
                               .object = 8 * (1 + (thread + local) % OBJECTS),
                               .size = 8 };
}

static void broken(void *self, uint32_t depth)
{
    (void)self;
    for (uint32_t i = 0; i < s.n_relied; i++)
        s.relied[i].told = s.relied[i].told || s.relied[i].depth == depth;
}

static void close_over_steps(void)
{
    memcpy(s.reaches, s.leads, sizeof s.leads);
    bool *r = &s.reaches[0][0][0][0];
    const uint32_t n = THREADS * LOCALS;
    for (uint32_t i = 0; i < n; i++)
        r[i * n + i] = true;
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t j = 0; j < n; j++)
                r[i * n + j] = r[i * n + j] || (r[i * n + k] && r[k * n + j]);
}

/* May one of those who stand there come to touch the object, which is not the thread itself? */
static bool comes(const uint32_t *locals, uint32_t thread, uint64_t object)
{
    for (uint32_t t = 0; t < THREADS; t++)
        for (uint32_t u = 0; u < THREADS && locals[t] && t != thread; u++)
            for (uint32_t l = 0; l < LOCALS && u != thread; l++)
                if (s.reaches[t][locals[t] - 1][u][l] && action_of(u, l).object == object)
                    return true;
    return false;
}

static void begin(uint64_t seed)
{
    static void *memory;
    if (!memory)
        memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    assert_ptr_not_equal(memory, MAP_FAILED);
    assert_int_equal(madvise(memory, BYTES, MADV_DONTNEED), 0);
    memset(&s, 0, sizeof s);
    struct hd_arena arena = { memory, 0, BYTES };
    s.ex = hd_arena_take(&arena, sizeof *s.ex);
    s.ex->arena = arena;
    s.rng.state = seed;
    s.config = (struct hd_config){ .n_threads = THREADS, .next = s.next };
    s.ex->world = (struct hd_world){ .config = &s.config, .local_state = local_state };
    s.f = (struct hd_futures){ .broken = broken };
    assert_true(hd_futures_init(&s.f, s.ex));
}

/* One thread moves; seldom it changes where another stands, or creates one. */
static void step(uint32_t depth)
{
    const uint32_t *from = s.local[depth - 1];
    uint32_t *to = s.local[depth], mover = below(THREADS), other = below(THREADS);
    while (!from[mover])
        mover = below(THREADS);
    memcpy(to, from, sizeof s.local[0]);
    to[mover] = 1 + below(LOCALS);
    if (below(4) == 0)
        to[other] = 1 + below(LOCALS);
    s.config.last = mover;
    for (uint32_t t = 0; t < THREADS; t++) {
        uint32_t whose = from[t] ? t : mover;
        if (to[t])
            s.leads[whose][from[whose] - 1][t][to[t] - 1] = true;
    }
}

static void come_to(uint32_t depth)
{
    s.ex->path.depth = depth;
    for (uint32_t i = 0; i < s.n_relied; i++)
        if (s.relied[i].depth >= depth)
            s.relied[i].depth = HD_FUTURES_LEFT;
    hd_futures_come_to(&s.f);
    for (uint32_t t = 0; t < THREADS; t++)
        if (s.local[depth][t]) {
            s.next[t] = action_of(t, s.local[depth][t] - 1);
            hd_tset_add(&s.config.live, t);
            hd_futures_stands(&s.f, t, &s.next[t], 0);
        } else {
            hd_tset_del(&s.config.live, t);
        }
    for (uint32_t t = 0; t < THREADS; t++)
        if (s.local[depth][t])
            assert_null(hd_futures_check(&s.f, t, &s.next[t], 0));
}

static void ask(uint32_t depth)
{
    uint32_t as, thread = below(THREADS);
    struct hd_tset stuck = { { 0 } };
    if (!s.local[depth][thread])
        return;
    const struct hd_action *a = &s.next[thread];
    hd_tset_add(&stuck, thread);
    bool meets = hd_futures_meet(&s.f, thread, a, 0, &stuck, &as);
    assert_int_equal(meets, comes(s.local[depth], thread, a->object));
    if (meets)
        return;
    hd_futures_rely(&s.f, &stuck, as);
    struct relied *r = &s.relied[s.n_relied++];
    *r = (struct relied){ thread, (uint32_t)a->object, depth, { 0 }, false };
    memcpy(r->locals, s.local[depth], sizeof r->locals);
}

static void test_random(void **state)
{
    (void)state;
    for (uint64_t seed = 1; seed <= ROUNDS; seed++) {
        uint32_t depth = 0;
        begin(seed);
        s.local[0][0] = s.local[0][1] = 1;
        come_to(0);
        for (uint32_t n = 0; n < NODES; n++) {
            uint32_t last = depth;
            bool back = depth == DEPTH || (depth && below(4) == 0);
            depth = back ? below(depth) + 1 : depth + 1;
            for (; back && last >= depth; last--)
                hd_futures_leave(&s.f, last, true);
            step(depth);
            come_to(depth);
            close_over_steps();
            for (uint32_t i = 0; i < s.n_relied; i++)
                assert_true(s.relied[i].told ||
                            !comes(s.relied[i].locals, s.relied[i].thread, s.relied[i].object));
            ask(depth);
        }
    }
}

/* What is held in common keeps two apart. */
static void test_locks(void **state)
{
    (void)state;
    uint32_t as;
    struct hd_tset stuck = { { 1 } };
    begin(1);
    s.local[0][0] = s.local[0][1] = 1;
    s.ex->path.depth = 0;
    struct hd_action a = action_of(0, 0);
    hd_futures_come_to(&s.f);
    hd_futures_stands(&s.f, 0, &a, 1);
    hd_futures_stands(&s.f, 1, &a, 3);
    assert_false(hd_futures_meet(&s.f, 0, &a, 2, &stuck, &as));
    assert_true(hd_futures_meet(&s.f, 0, &a, 4, &stuck, &as));
    hd_tset_add(&stuck, 1);
    assert_false(hd_futures_meet(&s.f, 0, &a, 4, &stuck, &as));
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_random),
                                        cmocka_unit_test(test_locks) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
