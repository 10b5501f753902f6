/* The dependence relation: the table of op.def and what action.c makes of it. */
#include "core/dependence.h"
#include "core/layout.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#define COUNT(a) (sizeof(a) / sizeof *(a))

static struct hd_action mem(enum hd_op op, uint64_t at, uint32_t size)
{
    return (struct hd_action){ .op = (uint8_t)op, .object = at, .size = size, .choices = 1 };
}

static struct hd_action on(enum hd_op op, uint64_t object)
{
    return (struct hd_action){ .op = (uint8_t)op, .object = object, .choices = 1 };
}

static bool dependent(struct hd_action a, struct hd_action b)
{
    bool d = hd_action_dependent(&a, &b);
    assert_int_equal(hd_action_dependent(&b, &a), d);
    return d;
}

static void test_texts(void **state)
{
    (void)state;
    for (int op = 0; op < HD_OP_COUNT; op++) {
        assert_non_null(hd_op_table[op].text);
        assert_int_equal(hd_op_by_text(hd_op_table[op].text), op);
    }
    assert_int_equal(hd_op_by_text("no such operation"), HD_OP_COUNT);
    assert_int_equal(hd_op_by_text(""), HD_OP_COUNT);
}

/* Reads of a byte commute, everything else of the same byte does not; accesses of adjacent
 * bytes are independent. */
static void test_memory(void **state)
{
    static const enum hd_op reads[] = { HD_OP_READ, HD_OP_ATOMIC_READ, HD_OP_CAS_FAIL };
    static const enum hd_op writes[] = { HD_OP_WRITE, HD_OP_ATOMIC_WRITE, HD_OP_RMW, HD_OP_CAS };
    (void)state;
    for (size_t i = 0; i < COUNT(reads); i++)
        for (size_t j = 0; j < COUNT(reads); j++)
            assert_false(dependent(mem(reads[i], 64, 8), mem(reads[j], 64, 8)));
    for (size_t i = 0; i < COUNT(writes); i++) {
        for (size_t j = 0; j < COUNT(reads); j++)
            assert_true(dependent(mem(writes[i], 64, 8), mem(reads[j], 64, 8)));
        for (size_t j = 0; j < COUNT(writes); j++)
            assert_true(dependent(mem(writes[i], 64, 8), mem(writes[j], 64, 8)));
    }
}

static struct hd_action commuting(uint64_t at, uint32_t size, enum hd_commuting kind)
{
    struct hd_action a = mem(HD_OP_RMW, at, size);
    a.size2 = kind;
    return a;
}

/* Of the same bytes and of one kind, or not at all. */
static void test_commuting(void **state)
{
    struct hd_action add = commuting(64, 4, HD_COMMUTES_ADD);
    (void)state;
    assert_false(dependent(add, add));
    assert_false(dependent(commuting(64, 1, HD_COMMUTES_OR), commuting(64, 1, HD_COMMUTES_OR)));
    assert_true(dependent(add, commuting(64, 4, HD_COMMUTES_OR)));
    assert_true(dependent(add, commuting(64, 2, HD_COMMUTES_ADD)));
    assert_true(dependent(add, commuting(62, 4, HD_COMMUTES_ADD)));
    assert_false(dependent(add, commuting(68, 4, HD_COMMUTES_OR)));
    assert_true(dependent(add, mem(HD_OP_RMW, 64, 4)));
    assert_true(dependent(add, mem(HD_OP_READ, 64, 4)));
    assert_true(dependent(add, mem(HD_OP_WRITE, 66, 1)));
    assert_true(dependent(add, mem(HD_OP_CAS_FAIL, 64, 4)));
}

static void test_combine(void **state)
{
    static const struct {
        enum hd_commuting kind;
        uint32_t size;
        uint64_t value, operand, result;
    } cases[] = {
        { HD_COMMUTES_ADD, 1, 250, 10, 4 },
        { HD_COMMUTES_ADD, 4, 1, ~0ull, 0 }, /* a subtraction */
        { HD_COMMUTES_AND, 2, 0xf0f, 0xff, 0xf },
        { HD_COMMUTES_OR, 8, 5, 8, 13 },
        { HD_COMMUTES_XOR, 8, 5, 6, 3 },
        { HD_COMMUTES_MAX, 1, 0xff, 1, 1 },
        { HD_COMMUTES_MIN, 1, 0xff, 1, 0xff },
        { HD_COMMUTES_UMAX, 1, 0xff, 1, 0xff },
        { HD_COMMUTES_UMIN, 1, 0xff, 1, 1 },
    };
    (void)state;
    for (size_t i = 0; i < COUNT(cases); i++) {
        struct hd_action a = commuting(64, cases[i].size, cases[i].kind);
        uint64_t value[2] = { cases[i].value, 0 }, operand[2] = { cases[i].operand, 0 };
        hd_action_combine(&a, value, operand);
        assert_int_equal(value[0], cases[i].result);
        assert_int_equal(value[1], 0);
    }
    struct hd_action wide = commuting(64, 16, HD_COMMUTES_ADD);
    uint64_t value[2] = { ~0ull, 1 }, operand[2] = { 1, 1 };
    hd_action_combine(&wide, value, operand);
    assert_int_equal(value[0], 0);
    assert_int_equal(value[1], 3);
}

static void test_overlap(void **state)
{
    (void)state;
    for (uint64_t at = 90; at < 120; at++)
        for (uint32_t size = 1; size <= 16; size++) {
            bool overlaps = at < 104 && at + size > 100;
            assert_int_equal(dependent(mem(HD_OP_WRITE, 100, 4), mem(HD_OP_READ, at, size)),
                             overlaps);
            assert_int_equal(dependent(mem(HD_OP_READ, 100, 4), mem(HD_OP_WRITE, at, size)),
                             overlaps);
        }
    assert_true(dependent(mem(HD_OP_WRITE, 0, 1u << 20), mem(HD_OP_READ, (1u << 20) - 1, 1)));
    assert_false(dependent(mem(HD_OP_WRITE, 0, 1u << 20), mem(HD_OP_READ, 1u << 20, 1)));
}

/* A copy writes one range and reads another. */
static void test_copy(void **state)
{
    struct hd_action copy = mem(HD_OP_COPY, 100, 10);
    copy.object2 = 200;
    (void)state;
    assert_true(dependent(copy, mem(HD_OP_READ, 109, 1)));
    assert_true(dependent(copy, mem(HD_OP_WRITE, 109, 1)));
    assert_false(dependent(copy, mem(HD_OP_READ, 209, 1)));
    assert_true(dependent(copy, mem(HD_OP_WRITE, 209, 1)));
    assert_false(dependent(copy, mem(HD_OP_WRITE, 110, 90)));
    assert_false(dependent(copy, mem(HD_OP_WRITE, 210, 1)));
    struct hd_action other = mem(HD_OP_COPY, 300, 10);
    other.object2 = 200;
    assert_false(dependent(copy, other)); /* from the same place */
    other.object2 = 105;
    assert_true(dependent(copy, other)); /* from what the first writes */
    other = mem(HD_OP_COPY, 205, 10);
    other.object2 = 400;
    assert_true(dependent(copy, other)); /* to what the first reads */
}

static void test_sync(void **state)
{
    static const enum hd_op mutex[] = { HD_OP_LOCK,   HD_OP_UNLOCK,     HD_OP_TRYLOCK,
                                        HD_OP_RELOCK, HD_OP_MUTEX_INIT, HD_OP_MUTEX_DESTROY };
    (void)state;
    for (size_t i = 0; i < COUNT(mutex); i++) {
        for (size_t j = 0; j < COUNT(mutex); j++) {
            assert_true(dependent(on(mutex[i], 8), on(mutex[j], 8)));
            assert_false(dependent(on(mutex[i], 8), on(mutex[j], 48)));
        }
        assert_true(dependent(on(mutex[i], 8), on(HD_OP_TRYLOCK_FAIL, 8)));
        assert_false(dependent(on(mutex[i], 8), on(HD_OP_TRYLOCK_FAIL, 48)));
    }
    assert_false(dependent(on(HD_OP_TRYLOCK_FAIL, 8), on(HD_OP_TRYLOCK_FAIL, 8)));
    assert_true(dependent(on(HD_OP_SIGNAL, 8), on(HD_OP_BROADCAST, 8)));
    assert_true(dependent(on(HD_OP_SIGNAL, 8), on(HD_OP_SIGNAL, 8)));
    assert_false(dependent(on(HD_OP_SIGNAL, 8), on(HD_OP_SIGNAL, 9)));
}

/* A wait touches its condition and its mutex. */
static void test_wait(void **state)
{
    struct hd_action wait = on(HD_OP_WAIT, 8), other = on(HD_OP_WAIT, 16);
    (void)state;
    wait.object2 = other.object2 = 400;
    assert_true(dependent(wait, on(HD_OP_SIGNAL, 8)));
    assert_false(dependent(wait, on(HD_OP_SIGNAL, 16)));
    assert_true(dependent(wait, on(HD_OP_LOCK, 400)));
    assert_true(dependent(wait, on(HD_OP_TRYLOCK_FAIL, 400)));
    assert_true(dependent(wait, on(HD_OP_RELOCK, 400)));
    assert_false(dependent(wait, on(HD_OP_LOCK, 401)));
    assert_true(dependent(wait, other)); /* other condition, same mutex */
    other.object2 = 500;
    assert_false(dependent(wait, other));
}

/* The same number in another space is another object: thread 8, the mutex at 8, the byte at
 * 8. */
static void test_spaces(void **state)
{
    (void)state;
    assert_false(dependent(on(HD_OP_JOIN, 8), on(HD_OP_LOCK, 8)));
    assert_false(dependent(on(HD_OP_JOIN, 8), mem(HD_OP_WRITE, 8, 1)));
    assert_false(dependent(on(HD_OP_LOCK, 8), mem(HD_OP_WRITE, 8, 1)));
    assert_true(dependent(on(HD_OP_JOIN, 8), on(HD_OP_EXIT, 8)));
    assert_true(dependent(on(HD_OP_CREATE, 8), on(HD_OP_START, 8)));
    assert_false(dependent(on(HD_OP_CREATE, 8), on(HD_OP_CREATE, 9)));
}

/* Freeing ends the bytes and the objects in them, the end of a thread its stack. */
static void test_ends(void **state)
{
    struct hd_action block = mem(HD_OP_FREE, 4096, 48);
    uint64_t stack = HD_STACK_BASE + 3 * HD_STACK_STRIDE;
    (void)state;
    assert_true(dependent(block, mem(HD_OP_READ, 4143, 1)));
    assert_false(dependent(block, mem(HD_OP_WRITE, 4144, 8)));
    assert_false(dependent(block, mem(HD_OP_WRITE, 4088, 8)));
    assert_true(dependent(block, mem(HD_OP_FREE, 4096, 48)));
    assert_true(dependent(block, on(HD_OP_LOCK, 4096)));
    assert_true(dependent(block, on(HD_OP_TRYLOCK_FAIL, 4140)));
    assert_false(dependent(block, on(HD_OP_LOCK, 4144)));
    assert_false(dependent(block, on(HD_OP_LOCK, 4095)));
    assert_true(dependent(on(HD_OP_EXIT, 3), mem(HD_OP_READ, stack + 8, 8)));
    assert_false(dependent(on(HD_OP_EXIT, 3), mem(HD_OP_READ, stack - 8, 8)));
    assert_false(dependent(on(HD_OP_EXIT, 2), mem(HD_OP_READ, stack, 8)));
    assert_false(dependent(on(HD_OP_EXIT, 2), on(HD_OP_EXIT, 3)));
}

/* What touches nothing depends on nothing but what touches everything. */
static void test_nothing_and_everything(void **state)
{
    (void)state;
    for (int op = 0; op < HD_OP_COUNT; op++) {
        struct hd_action a = mem((enum hd_op)op, 8, 1);
        assert_true(dependent(a, on(HD_OP_END, 0)));
        assert_true(dependent(a, on(HD_OP_ATOMIC, 0)));
        if (hd_op_table[op].access != HD_ACCESS_ALL) {
            assert_false(dependent(a, on(HD_OP_YIELD, 0)));
            assert_false(dependent(a, on(HD_OP_BLOCKED, 0)));
        }
    }
}

static void test_same(void **state)
{
    struct hd_action a = mem(HD_OP_READ, 8, 4), b = a;
    (void)state;
    assert_true(hd_action_same(&a, &b));
    b.choices = 2;
    assert_true(hd_action_same(&a, &b)); /* how many waiters there are is not the action's */
    b = a, b.op = HD_OP_WRITE;
    assert_false(hd_action_same(&a, &b));
    b = a, b.object++;
    assert_false(hd_action_same(&a, &b));
    b = a, b.object2++;
    assert_false(hd_action_same(&a, &b));
    b = a, b.size++;
    assert_false(hd_action_same(&a, &b));
    b = a, b.site++;
    assert_false(hd_action_same(&a, &b));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_memory),
        cmocka_unit_test(test_commuting),
        cmocka_unit_test(test_combine),
        cmocka_unit_test(test_overlap),
        cmocka_unit_test(test_copy),
        cmocka_unit_test(test_sync),
        cmocka_unit_test(test_wait),
        cmocka_unit_test(test_spaces),
        cmocka_unit_test(test_ends),
        cmocka_unit_test(test_nothing_and_everything),
        cmocka_unit_test(test_same),
    };
    return cmocka_run_group_tests_name("action", tests, NULL, NULL);
}
