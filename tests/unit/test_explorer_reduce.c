/* Reductions against traces counted by enumeration: not-seen, exact and hash-only, and those by
 * races. */
#include "fake_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static const uint32_t kinds[] = { HD_FILTER_NOT_SEEN, HD_FILTER_NOT_SEEN_HASH };

static void expect_executions(const struct fake_program *p, uint64_t traces)
{
    for (size_t k = 0; k < COUNT(kinds); k++)
        for (int restarts = 0; restarts < 2; restarts++) {
            struct fake_rig rig;
            fake_rig_open(&rig, p);
            rig.shared->options.filters = kinds[k];
            rig.world.restarts = restarts;
            fake_rig_run(&rig);
            assert_int_equal(rig.shared->cnt.executions, traces);
            assert_int_equal(rig.shared->cnt.finished, 1);
            assert_int_equal(rig.shared->cnt.bounded, 0);
            fake_rig_close(&rig);
        }
}

static void two_of(struct fake_thread *threads, struct fake_step a, struct fake_step b)
{
    threads[0].n = threads[1].n = 1;
    threads[0].steps[0] = a;
    threads[1].steps[0] = b;
}

static void test_pairs(void **state)
{
    const struct {
        struct fake_step a, b;
        uint64_t traces;
    } cases[] = {
        { { .op = HD_OP_READ, .size = 4 }, { .op = HD_OP_READ, .size = 4 }, 1 },
        { { .op = HD_OP_READ, .size = 4 }, { .op = HD_OP_WRITE, .size = 4 }, 2 },
        { { .op = HD_OP_WRITE, .size = 4 }, { .op = HD_OP_WRITE, .size = 4 }, 2 },
        { { .op = HD_OP_WRITE, .size = 4 }, { .op = HD_OP_WRITE, .object = 3, .size = 1 }, 2 },
        { { .op = HD_OP_WRITE, .size = 4 }, { .op = HD_OP_WRITE, .object = 4, .size = 1 }, 1 },
        { { .op = HD_OP_WRITE, .object = 3, .size = 2 },
          { .op = HD_OP_READ, .object = 4, .size = 8 },
          2 },
        { { .op = HD_OP_WRITE, .object = 7, .size = 2 },
          { .op = HD_OP_WRITE, .object = 8, .size = 1 },
          2 },
        { { .op = HD_OP_RMW, .size = 4 }, { .op = HD_OP_RMW, .size = 4 }, 2 },
        { { .op = HD_OP_CAS, .size = 4, .expected = 1 },
          { .op = HD_OP_CAS, .size = 4, .expected = 1 },
          1 },
        { { .op = HD_OP_CAS, .size = 4, .expected = 1 },
          { .op = HD_OP_CAS, .size = 4, .value = 7 },
          2 },
        { { .op = HD_OP_YIELD }, { .op = HD_OP_YIELD }, 1 },
        { { .op = HD_OP_TRYLOCK }, { .op = HD_OP_TRYLOCK }, 2 },
        { { .op = HD_OP_LOCK }, { .op = HD_OP_LOCK, .object = 1 }, 1 },
        { { .op = HD_OP_SIGNAL }, { .op = HD_OP_SIGNAL }, 2 },
        { { .op = HD_OP_SIGNAL }, { .op = HD_OP_SIGNAL, .object = 1 }, 1 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct fake_thread threads[2];
        struct fake_program p = { 2, threads };
        struct fake_sums sums;
        two_of(threads, cases[i].a, cases[i].b);
        fake_enumerate(&p, &sums);
        assert_int_equal(sums.traces, cases[i].traces);
        expect_executions(&p, cases[i].traces);
    }
}

/* n writers of one variable: n! orders; n readers and one writer: 2^n. */
static void test_factorial_and_power(void **state)
{
    struct fake_thread threads[5];
    struct fake_program p = { 5, threads };
    (void)state;
    for (uint32_t t = 0; t < 5; t++) {
        threads[t].n = 1;
        threads[t].steps[0] = (struct fake_step){ .op = HD_OP_WRITE, .size = 4 };
    }
    expect_executions(&p, 120);
    for (uint32_t t = 1; t < 5; t++)
        threads[t].steps[0].op = HD_OP_READ;
    expect_executions(&p, 16);
}

/* A mutex with two failed attempts to take it: those commute. */
static void test_failed_trylocks_commute(void **state)
{
    struct fake_thread threads[3] = { { .n = 1 }, { .n = 1 }, { .n = 1 } };
    struct fake_program p = { 3, threads };
    (void)state;
    for (int t = 0; t < 3; t++)
        threads[t].steps[0] = (struct fake_step){ .op = HD_OP_TRYLOCK };
    expect_executions(&p, 3); /* who was first */
}

/* A failing run, and one that deadlocks, is counted once per trace as well: the last step of
 * one thread and an independent step of another come in either order. */
static void test_ends_are_counted_once(void **state)
{
    struct fake_thread threads[2] = { { .n = 1 }, { .n = 1 } };
    struct fake_program p = { 2, threads };
    (void)state;
    threads[0].steps[0] = (struct fake_step){ .op = HD_OP_READ, .size = 1, .note = FAKE_FAILS };
    threads[1].steps[0] = (struct fake_step){ .op = HD_OP_READ, .object = 8, .size = 1 };
    expect_executions(&p, 2); /* with the other's step, without it */
    for (uint8_t t = 0; t < 2; t++) {
        threads[t].n = 2;
        threads[t].steps[0] = (struct fake_step){ .op = HD_OP_LOCK, .object = t };
        threads[t].steps[1] = (struct fake_step){ .op = HD_OP_WAIT, .object = t, .object2 = t };
    }
    expect_executions(&p, 1);
}

static void test_random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 300; seed++) {
        struct fake_thread threads[3];
        struct fake_program p;
        struct fake_sums sums;
        struct fake_rig rig;
        fake_random_program(seed, threads, &p);
        fake_enumerate(&p, &sums);
        fake_rig_open(&rig, &p);
        rig.shared->options.filters = kinds[seed % 2];
        rig.shared->options.shuffled = seed % 3 == 0;
        rig.shared->options.seed = seed;
        rig.world.restarts = seed / 2 % 2;
        fake_rig_run(&rig);
        if (rig.shared->cnt.executions != sums.traces)
            print_error("seed %llu\n", (unsigned long long)seed);
        assert_int_equal(rig.shared->cnt.executions, sums.traces);
        assert_int_equal(rig.world.n_finals, sums.finals);
        assert_int_equal(fake_finals_hash(&rig.world), sums.finals_hash);
        assert_int_equal(rig.shared->n_findings > 0, sums.failures + sums.deadlocks > 0);
        fake_rig_close(&rig);
    }
}

/* Reductions by races: one complete execution per trace; of the traces that a failure cuts short
 * some may be left out, but no final state, and not the failure. */
static void test_race_reversals(void **state)
{
    static const uint32_t filters[] = { HD_FILTER_SLEEP, HD_FILTER_DPOR, HD_FILTER_SOURCE,
                                        HD_FILTER_OPTIMAL };
    (void)state;
    for (uint64_t seed = 0; seed < 400; seed++)
        for (size_t k = 0; k < COUNT(filters); k++) {
            struct fake_thread threads[3];
            struct fake_program p;
            struct fake_sums sums;
            struct fake_rig rig;
            fake_random_program(seed, threads, &p);
            fake_enumerate(&p, &sums);
            fake_rig_open(&rig, &p);
            rig.shared->options.filters = filters[k];
            rig.world.restarts = seed % 2;
            fake_rig_run(&rig);
            const struct hd_counters *cnt = &rig.shared->cnt;
            bool right = sums.failures ? cnt->executions && cnt->executions <= sums.traces
                                       : cnt->executions == sums.traces;
            right = right && fake_finals_hash(&rig.world) == sums.finals_hash;
            right = right && (rig.shared->n_findings > 0) == (sums.failures + sums.deadlocks > 0);
            right = right &&
                    (filters[k] != HD_FILTER_OPTIMAL || cnt->blocked == 0 || sums.failures);
            if (!right)
                print_error(
                    "seed %llu, filter %#x: %llu executions of %llu traces, %llu blocked\n",
                    (unsigned long long)seed, filters[k], (unsigned long long)cnt->executions,
                    (unsigned long long)sums.traces, (unsigned long long)cnt->blocked);
            assert_true(right);
            fake_rig_close(&rig);
        }
}

struct explored {
    uint64_t executions, blocked, finals;
};

static struct explored explore(const struct fake_program *p, uint32_t filter, bool restarts)
{
    struct fake_rig rig;
    fake_rig_open(&rig, p);
    rig.shared->options.filters = filter;
    rig.world.restarts = restarts;
    fake_rig_run(&rig);
    struct explored e = { rig.shared->cnt.executions, rig.shared->cnt.blocked,
                          fake_finals_hash(&rig.world) };
    fake_rig_close(&rig);
    return e;
}

/* Backtracking by undo and by a new start explores the same: whatever a reduction knows of a
 * node is still known after the way to the node has been replayed. */
static void test_undo_and_restart(void **state)
{
    static const uint32_t filters[] = { HD_FILTER_SLEEP, HD_FILTER_DPOR, HD_FILTER_SOURCE,
                                        HD_FILTER_OPTIMAL, HD_FILTER_OBSERVERS };
    (void)state;
    for (uint64_t seed = 0; seed < 120; seed++)
        for (size_t k = 0; k < COUNT(filters); k++) {
            struct fake_thread threads[3];
            struct fake_program p;
            struct fake_sums sums;
            fake_random_program(seed, threads, &p);
            fake_enumerate(&p, &sums);
            struct explored undone = explore(&p, filters[k], false);
            struct explored again = explore(&p, filters[k], true);
            if (undone.executions != again.executions || undone.blocked != again.blocked)
                print_error("seed %llu, filter %#x\n", (unsigned long long)seed, filters[k]);
            assert_int_equal(undone.executions, again.executions);
            assert_int_equal(undone.blocked, again.blocked);
            assert_in_range(undone.executions, 1, sums.traces);
            assert_true(undone.finals == sums.finals_hash && again.finals == sums.finals_hash);
        }
}

/* With a preemption bound a state reached with less of it left must not stand for one with more:
 * everything that the bound alone reaches is still reached. */
static void test_with_preemption_bound(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++)
        for (uint32_t bound = 0; bound < 3; bound++) {
            struct fake_thread threads[3];
            struct fake_program p;
            const uint32_t reductions[3] = { 0, kinds[seed % 2], HD_FILTER_DPOR };
            uint64_t finals[3], hashes[3];
            uint32_t findings[3];
            fake_random_program(seed, threads, &p);
            for (int with = 0; with < 3; with++) {
                struct fake_rig rig;
                fake_rig_open(&rig, &p);
                rig.shared->options.filters = HD_FILTER_PREEMPTIONS | reductions[with];
                rig.shared->options.preemptions = bound;
                fake_rig_run(&rig);
                finals[with] = rig.world.n_finals;
                hashes[with] = fake_finals_hash(&rig.world);
                findings[with] = rig.shared->n_findings;
                fake_rig_close(&rig);
            }
            for (int with = 1; with < 3; with++) {
                assert_int_equal(finals[0], finals[with]);
                assert_int_equal(hashes[0], hashes[with]);
                assert_int_equal(findings[0], findings[with]);
            }
        }
}

/* Exact states and hashes: the same numbers, and fewer events than without. */
static void test_states_are_counted(void **state)
{
    struct fake_thread threads[3];
    struct fake_program p = { 3, threads };
    uint64_t states[2];
    (void)state;
    for (uint32_t t = 0; t < 3; t++) {
        threads[t].n = 3;
        for (int i = 0; i < 3; i++)
            threads[t].steps[i] =
                (struct fake_step){ .op = HD_OP_WRITE, .object = (uint8_t)(8 * t), .size = 8 };
    }
    for (size_t k = 0; k < 2; k++) {
        struct fake_rig rig;
        fake_rig_open(&rig, &p);
        rig.shared->options.filters = kinds[k];
        fake_rig_run(&rig);
        states[k] = rig.shared->cnt.states;
        assert_int_equal(rig.shared->cnt.executions, 1);
        fake_rig_close(&rig);
    }
    assert_int_equal(states[0], states[1]);
    assert_in_range(states[0], 4 * 4 * 4 - 1, 4 * 4 * 4); /* the last state may not be stored */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pairs),
        cmocka_unit_test(test_factorial_and_power),
        cmocka_unit_test(test_failed_trylocks_commute),
        cmocka_unit_test(test_ends_are_counted_once),
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_race_reversals),
        cmocka_unit_test(test_undo_and_restart),
        cmocka_unit_test(test_with_preemption_bound),
        cmocka_unit_test(test_states_are_counted),
    };
    return cmocka_run_group_tests_name("explorer_reduce", tests, NULL, NULL);
}
