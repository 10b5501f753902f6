/* How executions end: findings, crashes of the worker, programs that are not deterministic. */
#include "fake_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

/* A writer of 1 and 2, and a reader that fails when it reads `when`; each with a step that is
 * independent of the other thread. */
static void reader_and_writer(struct fake_thread *threads, uint8_t note, uint8_t when)
{
    memset(threads, 0, 2 * sizeof *threads);
    threads[0].n = 3;
    threads[0].steps[0] = (struct fake_step){ .op = HD_OP_READ, .object = 16, .size = 1 };
    threads[0].steps[1] = (struct fake_step){ .op = HD_OP_WRITE, .size = 1, .value = 1 };
    threads[0].steps[2] = (struct fake_step){ .op = HD_OP_WRITE, .size = 1, .value = 2 };
    threads[1].n = 3;
    threads[1].steps[0] =
        (struct fake_step){ .op = HD_OP_READ, .size = 1, .note = note, .when = when };
    threads[1].steps[1] =
        (struct fake_step){ .op = HD_OP_READ, .size = 1, .note = note, .when = when };
    threads[1].steps[2] = (struct fake_step){ .op = HD_OP_READ, .object = 8, .size = 1 };
}

static void test_findings_are_distinct(void **state)
{
    struct fake_thread threads[2];
    struct fake_program p = { 2, threads };
    struct fake_sums sums;
    struct fake_rig rig;
    (void)state;
    reader_and_writer(threads, FAKE_FAILS, 1);
    fake_enumerate(&p, &sums);
    assert_true(sums.failures > 2);
    fake_rig_open(&rig, &p);
    fake_rig_run(&rig);
    assert_int_equal(rig.shared->cnt.executions, sums.runs);
    assert_int_equal(rig.shared->n_findings, 2); /* two places, many runs */
    assert_int_equal(rig.shared->n_lost, 0);
    assert_true(rig.shared->findings[0].fingerprint != rig.shared->findings[1].fingerprint);
    for (uint32_t i = 0; i < 2; i++) {
        const struct hd_finding *f = &rig.shared->findings[i];
        assert_int_equal(f->kind, HD_KIND_ASSERTION);
        assert_in_range(f->execution, 1, sums.runs);
        assert_true(fake_world_fails(&p, rig.shared->schedule + f->schedule, f->n_steps));
    }
    fake_rig_close(&rig);
}

static void test_stops_at_the_first(void **state)
{
    struct fake_thread threads[2];
    struct fake_program p = { 2, threads };
    struct fake_rig rig;
    (void)state;
    reader_and_writer(threads, FAKE_FAILS, 1);
    fake_rig_open(&rig, &p);
    rig.shared->options.keep_going = 0;
    assert_int_equal(fake_rig_run(&rig), FAKE_STOPPED);
    assert_int_equal(rig.shared->ctl.state, HD_STATE_STOPPED);
    assert_int_equal(rig.shared->n_findings, 1);
    assert_int_equal(rig.shared->cnt.finished, 0);
    assert_int_equal(rig.shared->findings[0].execution, rig.shared->cnt.executions);
    fake_rig_close(&rig);
}

/* The reader fails between the two writes only: that takes a preemption. */
static void test_preemptions_of_a_finding(void **state)
{
    struct fake_thread threads[2];
    struct fake_program p = { 2, threads };
    (void)state;
    reader_and_writer(threads, FAKE_FAILS, 1);
    for (uint32_t bound = 0; bound < 2; bound++) {
        struct fake_rig rig;
        fake_rig_open(&rig, &p);
        rig.shared->options.filters = HD_FILTER_PREEMPTIONS;
        rig.shared->options.preemptions = bound;
        fake_rig_run(&rig);
        assert_int_equal(rig.shared->n_findings, bound);
        if (bound)
            assert_int_equal(rig.shared->findings[0].preemptions, 1);
        fake_rig_close(&rig);
    }
}

static void test_invariant(void **state)
{
    struct fake_thread threads[2];
    struct fake_program p = { 2, threads };
    struct fake_rig rig;
    (void)state;
    reader_and_writer(threads, FAKE_PLAIN, 0);
    fake_rig_open(&rig, &p);
    rig.world.invariant_byte = 1; /* broken as soon as the first write is done */
    fake_rig_run(&rig);
    assert_int_equal(rig.shared->n_findings, 1);
    assert_int_equal(rig.shared->findings[0].kind, HD_KIND_INVARIANT);
    /* the writer's read and the reader's first i steps in any order, then the write: i + 1 orders,
     * for i from 0 to 3 */
    assert_int_equal(rig.shared->cnt.executions, 1 + 2 + 3 + 4);
    fake_rig_close(&rig);
}

/* A new worker goes on where the one before died.  `again`: the death was not the program's. */
static void go_on(struct fake_rig *rig, const struct fake_program *p, bool again)
{
    struct hd_finding crash = rig->world.crash;
    struct fake_world fresh;
    fake_world_init(&fresh, p);
    fresh.restarts = rig->world.restarts;
    fake_world_release(&rig->world);
    rig->world = fresh;
    rig->world.config.next = rig->world.next;
    rig->world.world.self = &rig->world;
    rig->world.world.config = &rig->world.config;
    hd_explorer_revive(rig->ex, &rig->world.world, again ? NULL : &crash);
}

static void test_crashes(void **state)
{
    (void)state;
    for (int restarts = 0; restarts < 2; restarts++)
        for (uint8_t when = 0; when < 3; when++) {
            struct fake_thread threads[2];
            struct fake_program p = { 2, threads };
            struct fake_sums sums;
            struct fake_rig rig;
            uint64_t crashes = 0;
            reader_and_writer(threads, FAKE_CRASHES, when);
            fake_enumerate(&p, &sums);
            fake_rig_open(&rig, &p);
            rig.world.restarts = restarts;
            enum fake_end end = fake_rig_run(&rig);
            while (end == FAKE_CRASHED) {
                crashes++;
                go_on(&rig, &p, false);
                if (rig.shared->ctl.state == HD_STATE_DONE)
                    break;
                end = fake_world_explore(&rig.world, rig.ex);
            }
            assert_int_equal(rig.shared->ctl.state, HD_STATE_DONE);
            assert_int_equal(crashes, sums.crashes);
            assert_int_equal(rig.shared->cnt.executions, sums.runs);
            assert_int_equal(rig.shared->cnt.finished, 1);
            for (uint32_t i = 0; i < rig.shared->n_findings; i++) {
                const struct hd_finding *f = &rig.shared->findings[i];
                assert_int_equal(f->kind, HD_KIND_CRASH);
                assert_true(fake_world_fails(&p, rig.shared->schedule + f->schedule, f->n_steps));
            }
            fake_rig_close(&rig);
        }
}

/* The worker is killed at its 2nd, 4th, … end and the execution run again: nothing is lost,
 * nothing is counted twice. */
static void test_interrupted_execution_runs_again(void **state)
{
    static const uint32_t filters[] = { 0, HD_FILTER_NOT_SEEN, HD_FILTER_PREEMPTIONS };
    (void)state;
    for (size_t k = 0; k < 3; k++) {
        struct fake_thread threads[2];
        struct fake_program p = { 2, threads };
        struct fake_sums sums;
        struct fake_rig rig;
        reader_and_writer(threads, FAKE_CRASHES, 1);
        fake_rig_open(&rig, &p);
        rig.shared->options.filters = filters[k];
        rig.shared->options.preemptions = 100;
        enum fake_end end = fake_rig_run(&rig);
        while (end == FAKE_CRASHED) {
            /* the second time the reader does not fail */
            struct fake_program calm = p;
            struct fake_thread calm_threads[2];
            memcpy(calm_threads, threads, sizeof threads);
            calm_threads[1].steps[0].note = calm_threads[1].steps[1].note = FAKE_PLAIN;
            calm.threads = calm_threads;
            go_on(&rig, &calm, true);
            end = fake_world_explore(&rig.world, rig.ex);
            assert_int_equal(end, FAKE_STOPPED);
        }
        threads[1].steps[0].note = threads[1].steps[1].note = FAKE_PLAIN;
        fake_enumerate(&p, &sums);
        assert_int_equal(rig.shared->cnt.executions,
                         filters[k] == HD_FILTER_NOT_SEEN ? sums.traces : sums.runs);
        assert_int_equal(rig.shared->n_findings, 0);
        fake_rig_close(&rig);
    }
}

/* Actions that differ from those before are noticed when steps are run again, and named. */
static void test_nondeterminism(void **state)
{
    struct fake_thread threads[2];
    struct fake_program p = { 2, threads };
    struct fake_rig rig;
    (void)state;
    reader_and_writer(threads, FAKE_PLAIN, 0);
    fake_rig_open(&rig, &p);
    rig.world.restarts = true;
    rig.world.changes_after = 2;
    assert_int_equal(fake_rig_run(&rig), FAKE_STOPPED);
    assert_int_equal(rig.shared->ctl.state, HD_STATE_DIVERGED);
    assert_non_null(strstr(rig.shared->ctl.error, "not deterministic"));
    assert_non_null(strstr(rig.shared->ctl.error, "step 1"));
    assert_int_equal(rig.shared->cnt.finished, 0);
    assert_int_equal(rig.shared->n_findings, 0);
    fake_rig_close(&rig);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_findings_are_distinct),
        cmocka_unit_test(test_stops_at_the_first),
        cmocka_unit_test(test_preemptions_of_a_finding),
        cmocka_unit_test(test_invariant),
        cmocka_unit_test(test_crashes),
        cmocka_unit_test(test_interrupted_execution_runs_again),
        cmocka_unit_test(test_nondeterminism),
    };
    return cmocka_run_group_tests_name("explorer_ends", tests, NULL, NULL);
}
