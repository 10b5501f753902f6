/* Finds places where the runtime touches the tested program's memory without going through the
 * door (src/runtime/view.h): view_check FILE.bc…
 *
 * The program's pointers are the pointer parameters of the functions that it calls: every function
 * of the runtime with external linkage whose name does not begin with hd_.  From there the check
 * follows them through address computations, phis, selects, calls and results of functions, and
 * through pointers that are loaded from the program's memory.  It prints every load, store or call
 * of a function outside the runtime that uses such a pointer, as "FUNCTION USE FILE:LINE", unless
 * the function that contains it is part of the door (hd_view_…) or of the undo log (hd_log_…).
 *
 * It does not follow pointers that are stored in the model and loaded again (struct hd_sync.addr),
 * nor integers that are masked or multiplied.  tools/view.sh compares the list with view.allow. */
#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Linker.h>
#include <llvm-c/Transforms/PassBuilder.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct {
    LLVMValueRef *values; /* hash table; NULL: free */
    size_t cap, n;
} tainted;

static size_t slot_of(LLVMValueRef v)
{
    size_t i = (size_t)((uintptr_t)v * 0x9e3779b97f4a7c15ull >> 20) % tainted.cap;
    while (tainted.values[i] && tainted.values[i] != v)
        i = (i + 1) % tainted.cap;
    return i;
}

static bool is_tainted(LLVMValueRef v) { return tainted.values[slot_of(v)] != NULL; }

static bool changed;

static void taint(LLVMValueRef v)
{
    size_t i = slot_of(v);
    if (tainted.values[i])
        return;
    tainted.values[i] = v;
    changed = true;
    if (++tainted.n * 2 > tainted.cap) {
        fprintf(stderr, "view_check: more values than expected\n");
        exit(2);
    }
}

static const char *name_of(LLVMValueRef v)
{
    size_t length;
    return LLVMGetValueName2(v, &length);
}

static bool begins(const char *text, const char *prefix)
{
    return strncmp(text, prefix, strlen(prefix)) == 0;
}

static bool is_pointer(LLVMValueRef v)
{
    return LLVMGetTypeKind(LLVMTypeOf(v)) == LLVMPointerTypeKind;
}

static bool any_operand(LLVMValueRef i, int n)
{
    for (int k = 0; k < n; k++)
        if (is_tainted(LLVMGetOperand(i, (unsigned)k)))
            return true;
    return false;
}

static bool returns_tainted(LLVMValueRef function)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (end && LLVMGetInstructionOpcode(end) == LLVMRet && LLVMGetNumOperands(end) == 1 &&
            is_tainted(LLVMGetOperand(end, 0)))
            return true;
    }
    return false;
}

static void follow_call(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || LLVMIsDeclaration(callee))
        return;
    unsigned n = LLVMCountParams(callee);
    for (unsigned k = 0; k < n && k < LLVMGetNumArgOperands(call); k++)
        if (is_tainted(LLVMGetOperand(call, k)))
            taint(LLVMGetParam(callee, k));
    if (returns_tainted(callee))
        taint(call);
}

static void follow(LLVMValueRef i)
{
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMGetElementPtr:
    case LLVMBitCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
    case LLVMFreeze:
        if (any_operand(i, 1))
            taint(i);
        break;
    case LLVMLoad:
        if (any_operand(i, 1) && is_pointer(i))
            taint(i);
        break;
    case LLVMAdd:
    case LLVMSub:
        if (is_tainted(LLVMGetOperand(i, 0)) != is_tainted(LLVMGetOperand(i, 1)))
            taint(i);
        break;
    case LLVMSelect:
    case LLVMPHI:
        if (any_operand(i, LLVMGetNumOperands(i)))
            taint(i);
        break;
    case LLVMCall:
        follow_call(i);
        break;
    default:
        break;
    }
}

/* What the instruction does to a tainted address; NULL: nothing. */
static const char *use_of(LLVMValueRef i)
{
    LLVMValueRef callee;
    switch (LLVMGetInstructionOpcode(i)) {
    case LLVMLoad:
        return any_operand(i, 1) ? "load" : NULL;
    case LLVMStore:
        return is_tainted(LLVMGetOperand(i, 1)) ? "store" : NULL;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return any_operand(i, 1) ? "atomic" : NULL;
    case LLVMCall:
        callee = LLVMGetCalledValue(i);
        if (LLVMIsAFunction(callee) &&
            (!LLVMIsDeclaration(callee) || begins(name_of(callee), "llvm.dbg") ||
             begins(name_of(callee), "llvm.lifetime")))
            return NULL;
        if (!any_operand(i, (int)LLVMGetNumArgOperands(i)))
            return NULL;
        return LLVMIsAFunction(callee) ? name_of(callee) : "indirect";
    default:
        return NULL;
    }
}

static bool is_door(const char *name)
{
    return begins(name, "hd_view_") || begins(name, "hd_log_");
}

static void each(LLVMModuleRef m, void (*what)(LLVMValueRef function, LLVMValueRef i))
{
    for (LLVMValueRef f = LLVMGetFirstFunction(m); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
                what(f, i);
}

static void step(LLVMValueRef function, LLVMValueRef i)
{
    (void)function;
    follow(i);
}

static void report(LLVMValueRef function, LLVMValueRef i)
{
    const char *use = is_door(name_of(function)) ? NULL : use_of(i);
    unsigned length;
    if (use)
        printf("%s %s %s:%u\n", name_of(function), use, LLVMGetDebugLocFilename(i, &length),
               LLVMGetDebugLocLine(i));
}

static LLVMModuleRef read_module(const char *path)
{
    LLVMMemoryBufferRef buffer;
    LLVMModuleRef module;
    char *error;
    if (LLVMCreateMemoryBufferWithContentsOfFile(path, &buffer, &error) ||
        LLVMParseBitcode2(buffer, &module)) {
        fprintf(stderr, "view_check: cannot read %s\n", path);
        exit(2);
    }
    return module;
}

int main(int argc, char **argv)
{
    LLVMModuleRef all = LLVMModuleCreateWithName("runtime");
    for (int i = 1; i < argc; i++)
        if (LLVMLinkModules2(all, read_module(argv[i]))) {
            fprintf(stderr, "view_check: cannot link %s\n", argv[i]);
            return 2;
        }
    LLVMErrorRef failed = LLVMRunPasses(all, "function(sroa)", NULL,
                                        LLVMCreatePassBuilderOptions());
    if (failed) {
        fprintf(stderr, "view_check: %s\n", LLVMGetErrorMessage(failed));
        return 2;
    }
    tainted.cap = 1u << 20;
    tainted.values = calloc(tainted.cap, sizeof *tainted.values);
    for (LLVMValueRef f = LLVMGetFirstFunction(all); f; f = LLVMGetNextFunction(f)) {
        bool called = !LLVMIsDeclaration(f) && LLVMGetLinkage(f) != LLVMInternalLinkage &&
                      !begins(name_of(f), "hd_");
        for (unsigned k = 0; called && k < LLVMCountParams(f); k++)
            if (is_pointer(LLVMGetParam(f, k)))
                taint(LLVMGetParam(f, k));
    }
    do {
        changed = false;
        each(all, step);
    } while (changed);
    each(all, report);
    return 0;
}
