/* Which stores are seen, and which threads stay asleep along a sequence
 * (explore/dpor/unseen_stores.h). */
#include "explore/dpor/unseen_stores.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include <string.h>

static struct hd_turn turns[8];

static struct hd_action on(enum hd_op op, uint64_t at, uint32_t size)
{
    return (struct hd_action){ .op = (uint8_t)op, .object = at, .size = size, .choices = 1 };
}

static struct hd_action store(uint64_t at) { return on(HD_OP_WRITE, at, 4); }

static struct hd_sequence of(uint32_t n, bool whole)
{
    struct hd_sequence s = { .turns = turns, .n = n, .whole = whole };
    for (uint32_t i = 0; i < n; i++)
        turns[i].taken = false;
    hd_unseen_stores_sequence(&s);
    return s;
}

static void turn(uint32_t i, uint32_t thread, struct hd_action action)
{
    turns[i] = (struct hd_turn){ .thread = thread, .action = action };
}

/* x = 1 | x = 2 | r = x: the first is hidden, the second seen. */
static void test_seen(void **state)
{
    (void)state;
    turn(0, 1, store(64));
    turn(1, 2, store(64));
    turn(2, 3, on(HD_OP_READ, 64, 4));
    of(3, false);
    assert_int_equal(turns[0].action.size2, HD_COMMUTES_UNSEEN);
    assert_int_equal(turns[1].action.size2, HD_COMMUTES_NOT);
    of(2, false);
    assert_int_equal(turns[1].action.size2, HD_COMMUTES_UNSEEN); /* so far */
    of(2, true);
    assert_int_equal(turns[1].action.size2, HD_COMMUTES_NOT);
    turn(1, 2, on(HD_OP_WRITE, 64, 2)); /* a part of it stays */
    of(2, true);
    assert_int_equal(turns[0].action.size2, HD_COMMUTES_NOT);
}

static bool wakes(uint32_t n, bool whole, uint32_t sleeper, struct hd_action action)
{
    static struct hd_sleepers s;
    struct hd_sequence sequence = of(n, whole);
    s.n = s.n_due = 0;
    hd_sleepers_add(&s, sleeper, &action);
    return hd_sleepers_wake(&s, &sequence);
}

/* Thread 1 sleeps before x = 1. */
static void test_sleep(void **state)
{
    (void)state;
    turn(0, 1, store(64));
    turn(1, 3, on(HD_OP_READ, 64, 4));
    assert_false(wakes(2, false, 1, store(64))); /* it begins the sequence */
    turn(0, 2, store(64));
    assert_true(wakes(2, false, 1, store(64))); /* the other's store is seen before its own */
    turn(1, 1, store(64));
    assert_false(wakes(2, false, 1, store(64))); /* its own store is not seen in the sequence */
    assert_true(wakes(2, true, 1, store(64)));
    turn(2, 3, on(HD_OP_READ, 64, 4));
    assert_true(wakes(3, false, 1, store(64)));
    turn(2, 3, store(64));
    turn(3, 3, on(HD_OP_READ, 64, 4));
    assert_false(
        wakes(4, false, 1, store(64))); /* overwritten: it might as well have been first */
    turn(0, 2, store(128));
    assert_false(wakes(1, true, 1, store(64)));
}

static void test_match(void **state)
{
    (void)state;
    turn(0, 2, store(64));
    turn(1, 1, store(64));
    turn(2, 3, on(HD_OP_READ, 64, 4));
    struct hd_sequence s = of(3, false);
    struct hd_action x = hd_unseen_stores_unseen(
        &(struct hd_action){ .op = HD_OP_WRITE, .object = 64, .size = 4, .choices = 1 });
    struct hd_action y = store(128);
    assert_false(hd_sequence_match(&s, 1, 0, &x)); /* it is seen, so it comes after the other */
    assert_false(hd_sequence_match(&s, 4, 0, &x));
    assert_false(hd_sequence_match(&s, 2, 1, &x)); /* another choice */
    assert_true(hd_sequence_match(&s, 4, 0, &y));  /* independent of the sequence */
    assert_true(hd_sequence_match(&s, 2, 0, &x));
    assert_true(turns[0].taken);
    assert_true(hd_sequence_match(&s, 1, 0, &x));
    assert_false(turns[2].taken);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_seen),
        cmocka_unit_test(test_sleep),
        cmocka_unit_test(test_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
