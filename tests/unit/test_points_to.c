/* Points-to sets, call edges and thread entries of small modules. */
#include "analyse/threads.h"
#include "base/str.h"
#include "fake_module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* The set as text, sorted: "a b+8 c+? f()", "?" for the unknown, "new" for the heap. */
static void name_location(const struct hd_points_to *p, uint32_t location, struct hd_strs *out)
{
    struct hd_location at = p->objects.locations[location];
    const struct hd_abstract *object = &p->objects.items[at.object];
    size_t n;
    const char *name = object->value ? LLVMGetValueName2(object->value, &n) : "";
    if (object->kind == HD_OBJECT_UNKNOWN)
        name = "?";
    else if (object->kind == HD_OBJECT_HEAP)
        name = "new";
    else if (object->kind == HD_OBJECT_VARIADIC)
        name = "...";
    if (object->kind == HD_OBJECT_FUNCTION)
        hd_strs_addf(out, "%s()", name);
    else if (at.offset == HD_ANYWHERE)
        hd_strs_addf(out, "%s%s", name, object->kind == HD_OBJECT_UNKNOWN ? "" : "+?");
    else if (at.offset)
        hd_strs_addf(out, "%s+%u", name, at.offset);
    else
        hd_strs_add(out, name);
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void assert_set(struct hd_points_to *p, LLVMValueRef value, const char *expected)
{
    uint32_t n;
    struct hd_strs names;
    struct hd_str text;
    hd_strs_init(&names);
    hd_str_init(&text);
    const uint32_t *set = hd_points_to_get(p, value, &n);
    for (uint32_t i = 0; i < n; i++)
        name_location(p, set[i], &names);
    if (names.n)
        qsort(names.items, names.n, sizeof *names.items, by_text);
    for (size_t i = 0; i < names.n; i++)
        hd_str_appendf(&text, "%s%s", i ? " " : "", names.items[i]);
    assert_string_equal(text.text, expected);
    hd_str_release(&text);
    hd_strs_release(&names);
}

#define DECLARE                                                                                  \
    "declare ptr @malloc(i64)\ndeclare ptr @calloc(i64, i64)\ndeclare ptr @realloc(ptr, i64)\n"  \
    "declare void @mystery(ptr)\ndeclare ptr @oracle()\ndeclare ptr @strchr(ptr, i32)\n"         \
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"                                   \
    "declare void @llvm.va_start(ptr)\ndeclare void @qsort(ptr, i64, i64, ptr)\n"                \
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i32 @pthread_join(i64, ptr)\n"     \
    "declare i32 @pthread_setspecific(i32, ptr)\ndeclare ptr @pthread_getspecific(i32)\n"        \
    "declare i64 @strtol(ptr, ptr, i32)\ndeclare i64 @write(i32, ptr, i64)\n"                    \
    "%pair = type { ptr, ptr }\n%list = type { i32, [4 x %pair], ptr }\n"                        \
    "@a = global i32 0\n@b = global i32 0\n@g = global ptr null\n@h = global ptr null\n"         \
    "@s = global %pair zeroinitializer\n@t = global %pair zeroinitializer\n"                     \
    "@l = global %list zeroinitializer\n@n = global i64 0\n@e = external global ptr\n"

/* What %q of @f may point to, when @f's body is the text. */
static const struct {
    const char *what, *body, *expected;
} questions[] = {
    { "a variable", "%q = getelementptr i8, ptr @a, i64 0", "a" },
    { "through memory", "store ptr @a, ptr @g\n%q = load ptr, ptr @g", "a" },
    { "two stores", "store ptr @a, ptr @g\nstore ptr @b, ptr @g\n%q = load ptr, ptr @g", "a b" },
    { "another variable", "store ptr @a, ptr @g\n%q = load ptr, ptr @h", "" },
    { "a choice", "%q = select i1 %c, ptr @a, ptr @b", "a b" },
    { "fields are kept apart",
      "%y = getelementptr %pair, ptr @s, i64 0, i32 1\nstore ptr @a, ptr @s\n"
      "store ptr @b, ptr %y\n%q = load ptr, ptr @s",
      "a" },
    { "the other field",
      "%y = getelementptr %pair, ptr @s, i64 0, i32 1\nstore ptr @a, ptr @s\n"
      "store ptr @b, ptr %y\n%q = load ptr, ptr %y",
      "b" },
    { "elements are one",
      "%x = getelementptr %list, ptr @l, i64 0, i32 1, i64 1, i32 1\nstore ptr @a, ptr %x\n"
      "%y = getelementptr %list, ptr @l, i64 0, i32 1, i64 %i, i32 1\n%q = load ptr, ptr %y",
      "a" },
    { "fields of elements are kept apart",
      "%x = getelementptr %list, ptr @l, i64 0, i32 1, i64 1, i32 0\nstore ptr @a, ptr %x\n"
      "%y = getelementptr %list, ptr @l, i64 0, i32 1, i64 %i, i32 1\n%q = load ptr, ptr %y",
      "" },
    { "behind the array",
      "%x = getelementptr %list, ptr @l, i64 0, i32 1, i64 %i, i32 0\nstore ptr @a, ptr %x\n"
      "%y = getelementptr %list, ptr @l, i64 0, i32 2\n%q = load ptr, ptr %y",
      "" },
    { "an index that is not the array's reaches anywhere",
      "%x = getelementptr i8, ptr @l, i64 %i\nstore ptr @a, ptr %x\n"
      "%y = getelementptr %list, ptr @l, i64 0, i32 2\n%q = load ptr, ptr %y",
      "a" },
    { "out of an array by a constant",
      "%x = getelementptr %list, ptr @l, i64 0, i32 1, i64 %i\n"
      "%q = getelementptr i8, ptr %x, i64 -8",
      "l+?" },
    { "heap by allocation", "%q = call ptr @malloc(i64 4)", "new" },
    { "fields of the heap",
      "%x = call ptr @malloc(i64 16)\n%y = getelementptr %pair, ptr %x, i64 0, i32 1\n"
      "store ptr @a, ptr %x\nstore ptr @b, ptr %y\n%q = load ptr, ptr %y",
      "b" },
    { "arrays on the heap",
      "%x = call ptr @calloc(i64 %i, i64 16)\n"
      "%y = getelementptr %pair, ptr %x, i64 %i, i32 1\nstore ptr @b, ptr %y\n"
      "store ptr @a, ptr %x\n%z = getelementptr %pair, ptr %x, i64 3, i32 1\n"
      "%q = load ptr, ptr %z",
      "b" },
    { "realloc keeps what was there",
      "%x = call ptr @malloc(i64 8)\nstore ptr @a, ptr %x\n"
      "%y = call ptr @realloc(ptr %x, i64 16)\n%q = load ptr, ptr %y",
      "a" },
    { "a copied struct",
      "%y = getelementptr %pair, ptr @s, i64 0, i32 1\nstore ptr @a, ptr @s\n"
      "store ptr @b, ptr %y\ncall void @llvm.memcpy.p0.p0.i64(ptr @t, ptr @s, i64 16, i1 0)\n"
      "%z = getelementptr %pair, ptr @t, i64 0, i32 1\n%q = load ptr, ptr %z",
      "b" },
    { "through an integer",
      "%x = ptrtoint ptr @a to i64\nstore i64 %x, ptr @n\n%y = load i64, ptr @n\n"
      "%q = inttoptr i64 %y to ptr",
      "a" },
    { "arithmetic", "%x = ptrtoint ptr @s to i64\n%y = or i64 %x, 1\n%q = inttoptr i64 %y to ptr",
      "s+?" },
    { "byte by byte",
      "store ptr @a, ptr @g\n%x = getelementptr i8, ptr @g, i64 %i\n%v = load i8, ptr %x\n"
      "%y = getelementptr i8, ptr @h, i64 %i\nstore i8 %v, ptr %y\n%q = load ptr, ptr @h",
      "a" },
    { "into a string", "%q = call ptr @strchr(ptr @s, i32 0)", "s+?" },
    { "strtol's end", "%x = call i64 @strtol(ptr @s, ptr @g, i32 0)\n%q = load ptr, ptr @g",
      "s+?" },
    { "given away", "call void @mystery(ptr @g)\nstore ptr @a, ptr @g\n%q = load ptr, ptr @g",
      "? a" },
    { "what code that is not here returns", "%q = call ptr @oracle()", "?" },
    { "stored into memory that is not ours",
      "store ptr @g, ptr @e\n%x = load ptr, ptr @e\nstore ptr @a, ptr @g\n%q = load ptr, ptr @g",
      "? a" },
    { "an address in a file",
      "store ptr @g, ptr @h\n%w = call i64 @write(i32 1, ptr @h, i64 8)\n%q = load ptr, ptr @g",
      "?" },
    { "assembly", "%q = call ptr asm \"\", \"=r,r\"(ptr @g)", "?" },
    { "thread-specific",
      "%x = call i32 @pthread_setspecific(i32 0, ptr @a)\n"
      "%q = call ptr @pthread_getspecific(i32 0)",
      "a" },
    { "a loop of copies",
      "br label %m\nm:\n%x = phi ptr [ @a, %0 ], [ %y, %m ]\n"
      "%y = phi ptr [ @b, %0 ], [ %x, %m ]\nbr i1 %c, label %m, label %o\no:\n"
      "%q = select i1 %c, ptr %x, ptr %y",
      "a b" },
};

static void test_sets(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        struct fake_module m;
        struct hd_points_to p;
        char *text = hd_str_format("%sdefine void @f(i1 %%c, i64 %%i) {\n%s\nret void\n}\n",
                                   DECLARE, questions[i].body);
        fake_module_init(&m, text);
        hd_points_to_init(&p, &m.code);
        print_message("%s\n", questions[i].what);
        assert_set(&p, fake_module_inst(&m, "f", "q"), questions[i].expected);
        hd_points_to_release(&p);
        fake_module_release(&m);
        free(text);
    }
}

static const char threads_text[] = DECLARE
    "@table = constant [2 x ptr] [ptr @one, ptr @two]\n"
    "define ptr @one(ptr %x) {\nstore ptr %x, ptr @g\nret ptr %x\n}\n"
    "define ptr @two(ptr %x) {\ncall void @helper(ptr %x)\nret ptr null\n}\n"
    "define void @helper(ptr %y) {\nret void\n}\n"
    "define void @unused() {\nret void\n}\n"
    "define i32 @order(ptr %p, ptr %r) {\nret i32 0\n}\n"
    "define ptr @three(ptr %x) {\nret ptr @b\n}\n"
    "define void @many(i32 %n, ...) {\n%v = alloca [24 x i8]\ncall void @llvm.va_start(ptr %v)\n"
    "%w = load ptr, ptr %v\n%u = load ptr, ptr %w\nret void\n}\n"
    "define i32 @main(i32 %c, ptr %v) {\n"
    "%i = sext i32 %c to i64\n%slot = getelementptr [2 x ptr], ptr @table, i64 0, i64 %i\n"
    "%fn = load ptr, ptr %slot\n%id = alloca i64\n"
    "%r = call i32 @pthread_create(ptr %id, ptr null, ptr %fn, ptr @a)\n"
    "br label %loop\nloop:\n"
    "%t = call i32 @pthread_create(ptr %id, ptr null, ptr @three, ptr null)\n"
    "br i1 undef, label %loop, label %out\nout:\n"
    "call void @qsort(ptr @s, i64 2, i64 8, ptr @order)\n"
    "call void (i32, ...) @many(i32 1, ptr @a, ptr @b)\n"
    "%j = call i32 @pthread_join(i64 0, ptr @h)\n%z = load ptr, ptr @h\n"
    "ret i32 0\n}\n";

static bool runs(struct fake_module *m, struct hd_entries *t, const char *entry,
                 const char *function)
{
    uint32_t e = hd_threads_entry(
        t, hd_code_function(&m->code, LLVMGetNamedFunction(m->module, entry)));
    assert_int_not_equal(e, HD_NO_POINT);
    return hd_threads_runs(t, e,
                           hd_code_function(&m->code, LLVMGetNamedFunction(m->module, function)));
}

static bool many(struct fake_module *m, struct hd_entries *t, const char *entry)
{
    return t
        ->entries[hd_threads_entry(
            t, hd_code_function(&m->code, LLVMGetNamedFunction(m->module, entry)))]
        .many;
}

static void test_threads(void **state)
{
    (void)state;
    struct fake_module m;
    struct hd_points_to p;
    struct hd_cfg cfg;
    struct hd_entries t;
    fake_module_init(&m, threads_text);
    hd_points_to_init(&p, &m.code);
    hd_cfg_init(&cfg, &p);
    hd_threads_init(&t, &p, &cfg);
    assert_int_equal(t.n, 4); /* main, one, two, three */
    assert_set(&p, LLVMGetParam(LLVMGetNamedFunction(m.module, "one"), 0), "a");
    assert_set(&p, LLVMGetParam(LLVMGetNamedFunction(m.module, "helper"), 0), "a");
    assert_set(&p, LLVMGetParam(LLVMGetNamedFunction(m.module, "order"), 1),
               "+? s+?");                                     /* or in a copy */
    assert_set(&p, fake_module_inst(&m, "main", "z"), "a b"); /* results, by pthread_join */
    assert_set(&p, fake_module_inst(&m, "many", "u"), "a b");
    assert_true(runs(&m, &t, "two", "helper"));
    assert_false(runs(&m, &t, "one", "helper"));
    assert_true(runs(&m, &t, "main", "order"));
    assert_false(runs(&m, &t, "main", "one"));
    assert_false(runs(&m, &t, "main", "unused"));
    assert_false(many(&m, &t, "main"));
    assert_false(many(&m, &t, "one"));
    assert_true(many(&m, &t, "three"));
    uint32_t n;
    LLVMValueRef create = fake_module_inst(&m, "main", "r");
    const struct hd_edge *edges = hd_points_to_edges(&p, hd_code_point(&m.code, create), &n);
    assert_int_equal(n, 3); /* pthread_create itself, one, two */
    uint32_t spawned = 0;
    for (uint32_t i = 0; i < n; i++)
        spawned += edges[i].kind == HD_EDGE_SPAWN;
    assert_int_equal(spawned, 2);
    hd_threads_release(&t);
    hd_cfg_release(&cfg);
    hd_points_to_release(&p);
    fake_module_release(&m);
}

static const char flow_text[] =
    "declare void @exit(i32)\ndeclare void @a()\n"
    "define void @die() {\ncall void @exit(i32 1)\nunreachable\n}\n"
    "define void @f(i1 %c, i1 %d) {\n"
    "entry:\nbr i1 %c, label %left, label %right\n"
    "left:\ncall void @die()\nbr label %join\n"
    "right:\nbr label %loop\n"
    "loop:\nbr i1 %d, label %loop, label %join\n"
    "join:\nret void\n}\n"
    "define void @g(i1 %c) {\n"
    "entry:\nbr i1 %c, label %then, label %join\n"
    "then:\ncall void @a()\nbr label %join\njoin:\nret void\n}\n"
    "define void @spin() {\nentry:\nbr label %here\nhere:\nbr label %here\n}\n";

static uint32_t block_named(struct fake_module *m, const char *function, const char *name)
{
    for (uint32_t b = 0; b < m->code.n_blocks; b++)
        if (strcmp(m->code.functions[m->code.blocks[b].function].name, function) == 0 &&
            strcmp(LLVMGetBasicBlockName(m->code.blocks[b].value), name) == 0)
            return b;
    fail_msg("no block %s", name);
    return 0;
}

static bool depends(struct hd_cfg *cfg, uint32_t block, uint32_t on)
{
    for (uint32_t i = cfg->control_first[block]; i < cfg->control_first[block + 1]; i++)
        if (cfg->controls[i] == on)
            return true;
    return false;
}

static void test_flow(void **state)
{
    (void)state;
    struct fake_module m;
    struct hd_points_to p;
    struct hd_cfg cfg;
    fake_module_init(&m, flow_text);
    hd_points_to_init(&p, &m.code);
    hd_cfg_init(&cfg, &p);
    uint32_t entry = block_named(&m, "f", "entry"), left = block_named(&m, "f", "left");
    uint32_t right = block_named(&m, "f", "right"), loop = block_named(&m, "f", "loop");
    uint32_t join = block_named(&m, "f", "join");
    assert_false(cfg.returns[hd_code_function(&m.code, LLVMGetNamedFunction(m.module, "die"))]);
    assert_false(cfg.returns[hd_code_function(&m.code, LLVMGetNamedFunction(m.module, "spin"))]);
    assert_true(cfg.returns[hd_code_function(&m.code, LLVMGetNamedFunction(m.module, "f"))]);
    assert_int_not_equal(cfg.cut[left], HD_NO_POINT);
    assert_true(depends(&cfg, left, entry));
    assert_true(depends(&cfg, join, entry)); /* because the left side ends the process */
    assert_true(depends(&cfg, right, entry));
    assert_true(depends(&cfg, loop, loop));
    assert_false(depends(&cfg, join, loop));
    assert_true(cfg.in_loop[loop]);
    assert_false(cfg.in_loop[join]);
    assert_int_equal(cfg.post_dominator[right], loop);
    assert_int_equal(cfg.post_dominator[entry], HD_EXIT_BLOCK);
    entry = block_named(&m, "g", "entry");
    assert_true(depends(&cfg, block_named(&m, "g", "then"), entry));
    assert_false(depends(&cfg, block_named(&m, "g", "join"), entry));
    assert_int_equal(cfg.post_dominator[entry], block_named(&m, "g", "join"));
    hd_cfg_release(&cfg);
    hd_points_to_release(&p);
    fake_module_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sets),
        cmocka_unit_test(test_threads),
        cmocka_unit_test(test_flow),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
