/* The compiler's command line, taken apart. */
#include "compile/driver.h"

#include "base/fs.h"
#include "compile/compile.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static struct hd_err err;

/* "cc" and the words of `line`, separated by single blanks. */
static int parse(struct hd_driver *d, const char *line)
{
    char *copy = hd_strdup(line), *argv[32] = { "cc" };
    int argc = 1;
    for (char *word = strtok(copy, " "); word; word = strtok(NULL, " "))
        argv[argc++] = word;
    int failed = hd_driver_init(d, argc, argv, false, &err);
    free(copy);
    return failed;
}

static char *joined(const struct hd_strs *list)
{
    struct hd_str s;
    hd_str_init(&s);
    for (size_t i = 0; i < list->n; i++)
        hd_str_appendf(&s, "%s%s", i ? " " : "", list->items[i]);
    return hd_str_detach(&s);
}

static void flags_are(const struct hd_driver *d, const char *expected)
{
    char *text = joined(&d->compile_flags);
    assert_string_equal(text, expected);
    free(text);
}

/* Items as "kind text" with kinds S(ource), A(ssembly), F(ile), L(ibrary), O(ption). */
static void items_are(const struct hd_driver *d, const char *expected)
{
    struct hd_str s;
    hd_str_init(&s);
    for (size_t i = 0; i < d->n_items; i++)
        hd_str_appendf(&s, "%s%c:%s", i ? " " : "", "SAFLO"[d->items[i].kind],
                       d -> items[i].text);
    assert_string_equal(s.text, expected);
    hd_str_release(&s);
}

static void compile_line(void **state)
{
    struct hd_driver d;
    (void)state;
    assert_int_equal(
        parse(&d, "-c -O2 -g -Wall -Iinc -I inc2 -DX=1 -D Y -UZ -std=gnu11 -MD -MF x.d -MT x "
                  "-fPIC -pthread -include pre.h -oout.o a.c"),
        0);
    assert_int_equal(d.mode, HD_DRIVER_COMPILE);
    assert_string_equal(d.output, "out.o");
    assert_false(d.unoptimised);
    flags_are(&d, "-Wall -Iinc -I inc2 -DX=1 -D Y -UZ -std=gnu11 -MD -MF x.d -MT x -fPIC "
                  "-pthread -include pre.h");
    items_are(&d, "O:-pthread S:a.c");
    hd_driver_release(&d);
}

static void link_line(void **state)
{
    struct hd_driver d;
    (void)state;
    assert_int_equal(parse(&d, "-o prog main.o -Ldir -L dir2 -Wl,--as-needed libx.a -lm -l z a.c "
                               "start.S y.so -Xlinker -Map=x -rdynamic"),
                     0);
    assert_int_equal(d.mode, HD_DRIVER_LINK);
    assert_string_equal(d.output, "prog");
    assert_true(d.unoptimised);
    items_are(&d, "F:main.o O:-Wl,--as-needed F:libx.a L:m L:z S:a.c A:start.S F:y.so "
                  "O:-Xlinker O:-Map=x O:-rdynamic");
    char *dirs = joined(&d.library_dirs);
    assert_string_equal(dirs, "dir dir2");
    free(dirs);
    flags_are(&d, "");
    hd_driver_release(&d);
}

static void languages(void **state)
{
    struct hd_driver d;
    (void)state;
    assert_int_equal(parse(&d, "-c -x c++ one -xnone two.c three.o -x assembler four"), 0);
    items_are(&d, "S:one S:two.c F:three.o A:four");
    assert_string_equal(d.items[0].language, "c++");
    assert_null(d.items[1].language);
    assert_true(hd_driver_is_cxx(&d));
    hd_driver_release(&d);
    assert_int_equal(parse(&d, "a.c b.o"), 0);
    assert_false(hd_driver_is_cxx(&d));
    hd_driver_release(&d);
    assert_int_equal(parse(&d, "a.cc"), 0);
    assert_true(hd_driver_is_cxx(&d));
    hd_driver_release(&d);
}

static void modes(void **state)
{
    static const struct {
        const char *line;
        enum hd_driver_mode mode;
    } rows[] = {
        { "-E a.c", HD_DRIVER_PASS },
        { "-c -E a.c", HD_DRIVER_PASS },
        { "-S a.c", HD_DRIVER_PASS },
        { "--version", HD_DRIVER_PASS },
        { "-v", HD_DRIVER_PASS },
        { "-print-search-dirs", HD_DRIVER_PASS },
        { "-M a.c", HD_DRIVER_PASS },
        { "-MM -c a.c", HD_DRIVER_PASS },
        { "-shared a.o", HD_DRIVER_SHARED },
        { "-c -shared a.c", HD_DRIVER_COMPILE },
        { "-r a.o", HD_DRIVER_RELOCATABLE },
        { "-shared -c a.c", HD_DRIVER_COMPILE },
        { "-v a.c", HD_DRIVER_LINK },
        { "-MMD a.c", HD_DRIVER_LINK },
        { "-dumpversion", HD_DRIVER_PASS },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hd_driver d;
        if (parse(&d, rows[i].line) != 0)
            fail_msg("%s: %s", rows[i].line, err.text);
        if (d.mode != rows[i].mode)
            fail_msg("%s: mode %d", rows[i].line, (int)d.mode);
        hd_driver_release(&d);
    }
}

static void replaced_options(void **state)
{
    struct hd_driver d;
    (void)state;
    assert_int_equal(parse(&d,
                           "-g3 -ggdb -flto=auto -fno-pie -no-pie -pipe -s -O3 -fsanitize=thread "
                           "-fstack-protector-strong --coverage a.c"),
                     0);
    flags_are(&d, "");
    items_are(&d, "S:a.c");
    assert_int_equal(d.notes.n, 1);
    assert_non_null(strstr(d.notes.items[0], "-fsanitize=thread is ignored"));
    hd_driver_release(&d);
}

static void refused(void **state)
{
    static const char *const rows[][2] = {
        { "-static a.c", "-static is not supported" },
        { "-m32 a.c", "-m32 is not supported" },
        { "a.c -o", "-o needs an argument" },
        { "a.c -I", "-I needs an argument" },
        { "a.c -include", "-include needs an argument" },
        { "-O2", "no input files" },
        { "", "no input files" },
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct hd_driver d;
        assert_int_equal(parse(&d, rows[i][0]), -1);
        if (strstr(err.text, rows[i][1]) == NULL)
            fail_msg("%s: %s", rows[i][0], err.text);
        hd_driver_release(&d);
    }
}

static void response_file(void **state)
{
    struct hd_driver d;
    char *directory;
    (void)state;
    assert_int_equal(hd_fs_temp_dir(&directory, &err), 0);
    char *path = hd_fs_join(directory, "args"), *argument = hd_str_format("-c @%s", path);
    const char *text = "-DA='b c' \"x y.c\"\n-DQ=\\\"q\\\" -O1 ''";
    assert_int_equal(hd_fs_write(path, text, strlen(text), &err), 0);
    assert_int_equal(parse(&d, argument), 0);
    assert_int_equal(d.compile_flags.n, 2);
    assert_string_equal(d.compile_flags.items[0], "-DA=b c");
    assert_string_equal(d.compile_flags.items[1], "-DQ=\"q\"");
    assert_string_equal(d.items[0].text, "x y.c");
    assert_string_equal(d.items[1].text, "");
    hd_driver_release(&d);

    /* A file that names itself does not end in an endless loop. */
    char *self = hd_str_format("@%s", path);
    assert_int_equal(hd_fs_write(path, self, strlen(self), &err), 0);
    assert_int_equal(parse(&d, argument), -1);
    hd_driver_release(&d);
    free(self);
    free(path);
    free(argument);
    hd_fs_remove_tree(directory);
    free(directory);
}

static void inputs(void **state)
{
    static const char *const yes[] = { "a.c", "b.cc", "dir.d/x.cpp", "x.C", "x.i", "x.o", "l.a" };
    static const char *const no[] = { "a", "a.out", "dir.c/prog", "x.h", ".c" };
    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(hd_compile_is_input(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(hd_compile_is_input(no[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(compile_line),     cmocka_unit_test(link_line),
        cmocka_unit_test(languages),        cmocka_unit_test(modes),
        cmocka_unit_test(replaced_options), cmocka_unit_test(refused),
        cmocka_unit_test(response_file),    cmocka_unit_test(inputs),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
