/* Bitstate hashing: what is marked stays known, few others look known, and at no number of states
 * do the tables take more memory than fingerprints do. */
#include "core/bitstate.h"

#include "base/hash.h"
#include "core/pack.h"
#include "explore/states/fingerprint_set.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#define BYTES (256ull << 20)
#define STATES 1000000u

static struct hd_arena arena(void) { return (struct hd_arena){ calloc(1, BYTES), 0, BYTES }; }

static bool mark(struct hd_bitstate *b, uint64_t i)
{
    return hd_bitstate_mark(b, hd_hash_mix(i + 1), hd_hash_mix(~i));
}

static void test_smaller_than_fingerprints(void **state)
{
    (void)state;
    struct hd_arena a = arena(), c = arena();
    struct hd_bitstate b;
    struct hd_fingerprint_set set;
    uint64_t fresh = 0;
    assert_true(hd_bitstate_init(&b, &a, 0, 0));
    assert_true(hd_fingerprint_set_init(&set, &c, 1u << 21));
    for (uint64_t i = 0; i < STATES; i++) {
        fresh += mark(&b, i);
        hd_fingerprint_set_add(&set,
                               (struct hd_fingerprint){ hd_hash_mix(i + 1), hd_hash_mix(~i) });
        assert_false(mark(&b, i));
        assert_true(hd_bitstate_bytes(&b) <= 64 * set.buckets);
        assert_true(hd_bitstate_bytes(&b) <= 4096 + 12 * (i + 1));
    }
    assert_true(fresh <= STATES && fresh > STATES - STATES / 200);
    for (uint64_t i = 0; i < STATES; i += 11)
        assert_false(mark(&b, i));
    free(a.base);
    free(c.base);
}

static void test_a_size_is_kept(void **state)
{
    (void)state;
    struct hd_arena a = arena();
    struct hd_bitstate b;
    for (uint64_t bytes = 4096; bytes <= 1u << 20; bytes += 4096 + bytes / 3) {
        assert_true(hd_bitstate_init(&b, &a, 0, bytes));
        for (uint64_t i = 0; i < 100000; i++)
            mark(&b, i);
        assert_true(hd_bitstate_bytes(&b) <= bytes && hd_bitstate_bytes(&b) > bytes / 2);
    }
    free(a.base);
}

static void test_packs(void **state)
{
    (void)state;
    struct hd_arena a = arena();
    struct hd_bitstate b, other;
    uint64_t room = 8u << 20;
    void *bytes = malloc(room);
    a.size = 64u << 20; /* there is room for fewer tables */
    assert_true(hd_bitstate_init(&b, &a, 0, 0));
    a.size = BYTES;
    assert_true(hd_bitstate_init(&other, &a, 0, 0));
    for (uint64_t i = 0; i < 20000; i++)
        mark(&b, i);
    struct hd_pack to = hd_pack_writer(bytes, room), from = hd_pack_reader(bytes, room);
    hd_bitstate_pack(&b, &to);
    hd_bitstate_pack(&other, &from);
    assert_false(to.bad || from.bad);
    assert_int_equal(hd_bitstate_bytes(&other), hd_bitstate_bytes(&b));
    for (uint64_t i = 0; i < 40000; i++)
        assert_int_equal(mark(&other, i), mark(&b, i));
    free(bytes);
    free(a.base);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_smaller_than_fingerprints),
        cmocka_unit_test(test_a_size_is_kept),
        cmocka_unit_test(test_packs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
