/* Depth-first search, its orders and its bounds, against the fake world. */
#include "fake_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

/* n threads of that many reads each of a byte of their own. */
static void readers(struct fake_thread *threads, const uint32_t *steps, uint32_t n)
{
    for (uint32_t t = 0; t < n; t++) {
        threads[t].n = steps[t];
        for (uint32_t i = 0; i < steps[t]; i++)
            threads[t].steps[i] =
                (struct fake_step){ .op = HD_OP_READ, .object = (uint8_t)(8 * t), .size = 1 };
    }
}

static uint64_t multinomial(const uint32_t *steps, uint32_t n)
{
    uint64_t product = 1, at = 0;
    for (uint32_t t = 0; t < n; t++)
        for (uint64_t i = 1; i <= steps[t]; i++)
            product = product * ++at / i;
    return product;
}

static void test_multinomials(void **state)
{
    static const uint32_t shapes[][3] = { { 1, 0, 0 }, { 1, 1, 0 }, { 3, 2, 0 }, { 4, 4, 0 },
                                          { 2, 2, 2 }, { 1, 2, 3 }, { 3, 3, 3 } };
    (void)state;
    for (size_t i = 0; i < COUNT(shapes); i++)
        for (int restarts = 0; restarts < 2; restarts++) {
            struct fake_thread threads[3];
            struct fake_program p = { 3, threads };
            struct fake_rig rig;
            readers(threads, shapes[i], 3);
            fake_rig_open(&rig, &p);
            rig.world.restarts = restarts;
            assert_int_equal(fake_rig_run(&rig), FAKE_STOPPED);
            assert_int_equal(rig.shared->cnt.executions, multinomial(shapes[i], 3));
            assert_int_equal(rig.shared->cnt.finished, 1);
            assert_int_equal(rig.shared->ctl.state, HD_STATE_DONE);
            assert_int_equal(rig.shared->cnt.max_depth,
                             shapes[i][0] + shapes[i][1] + shapes[i][2]);
            assert_int_equal(rig.shared->n_findings, 0);
            assert_false(rig.world.repeated);
            fake_rig_close(&rig);
        }
}

/* Of 2 threads with 2 steps each: 6 runs; their common prefixes are run once when the world can go
 * back to any depth (2 + 4 + 6 + 6 steps), and again when it can't. */
static void test_prefixes_are_not_run_again(void **state)
{
    static const uint32_t shape[] = { 2, 2 };
    (void)state;
    for (int restarts = 0; restarts < 2; restarts++) {
        struct fake_thread threads[2];
        struct fake_program p = { 2, threads };
        struct fake_rig rig;
        readers(threads, shape, 2);
        fake_rig_open(&rig, &p);
        rig.world.restarts = restarts;
        fake_rig_run(&rig);
        assert_int_equal(rig.shared->cnt.events, 2 + 4 + 6 + 6);
        assert_int_equal(rig.shared->cnt.replayed, restarts ? 6 * 4 - 18 : 0);
        assert_int_equal(rig.world.rewinds, 5);
        fake_rig_close(&rig);
    }
}

/* Lock in opposite order.  Stuck: both take their first lock, 2 orders.  Otherwise one of them has
 * both locks before the other has any; the other's first lock comes before or after the winner's
 * last unlock: 2 x 2. */
static void test_deadlock(void **state)
{
    struct fake_thread threads[2] = { { .n = 4 }, { .n = 4 } };
    struct fake_program p = { 2, threads };
    struct fake_rig rig;
    (void)state;
    for (uint8_t t = 0; t < 2; t++) {
        threads[t].steps[0] = (struct fake_step){ .op = HD_OP_LOCK, .object = t };
        threads[t].steps[1] = (struct fake_step){ .op = HD_OP_LOCK, .object = 1 - t };
        threads[t].steps[2] = (struct fake_step){ .op = HD_OP_UNLOCK, .object = 1 - t };
        threads[t].steps[3] = (struct fake_step){ .op = HD_OP_UNLOCK, .object = t };
    }
    fake_rig_open(&rig, &p);
    fake_rig_run(&rig);
    assert_int_equal(rig.shared->cnt.executions, 6);
    assert_int_equal(rig.shared->n_findings, 1);
    const struct hd_finding *f = &rig.shared->findings[0];
    assert_int_equal(f->kind, HD_KIND_DEADLOCK);
    assert_string_equal(f->message, "described");
    assert_int_equal(f->n_standings, 2);
    assert_int_equal(f->n_steps, 2);
    assert_true(fake_world_fails(&p, rig.shared->schedule + f->schedule, f->n_steps));
    fake_rig_close(&rig);
}

/* Threads 0 and 1 wait, thread 2 signals: a signal that finds both waiters has two
 * alternatives. */
static void test_choices(void **state)
{
    struct fake_thread threads[3] = { { .n = 2 }, { .n = 2 }, { .n = 1 } };
    struct fake_program p = { 3, threads };
    struct fake_sums sums;
    struct fake_rig rig;
    (void)state;
    for (uint8_t t = 0; t < 2; t++) {
        threads[t].steps[0] = (struct fake_step){ .op = HD_OP_LOCK };
        threads[t].steps[1] = (struct fake_step){ .op = HD_OP_WAIT };
    }
    threads[2].steps[0] = (struct fake_step){ .op = HD_OP_SIGNAL };
    fake_enumerate(&p, &sums);
    fake_rig_open(&rig, &p);
    fake_rig_run(&rig);
    assert_int_equal(rig.shared->cnt.executions, sums.runs);
    bool chosen[2] = { false, false };
    for (uint32_t i = 0; i < rig.shared->n_findings; i++) {
        const struct hd_finding *f = &rig.shared->findings[i];
        assert_int_equal(f->kind, HD_KIND_DEADLOCK);
        for (uint32_t d = 0; d < f->n_steps; d++)
            if (HD_STEP_THREAD(rig.shared->schedule[f->schedule + d]) == 2)
                chosen[HD_STEP_CHOICE(rig.shared->schedule[f->schedule + d])] = true;
    }
    assert_true(chosen[0] && chosen[1]);
    fake_rig_close(&rig);
}

static void test_random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 150; seed++)
        for (int restarts = 0; restarts < 2; restarts++) {
            struct fake_thread threads[3];
            struct fake_program p;
            struct fake_sums sums;
            struct fake_rig rig;
            fake_random_program(seed, threads, &p);
            fake_enumerate(&p, &sums);
            fake_rig_open(&rig, &p);
            rig.world.restarts = restarts;
            rig.shared->options.filters = HD_FILTER_TRACES;
            fake_rig_run(&rig);
            assert_int_equal(rig.shared->cnt.executions, sums.runs);
            assert_int_equal(rig.shared->cnt.traces, sums.traces);
            assert_int_equal(rig.world.n_finals, sums.finals);
            assert_int_equal(fake_finals_hash(&rig.world), sums.finals_hash);
            assert_int_equal(rig.shared->n_findings > 0, sums.failures + sums.deadlocks > 0);
            for (uint32_t i = 0; i < rig.shared->n_findings; i++)
                assert_true(
                    fake_world_fails(&p, rig.shared->schedule + rig.shared->findings[i].schedule,
                                     rig.shared->findings[i].n_steps));
            fake_rig_close(&rig);
        }
}

/* 2 threads of 2 steps cut after 3: all words of length 3 but 000 and 111. */
static void test_depth_bound(void **state)
{
    static const uint32_t shape[] = { 2, 2 };
    struct fake_thread threads[2];
    struct fake_program p = { 2, threads };
    struct fake_rig rig;
    (void)state;
    readers(threads, shape, 2);
    for (uint32_t depth = 3; depth < 5; depth++) {
        fake_rig_open(&rig, &p);
        rig.shared->options.depth = depth;
        rig.shared->options.filters = HD_FILTER_DEPTH;
        fake_rig_run(&rig);
        assert_int_equal(rig.shared->cnt.executions, depth == 3 ? 0 : 6);
        assert_int_equal(rig.shared->cnt.bounded, depth == 3 ? 6 : 0);
        assert_int_equal(rig.shared->cnt.dropped[HD_FILTER_INDEX_DEPTH], depth == 3);
        assert_int_equal(rig.shared->cnt.finished, 1);
        fake_rig_close(&rig);
    }
}

/* Two threads of n steps: without a preemption one runs after the other (2 runs); with one, the
 * first of them is left at one of n - 1 places, and the other runs to its end: 2 (n - 1) more. */
static void test_preemption_bound(void **state)
{
    static const uint32_t shape[] = { 4, 4 };
    struct fake_thread threads[2];
    struct fake_program p = { 2, threads };
    struct fake_sums sums;
    (void)state;
    readers(threads, shape, 2);
    fake_enumerate(&p, &sums);
    assert_int_equal(sums.by_preemptions[0], 2);
    assert_int_equal(sums.by_preemptions[1], 6);
    for (int iterative = 0; iterative < 2; iterative++) {
        uint64_t expected = 0;
        for (uint32_t k = 0; k < 8; k++) {
            struct fake_rig rig;
            expected += sums.by_preemptions[k];
            fake_rig_open(&rig, &p);
            rig.shared->options.filters = HD_FILTER_PREEMPTIONS;
            rig.shared->options.preemptions = k;
            rig.shared->options.iterative = (uint32_t)iterative;
            fake_rig_run(&rig);
            assert_int_equal(rig.shared->cnt.executions, expected);
            assert_int_equal(rig.shared->cnt.dropped[HD_FILTER_INDEX_PREEMPTIONS],
                             expected < sums.runs);
            assert_int_equal(rig.shared->cnt.finished, 1);
            fake_rig_close(&rig);
        }
        assert_int_equal(expected, sums.runs);
    }
}

static void test_preemptions_of_random_programs(void **state)
{
    (void)state;
    for (uint64_t seed = 0; seed < 120; seed++) {
        struct fake_thread threads[3];
        struct fake_program p;
        struct fake_sums sums;
        uint64_t expected = 0;
        fake_random_program(seed, threads, &p);
        fake_enumerate(&p, &sums);
        for (uint32_t k = 0; k < 4; k++) {
            struct fake_rig rig;
            expected += sums.by_preemptions[k];
            fake_rig_open(&rig, &p);
            rig.shared->options.filters = HD_FILTER_PREEMPTIONS;
            rig.shared->options.preemptions = k;
            rig.shared->options.iterative = seed & 1;
            fake_rig_run(&rig);
            assert_int_equal(rig.shared->cnt.executions, expected);
            fake_rig_close(&rig);
        }
    }
}

/* A switch away from a thread that yields is no preemption. */
static void test_yield_is_no_preemption(void **state)
{
    struct fake_thread threads[2] = { { .n = 2 }, { .n = 2 } };
    struct fake_program p = { 2, threads };
    struct fake_rig rig;
    (void)state;
    for (int t = 0; t < 2; t++)
        for (int i = 0; i < 2; i++)
            threads[t].steps[i].op = HD_OP_YIELD;
    fake_rig_open(&rig, &p);
    rig.shared->options.filters = HD_FILTER_PREEMPTIONS;
    fake_rig_run(&rig);
    assert_int_equal(rig.shared->cnt.executions, 6);
    assert_int_equal(rig.shared->cnt.dropped[HD_FILTER_INDEX_PREEMPTIONS], 0);
    fake_rig_close(&rig);
}

struct order {
    uint64_t digest, executions, first;
};

static struct order explore_ordered(const struct fake_program *p, bool shuffled, uint64_t seed)
{
    struct fake_rig rig;
    fake_rig_open(&rig, p);
    rig.shared->options.shuffled = shuffled;
    rig.shared->options.seed = seed;
    rig.shared->options.digest = 1;
    fake_rig_run(&rig);
    struct order o = { rig.shared->cnt.digest, rig.shared->cnt.executions,
                       rig.world.schedules[0] };
    assert_false(rig.world.repeated);
    fake_rig_close(&rig);
    return o;
}

static void test_seeded_order(void **state)
{
    static const uint32_t shape[] = { 3, 3, 3 };
    struct fake_thread threads[3];
    struct fake_program p = { 3, threads };
    (void)state;
    readers(threads, shape, 3);
    struct order plain = explore_ordered(&p, false, 0), one = explore_ordered(&p, true, 1);
    struct order again = explore_ordered(&p, true, 1), two = explore_ordered(&p, true, 2);
    assert_int_equal(plain.executions, 1680);
    assert_int_equal(one.executions, 1680);
    assert_int_equal(two.executions, 1680);
    assert_true(one.digest == again.digest && one.first == again.first);
    assert_true(one.digest != two.digest && one.digest != plain.digest);
}

/* Walks end only by their bound; they meet more than one schedule, and the same ones again with
 * the same seed. */
static void test_random_walk(void **state)
{
    static const uint32_t shape[] = { 3, 3 };
    struct fake_thread threads[2];
    struct fake_program p = { 2, threads };
    uint64_t digests[3];
    (void)state;
    readers(threads, shape, 2);
    for (int i = 0; i < 3; i++) {
        struct fake_rig rig;
        fake_rig_open(&rig, &p);
        rig.shared->options.search = HD_SEARCH_RANDOM;
        rig.shared->options.seed = i < 2 ? 5 : 6;
        rig.shared->options.max_executions = 400;
        rig.shared->options.digest = 1;
        fake_rig_run(&rig);
        digests[i] = rig.shared->cnt.digest;
        assert_int_equal(rig.shared->cnt.executions, 400);
        assert_int_equal(rig.shared->cnt.finished, 0);
        assert_int_equal(rig.shared->ctl.state, HD_STATE_DONE);
        uint32_t distinct = 0;
        for (uint32_t a = 0; a < rig.world.n_schedules; a++) {
            uint32_t b = 0;
            while (b < a && rig.world.schedules[b] != rig.world.schedules[a])
                b++;
            distinct += a == b;
        }
        /* each of the 20 schedules has a chance of at least 1/32 every time */
        assert_int_equal(distinct, 20);
        fake_rig_close(&rig);
    }
    assert_true(digests[0] == digests[1] && digests[0] != digests[2]);
}

static void test_execution_bound_and_stop(void **state)
{
    static const uint32_t shape[] = { 4, 4 };
    struct fake_thread threads[2];
    struct fake_program p = { 2, threads };
    struct fake_rig rig;
    (void)state;
    readers(threads, shape, 2);
    fake_rig_open(&rig, &p);
    rig.shared->options.max_executions = 7;
    fake_rig_run(&rig);
    assert_int_equal(rig.shared->cnt.executions, 7);
    assert_int_equal(rig.shared->cnt.finished, 0);
    fake_rig_close(&rig);
    fake_rig_open(&rig, &p);
    rig.shared->ctl.stop = 1;
    fake_rig_run(&rig);
    assert_int_equal(rig.shared->cnt.executions, 1);
    assert_int_equal(rig.shared->cnt.finished, 0);
    fake_rig_close(&rig);
}

/* No thread releases the lock: as many runs as threads, each a deadlock of its own. */
static void test_many_threads(void **state)
{
    enum { N = 130 };
    static struct fake_thread threads[N];
    struct fake_program p = { N, threads };
    (void)state;
    for (uint32_t t = 0; t < N; t++) {
        threads[t].n = 1;
        threads[t].steps[0] = (struct fake_step){ .op = HD_OP_LOCK };
    }
    static const uint32_t filters[] = { 0, HD_FILTER_NOT_SEEN };
    for (size_t i = 0; i < COUNT(filters); i++) {
        struct fake_rig rig;
        fake_rig_open(&rig, &p);
        rig.shared->options.filters = filters[i];
        fake_rig_run(&rig);
        assert_int_equal(rig.shared->cnt.executions, N);
        assert_int_equal(rig.shared->cnt.finished, 1);
        assert_in_range(rig.shared->n_findings, 1, N);
        fake_rig_close(&rig);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_multinomials),
        cmocka_unit_test(test_prefixes_are_not_run_again),
        cmocka_unit_test(test_deadlock),
        cmocka_unit_test(test_choices),
        cmocka_unit_test(test_random_programs),
        cmocka_unit_test(test_depth_bound),
        cmocka_unit_test(test_preemption_bound),
        cmocka_unit_test(test_preemptions_of_random_programs),
        cmocka_unit_test(test_yield_is_no_preemption),
        cmocka_unit_test(test_seeded_order),
        cmocka_unit_test(test_random_walk),
        cmocka_unit_test(test_execution_bound_and_stop),
        cmocka_unit_test(test_many_threads),
    };
    return cmocka_run_group_tests_name("explorer", tests, NULL, NULL);
}
