/* The set of fingerprints: what was put in is found, what was not is not, at every size; and with
 * a limit it forgets, but never invents. */
#include "explore/states/fingerprint_set.h"

#include "base/hash.h"
#include "core/pack.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define BYTES (400ull << 20)

static struct hd_fingerprint nth(uint64_t i)
{
    return (struct hd_fingerprint){ hd_hash_mix(i + 1), hd_hash_mix(~i) };
}

static struct hd_arena arena(void) { return (struct hd_arena){ calloc(1, BYTES), 0, BYTES }; }

static void test_finds_what_it_holds(void **state)
{
    (void)state;
    struct hd_arena a = arena();
    struct hd_fingerprint_set set;
    assert_true(hd_fingerprint_set_init(&set, &a, 1u << 20));
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

/* The table moves into a denser one when it is large, which grows by parts. */
static void test_large(void **state)
{
    (void)state;
    struct hd_arena a = arena();
    struct hd_fingerprint_set set;
    uint64_t n = 7700000;
    assert_true(hd_fingerprint_set_init(&set, &a, 0));
    uint64_t room = set.large.most;
    assert_true(room >= n / HD_QUOTIENT_WAYS);
    for (uint64_t i = 0; i < n; i++)
        assert_true(hd_fingerprint_set_add(&set, nth(i)));
    assert_int_equal(set.buckets, 0);
    assert_int_equal(hd_fingerprint_set_n(&set), n);
    assert_int_equal(hd_fingerprint_set_forgotten(&set), 0);
    assert_true(set.large.buckets * sizeof *set.large.table <= 16 * n);
    for (uint64_t i = 0; i < n; i += 97) {
        assert_true(hd_fingerprint_set_has(&set, nth(i)));
        assert_false(hd_fingerprint_set_add(&set, nth(i)));
        assert_false(hd_fingerprint_set_has(&set, nth(i + n)));
    }
    free(a.base);
}

/* All 128 bits count, those that the place tells too, wherever growing has brought it. */
static void test_large_tells_bits_apart(void **state)
{
    (void)state;
    struct hd_arena a = arena();
    struct hd_quotient_set set;
    uint64_t n = 900000;
    assert_true(hd_quotient_set_init(&set, &a, HD_QUOTIENT_LEAST, 1u << 17));
    for (uint64_t i = 0; i < n; i++)
        assert_true(hd_quotient_set_add(&set, nth(i)));
    assert_int_equal(set.n, n);
    assert_int_equal(set.forgotten, 0);
    assert_true(set.buckets > HD_QUOTIENT_LEAST);
    for (uint64_t i = 0; i < n; i += 101)
        for (uint32_t bit = 0; bit < 64; bit++) {
            struct hd_fingerprint lo = nth(i), hi = nth(i), both = nth(i);
            lo.lo ^= 1ull << bit;
            hi.hi ^= 1ull << bit;
            both.lo = hi.hi;
            both.hi = lo.lo;
            assert_true(hd_quotient_set_has(&set, nth(i)));
            assert_false(hd_quotient_set_has(&set, lo));
            assert_false(hd_quotient_set_has(&set, hi));
            assert_false(hd_quotient_set_has(&set, both));
        }
    free(a.base);
}

/* A full one forgets, and counts what it has forgotten. */
static void test_large_forgets(void **state)
{
    (void)state;
    struct hd_arena a = arena();
    struct hd_quotient_set set;
    uint64_t n = 700000, held = 0;
    assert_true(hd_quotient_set_init(&set, &a, HD_QUOTIENT_LEAST, HD_QUOTIENT_LEAST));
    for (uint64_t i = 0; i < n; i++)
        hd_quotient_set_add(&set, nth(i));
    for (uint64_t i = 0; i < n; i++)
        held += hd_quotient_set_has(&set, nth(i));
    assert_int_equal(held, set.n);
    assert_true(held <= HD_QUOTIENT_LEAST * HD_QUOTIENT_WAYS && held > n / 2);
    assert_int_equal(held + set.forgotten, n);
    free(a.base);
}

static void same_after_packing(uint64_t first, uint64_t most, uint64_t n)
{
    struct hd_arena a = arena();
    struct hd_quotient_set set, other;
    void *bytes = malloc(BYTES);
    assert_true(hd_quotient_set_init(&set, &a, first, most));
    assert_true(hd_quotient_set_init(&other, &a, first, most));
    for (uint64_t i = 0; i < n; i++)
        hd_quotient_set_add(&set, nth(i));
    struct hd_pack to = hd_pack_writer(bytes, BYTES);
    hd_quotient_set_pack(&set, &to);
    struct hd_pack from = hd_pack_reader(bytes, BYTES);
    hd_quotient_set_pack(&other, &from);
    assert_false(to.bad || from.bad);
    assert_int_equal(other.n, set.n);
    for (uint64_t i = 0; i < 2 * n; i++)
        assert_int_equal(hd_quotient_set_add(&other, nth(i)), hd_quotient_set_add(&set, nth(i)));
    free(bytes);
    free(a.base);
}

static void test_large_packs(void **state)
{
    (void)state;
    same_after_packing(HD_QUOTIENT_LEAST, 1u << 17, 300000);
    same_after_packing(HD_QUOTIENT_LEAST, 1u << 17, 565000); /* while it grows */
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
        cmocka_unit_test(test_large),
        cmocka_unit_test(test_large_tells_bits_apart),
        cmocka_unit_test(test_large_forgets),
        cmocka_unit_test(test_large_packs),
        cmocka_unit_test(test_same_buckets),
        cmocka_unit_test(test_no_print_is_no_print),
        cmocka_unit_test(test_limit_forgets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
