/* The archive reader, on archives made here byte by byte. */
#include "base/fs.h"
#include "compile/ar.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static char *directory;

static int set_up(void **state)
{
    struct hd_err err;
    (void)state;
    return hd_fs_temp_dir(&directory, &err);
}

static int tear_down(void **state)
{
    (void)state;
    hd_fs_remove_tree(directory);
    free(directory);
    return 0;
}

/* Appends a member; `size` is what the header says. */
static void member(struct hd_str *ar, const char *name, size_t size, const char *contents)
{
    hd_str_appendf(ar, "%-16s%-12u%-6u%-6u%-8u%-10zu`\n", name, 0u, 0u, 0u, 0644u, size);
    hd_str_append(ar, contents);
    if (strlen(contents) & 1)
        hd_str_append_char(ar, '\n');
}

static int open_text(struct hd_ar *ar, const struct hd_str *text, struct hd_err *err)
{
    char *path = hd_fs_join(directory, "x.a");
    assert_int_equal(hd_fs_write(path, text->text, text->length, err), 0);
    int failed = hd_ar_open(ar, path, err);
    free(path);
    return failed;
}

static void has(const struct hd_ar *ar, size_t i, const char *name, const char *contents)
{
    assert_true(i < ar->n);
    assert_string_equal(ar->members[i].name, name);
    assert_int_equal(ar->members[i].n, strlen(contents));
    assert_memory_equal(ar->members[i].bytes, contents, strlen(contents));
}

static void gnu_names(void **state)
{
    struct hd_str text;
    struct hd_ar ar;
    struct hd_err err;
    (void)state;
    hd_str_init(&text);
    hd_str_append(&text, "!<arch>\n");
    member(&text, "/", 5, "index");
    member(&text, "//", 50, "a_rather_long_name.o/\nanother_rather_long_name.o/\n");
    member(&text, "short.o/", 3, "odd");
    member(&text, "/0", 4, "long");
    member(&text, "/22", 0, "");
    assert_int_equal(open_text(&ar, &text, &err), 0);
    assert_int_equal(ar.n, 3);
    has(&ar, 0, "short.o", "odd");
    has(&ar, 1, "a_rather_long_name.o", "long");
    has(&ar, 2, "another_rather_long_name.o", "");
    hd_ar_release(&ar);
    hd_str_release(&text);
}

static void bsd_names(void **state)
{
    struct hd_str text;
    struct hd_ar ar;
    struct hd_err err;
    (void)state;
    hd_str_init(&text);
    hd_str_append(&text, "!<arch>\n");
    member(&text, "#1/20", 24, "a_name_of_20_bytes.oBODY");
    member(&text, "__.SYMDEF", 2, "xx");
    assert_int_equal(open_text(&ar, &text, &err), 0);
    assert_int_equal(ar.n, 1);
    has(&ar, 0, "a_name_of_20_bytes.o", "BODY");
    hd_ar_release(&ar);
    hd_str_release(&text);
}

static void thin(void **state)
{
    struct hd_str text;
    struct hd_ar ar;
    struct hd_err err;
    (void)state;
    hd_str_init(&text);
    char *path = hd_fs_join(directory, "m.o");
    assert_int_equal(hd_fs_write(path, "outside", 7, &err), 0);
    hd_str_append(&text, "!<thin>\n");
    member(&text, "/", 4, "indx");
    member(&text, "//", 5, "m.o/\n");
    member(&text, "/0", 7, "");
    assert_int_equal(open_text(&ar, &text, &err), 0);
    assert_int_equal(ar.n, 1);
    has(&ar, 0, "m.o", "outside");
    hd_ar_release(&ar);

    remove(path);
    assert_int_equal(open_text(&ar, &text, &err), -1);
    assert_non_null(strstr(err.text, "m.o"));
    hd_ar_release(&ar);
    free(path);
    hd_str_release(&text);
}

static void empty(void **state)
{
    struct hd_str text;
    struct hd_ar ar;
    struct hd_err err;
    (void)state;
    hd_str_init(&text);
    hd_str_append(&text, "!<arch>\n");
    assert_int_equal(open_text(&ar, &text, &err), 0);
    assert_int_equal(ar.n, 0);
    hd_ar_release(&ar);
    hd_str_release(&text);
}

/* Whatever is cut off or changed, reading ends, inside the bytes (the sanitizers look), and a cut
 * inside a member is an error. */
static void damaged(void **state)
{
    struct hd_str whole, part;
    struct hd_ar ar;
    struct hd_err err;
    (void)state;
    hd_str_init(&whole);
    hd_str_init(&part);
    hd_str_append(&whole, "!<arch>\n");
    member(&whole, "//", 23, "some_rather_long_name/\n");
    size_t between = whole.length; /* with or without the byte that makes it even */
    member(&whole, "/0", 6, "member");
    for (size_t n = 9; n < whole.length; n++) {
        hd_str_clear(&part);
        hd_str_append_bytes(&part, whole.text, n);
        int failed = open_text(&ar, &part, &err);
        assert_true(failed == -1 || n == between || n + 1 == between);
        hd_ar_release(&ar);
    }
    for (size_t i = 8; i < whole.length; i++)
        for (const char *c = "/9 #"; *c; c++) {
            hd_str_clear(&part);
            hd_str_append_bytes(&part, whole.text, whole.length);
            part.text[i] = *c;
            open_text(&ar, &part, &err);
            hd_ar_release(&ar);
        }
    hd_str_release(&whole);
    hd_str_release(&part);
}

static void not_an_archive(void **state)
{
    struct hd_str text;
    struct hd_ar ar;
    struct hd_err err;
    (void)state;
    hd_str_init(&text);
    hd_str_append(&text, "ELF and so on");
    assert_int_equal(open_text(&ar, &text, &err), -1);
    assert_non_null(strstr(err.text, "x.a: not an archive"));
    hd_ar_release(&ar);
    hd_str_release(&text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(gnu_names), cmocka_unit_test(bsd_names),
        cmocka_unit_test(thin),      cmocka_unit_test(empty),
        cmocka_unit_test(damaged),   cmocka_unit_test(not_an_archive),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
