/* Decisions (plan) and properties of the rewritten module, on IR given as text. */
#include "base/str.h"
#include "compile/emit.h"
#include "instrument/instrument.h"
#include "instrument/plan.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <llvm-c/IRReader.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define HEADER                                                                                   \
    "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-"      \
    "n8:16:32:64-S128\"\ntarget triple = \"x86_64-pc-linux-gnu\"\n"

static LLVMModuleRef read_ir(LLVMContextRef context, const char *text)
{
    char *whole = hd_str_format("%s%s", HEADER, text), *message = NULL;
    LLVMModuleRef module = NULL;
    LLVMMemoryBufferRef buffer = LLVMCreateMemoryBufferWithMemoryRangeCopy(whole, strlen(whole),
                                                                           "test");
    if (LLVMParseIRInContext(context, buffer, &module, &message))
        fail_msg("%s", message);
    free(whole);
    return module;
}

/* The region of what @f hands to the function @ask as its only argument, before anything else. */
static enum hd_region region_of(const char *text)
{
    LLVMContextRef context = LLVMContextCreate();
    LLVMModuleRef module = read_ir(context, text);
    struct hd_plan plan;
    enum hd_region region = HD_REGION_SHARED;
    bool asked = false;
    hd_plan_init(&plan, module, NULL);
    LLVMValueRef f = LLVMGetNamedFunction(module, "f");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsALoadInst(i) && LLVMGetVolatile(i)) {
                region = hd_plan_region(&plan, LLVMGetOperand(i, 0));
                asked = true;
            }
    assert_true(asked);
    hd_plan_release(&plan);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
    return region;
}

#define DECLARE                                                                                  \
    "declare void @sink(ptr)\ndeclare i64 @strlen(ptr)\ndeclare ptr @strchr(ptr, i32)\n"         \
    "declare i32 @pthread_create(ptr, ptr, ptr, ptr)\ndeclare ptr @__errno_location()\n"         \
    "declare void @llvm.lifetime.start.p0(i64, ptr)\n"                                           \
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"                                   \
    "declare ptr @llvm.threadlocal.address.p0(ptr)\n"                                            \
    "@g = global ptr null\n@k = constant [4 x i32] zeroinitializer\n"                            \
    "@t = thread_local global i32 0\n"                                                           \
    "@u = thread_local global i32 0\n@e = external thread_local global i32\n"

/* A body of @f; the volatile load is the question. */
#define F(body) DECLARE "define void @f(ptr %arg, i64 %n) {\n" body "\nret void\n}\n"
#define LOCAL "%x = alloca [4 x i32]\n"
#define ASK(p) "%q = load volatile i32, ptr " p "\n"

static const struct {
    const char *what, *text;
    enum hd_region region;
} questions[] = {
    { "local", F(LOCAL ASK("%x")), HD_REGION_PRIVATE },
    { "element of a local",
      F(LOCAL "%y = getelementptr [4 x i32], ptr %x, i64 0, i64 %n\n" ASK("%y")),
      HD_REGION_PRIVATE },
    { "local that is compared and copied",
      F(LOCAL "call void @llvm.lifetime.start.p0(i64 16, ptr %x)\n"
              "call void @llvm.memcpy.p0.p0.i64(ptr %x, ptr %arg, i64 4, i1 false)\n"
              "%c = icmp eq ptr %x, null\n" ASK("%x")),
      HD_REGION_PRIVATE },
    { "local measured by strlen", F(LOCAL "%l = call i64 @strlen(ptr %x)\n" ASK("%x")),
      HD_REGION_PRIVATE },
    { "local written by pthread_create",
      F(LOCAL "%c = call i32 @pthread_create(ptr %x, ptr null, ptr @sink, ptr null)\n" ASK("%x")),
      HD_REGION_PRIVATE },
    { "local given to a thread",
      F(LOCAL "%c = call i32 @pthread_create(ptr @g, ptr null, ptr @sink, ptr %x)\n" ASK("%x")),
      HD_REGION_SHARED },
    { "local stored", F(LOCAL "store ptr %x, ptr @g\n" ASK("%x")), HD_REGION_SHARED },
    { "element of a local stored",
      F(LOCAL
        "%y = getelementptr [4 x i32], ptr %x, i64 0, i64 1\nstore ptr %y, ptr @g\n" ASK("%x")),
      HD_REGION_SHARED },
    { "local stored into itself", F(LOCAL "store ptr %x, ptr %x\n" ASK("%x")), HD_REGION_SHARED },
    { "local passed on", F(LOCAL "call void @sink(ptr %x)\n" ASK("%x")), HD_REGION_SHARED },
    { "result of strchr stored",
      F(LOCAL "%c = call ptr @strchr(ptr %x, i32 0)\nstore ptr %c, ptr @g\n" ASK("%x")),
      HD_REGION_SHARED },
    { "result of strchr read",
      F(LOCAL "%c = call ptr @strchr(ptr %x, i32 0)\n%v = load i8, ptr %c\n" ASK("%x")),
      HD_REGION_PRIVATE },
    { "address as a number", F(LOCAL "%i = ptrtoint ptr %x to i64\n" ASK("%x")),
      HD_REGION_SHARED },
    { "exchanged atomically", F(LOCAL "%o = atomicrmw xchg ptr @g, ptr %x seq_cst\n" ASK("%x")),
      HD_REGION_SHARED },
    { "selected", F(LOCAL "%s = select i1 false, ptr %x, ptr %arg\n" ASK("%s")),
      HD_REGION_SHARED },
    { "argument", F(ASK("%arg")), HD_REGION_SHARED },
    { "global", F(ASK("@g")), HD_REGION_SHARED },
    { "constant", F("%y = getelementptr [4 x i32], ptr @k, i64 0, i64 %n\n" ASK("%y")),
      HD_REGION_CONSTANT },
    { "thread-local", F("%y = call ptr @llvm.threadlocal.address.p0(ptr @t)\n" ASK("%y")),
      HD_REGION_THREAD },
    { "thread-local whose address is stored",
      F("%y = call ptr @llvm.threadlocal.address.p0(ptr @u)\nstore ptr %y, ptr @g\n" ASK("%y")),
      HD_REGION_SHARED },
    { "thread-local of another module",
      F("%y = call ptr @llvm.threadlocal.address.p0(ptr @e)\n" ASK("%y")), HD_REGION_SHARED },
    { "errno", F("%y = call ptr @__errno_location()\n" ASK("%y")), HD_REGION_THREAD },
    { "argument by value",
      DECLARE "define void @f(ptr byval([4 x i32]) %arg) {\n" ASK("%arg") "ret void\n}\n",
      HD_REGION_PRIVATE },
    { "argument by value, passed on",
      DECLARE "define void @f(ptr byval([4 x i32]) %arg) {\ncall void @sink(ptr %arg)\n" ASK(
          "%arg") "ret void\n}\n",
      HD_REGION_SHARED },
};

static void regions(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof questions / sizeof *questions; i++) {
        enum hd_region region = region_of(questions[i].text);
        if (region != questions[i].region)
            fail_msg("%s: region %d", questions[i].what, (int)region);
    }
}

static LLVMModuleRef instrumented(LLVMContextRef context, const char *text,
                                  struct hd_instrument_stats *stats)
{
    LLVMModuleRef module = read_ir(context, text);
    struct hd_instrument_options options = { .optimise = false, .all_accesses = true };
    struct hd_err err;
    if (hd_instrument(module, &options, stats, &err) != 0)
        fail_msg("%s", err.text);
    return module;
}

static LLVMValueRef base_of(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

/* No load or store of anything but the thread's own stack (and the call-site global) is left. */
static void check_no_native(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
                if (LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i) || LLVMIsAFenceInst(i))
                    fail_msg("an atomic instruction is left");
                if (!LLVMIsALoadInst(i) && !LLVMIsAStoreInst(i))
                    continue;
                LLVMValueRef base = base_of(LLVMGetOperand(i, LLVMIsALoadInst(i) ? 0 : 1));
                size_t n;
                if (LLVMIsAAllocaInst(base) ||
                    strcmp(LLVMGetValueName2(base, &n), "__heddle_call_site") == 0)
                    continue;
                char *text = LLVMPrintValueToString(i);
                fail_msg("left: %s", text);
            }
}

static void every_type(void **state)
{
    static const char *const types[] = {
        "i1",       "i8",        "i16",         "i24",       "i32",
        "i40",      "i64",       "i100",        "i128",      "i256",
        "half",     "bfloat",    "float",       "double",    "x86_fp80",
        "fp128",    "ptr",       "<4 x float>", "<3 x i8>",  "<3 x i1>",
        "<8 x i1>", "<2 x ptr>", "{ i32, i8 }", "[3 x i16]", "{ i64, { ptr, x86_fp80 } }",
    };
    (void)state;
    for (size_t i = 0; i < sizeof types / sizeof *types; i++) {
        LLVMContextRef context = LLVMContextCreate();
        char *text = hd_str_format(
            "@a = global %s zeroinitializer\n@b = global %s zeroinitializer\n"
            "define i32 @main() {\n%%v = load %s, ptr @a, align 1\n"
            "store %s %%v, ptr @b, align 1\nret i32 0\n}\n",
            types[i], types[i], types[i], types[i]);
        struct hd_instrument_stats stats;
        LLVMModuleRef module = instrumented(context, text, &stats);
        check_no_native(module);
        assert_int_equal(stats.hooked, 2);
        assert_int_equal(stats.sites, 3); /* with site 0 */
        LLVMDisposeModule(module);
        LLVMContextDispose(context);
        free(text);
    }
}

static void every_rmw(void **state)
{
    static const char *const ops[] = { "xchg i32",    "add i32",    "sub i32",     "and i8",
                                       "nand i16",    "or i64",     "xor i128",    "max i32",
                                       "min i32",     "umax i32",   "umin i32",    "fadd float",
                                       "fsub double", "fmax float", "fmin double", "xchg ptr",
                                       "xchg float" };
    (void)state;
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        LLVMContextRef context = LLVMContextCreate();
        const char *type = strchr(ops[i], ' ') + 1;
        char *text = hd_str_format("define i32 @main(ptr %%p) {\n"
                                   "%%v = alloca %s\n%%x = load %s, ptr %%v\n"
                                   "%%o = atomicrmw %.*s ptr %%p, %s %%x acq_rel\nret i32 0\n}\n",
                                   type, type, (int)(type - ops[i]), ops[i], type);
        struct hd_instrument_stats stats;
        LLVMModuleRef module = instrumented(context, text, &stats);
        check_no_native(module);
        assert_int_equal(stats.hooked, 1);
        assert_int_equal(stats.weak_atomics, 1);
        LLVMDisposeModule(module);
        LLVMContextDispose(context);
        free(text);
    }
}

static void no_main(void **state)
{
    LLVMContextRef context = LLVMContextCreate();
    struct hd_instrument_options options = { .optimise = false, .all_accesses = true };
    struct hd_err err;
    (void)state;
    LLVMModuleRef module = read_ir(context, "declare i32 @main()\n");
    assert_int_equal(hd_instrument(module, &options, NULL, &err), -1);
    assert_non_null(strstr(err.text, "no main"));
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

/* Optimising afterwards keeps every hook of straight-line code. */
static void optimised(void **state)
{
    LLVMContextRef context = LLVMContextCreate();
    struct hd_instrument_options options = { .optimise = true, .all_accesses = true };
    struct hd_err err;
    (void)state;
    LLVMModuleRef module = read_ir(context, "@x = internal global i32 0\n"
                                            "define i32 @main() {\n"
                                            "%a = load i32, ptr @x\nstore i32 1, ptr @x\n"
                                            "store i32 2, ptr @x\n%b = load i32, ptr @x\n"
                                            "ret i32 %b\n}\n");
    assert_int_equal(hd_instrument(module, &options, NULL, &err), 0);
    unsigned loads = 0, stores = 0;
    LLVMValueRef f = LLVMGetNamedFunction(module, "__heddle_user_main");
    if (!f) /* it was inlined */
        f = LLVMGetNamedFunction(module, "__heddle_main");
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            size_t n;
            if (!LLVMIsACallInst(i))
                continue;
            const char *name = LLVMGetValueName2(LLVMGetCalledValue(i), &n);
            loads += strcmp(name, "__heddle_load4") == 0;
            stores += strcmp(name, "__heddle_store4") == 0;
        }
    assert_int_equal(loads, 2);
    assert_int_equal(stores, 2);
    LLVMDisposeModule(module);
    LLVMContextDispose(context);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(regions), cmocka_unit_test(every_type), cmocka_unit_test(every_rmw),
        cmocka_unit_test(no_main), cmocka_unit_test(optimised),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
