/* From where on threads only read. */
#include "analyse/tails.h"
#include "fake_module.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

static const char text[] =
    "@x = global i32 0\n@out = global i32 0\n@m = global [40 x i8] zeroinitializer\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i32 @pthread_join(i64, ptr)\n"
    "declare i32 @pthread_mutex_unlock(ptr)\ndeclare void @mystery()\n"
    /* loads in a loop, and a result */
    "define ptr @reads(ptr %a) {\nbr label %loop\nloop:\n"
    "%l = load atomic i32, ptr @x seq_cst, align 4\n%c = icmp eq i32 %l, 0\n"
    "br i1 %c, label %loop, label %done\ndone:\nstore i32 %l, ptr @out\nret ptr null\n}\n"
    /* the second turn stores before the load */
    "define ptr @turns(ptr %a) {\nbr label %loop\nloop:\n"
    "%l = load atomic i32, ptr @x seq_cst, align 4\n%c = icmp eq i32 %l, 0\n"
    "br i1 %c, label %again, label %done\nagain:\n"
    "store atomic i32 1, ptr @x seq_cst, align 4\nbr label %loop\ndone:\n"
    "%e = load atomic i32, ptr @x seq_cst, align 4\nret ptr null\n}\n"
    "define ptr @rmw(ptr %a) {\n%l = load atomic i32, ptr @x seq_cst, align 4\n"
    "%r = atomicrmw add ptr @x, i32 1 seq_cst\n"
    "%e = load atomic i32, ptr @x seq_cst, align 4\nret ptr null\n}\n"
    "define ptr @unlocks(ptr %a) {\n%l = load atomic i32, ptr @x seq_cst, align 4\n"
    "%u = call i32 @pthread_mutex_unlock(ptr @m)\nret ptr null\n}\n"
    "define ptr @unknown(ptr %a) {\n%l = load atomic i32, ptr @x seq_cst, align 4\n"
    "call void @mystery()\nret ptr null\n}\n"
    /* what comes after the return counts, and what is called */
    "define internal i32 @get() {\n%l = load atomic i32, ptr @x seq_cst, align 4\n"
    "ret i32 %l\n}\n"
    "define internal i32 @last() {\n%l = load atomic i32, ptr @x seq_cst, align 4\n"
    "ret i32 %l\n}\n"
    "define internal void @put() {\nstore atomic i32 1, ptr @x seq_cst, align 4\nret void\n}\n"
    "define ptr @calls(ptr %a) {\n%g = call i32 @get()\n"
    "%l = load atomic i32, ptr @x seq_cst, align 4\ncall void @put()\n"
    "%z = call i32 @last()\nret ptr null\n}\n"
    "define i32 @main(i32 %argc, ptr %argv) {\n%t = alloca i64\n"
    "%1 = call i32 @pthread_create(ptr %t, ptr null, ptr @reads, ptr null)\n"
    "%2 = call i32 @pthread_create(ptr %t, ptr null, ptr @turns, ptr null)\n"
    "%3 = call i32 @pthread_create(ptr %t, ptr null, ptr @rmw, ptr null)\n"
    "%4 = call i32 @pthread_create(ptr %t, ptr null, ptr @unlocks, ptr null)\n"
    "%early = load atomic i32, ptr @x seq_cst, align 4\n"
    "%5 = call i32 @pthread_create(ptr %t, ptr null, ptr @calls, ptr null)\n"
    "%6 = call i32 @pthread_create(ptr %t, ptr null, ptr @unknown, ptr null)\n"
    "%late = load atomic i32, ptr @x seq_cst, align 4\n%id = load i64, ptr %t\n"
    "%j = call i32 @pthread_join(i64 %id, ptr null)\nret i32 0\n}\n";

static void test_tails(void **state)
{
    static const struct {
        const char *function, *load;
        bool tail;
    } loads[] = {
        { "reads", "l", true },    { "turns", "l", false },    { "turns", "e", true },
        { "rmw", "l", false },     { "rmw", "e", true },       { "unlocks", "l", false },
        { "unknown", "l", false }, { "get", "l", false },      { "last", "l", true },
        { "calls", "l", false },   { "main", "early", false }, { "main", "late", true },
    };
    (void)state;
    struct fake_module m;
    struct hd_facts f;
    struct hd_tails tails;
    fake_module_init(&m, text);
    hd_facts_init(&f, m.module);
    hd_tails_init(&tails, &f);
    for (size_t i = 0; i < sizeof loads / sizeof loads[0]; i++) {
        LLVMValueRef load = fake_module_inst(&m, loads[i].function, loads[i].load);
        if (tails.of[hd_code_point(&f.code, load)] != loads[i].tail)
            fail_msg("%s of %s is %sin a tail", loads[i].load, loads[i].function,
                     loads[i].tail ? "not " : "");
    }
    hd_tails_release(&tails);
    hd_facts_release(&f);
    fake_module_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tails) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
