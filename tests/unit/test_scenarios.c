/* The scenarios of heddle lin: each once, none left out, the smallest first; and the table of a history. */
#include "report/history.h"
#include "strategy/scenarios.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void collect(struct hd_strs *all, const char *operations, struct hd_scenario_bounds bounds)
{
    struct hd_scenarios s;
    struct hd_err err = { "" };
    struct hd_str text;
    assert_int_equal(hd_scenarios_init(&s, operations, &bounds, &err), 0);
    hd_strs_init(all);
    hd_str_init(&text);
    uint64_t n = hd_scenarios_count(&s, 1000000);
    while (hd_scenarios_next(&s, &text)) {
        assert_false(hd_strs_has(all, text.text));
        hd_strs_add(all, text.text);
        hd_str_clear(&text);
    }
    assert_int_equal(all->n, n);
    hd_str_release(&text);
    hd_scenarios_release(&s);
}

static size_t calls_in(const char *text)
{
    size_t n = 0;
    for (const char *c = text; *c; c++)
        n += (*c >= 'a' && *c <= 'z') && (c == text || c[-1] == ' ');
    return n;
}

/* a and b in two threads with one call each: three multisets. */
static void pairs(void **state)
{
    struct hd_strs all;
    (void)state;
    collect(&all, "a -\nb -\n", (struct hd_scenario_bounds){ 2, 1, 2, 0, 0, false });
    assert_int_equal(all.n, 3);
    assert_string_equal(all.items[0], "/ a | a /");
    assert_string_equal(all.items[1], "/ a | b /");
    assert_string_equal(all.items[2], "/ b | b /");
    hd_strs_release(&all);
}

/* Three calls: pairs of one call 6, of two and one 9 * 3, of two and two 45, threes of one 10, of two and one and one
 * 9 * 6, of three and one 27 * 3. */
static void all_of_a_size(void **state)
{
    struct hd_strs all;
    (void)state;
    collect(&all, "put - : 1 2\nget -\n", (struct hd_scenario_bounds){ 3, 3, 4, 0, 0, false });
    assert_int_equal(all.n, 6 + 27 + 45 + 10 + 54 + 81);
    for (size_t i = 1; i < all.n; i++)
        assert_true(calls_in(all.items[i - 1]) <= calls_in(all.items[i]));
    hd_strs_release(&all);
    /* each with none or one of three calls before, and the same after */
    collect(&all, "put - : 1 2\nget -\n", (struct hd_scenario_bounds){ 3, 3, 4, 1, 1, false });
    assert_int_equal(all.n, (6 + 27 + 45 + 10 + 54 + 81) * 16);
    hd_strs_release(&all);
}

/* Calls of one tag are in one thread: p and c side by side, but neither p | p nor c | c. */
static void tags(void **state)
{
    struct hd_strs all;
    (void)state;
    collect(&all, "p one\nc two\n", (struct hd_scenario_bounds){ 3, 2, 3, 0, 0, false });
    /* p | c; p p | c; c c | p: a thread with both leaves nothing for the other */
    assert_int_equal(all.n, 3);
    assert_string_equal(all.items[0], "/ p | c /");
    hd_strs_release(&all);
}

/* Of 2 calls: 3 pairs of threads with one call each; nothing or one call before, likewise after: 3, 12, 12 of two, three,
 * four calls (2 * 3 with one before or after; 2 * 2 * 3 with both).  Two and one: 4 * 2 of three calls, and so on.  What
 * is complete ends with a size. */
static void complete_sizes(void **state)
{
    struct hd_scenarios s;
    struct hd_err err = { "" };
    struct hd_scenario_bounds bounds = { 2, 1, 2, 1, 1, false };
    uint64_t n;
    (void)state;
    assert_int_equal(hd_scenarios_init(&s, "a -\nb -\n", &bounds, &err), 0);
    assert_int_equal(hd_scenarios_count(&s, 1000), 3 + 12 + 12);
    assert_int_equal(hd_scenarios_complete(&s, 2, &n), 0);
    assert_int_equal(n, 0);
    assert_int_equal(hd_scenarios_complete(&s, 3, &n), 2);
    assert_int_equal(n, 3);
    assert_int_equal(hd_scenarios_complete(&s, 14, &n), 2);
    assert_int_equal(hd_scenarios_complete(&s, 15, &n), 3);
    assert_int_equal(n, 15);
    assert_int_equal(hd_scenarios_complete(&s, 1000, &n), 4);
    assert_int_equal(n, 27);
    hd_scenarios_release(&s);
}

/* Two and one calls are left out, and nothing else. */
static void left_out(void **state)
{
    struct hd_scenarios s;
    struct hd_err err = { "" };
    struct hd_scenario_bounds bounds = { 2, 2, 4, 1, 0, false };
    struct hd_shape two_and_one = { .n_threads = 2, .length = { 2, 1 } };
    struct hd_str text;
    (void)state;
    assert_int_equal(hd_scenarios_init(&s, "a -\n", &bounds, &err), 0);
    hd_str_init(&text);
    assert_true(hd_scenarios_next(&s, &text));
    hd_scenarios_leave(&s, &two_and_one);
    while (hd_scenarios_next(&s, &text))
        ;
    assert_string_equal(text.text, "/ a | a /a / a | a // a; a | a; a /a / a; a | a; a /");
    hd_str_release(&text);
    hd_scenarios_release(&s);
}

static void one_call_less(void **state)
{
    struct hd_strs all;
    (void)state;
    hd_strs_init(&all);
    hd_scenarios_smaller("a / b(1); c | d(1,2) | e / f; a", &all);
    assert_int_equal(all.n, 7);
    assert_string_equal(all.items[0], "/ b(1); c | d(1,2) | e / f; a");
    assert_string_equal(all.items[1], "a / c | d(1,2) | e / f; a");
    assert_string_equal(all.items[2], "a / b(1) | d(1,2) | e / f; a");
    assert_string_equal(all.items[3], "a / b(1); c | e / f; a");
    assert_string_equal(all.items[4], "a / b(1); c | d(1,2) / f; a");
    assert_string_equal(all.items[5], "a / b(1); c | d(1,2) | e / a");
    assert_string_equal(all.items[6], "a / b(1); c | d(1,2) | e / f");
    hd_strs_release(&all);
    hd_strs_init(&all);
    hd_scenarios_smaller("/ a | b /", &all); /* there would be one thread */
    assert_int_equal(all.n, 0);
    hd_strs_release(&all);
}

/* Random ones are larger than the bounds, keep the tags, and come to every call, every number of threads and every part. */
static void random_ones(void **state)
{
    struct hd_scenarios s;
    struct hd_err err = { "" };
    struct hd_scenario_bounds bounds = { 3, 3, 3, 1, 1, false };
    struct hd_rng rng = { 1 };
    bool calls[3] = { false }, threads[5] = { false }, before = false, after = false;
    (void)state;
    assert_int_equal(hd_scenarios_init(&s, "put one : 1 2\nget -\n", &bounds, &err), 0);
    for (int i = 0; i < 1000; i++) {
        struct hd_str text;
        uint32_t n = 1;
        hd_str_init(&text);
        assert_true(hd_scenarios_random(&s, &bounds, &rng, &text));
        char *first = strchr(text.text, '/'), *last = strrchr(text.text, '/');
        for (char *c = first; c < last; c++)
            n += *c == '|';
        threads[n] = true;
        before = before || first > text.text;
        after = after || last[1];
        calls[0] = calls[0] || strstr(text.text, "put(1)");
        calls[1] = calls[1] || strstr(text.text, "put(2)");
        calls[2] = calls[2] || strstr(text.text, "get");
        *last = 0;
        assert_in_range(calls_in(first), 4, 5);
        uint32_t putters = 0;
        for (char *part = strtok(first, "|"); part; part = strtok(NULL, "|"))
            putters += strstr(part, "put") != NULL;
        assert_in_range(putters, 0, 1);
        hd_str_release(&text);
    }
    assert_true(calls[0] && calls[1] && calls[2] && before && after);
    assert_true(threads[2] && threads[3] && threads[4]);
    hd_scenarios_release(&s);
}

static void bad_lists(void **state)
{
    struct hd_scenarios s;
    struct hd_err err = { "" };
    struct hd_scenario_bounds bounds = { 2, 1, 2, 0, 0, false };
    (void)state;
    assert_int_equal(hd_scenarios_init(&s, "", &bounds, &err), -1);
    assert_int_equal(hd_scenarios_init(&s, "alone\n", &bounds, &err), -1);
    assert_int_equal(
        hd_scenarios_init(&s, "a - : 1 2 3 4 5 6 7 8 9 : 1 2 3 4 5 6 7 8\n", &bounds, &err), -1);
}

static void table_of_a_history(void **state)
{
    struct hd_str out;
    (void)state;
    hd_str_init(&out);
    assert_true(hd_history_print(&out,
                                 "noise\n@ first put(1) = 1\n@ T1 get() = 1\n@ T1 get() = -1\n"
                                 "@ T2 put(2) = 0 @after T1 1\n@ last get() = 2\n@ because 1 0\n"
                                 "@ because 2 0\n"));
    assert_string_equal(
        out.text, "  before  put(1) = 1\n"
                  "          T1          T2\n"
                  "          get() = 1\n"
                  "          get() = -1  put(2) = 0\n"
                  "  after   get() = 2\n"
                  "\n"
                  "no order in which one call follows the other and that keeps what had returned "
                  "before gives get() = 1 in T1 and put(2) = 0 in T2\n");
    hd_str_clear(&out);
    assert_true(hd_history_print(&out, "@ check 1\n@ T1 a = 1\n@ because 1 0\n"));
    assert_non_null(strstr(out.text, "that keeps the calls of each thread gives a = 1 in T1"));
    hd_str_clear(&out);
    assert_false(hd_history_print(&out, "@ T9 x\n@ nothing\n@\n@ because 7 7\n"));
    assert_int_equal(out.length, 0);
    /* an order that goes round in a circle, and control characters */
    assert_true(hd_history_print(&out, "@ T1 a @after T2 1\n@ T2 b\033[2J @after T1 1\n"));
    assert_null(strchr(out.text, '\033'));
    hd_str_release(&out);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(pairs),
                                        cmocka_unit_test(all_of_a_size),
                                        cmocka_unit_test(tags),
                                        cmocka_unit_test(complete_sizes),
                                        cmocka_unit_test(left_out),
                                        cmocka_unit_test(one_call_less),
                                        cmocka_unit_test(random_ones),
                                        cmocka_unit_test(bad_lists),
                                        cmocka_unit_test(table_of_a_history) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
