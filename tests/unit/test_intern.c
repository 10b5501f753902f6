/* Interned strings: equal ones have one number, others have another, at every size of the
 * table; and when memory is used up that is said. */
#include "explore/states/intern.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES (64ull << 20)

static struct hd_arena arena(uint64_t bytes)
{
    return (struct hd_arena){ calloc(1, bytes), 0, bytes };
}

static void test_numbers(void **state)
{
    (void)state;
    struct hd_arena a = arena(BYTES);
    struct hd_intern in;
    char text[32];
    bool fresh;
    assert_true(hd_intern_init(&in, &a));
    for (uint64_t round = 0; round < 2; round++)
        for (uint64_t i = 1; i <= 20000; i++) {
            int n = snprintf(text, sizeof text, "string %llu", (unsigned long long)i);
            assert_int_equal(hd_intern_add(&in, text, (uint64_t)n, &fresh), i);
            assert_int_equal(fresh, round == 0);
        }
    assert_int_equal(in.n, 20000);
    free(a.base);
}

static void test_lengths_and_zeros(void **state)
{
    (void)state;
    struct hd_arena a = arena(BYTES);
    struct hd_intern in;
    static const char zeros[300];
    bool fresh;
    assert_true(hd_intern_init(&in, &a));
    for (uint64_t n = 0; n <= 300; n++) { /* a string of zeros is not its beginning */
        assert_int_equal(hd_intern_add(&in, zeros, n, &fresh), n + 1);
        assert_true(fresh);
    }
    for (uint64_t n = 0; n <= 300; n++)
        assert_int_equal(hd_intern_add(&in, zeros, n, &fresh), n + 1);
    free(a.base);
}

static void test_long_strings(void **state)
{
    (void)state;
    struct hd_arena a = arena(BYTES);
    struct hd_intern in;
    uint64_t n = 3u << 20; /* longer than what is taken from the arena at once */
    char *text = calloc(1, n);
    bool fresh;
    assert_true(hd_intern_init(&in, &a));
    assert_int_equal(hd_intern_add(&in, text, n, &fresh), 1);
    text[n - 1] = 1;
    assert_int_equal(hd_intern_add(&in, text, n, &fresh), 2);
    assert_true(fresh);
    text[n - 1] = 0;
    assert_int_equal(hd_intern_add(&in, text, n, &fresh), 1);
    assert_false(fresh);
    free(text);
    free(a.base);
}

static void test_used_up(void **state)
{
    (void)state;
    struct hd_arena a = arena(4u << 20);
    struct hd_intern in;
    uint64_t i = 0, got;
    bool fresh;
    assert_true(hd_intern_init(&in, &a));
    do {
        i++;
        got = hd_intern_add(&in, &i, sizeof i, &fresh);
        assert_true(got == i || got == 0);
    } while (got && i < 1000000);
    assert_int_equal(got, 0);
    free(a.base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_numbers),
        cmocka_unit_test(test_lengths_and_zeros),
        cmocka_unit_test(test_long_strings),
        cmocka_unit_test(test_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
