/* What the first slices of a portfolio tell about its searches (supervise/prospects.h). */
#include "supervise/prospects.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static struct hd_counters after(uint64_t work, double explored, uint64_t alike)
{
    return (struct hd_counters){ .events = work, .explored = explored, .alike = alike };
}

/* A search goes on at once if little is left, and not where states without names are fewer. */
static void test_near(void **state)
{
    (void)state;
    struct hd_counters near = after(8000, 0.25, 1), far = after(8000, 0.01, 1),
                       alike = after(8000, 0.25, 3), unknown = after(8000, 0, 1);
    assert_true(hd_prospects_near(&near));
    assert_false(hd_prospects_near(&far));
    assert_false(hd_prospects_near(&alike));
    assert_false(hd_prospects_near(&unknown));
}

/* The slice grows with what is left, up to a bound beyond which nothing is believed. */
static void test_slice(void **state)
{
    (void)state;
    struct hd_slice least = { 300000, 0.5 };
    struct hd_counters little = after(8000, 0.5, 1), some = after(8000, 0.02, 1),
                       much = after(8000, 0.001, 1), unknown = after(8000, 0, 1);
    assert_int_equal(hd_prospects_slice(&little, least).work, 300000);
    assert_int_equal(hd_prospects_slice(&some, least).work, 2000000);
    assert_int_equal(hd_prospects_slice(&much, least).work, 300000);
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
}

/* Ten threads of different kinds have too many states, thirty that are alike have few. */
static void test_states(void **state)
{
    (void)state;
    struct hd_counters different = after(8000, 0.1, 1), several = after(8000, 0.1, 3),
                       many = after(8000, 0.1, 40);
    assert_int_equal(hd_prospects_states(&different, 9).work, 20000);
    /* with more threads, a tenth of what a search of traces is expected to need */
    assert_int_equal(hd_prospects_states(&different, 10).work, 8000);
    struct hd_counters little = after(8000, 0.5, 1), much = after(8000, 0.001, 1),
                       hopeless = after(8000, 1e-12, 1);
    assert_int_equal(hd_prospects_states(&little, 10).work, 0);
    assert_int_equal(hd_prospects_states(&much, 10).work, 60000);
    assert_int_equal(hd_prospects_states(&hopeless, 10).work, 0);
    assert_int_equal(hd_prospects_states(&several, 5).work, 60000);
    assert_int_equal(hd_prospects_states(&many, 42).work, 2000);
    struct hd_counters nothing = after(20000, 1e-40, 1);
    assert_false(hd_prospects_goes_on(&different, &nothing));
    assert_true(hd_prospects_goes_on(&several, &nothing));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_near),
        cmocka_unit_test(test_slice),
        cmocka_unit_test(test_none),
        cmocka_unit_test(test_states),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
