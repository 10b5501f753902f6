/* SCALE's filters against a fake world, and the set of states that forgets. */
#include "fake_world.h"

#include "explore/states/state_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))
#define ARENA_BYTES (64u << 20)

static struct hd_arena arena(void)
{
    struct hd_arena a = { calloc(1, ARENA_BYTES), 0, ARENA_BYTES };
    if (!a.base)
        abort();
    return a;
}

static uint64_t hash_of(uint32_t i) { return (i + 1) * 0x9e3779b97f4a7c15ull; }

/* What a cache says it has, it has been given; and it holds no more than its limit. */
static void test_cache_forgets(void **state)
{
    (void)state;
    for (int exact = 0; exact < 2; exact++) {
        struct hd_arena a = arena();
        struct hd_state_set set;
        uint32_t held = 0;
        assert_true(hd_state_set_init(&set, &a, exact, 64));
        for (uint32_t i = 0; i < 1000; i++) {
            assert_false(hd_state_set_has(&set, &i, 1, hash_of(i)));
            assert_true(hd_state_set_add(&set, &i, 1, hash_of(i)));
            assert_true(hd_state_set_has(&set, &i, 1, hash_of(i)));
            assert_false(hd_state_set_add(&set, &i, 1, hash_of(i)));
        }
        for (uint32_t i = 0; i < 1000; i++)
            held += hd_state_set_has(&set, &i, 1, hash_of(i));
        assert_in_range(held, 16, 64);
        assert_int_equal(set.n, held);
        free(a.base);
    }
}

/* Exact: two states with one hash are two. */
static void test_equal_hashes(void **state)
{
    (void)state;
    for (uint64_t limit = 0; limit <= 8; limit += 8) {
        struct hd_arena a = arena();
        struct hd_state_set set;
        assert_true(hd_state_set_init(&set, &a, true, limit));
        for (uint32_t i = 0; i < 3; i++)
            assert_true(hd_state_set_add(&set, &i, 1, 7));
        for (uint32_t i = 0; i < 5; i++)
            assert_int_equal(hd_state_set_has(&set, &i, 1, 7), i < 3);
        free(a.base);
    }
}

/* Every final state and the failures; with not-seen one complete execution per trace. */
static void test_random_programs(void **state)
{
    static const uint32_t chains[] = {
        HD_FILTER_SUPER_STEP,
        HD_FILTER_SUPER_STEP | HD_FILTER_NOT_SEEN,
        HD_FILTER_SUPER_STEP | HD_FILTER_LOCAL_CYCLE | HD_FILTER_NOT_SEEN,
        HD_FILTER_LOCAL_CYCLE | HD_FILTER_NOT_SEEN,
    };
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++) {
        uint32_t chain = chains[seed % COUNT(chains)];
        struct fake_thread threads[3];
        struct fake_program p;
        struct fake_sums sums;
        struct fake_rig rig;
        fake_random_program(seed, threads, &p);
        fake_enumerate(&p, &sums);
        fake_rig_open(&rig, &p);
        rig.shared->options.filters = chain;
        rig.shared->options.shuffled = seed % 3 == 0;
        rig.shared->options.seed = seed;
        rig.shared->options.state_cache = seed % 5 == 0 ? 8 : 0;
        rig.world.restarts = seed / 4 % 2;
        fake_rig_run(&rig);
        uint64_t executions = rig.shared->cnt.executions;
        if (executions < (sums.failures ? 1 : sums.traces))
            print_error("seed %llu\n", (unsigned long long)seed);
        assert_true(executions >= (sums.failures ? 1 : sums.traces));
        if (chain & HD_FILTER_NOT_SEEN && !rig.shared->options.state_cache)
            assert_true(executions <= sums.traces);
        assert_int_equal(rig.world.n_finals, sums.finals);
        assert_int_equal(fake_finals_hash(&rig.world), sums.finals_hash);
        assert_int_equal(rig.shared->n_findings > 0, sums.failures + sums.deadlocks > 0);
        fake_rig_close(&rig);
    }
}

/* Threads that have nothing to do with each other: each is one super step. */
static void test_independent(void **state)
{
    struct fake_thread threads[2] = { { .n = 4 }, { .n = 4 } };
    struct fake_program p = { 2, threads };
    struct fake_rig rig;
    (void)state;
    for (uint8_t t = 0; t < 2; t++)
        for (uint8_t i = 0; i < 4; i++)
            threads[t].steps[i] = (struct fake_step){
                .op = HD_OP_WRITE, .object = (uint8_t)(8 * t), .size = 4, .value = i
            };
    fake_rig_open(&rig, &p);
    rig.shared->options.filters = HD_FILTER_SUPER_STEP;
    fake_rig_run(&rig);
    assert_int_equal(rig.shared->cnt.executions, 2);
    fake_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_cache_forgets),
        cmocka_unit_test(test_equal_hashes),
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_independent),
    };
    return cmocka_run_group_tests_name("scale", tests, NULL, NULL);
}
