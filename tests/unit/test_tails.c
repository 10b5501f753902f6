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
        if (!(tails.of[hd_code_point(&f.code, load)] & HD_TAIL_READS) == loads[i].tail)
            fail_msg("%s of %s is %sin a tail", loads[i].load, loads[i].function,
                     loads[i].tail ? "not " : "");
    }
    hd_tails_release(&tails);
    hd_facts_release(&f);
    fake_module_release(&m);
}

static const char ends[] =
    "@x = global i32 0\n@out = global i32 0\n@m = global [40 x i8] zeroinitializer\n"
    "@list = global [4 x i32] zeroinitializer\n@id = global i64 0\n"
    "declare i32 @pthread_mutex_lock(ptr)\ndeclare void @qsort(ptr, i64, i64, ptr)\n"
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare i32 @pthread_join(i64, ptr)\n"
    "declare i64 @strlen(ptr)\ndeclare i32 @pthread_tryjoin_np(i64, ptr)\n"
    "define ptr @work(ptr %a) {\nstore i32 1, ptr @x\nstore i32 1, ptr %a\n"
    "%u = call i32 @pthread_mutex_lock(ptr @m)\nret ptr null\n}\n"
    /* qsort calls it again, and goes on */
    "define internal i32 @compares(ptr %a, ptr %b) {\n%t = load i64, ptr @id\n"
    "%q = call i32 @pthread_join(i64 %t, ptr null)\nret i32 0\n}\n"
    "define internal i32 @joins(i64 %t) {\n%q = call i32 @pthread_join(i64 %t, ptr null)\n"
    "ret i32 %q\n}\n"
    "define internal i32 @reads(i64 %t) {\n%q = call i32 @pthread_join(i64 %t, ptr null)\n"
    "%v = load i32, ptr @x\nret i32 %v\n}\n"
    "define i32 @main(i32 %argc, ptr %argv) {\n%t = alloca i64\n%own = alloca i32\n"
    "%left = alloca i32\n%r = alloca ptr\nstore i32 0, ptr %own\n"
    "%1 = call i32 @pthread_create(ptr %t, ptr null, ptr @work, ptr %left)\n%id = load i64, ptr %t\n"
    "switch i32 %argc, label %plain [i32 1, label %shared i32 2, label %result i32 3, label %call "
    "i32 4, label %library i32 5, label %try i32 6, label %other i32 7, label %volatile "
    "i32 8, label %loop i32 9, label %sorts i32 10, label %lock]\n"
    "plain:\n%a = call i32 @pthread_join(i64 %id, ptr null)\n%o = load i32, ptr %own\n"
    "ret i32 %o\n"
    "shared:\n%b = call i32 @pthread_join(i64 %id, ptr null)\n%v = load i32, ptr @x\nret i32 %v\n"
    "result:\n%c = call i32 @pthread_join(i64 %id, ptr %r)\nret i32 0\n"
    "call:\n%d = call i32 @joins(i64 %id)\nret i32 %d\n"
    "library:\n%e = call i32 @pthread_join(i64 %id, ptr null)\n%n = call i64 @strlen(ptr %own)\n"
    "ret i32 0\n"
    "try:\n%f = call i32 @pthread_tryjoin_np(i64 %id, ptr null)\nret i32 0\n"
    "other:\n%g = call i32 @reads(i64 %id)\nret i32 %g\n"
    "volatile:\n%h = call i32 @pthread_join(i64 %id, ptr null)\n"
    "%w = load volatile i32, ptr %own\nret i32 %w\n"
    "loop:\n%i = phi i64 [%id, %0], [%k, %loop]\n%j = call i32 @pthread_join(i64 %i, ptr null)\n"
    "%k = add i64 %i, 1\n%z = icmp eq i64 %k, 9\nbr i1 %z, label %late, label %loop\n"
    "late:\n%l = load i32, ptr %left\nret i32 %l\n"
    "sorts:\ncall void @qsort(ptr @list, i64 4, i64 4, ptr @compares)\nret i32 0\n"
    "lock:\n%p = call i32 @pthread_join(i64 %id, ptr null)\n%y = load i32, ptr @m\nret i32 %y\n"
    "}\n";

static void test_ends(void **state)
{
    static const struct {
        const char *function, *join;
        bool tail;
    } joins[] = {
        { "main", "a", true },  { "main", "b", false }, { "main", "c", false },
        { "main", "d", true },  { "joins", "q", true }, { "main", "e", false },
        { "main", "f", false }, { "main", "g", false }, { "reads", "q", false },
        { "main", "h", false }, { "main", "j", false }, { "compares", "q", false },
        { "main", "p", false },
    };
    (void)state;
    struct fake_module m;
    struct hd_facts f;
    struct hd_tails tails;
    fake_module_init(&m, ends);
    hd_facts_init(&f, m.module);
    hd_tails_init(&tails, &f);
    for (size_t i = 0; i < sizeof joins / sizeof joins[0]; i++) {
        LLVMValueRef join = fake_module_inst(&m, joins[i].function, joins[i].join);
        if (!(tails.of[hd_code_point(&f.code, join)] & HD_TAIL_JOINS) == joins[i].tail)
            fail_msg("%s of %s is %sthe beginning of nothing but joins", joins[i].join,
                     joins[i].function, joins[i].tail ? "not " : "");
    }
    hd_tails_release(&tails);
    hd_facts_release(&f);
    fake_module_release(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = { cmocka_unit_test(test_tails),
                                        cmocka_unit_test(test_ends) };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
