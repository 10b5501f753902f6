/* The table of library functions, and printf formats. */
#include "analyse/format.h"
#include "analyse/libc.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const struct {
    const char *name;
    enum hd_libc_class class;
    const char *effects;
} rows[] = {
#define HD_LIBC(name, class, effects) { name, HD_LIBC_##class, effects },
#include "analyse/libc.def"
#undef HD_LIBC
};

/* Every row can be read, is the one that is found under its name, and has at most one write, the
 * only case that calls.c can announce exactly. */
static void all_rows(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        size_t n = strlen(rows[i].name);
        if (rows[i].name[n - 1] != '*') {
            const struct hd_libc *found = hd_libc_find(rows[i].name);
            assert_non_null(found);
            if (found->class != rows[i].class || strcmp(found->effects, rows[i].effects) != 0)
                fail_msg("%s: another row comes first", rows[i].name);
        }
        if (rows[i].class == HD_LIBC_EXPAND)
            continue;
        const char *text = rows[i].effects;
        int writes = 0;
        for (struct hd_effect e; hd_libc_effect(&text, &e);)
            writes += e.kind == HD_EFFECT_WRITE;
        if (writes > 1)
            fail_msg("%s: %d writes", rows[i].name, writes);
    }
}

static void found(void **state)
{
    (void)state;
    assert_null(hd_libc_find("qsort_s"));
    assert_null(hd_libc_find("strlen2"));
    assert_null(hd_libc_find(""));
    assert_int_equal(hd_libc_find("pthread_mutex_lock")->class, HD_LIBC_MODEL);
    assert_int_equal(hd_libc_find("floorf")->class, HD_LIBC_PURE);
}

static void effects(void **state)
{
    const char *text = "r0:s w1?:2*3 r2:=16 r3:s4 p5:rw f6 =7 e @place k8:r w9:=3|10=4";
    struct hd_effect e;
    (void)state;
    assert_true(hd_libc_effect(&text, &e));
    assert_true(e.kind == HD_EFFECT_READ && e.arg == 0 && e.extent == HD_EXTENT_STRING);
    assert_true(e.factor[0] < 0 && !e.nullable);
    assert_true(hd_libc_effect(&text, &e));
    assert_true(e.kind == HD_EFFECT_WRITE && e.arg == 1 && e.nullable);
    assert_true(e.extent == HD_EXTENT_BYTES && e.factor[0] == 2 && e.factor[1] == 3);
    assert_true(hd_libc_effect(&text, &e));
    assert_true(e.constant == 16 && e.factor[0] < 0 && e.extent == HD_EXTENT_BYTES);
    assert_true(hd_libc_effect(&text, &e));
    assert_true(e.extent == HD_EXTENT_STRING && e.factor[0] == 4 && e.factor[1] < 0);
    assert_true(hd_libc_effect(&text, &e) && e.kind == HD_EFFECT_USE && e.arg == 5);
    assert_true(hd_libc_effect(&text, &e) && e.kind == HD_EFFECT_FORMAT && e.arg == 6);
    assert_true(hd_libc_effect(&text, &e) && e.kind == HD_EFFECT_RESULT && e.arg == 7);
    assert_true(hd_libc_effect(&text, &e) && e.kind == HD_EFFECT_ERRNO);
    assert_true(hd_libc_effect(&text, &e) && e.kind == HD_EFFECT_HIDDEN);
    assert_true(hd_libc_effect(&text, &e) && e.kind == HD_EFFECT_KEPT && e.arg == 8);
    assert_true(e.grows < 0);
    assert_true(hd_libc_effect(&text, &e) && e.constant == 3 && e.grows == 10 && e.grown == 4);
    assert_false(hd_libc_effect(&text, &e));
}

static void kept_addresses(void **state)
{
    bool derived;
    (void)state;
    assert_true(hd_libc_keeps(NULL, 0, &derived));
    assert_false(hd_libc_keeps(hd_libc_find("strlen"), 0, &derived));
    assert_false(derived);
    assert_false(hd_libc_keeps(hd_libc_find("strchr"), 0, &derived));
    assert_true(derived);
    assert_false(hd_libc_keeps(hd_libc_find("pthread_create"), 0, &derived));
    assert_true(hd_libc_keeps(hd_libc_find("pthread_create"), 3, &derived));
    assert_true(hd_libc_keeps(hd_libc_find("pthread_mutex_lock"), 0, &derived));
    assert_false(hd_libc_keeps(hd_libc_find("printf"), 4, &derived));
    assert_true(hd_libc_keeps(hd_libc_find("strtol"), 0, &derived));
    assert_true(hd_libc_keeps(hd_libc_find("strtok"), 0, &derived));
    assert_false(hd_libc_keeps(hd_libc_find("strtok"), 1, &derived));
}

static void formats(void **state)
{
    static const struct {
        const char *format;
        int n;
        unsigned arg; /* of the last string */
        int limit, limit_arg;
    } table[] = {
        { "", 0, 0, 0, 0 },
        { "plain %d %5.2f %% %c %p %m\n", 0, 0, 0, 0 },
        { "%s", 1, 0, -1, -1 },
        { "%d %s", 1, 1, -1, -1 },
        { "%*d %s", 1, 2, -1, -1 },
        { "%% %s%ld %-10s", 2, 2, -1, -1 },
        { "%.3s", 1, 0, 3, -1 },
        { "%.s", 1, 0, 0, -1 },
        { "%.*s", 1, 1, -1, 0 },
        { "%*.*s", 1, 2, -1, 1 },
        { "%zu %llx %hhd %Lf %s", 1, 4, -1, -1 },
        { "%n", -1, 0, 0, 0 },
        { "%ls", -1, 0, 0, 0 },
        { "%2$s %1$s", -1, 0, 0, 0 },
        { "%", -1, 0, 0, 0 },
        { "%y", -1, 0, 0, 0 },
        { "%s%s%s%s%s", -1, 0, 0, 0 }, /* more than there is room for */
    };
    (void)state;
    for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
        struct hd_format_string s[4];
        int n = hd_format_parse(table[i].format, s, 4);
        if (n != table[i].n)
            fail_msg("\"%s\": %d strings", table[i].format, n);
        if (n <= 0)
            continue;
        const struct hd_format_string *last = &s[n - 1];
        if (last->arg != table[i].arg || last->limit != table[i].limit ||
            last->limit_arg != table[i].limit_arg)
            fail_msg("\"%s\": argument %u, limit %d, in argument %d", table[i].format, last->arg,
                     last->limit, last->limit_arg);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_rows),       cmocka_unit_test(found),   cmocka_unit_test(effects),
        cmocka_unit_test(kept_addresses), cmocka_unit_test(formats),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
