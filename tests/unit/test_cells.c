/* Cells against a state per byte: whatever ranges are accessed in whatever order, every byte has
 * the state that it would have alone; and a long range takes few cells. */
#include "explore/order/cells.h"

#include "base/rng.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define BYTES (256ull << 20)
#define BASE 0x30000000040ull
#define SPAN 16384u
#define MOST_CELLS (1u << 20)

struct tracked {
    struct hd_arena arena;
    struct hd_cells cells;
    uint32_t *state; /* by cell */
};

static void added(void *owner, uint32_t from, uint32_t to)
{
    struct tracked *t = owner;
    assert_true(to < MOST_CELLS);
    t->state[to] = from == to ? 0 : t->state[from];
}

static void begin(struct tracked *t)
{
    *t = (struct tracked){ .arena = { calloc(1, BYTES), 0, BYTES } };
    t->state = calloc(MOST_CELLS, sizeof *t->state);
    assert_true(hd_cells_init(&t->cells, &t->arena, t, added));
}

static void end(struct tracked *t)
{
    free(t->arena.base);
    free(t->state);
}

/* Writes `value` to the state of the range; returns how many cells it took. */
static uint32_t put(struct tracked *t, uint64_t from, uint64_t to, uint32_t value)
{
    uint32_t n = 0;
    for (uint64_t at = from; at < to; n++) {
        uint32_t cell = hd_cells_at(&t->cells, at, to);
        assert_true(cell != ~0u);
        assert_int_equal(t->cells.cells[cell].addr, at);
        assert_true(t->cells.cells[cell].len > 0);
        t->state[cell] = value;
        at += t->cells.cells[cell].len;
        assert_true(at <= to);
    }
    return n;
}

static void compare(struct tracked *t, const uint32_t *expected)
{
    for (uint64_t at = 0; at < SPAN;) {
        uint32_t cell = hd_cells_at(&t->cells, BASE + at, BASE + SPAN);
        for (uint32_t i = 0; i < t->cells.cells[cell].len; i++)
            assert_int_equal(t->state[cell], expected[at + i]);
        at += t->cells.cells[cell].len;
    }
}

static void test_against_bytes(void **state)
{
    (void)state;
    static uint32_t expected[SPAN];
    for (uint64_t seed = 1; seed <= 300; seed++) {
        struct tracked t;
        struct hd_rng rng = { seed };
        begin(&t);
        memset(expected, 0, sizeof expected);
        for (uint32_t step = 1; step <= 40; step++) {
            uint32_t bits = 1 + (uint32_t)hd_rng_below(&rng, 14);
            uint64_t from = hd_rng_below(&rng, SPAN);
            if (hd_rng_below(&rng, 2))
                from &= ~63ull;
            uint64_t to = from + 1 + hd_rng_below(&rng, 1u << bits);
            to = to < SPAN ? to : SPAN;
            put(&t, BASE + from, BASE + to, step);
            for (uint64_t i = from; i < to; i++)
                expected[i] = step;
            if (hd_rng_below(&rng, 4) == 0)
                hd_cells_cut(&t.cells, BASE + (hd_rng_below(&rng, SPAN) & ~7ull));
        }
        compare(&t, expected);
        end(&t);
    }
}

/* At most seven blocks of every size at each end, and the words of the two edges. */
static void test_long_range_takes_few_cells(void **state)
{
    (void)state;
    struct tracked t;
    begin(&t);
    uint64_t bytes = 256ull << 20;
    assert_true(put(&t, BASE, BASE + bytes, 1) < 140);
    uint32_t n = t.cells.n;
    put(&t, BASE + bytes / 2 + 24, BASE + bytes / 2 + 32, 2);
    assert_true(t.cells.n - n <= 8 * 10);
    assert_true(put(&t, BASE, BASE + bytes, 3) < 240);
    end(&t);
}

/* No block reaches across a cut: what begins after it is found there. */
static void test_cut(void **state)
{
    (void)state;
    struct tracked t;
    begin(&t);
    put(&t, 0x40000000, 0x40000000 + (1 << 15), 7);
    assert_int_equal(t.cells.n, 1);
    hd_cells_cut(&t.cells, 0x40000000 + 4096);
    uint32_t cell = hd_cells_find(&t.cells, 0x40000000 + 4096);
    assert_true(cell != ~0u);
    assert_int_equal(t.state[cell], 7);
    end(&t);
}

static void test_memory_used_up(void **state)
{
    (void)state;
    struct tracked t;
    begin(&t);
    t.arena.size = t.arena.used;
    uint32_t cell = 0;
    for (uint64_t i = 0; i < 1000 && cell != ~0u; i++)
        cell = hd_cells_at(&t.cells, BASE + 4096 * i, BASE + 4096 * i + 8);
    assert_int_equal(cell, ~0u);
    end(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_against_bytes),
        cmocka_unit_test(test_long_range_takes_few_cells),
        cmocka_unit_test(test_cut),
        cmocka_unit_test(test_memory_used_up),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
