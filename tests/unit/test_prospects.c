/* What the first slices of a portfolio tell about its searches (supervise/prospects.h). */
#include "supervise/prospects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

static struct hd_counters after(uint64_t work, double explored, uint64_t alike)
{
    return (struct hd_counters){ .events = work, .explored = explored, .alike = alike };
}

/* The first slice of a portfolio, as portfolio.c has it for programs with locks. */
static bool used_up(struct hd_counters c)
{
    struct hd_options *o = calloc(1, sizeof *o);
    o->max_work = 8000;
    o->near_work = 65000;
    o->near_expected = 200000;
    o->states_work = 4000;
    bool over = hd_work_used_up(o, &c);
    free(o);
    return over;
}

/* It goes on at once if little is left, and ends early where states are likely to be fewer, unless
 * its end is nearer still. */
static void test_near(void **state)
{
    (void)state;
    assert_false(used_up(after(7999, 0.0001, 1)));
    assert_false(used_up(after(8000, 0.25, 1)));
    assert_true(used_up(after(65000, 0.49, 1)));
    assert_false(used_up(after(65000, 0.5, 1)));
    assert_true(used_up(after(195000, 0.99, 1)));
    assert_true(used_up(after(8000, 0.01, 1)));
    assert_true(used_up(after(8000, 0, 1)));
    assert_true(used_up(after(8000, 0.25, 3)));
    assert_true(used_up(after(4000, 0.1, 3)));
    assert_false(used_up(after(3999, 0.1, 3)));
    assert_false(used_up(after(4000, 0.5, 3)));
    assert_false(used_up(after(8000, 0.6, 3)));
    struct hd_options none = { 0 };
    struct hd_counters some = after(8000, 0.01, 3);
    assert_false(hd_work_used_up(&none, &some));
}

/* Five threads that compete have 120 orders, and 1 + 5 + 20 + 60 nodes with several of them to choose from; of
 * threads that meet in pairs, n choices make n + 1 orders at least. */
static void test_contended(void **state)
{
    (void)state;
    struct hd_counters all = after(8000, 0.1, 1), pairs = all, few = all;
    all.executions = pairs.executions = 120;
    all.choices = 86;
    pairs.choices = 119;
    few.executions = 6; /* three threads: too few to tell */
    few.choices = 4;
    assert_true(hd_work_contended(&all));
    assert_false(hd_work_contended(&pairs));
    assert_false(hd_work_contended(&few));
    assert_true(used_up(all)); /* although the end is near */
    assert_false(used_up(pairs));
}

/* A search over graphs comes first near the end, where threads do not compete and are not alike, and, for a
 * moment, where no end is in sight. */
static void test_graphs(void **state)
{
    (void)state;
    struct hd_counters near = after(8000, 0.25, 1), alike = after(8000, 0.25, 3),
                       far = after(8000, 0.01, 1), hopeless = after(8000, 1e-5, 3);
    assert_int_equal(hd_prospects_graphs(&near).work, 300000);
    assert_int_equal(hd_prospects_graphs(&alike).work, 0);
    assert_int_equal(hd_prospects_graphs(&far).work, 0);
    assert_int_equal(hd_prospects_graphs(&hopeless).work, 8000);
    hd_prospects_missed(&near);
    assert_int_equal(hd_prospects_graphs(&near).work, 300000);
    hd_prospects_missed(&near); /* 800,000 */
    assert_int_equal(hd_prospects_graphs(&near).work, 0);
}

/* The slice grows with what is left, up to a bound beyond which nothing is believed. */
static void test_slice(void **state)
{
    (void)state;
    struct hd_slice least = { 300000, 0.5 };
    struct hd_counters little = after(8000, 0.5, 1), some = after(8000, 0.02, 1),
                       much = after(8000, 0.001, 1), unknown = after(8000, 0, 1);
    assert_false(hd_prospects_sampled(&some)); /* 400,000 */
    assert_true(hd_prospects_sampled(&much));
    assert_false(hd_prospects_sampled(&unknown));
    assert_int_equal(hd_prospects_slice(&little, least).work, 300000);
    assert_int_equal(hd_prospects_slice(&some, least).work, 2000000);
    assert_int_equal(hd_prospects_slice(&much, least).work, 300000);
    struct hd_counters more = after(8000, 0.008, 1);
    assert_int_equal(hd_prospects_slice(&more, least).work, 4000000);
    assert_int_equal(hd_prospects_slice(&unknown, least).work, 300000);
    assert_false(hd_prospects_is_long(hd_prospects_slice(&little, least)));
    assert_true(hd_prospects_is_long(hd_prospects_slice(&some, least)));
}

/* A tree of which nothing is explored.  Where executions were cut, nothing is known of it. */
static void test_none(void **state)
{
    (void)state;
    struct hd_counters none = after(8000, 1e-80, 1), some = after(8000, 1e-10, 1), cut = none;
    cut.dropped[HD_FILTER_INDEX_DEPTH] = 1;
    assert_true(hd_prospects_none(&none));
    assert_false(hd_prospects_none(&some));
    assert_false(hd_prospects_none(&cut));
    struct hd_counters hopeless = after(8000, 1e-9, 1), long_way = after(8000, 1e-8, 1),
                       unknown = after(8000, 0, 1);
    assert_true(hd_prospects_hopeless(&hopeless));
    assert_false(hd_prospects_hopeless(&long_way));
    assert_false(hd_prospects_hopeless(&unknown));
}

/* Ten threads of different kinds have too many states, thirty that are alike have few. */
static void test_states(void **state)
{
    (void)state;
    struct hd_counters different = after(8000, 0.1, 1), several = after(8000, 0.1, 3),
                       many = after(8000, 0.1, 40), more = after(8000, 0.02, 5);
    assert_int_equal(hd_prospects_states(&different, 9, false).work, 20000);
    assert_int_equal(hd_prospects_states(&different, 10, false).work, 0);
    assert_true(hd_prospects_states_later(&different));
    struct hd_counters hopeless = after(8000, 1e-12, 1), unknown = after(8000, 0, 1);
    assert_false(hd_prospects_states_later(&hopeless));
    assert_false(hd_prospects_states_later(&unknown));
    assert_int_equal(hd_prospects_states(&several, 5, false).work, 60000);
    assert_int_equal(hd_prospects_states(&many, 42, true).work, 2000);
    assert_int_equal(hd_prospects_states(&many, 42, false).work, 6000);
    /* where a search of traces is far from its end, and one over graphs does not follow, longer */
    assert_int_equal(hd_prospects_states(&more, 6, false).work, 48000);
    assert_int_equal(hd_prospects_states(&more, 6, true).work, 16000);
    /* threads that compete: n! orders, 2^n states */
    different.executions = hopeless.executions = 500;
    different.choices = hopeless.choices = 360;
    assert_int_equal(hd_prospects_states(&different, 9, true).work, 60000);
    assert_int_equal(hd_prospects_states(&different, 10, true).work, 60000);
    assert_int_equal(hd_prospects_states(&hopeless, 10, false).work, 0);
    struct hd_counters nothing = after(20000, 1e-40, 1);
    assert_false(hd_prospects_goes_on(&different, &nothing));
    assert_true(hd_prospects_goes_on(&several, &nothing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near),   cmocka_unit_test(test_contended),
        cmocka_unit_test(test_graphs), cmocka_unit_test(test_slice),
        cmocka_unit_test(test_none),   cmocka_unit_test(test_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
