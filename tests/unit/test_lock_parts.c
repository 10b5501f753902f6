/* Parts of mutexes against sets of sections: whichever sections are joined in whatever order, two have one part exactly if a
 * chain of joins leads from one to the other. */
#include "core/lock_parts.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define MUTEX 0x55555565c090ull
#define OTHER 0x030000000040ull
#define SECTIONS 40u

static struct hd_lock_parts *fresh(void)
{
    struct hd_lock_parts *parts = calloc(1, sizeof *parts);
    assert_non_null(parts);
    return parts;
}

static uint64_t section(uint64_t mutex, uint32_t number)
{
    return mutex | (uint64_t)number << HD_PART_SHIFT;
}

static void joins_are_chains(void **state)
{
    (void)state;
    struct hd_rng rng = { 1 };
    for (uint32_t round = 0; round < 200; round++) {
        struct hd_lock_parts *parts = fresh();
        uint32_t set[SECTIONS + 1];
        for (uint32_t i = 1; i <= SECTIONS; i++)
            set[i] = i;
        for (uint32_t n = hd_rng_below(&rng, 60); n > 0; n--) {
            uint32_t a = 1 + hd_rng_below(&rng, SECTIONS), b = 1 + hd_rng_below(&rng, SECTIONS);
            hd_lock_parts_join(parts, section(MUTEX, a), section(MUTEX, b));
            uint32_t old = set[a], new = set[b];
            for (uint32_t i = 1; i <= SECTIONS; i++)
                set[i] = set[i] == old ? new : set[i];
        }
        for (uint32_t a = 1; a <= SECTIONS; a++) {
            assert_true(hd_lock_parts_of(parts, OTHER, a) == section(OTHER, a));
            assert_true(HD_PART_MUTEX(hd_lock_parts_of(parts, MUTEX, a)) == MUTEX);
            for (uint32_t b = 1; b <= SECTIONS; b++)
                assert_true((hd_lock_parts_of(parts, MUTEX, a) ==
                             hd_lock_parts_of(parts, MUTEX, b)) == (set[a] == set[b]));
        }
        assert_true(hd_lock_parts_check(parts));
        free(parts);
    }
}

static void whole_mutexes(void **state)
{
    (void)state;
    struct hd_lock_parts *parts = fresh();
    hd_lock_parts_keep_whole(parts, MUTEX);
    assert_true(parts->grown);
    parts->grown = 0;
    hd_lock_parts_keep_whole(parts, MUTEX); /* nothing new */
    assert_false(parts->grown);
    assert_true(hd_lock_parts_of(parts, MUTEX, 3) == MUTEX);
    assert_true(hd_lock_parts_of(parts, OTHER, 3) == section(OTHER, 3));
    hd_lock_parts_all_whole(parts);
    assert_true(parts->grown);
    assert_true(hd_lock_parts_of(parts, OTHER, 3) == OTHER);
    free(parts);
}

/* When there is no room left all mutexes are whole. */
static void too_many(void **state)
{
    (void)state;
    struct hd_lock_parts *parts = fresh();
    for (uint64_t i = 1; i <= HD_LOCK_PARTS; i++)
        hd_lock_parts_keep_whole(parts, MUTEX + 8 * i);
    assert_true(parts->whole);
    assert_true(hd_lock_parts_check(parts));
    assert_true(hd_lock_parts_of(parts, OTHER, 3) == OTHER);
    free(parts);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(joins_are_chains),
        cmocka_unit_test(whole_mutexes),
        cmocka_unit_test(too_many),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
