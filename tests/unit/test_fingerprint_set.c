/* The set of fingerprints: what was put in is found, what was not is not, at every size; and with
 * a limit it forgets, but never invents. */
#include "explore/states/fingerprint_set.h"

#include "base/hash.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define BYTES (64ull << 20)

static struct hd_fingerprint nth(uint64_t i)
{
    return (struct hd_fingerprint){ hd_hash_mix(i + 1), hd_hash_mix(~i) };
}

static struct hd_arena arena(void) { return (struct hd_arena){ calloc(1, BYTES), 0, BYTES }; }

static void finds_what_it_holds(uint64_t large)
{
    struct hd_arena a = arena();
    struct hd_fingerprint_set set;
    assert_true(hd_fingerprint_set_init(&set, &a, 1u << 20));
    set.large = large;
    for (uint64_t i = 0; i < 700000; i++)
        assert_true(hd_fingerprint_set_add(&set, nth(i)));
    for (uint64_t i = 0; i < 700000; i++) {
        assert_true(hd_fingerprint_set_has(&set, nth(i)));
        assert_false(hd_fingerprint_set_add(&set, nth(i)));
        assert_false(hd_fingerprint_set_has(&set, nth(i + 700000)));
    }
    assert_int_equal(set.n, 700000);
    assert_int_equal(set.forgotten, 0);
    free(a.base);
}

static void test_finds_what_it_holds(void **state)
{
    (void)state;
    finds_what_it_holds(1u << 24);
}

static void test_grows_by_single_buckets(void **state)
{
    (void)state;
    finds_what_it_holds(1u << 10);
}

static void test_same_buckets(void **state)
{
    (void)state;
    struct hd_arena a = arena();
    struct hd_fingerprint_set set;
    assert_true(hd_fingerprint_set_init(&set, &a, 1u << 12));
    /* Nine prints for the four slots of one bucket: both places are the same. */
    for (uint64_t i = 1; i < 10; i++)
        assert_true(hd_fingerprint_set_add(&set, (struct hd_fingerprint){ i << 40, i << 50 }));
    assert_true(set.forgotten > 0);
    uint32_t held = 0;
    for (uint64_t i = 1; i < 10; i++)
        held += hd_fingerprint_set_has(&set, (struct hd_fingerprint){ i << 40, i << 50 });
    assert_int_equal(held, set.n);
    assert_int_equal(held + set.forgotten, 9);
    free(a.base);
}

static void test_no_print_is_no_print(void **state)
{
    (void)state;
    struct hd_arena a = arena();
    struct hd_fingerprint_set set;
    assert_true(hd_fingerprint_set_init(&set, &a, 16));
    assert_false(hd_fingerprint_set_has(&set, (struct hd_fingerprint){ 0, 0 }));
    assert_true(hd_fingerprint_set_add(&set, (struct hd_fingerprint){ 0, 0 }));
    assert_false(hd_fingerprint_set_add(&set, (struct hd_fingerprint){ 0, 0 }));
    free(a.base);
}

static void test_limit_forgets(void **state)
{
    (void)state;
    struct hd_arena a = arena();
    struct hd_fingerprint_set set;
    assert_true(hd_fingerprint_set_init(&set, &a, 1000));
    uint64_t held = 0;
    for (uint64_t i = 0; i < 5000; i++)
        hd_fingerprint_set_add(&set, nth(i));
    for (uint64_t i = 0; i < 5000; i++)
        held += hd_fingerprint_set_has(&set, nth(i));
    assert_int_equal(held, set.n);
    assert_true(held <= 1000 && held > 400);
    assert_int_equal(held + set.forgotten, 5000);
    free(a.base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_finds_what_it_holds),
        cmocka_unit_test(test_grows_by_single_buckets),
        cmocka_unit_test(test_same_buckets),
        cmocka_unit_test(test_no_print_is_no_print),
        cmocka_unit_test(test_limit_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
