/* Which variables two threads may touch; which locks are held where. */
#include "analyse/facts.h"
#include "fake_module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static const char text[] =
    "%mutex = type { [40 x i8] }\n"
    "@both = global i32 0\n@only_main = global i32 0\n@only_one = global i32 0\n"
    "@only_many = global i32 0\n@before = global i32 0\n@constant = global i32 7\n"
    "@watched = global i32 0\n@given = global i32 0\n@through = global ptr null\n"
    "@hidden = global i32 0\n@m = global %mutex zeroinitializer\n"
    "@n = global %mutex zeroinitializer\n@locked = global i32 0\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare void @mystery(ptr)\n"
    "declare i32 @pthread_mutex_lock(ptr)\ndeclare i32 @pthread_mutex_unlock(ptr)\n"
    "declare i32 @pthread_mutex_trylock(ptr)\n"
    "define ptr @one(ptr %a) {\n"
    "%b = load i32, ptr @both\nstore i32 1, ptr @only_one\n%o = load i32, ptr @only_one\n"
    "%c = load i32, ptr @constant\n%x = load i32, ptr @before\n"
    "%p = load ptr, ptr @through\nstore i32 1, ptr %p\n"
    "call void @enter()\nstore i32 1, ptr @locked\ncall void @leave()\n"
    "%after = load i32, ptr @locked\n"
    "%y = load i32, ptr %a\nret ptr null\n}\n"
    "define ptr @many(ptr %a) {\n%b = load i32, ptr @only_many\nstore i32 1, ptr @only_many\n"
    "%l = alloca i32\ncall void @fill(ptr %l)\n%v = load i32, ptr %l\n"
    "%t = call i32 @pthread_mutex_trylock(ptr @n)\n%tried = load i32, ptr @locked\n"
    "%c = load i32, ptr @constant\nret ptr null\n}\n"
    "define void @fill(ptr %to) {\nstore i32 3, ptr %to\nret void\n}\n"
    "define void @enter() {\n%1 = call i32 @pthread_mutex_lock(ptr @m)\nret void\n}\n"
    "define void @leave() {\n%1 = call i32 @pthread_mutex_unlock(ptr @m)\nret void\n}\n"
    "define i32 @holds() {\n%w = load i32, ptr @watched\nret i32 %w\n}\n"
    "define i32 @main(i32 %argc, ptr %argv) {\n"
    "%local = alloca i32\n%shared = alloca i32\nstore i32 1, ptr %shared\n"
    "store i32 1, ptr @before\nstore ptr @hidden, ptr @through\n"
    "%r = call i32 @pthread_create(ptr %local, ptr null, ptr @one, ptr %shared)\n"
    "store i32 1, ptr @both\nstore i32 1, ptr @only_main\n%m = load i32, ptr @only_main\n"
    "%h = load i32, ptr @hidden\nstore i32 1, ptr @watched\n"
    "store i32 2, ptr %shared\nbr label %loop\nloop:\n"
    "%s = call i32 @pthread_create(ptr %local, ptr null, ptr @many, ptr null)\n"
    "br i1 undef, label %loop, label %out\nout:\ncall void @mystery(ptr @given)\n"
    "store i32 1, ptr @given\nret i32 0\n}\n";

static enum hd_share share_of(struct hd_facts *f, const char *name)
{
    LLVMValueRef global = LLVMGetNamedGlobal(f->code.module, name);
    return f->sharing.objects[hd_objects_find(&f->points_to.objects, global)];
}

static enum hd_share share_of_local(struct fake_module *m, struct hd_facts *f,
                                    const char *function, const char *name)
{
    return hd_sharing_of(&f->sharing, fake_module_inst(m, function, name));
}

static void test_sharing(void **state)
{
    (void)state;
    struct fake_module m;
    struct hd_facts f;
    fake_module_init(&m, text);
    hd_facts_init(&f, m.module);
    assert_int_equal(share_of(&f, "both"), HD_SHARED);
    assert_int_equal(share_of(&f, "only_main"), HD_OWN);
    assert_int_equal(share_of(&f, "only_one"), HD_OWN);
    assert_int_equal(share_of(&f, "only_many"), HD_SHARED);
    assert_int_equal(share_of(&f, "before"), HD_OWN); /* one thread reads it, main wrote before */
    assert_int_equal(share_of(&f, "constant"), HD_READ_ONLY);
    assert_int_equal(share_of(&f, "watched"), HD_SHARED); /* holds() may be an invariant */
    assert_int_equal(share_of(&f, "hidden"), HD_SHARED);  /* through a pointer */
    assert_int_equal(share_of(&f, "through"), HD_OWN);
    assert_int_equal(share_of_local(&m, &f, "many", "l"), HD_OWN_LOCAL); /* passed down only */
    assert_int_equal(share_of_local(&m, &f, "main", "shared"), HD_SHARED);
    assert_int_equal(share_of_local(&m, &f, "main", "local"), HD_OWN_LOCAL);
    hd_facts_release(&f);
    fake_module_release(&m);
}

static void test_locks(void **state)
{
    (void)state;
    struct fake_module m;
    struct hd_facts f;
    fake_module_init(&m, text);
    hd_facts_init(&f, m.module);
    hd_facts_add_locks(&f);
    uint32_t after = hd_code_point(&f.code, fake_module_inst(&m, "one", "after"));
    uint32_t tried = hd_code_point(&f.code, fake_module_inst(&m, "many", "tried"));
    uint32_t write = after - 2; /* between enter() and leave() */
    struct hd_lockset inside = hd_locks_must(&f.locks, write);
    struct hd_lockset outside = hd_locks_may(&f.locks, after);
    struct hd_lockset maybe = hd_locks_may(&f.locks, tried), none = { { 0 } };
    struct hd_lockset surely = hd_locks_must(&f.locks, tried);
    assert_int_equal(f.locks.n, 2);
    assert_true(hd_lockset_protects(&inside, &inside)); /* taken and given back by callees */
    assert_memory_equal(&outside, &none, sizeof none);
    assert_memory_not_equal(&maybe, &none, sizeof none);
    assert_memory_equal(&surely, &none, sizeof none);
    assert_true(hd_locks_is_single(&f.locks, 0));
    hd_facts_release(&f);
    fake_module_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sharing),
        cmocka_unit_test(test_locks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
