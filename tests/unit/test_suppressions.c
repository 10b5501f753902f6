/* Patterns, and suppression files with every mistake. */
#include "base/rng.h"
#include "supervise/suppressions.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static void globs(void **state)
{
    (void)state;
    assert_true(hd_glob_matches("", ""));
    assert_true(hd_glob_matches("*", ""));
    assert_true(hd_glob_matches("a*c", "abbc"));
    assert_true(hd_glob_matches("a*b*c", "aXbXbXc"));
    assert_true(hd_glob_matches("?b*", "ab"));
    assert_false(hd_glob_matches("a*c", "abcd"));
    assert_false(hd_glob_matches("", "a"));
    assert_false(hd_glob_matches("a?", "a"));
    assert_false(hd_glob_matches("a*b*c", "acb"));
    /* Without more than one star to go back to, this ends soon. */
    char text[5000];
    memset(text, 'a', sizeof text - 1);
    text[sizeof text - 1] = 0;
    assert_false(hd_glob_matches("*a*a*a*a*a*a*a*a*a*a*a*a*b", text));
}

/* The definition: a star is any text. */
static bool defined(const char *p, const char *t)
{
    if (*p == '*')
        return defined(p + 1, t) || (*t && defined(p, t + 1));
    return *p ? *t && (*p == '?' || *p == *t) && defined(p + 1, t + 1) : !*t;
}

static void globs_at_random(void **state)
{
    (void)state;
    struct hd_rng rng = { 1 };
    for (int i = 0; i < 20000; i++) {
        char p[7] = "", t[9] = "";
        for (uint64_t k = 0, n = hd_rng_next(&rng) % 6; k < n; k++)
            p[k] = "ab*?"[hd_rng_next(&rng) % 4];
        for (uint64_t k = 0, n = hd_rng_next(&rng) % 8; k < n; k++)
            t[k] = "ab"[hd_rng_next(&rng) % 2];
        if (hd_glob_matches(p, t) != defined(p, t))
            fail_msg("'%s' and '%s'", p, t);
    }
}

static struct hd_suppressions *parsed(const char *text)
{
    struct hd_suppressions *s = calloc(1, sizeof *s);
    struct hd_err err = { "" };
    if (hd_suppressions_parse(s, "f", text, strlen(text), &err) != 0)
        fail_msg("%s", err.text);
    return s;
}

static void rules(void **state)
{
    (void)state;
    struct hd_suppressions *s = parsed("# nothing\n\n race:queue.h \t# why\r\n"
                                       "race:file:src/*.c\nrace:function:put_?\n"
                                       "volatile-ok:variable:*->head");
    assert_int_equal(s->n, 4);
    assert_int_equal(s->n_races, 3);
    assert_int_equal(s->n_volatile, 1);
    assert_string_equal(s->rules[0].pattern, "queue.h");
    assert_int_equal(s->rules[0].line, 3);
    enum hd_rule_kind race = HD_RULE_RACE, is_volatile = HD_RULE_VOLATILE;
    assert_int_equal(hd_rule_of_place(s, race, "queue.h", "f", "x"), 1);
    assert_int_equal(hd_rule_of_place(s, race, "/a/queue.h", "f", "x"), 1);
    assert_int_equal(hd_rule_of_place(s, race, "myqueue.h", "f", "x"), 0);
    assert_int_equal(hd_rule_of_place(s, race, "/a/src/b.c", "f", "x"), 2);
    assert_int_equal(hd_rule_of_place(s, race, "b.c", "put_1", "x"), 3);
    assert_int_equal(hd_rule_of_place(s, race, "b.c", "input_1", "x"), 0);
    assert_int_equal(hd_rule_of_place(s, race, "b.c", "app::Queue<a::b>::put_1", "x"), 3);
    assert_int_equal(hd_rule_of_place(s, race, "b.c", "Queue<app::put_1>", "x"), 0);
    assert_int_equal(hd_rule_of_place(s, race, "b.c", "put_1::add", "x"), 0);
    assert_int_equal(hd_rule_of_place(s, race, "b.c", "f", "q->head"), 0);
    assert_int_equal(hd_rule_of_place(s, is_volatile, "queue.h", "f", "x"), 0);
    assert_int_equal(hd_rule_of_place(s, is_volatile, "b.c", "f", "q->head"), 4);
    s->ranges[s->n_ranges++] = (struct hd_rule_range){ .begin = 16, .end = 20, .rule = 3 };
    assert_int_equal(hd_rule_of_address(s, is_volatile, 16), 4);
    assert_int_equal(hd_rule_of_address(s, is_volatile, 20), 0);
    assert_int_equal(hd_rule_of_address(s, race, 16), 0);
    struct hd_str text;
    hd_str_init(&text);
    hd_suppressions_rule(&text, &s->rules[1]);
    assert_string_equal(text.text, "race:src/*.c");
    hd_str_release(&text);
    free(s);
}

static void refuses_n(const char *text, size_t n, const char *because)
{
    struct hd_suppressions *s = calloc(1, sizeof *s);
    struct hd_err err = { "" };
    assert_int_equal(hd_suppressions_parse(s, "f", text, n, &err), -1);
    if (!strstr(err.text, because))
        fail_msg("no '%s' in '%s'", because, err.text);
    free(s);
}

static void refuses(const char *text, const char *because)
{
    refuses_n(text, strlen(text), because);
}

static void mistakes(void **state)
{
    (void)state;
    refuses("\nrace\n", "f:2: 'race': a rule begins with race:");
    refuses("race:\n", "f:1: 'race:': the pattern is missing");
    refuses("race:function:\n", "the pattern is missing");
    refuses("deadlock:f\n", "begins with race: or volatile-ok:");
    refuses("volatile-ok:a.c\n", "comes file:, function: or variable:");
    refuses("r\033[2Jx", "f:1: 'r\\x1b[2Jx': ");
    refuses_n("race:a\0b", 8, "zero byte");
    struct hd_str text;
    hd_str_init(&text);
    hd_str_append(&text, "race:");
    for (int i = 0; i < 124; i++)
        hd_str_append_char(&text, 'x');
    refuses(text.text, "more than 123 characters");
    hd_str_clear(&text);
    for (int i = 0; i < 129; i++)
        hd_str_append(&text, "race:x\n");
    refuses(text.text, "f:129: 'race:x': there are more than 128 rules");
    while (text.length <= HD_MAX_SUPPRESSION_BYTES)
        hd_str_append(&text, "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n");
    refuses(text.text, "f: a suppression file has at most 1 MB");
    hd_str_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(globs),
                                        cmocka_unit_test(globs_at_random),
                                        cmocka_unit_test(rules), cmocka_unit_test(mistakes) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
