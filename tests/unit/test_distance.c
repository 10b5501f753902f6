/* Distances to a target, and what a thread may still do. */
#include "analyse/distance.h"
#include "analyse/future.h"
#include "analyse/slice.h"
#include "fake_module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "@x = global i32 0\n@y = global i32 0\n"
    "@pick = global ptr @near\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\n"
    "declare void @mark()\ndeclare void @abort()\n"
    "define void @near() {\ncall void @mark()\nret void\n}\n"
    "define void @away() {\nstore i32 1, ptr @x\nstore i32 2, ptr @x\ncall void @near()\n"
    "ret void\n}\n"
    "define void @other(i1 %c) {\nentry:\nbr i1 %c, label %a, label %b\n"
    "a:\nstore i32 1, ptr @x\nret void\n"
    "b:\nstore i32 1, ptr @x\nstore i32 1, ptr @y\nbr label %done\ndone:\nret void\n}\n"
    "define void @dead() {\ncall void @abort()\nunreachable\n}\n"
    "define ptr @thread(ptr %arg) {\nentry:\n%first = load i32, ptr @x\n"
    "call void @other(i1 true)\n%second = load i32, ptr @y\n"
    "%f = load ptr, ptr @pick\ncall void %f()\n%third = load i32, ptr @x\nret ptr null\n}\n"
    "define i32 @main(i1 %c) {\nentry:\n%id = alloca i64\n"
    "%r = call i32 @pthread_create(ptr %id, ptr null, ptr @thread, ptr null)\n"
    "store i32 7, ptr @x\nstore i32 7, ptr @y\nstore ptr @away, ptr @pick\n"
    "br i1 %c, label %end, label %out\nend:\ncall void @dead()\nunreachable\n"
    "out:\nret i32 0\n}\n";

struct setup {
    struct fake_module m;
    struct hd_facts f;
};

static void begin(struct setup *s)
{
    fake_module_init(&s->m, text);
    hd_facts_init(&s->f, s->m.module);
}

static void end(struct setup *s)
{
    hd_facts_release(&s->f);
    fake_module_release(&s->m);
}

static uint32_t point(struct setup *s, const char *function, const char *name)
{
    return hd_code_point(&s->f.code, fake_module_inst(&s->m, function, name));
}

static void test_distance(void **state)
{
    (void)state;
    struct setup s;
    struct hd_distance d;
    begin(&s);
    uint32_t target = hd_code_point(&s.f.code, fake_module_call(&s.m, "near", "mark"));
    hd_distance_init(&d, &s.f, &target, 1);
    uint32_t first = point(&s, "thread", "first"), third = point(&s, "thread", "third");
    /* first, one access in other(), second, the load of pick; near() is the cheaper one. */
    struct hd_steps from = hd_distance_of(&d, &first, 1);
    assert_int_equal(from.actions, 4);
    assert_true(from.blocks >= 3);
    assert_int_equal(hd_distance_of(&d, &third, 1).actions, HD_FAR);
    assert_int_equal(hd_distance_of(&d, &target, 1).actions, 0);
    /* Inside other(): what is left of it, then from after the call in thread(). */
    LLVMValueRef other = LLVMGetNamedFunction(s.m.module, "other");
    uint32_t entry = s.f.code.functions[hd_code_function(&s.f.code, other)].first;
    uint32_t stack[] = { entry, point(&s, "thread", "second") };
    assert_int_equal(hd_distance_of(&d, stack, 1).actions, HD_FAR);
    assert_int_equal(hd_distance_of(&d, stack, 2).actions, 3);
    /* dead() does not return. */
    LLVMValueRef dead = LLVMGetNamedFunction(s.m.module, "dead");
    uint32_t in_dead = s.f.code.functions[hd_code_function(&s.f.code, dead)].first;
    assert_int_equal(d.leave[in_dead].actions, HD_FAR);
    hd_distance_release(&d);
    end(&s);
}

static bool in_row(const struct hd_future *future, const uint64_t *row, uint32_t at)
{
    const uint32_t *visible = (const uint32_t *)((const char *)future + future->visible);
    for (uint32_t i = 0; i < future->n_visible; i++)
        if (visible[i] == at)
            return row[i / 64] >> i % 64 & 1;
    fail_msg("point %u is not visible", at);
    return false;
}

static void test_future(void **state)
{
    (void)state;
    struct setup s;
    begin(&s);
    struct hd_future *future = hd_future_create(&s.f, 1 << 20);
    assert_non_null(future);
    assert_true(hd_future_check(future, future->bytes));
    assert_false(hd_future_check(future, future->bytes - 8));
    uint32_t first = point(&s, "thread", "first"), second = point(&s, "thread", "second");
    uint32_t third = point(&s, "thread", "third");
    assert_true(in_row(future, hd_future_at(future, first), first));
    assert_true(in_row(future, hd_future_at(future, first), third));
    assert_false(in_row(future, hd_future_at(future, second), first));
    assert_true(in_row(future, hd_future_at(future, second), third));
    /* Through the function pointer into away(), from the row before the call only. */
    LLVMValueRef away = LLVMGetNamedFunction(s.m.module, "away");
    uint32_t store = s.f.code.functions[hd_code_function(&s.f.code, away)].first;
    assert_true(in_row(future, hd_future_at(future, second), store));
    assert_false(in_row(future, hd_future_at(future, third), store));
    /* After the creation no other thread is started. */
    uint32_t create = point(&s, "main", "r");
    uint32_t entry = hd_threads_entry(
        &s.f.threads, hd_code_function(&s.f.code, LLVMGetNamedFunction(s.m.module, "thread")));
    uint32_t bit = future->n_visible + entry;
    assert_true(hd_future_at(future, create)[bit / 64] >> bit % 64 & 1);
    assert_false(hd_future_at(future, create + 1)[bit / 64] >> bit % 64 & 1);
    assert_true(in_row(future, hd_future_of_entry(future, entry), third));
    free(future);
    assert_null(hd_future_create(&s.f, 16));
    end(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_distance),
        cmocka_unit_test(test_future),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
