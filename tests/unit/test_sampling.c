/* Searches that sample, against the fake world: they find what their papers promise, as often as
 * they promise it, and the same again with the same seed. */
#include "fake_world.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#define MOST 1000 /* executions in which the bug is looked for */

static struct fake_step step(enum hd_op op, uint8_t object, uint8_t value)
{
    return (struct fake_step){ .op = (uint16_t)op, .object = object, .size = 1, .value = value };
}

static struct fake_step reads_one(void)
{
    struct fake_step s = step(HD_OP_READ, 0, 0);
    s.note = FAKE_FAILS;
    s.when = 1;
    return s;
}

static void add(struct fake_thread *t, struct fake_step s) { t->steps[t->n++] = s; }

static void pad(struct fake_thread *t, uint8_t own, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        add(t, step(HD_OP_READ, own, 0));
}

struct sampled {
    uint64_t executions; /* up to the violation, MOST when there was none */
    uint64_t digest;
    uint32_t n_findings;
};

static struct sampled sample(const struct fake_program *p, enum hd_search search, uint32_t depth,
                             uint64_t seed)
{
    struct fake_rig rig;
    fake_rig_open(&rig, p);
    rig.shared->options.search = search;
    rig.shared->options.pct_depth = depth;
    rig.shared->options.seed = seed;
    rig.shared->options.max_executions = MOST;
    rig.shared->options.keep_going = 0;
    rig.shared->options.digest = 1;
    rig.shared->options.paranoid = 1;
    fake_rig_run(&rig);
    struct sampled s = { rig.shared->cnt.executions, rig.shared->cnt.digest,
                         rig.shared->n_findings };
    assert_int_equal(rig.shared->cnt.finished, 0);
    if (s.n_findings) {
        const struct hd_finding *f = &rig.shared->findings[0];
        assert_true(fake_world_fails(p, rig.shared->schedule + f->schedule, f->n_steps));
    } else {
        assert_int_equal(s.executions, MOST);
    }
    fake_rig_close(&rig);
    return s;
}

/* Executions until the violation, on average over seeds. */
static double mean(const struct fake_program *p, enum hd_search search, uint32_t depth, int seeds)
{
    uint64_t sum = 0;
    for (int i = 0; i < seeds; i++)
        sum += sample(p, search, depth, 1000 + (uint64_t)i).executions;
    return (double)sum / seeds;
}

/* The second thread must read between two writes of the first: two orderings, of two threads with
 * k = 16 steps together, so one in n k = 32 executions at least. */
static void test_pct_keeps_its_promise(void **state)
{
    struct fake_thread threads[2] = { 0 };
    struct fake_program p = { 2, threads };
    (void)state;
    pad(&threads[0], 8, 6);
    add(&threads[0], step(HD_OP_WRITE, 0, 1));
    add(&threads[0], step(HD_OP_WRITE, 0, 0));
    pad(&threads[1], 16, 7);
    add(&threads[1], reads_one());
    assert_in_range((uint64_t)mean(&p, HD_SEARCH_PCT, 2, 60), 2, 40);
    /* with one ordering the threads run one after the other */
    assert_int_equal(sample(&p, HD_SEARCH_PCT, 1, 1).n_findings, 0);
}

/* Three threads, no change: six serial runs, all of which come. */
static void test_pct_without_changes_is_serial(void **state)
{
    struct fake_thread threads[3] = { 0 };
    struct fake_program p = { 3, threads };
    struct fake_rig rig;
    (void)state;
    for (uint8_t t = 0; t < 3; t++)
        pad(&threads[t], (uint8_t)(8 * t), 4);
    fake_rig_open(&rig, &p);
    rig.shared->options.search = HD_SEARCH_PCT;
    rig.shared->options.pct_depth = 1;
    rig.shared->options.max_executions = 200;
    fake_rig_run(&rig);
    uint32_t distinct = 0;
    for (uint32_t a = 0; a < rig.world.n_schedules; a++) {
        uint32_t b = 0;
        while (b < a && rig.world.schedules[b] != rig.world.schedules[a])
            b++;
        distinct += a == b;
    }
    assert_int_equal(distinct, 6);
    fake_rig_close(&rig);
}

/* The one read must come after the last of eleven steps of the other thread: its score must be the
 * lowest of eleven.  A random walk does that once in 2^11 executions. */
static void test_pos_is_fair(void **state)
{
    struct fake_thread threads[2] = { 0 };
    struct fake_program p = { 2, threads };
    (void)state;
    add(&threads[0], reads_one());
    pad(&threads[1], 16, 10);
    add(&threads[1], step(HD_OP_WRITE, 0, 1));
    assert_in_range((uint64_t)mean(&p, HD_SEARCH_POS, 0, 60), 7, 17);
    assert_in_range((uint64_t)mean(&p, HD_SEARCH_RANDOM, 0, 20), 300, MOST);
}

static void test_seeds(void **state)
{
    struct fake_thread threads[2] = { 0 };
    struct fake_program p = { 2, threads };
    (void)state;
    for (uint8_t t = 0; t < 2; t++)
        pad(&threads[t], (uint8_t)(8 * t), 5);
    for (enum hd_search s = HD_SEARCH_RANDOM; s <= HD_SEARCH_POS; s++) {
        assert_true(sample(&p, s, 3, 5).digest == sample(&p, s, 3, 5).digest);
        assert_true(sample(&p, s, 3, 5).digest != sample(&p, s, 3, 6).digest);
    }
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pct_keeps_its_promise),
        cmocka_unit_test(test_pct_without_changes_is_serial),
        cmocka_unit_test(test_pos_is_fair),
        cmocka_unit_test(test_seeds),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
