/* A call is inlined only where the whole loop, and the whole called function, could be an
 * iteration that changes nothing.  Every other call stays, with its place in the stack of a
 * report. */
#include "instrument/looks.h"

#include "base/ptrmap.h"
#include "base/str.h"
#include "compile/emit.h"
#include "instrument/await.h"

#include <string.h>

enum { MOST_DEEP = 4, MOST_INSTRUCTIONS = 64, MOST_CALLS = 8 };

struct calls {
    LLVMValueRef items[MOST_CALLS];
    unsigned n;
};

static bool collect_part(struct calls *calls, LLVMValueRef inst, int depth);

static bool is_replaceable(LLVMValueRef function)
{
    LLVMLinkage linkage = LLVMGetLinkage(function);
    return linkage == LLVMWeakAnyLinkage || linkage == LLVMLinkOnceAnyLinkage;
}

/* Does the function only read or try to lock?  It has no loop. */
static bool looks(struct calls *calls, LLVMValueRef function, int depth)
{
    struct hd_loop loop;
    unsigned n = 0;
    if (LLVMIsDeclaration(function) || is_replaceable(function) || depth == MOST_DEEP ||
        LLVMIsFunctionVarArg(LLVMGlobalGetValueType(function)))
        return false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        if (hd_loop_find(&loop, b, function))
            return false;
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            bool own = LLVMIsAAllocaInst(i) || LLVMIsAReturnInst(i);
            if (++n > MOST_INSTRUCTIONS || (!own && !collect_part(calls, i, depth)))
                return false;
        }
    }
    return true;
}

/* Can the instruction be part of a turn that changes nothing? Calls that have to go are
 * collected. */
static bool collect_part(struct calls *calls, LLVMValueRef inst, int depth)
{
    if (hd_await_part(inst))
        return true;
    LLVMValueRef callee = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    if (callee == NULL || !LLVMIsAFunction(callee) || calls->n == MOST_CALLS)
        return false;
    calls->items[calls->n++] = inst;
    return looks(calls, callee, depth + 1);
}

static unsigned attribute(const char *name)
{
    return LLVMGetEnumAttributeKindForName(name, strlen(name));
}

static void mark(LLVMContextRef context, const struct calls *calls, struct hd_ptrmap *callees)
{
    LLVMAttributeRef always = LLVMCreateEnumAttribute(context, attribute("alwaysinline"), 0);
    for (unsigned i = 0; i < calls->n; i++) {
        LLVMValueRef callee = LLVMGetCalledValue(calls->items[i]);
        LLVMRemoveCallSiteEnumAttribute(calls->items[i], (LLVMAttributeIndex)-1,
                                        attribute("noinline"));
        LLVMAddCallSiteAttribute(calls->items[i], (LLVMAttributeIndex)-1, always);
        *hd_ptrmap_put(callees, callee) = 1;
    }
}

/* Does every variable of the loop come to rest? */
static bool rests(const struct hd_loop *loop)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(loop->header); LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        if (!hd_await_rests(loop, i))
            return false;
    return true;
}

static bool mark_loops(LLVMValueRef function, struct hd_ptrmap *callees)
{
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    bool any = false;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b;
         b = LLVMGetNextBasicBlock(b)) {
        struct hd_loop loop;
        struct calls calls = { .n = 0 };
        bool fits = hd_loop_find(&loop, b, function) && !hd_loop_nests(&loop) && rests(&loop);
        for (unsigned i = 0; fits && i < loop.n; i++)
            for (LLVMValueRef inst = LLVMGetFirstInstruction(loop.blocks[i]); inst && fits;
                 inst = LLVMGetNextInstruction(inst))
                fits = collect_part(&calls, inst, 0);
        if (!fits || calls.n == 0)
            continue;
        mark(context, &calls, callees);
        any = true;
    }
    return any;
}

/* Functions that the program marks as always-inline are left to the optimiser. */
static void hold_others(LLVMModuleRef module, struct hd_ptrmap *held)
{
    unsigned kind = attribute("alwaysinline");
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (LLVMGetEnumAttributeAtIndex(f, (LLVMAttributeIndex)-1, kind)) {
            LLVMRemoveEnumAttributeAtIndex(f, (LLVMAttributeIndex)-1, kind);
            *hd_ptrmap_put(held, f) = 1;
        }
}

/* Remove functions without callers: nothing of them can be reached. */
static void release_others(LLVMModuleRef module, const struct hd_ptrmap *held,
                           const struct hd_ptrmap *callees)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMAttributeRef always = LLVMCreateEnumAttribute(context, attribute("alwaysinline"), 0);
    for (LLVMValueRef f = LLVMGetFirstFunction(module), next; f; f = next) {
        next = LLVMGetNextFunction(f);
        if (hd_ptrmap_get(held, f))
            LLVMAddAttributeAtIndex(f, (LLVMAttributeIndex)-1, always);
        if (hd_ptrmap_get(callees, f) && LLVMGetFirstUse(f) == NULL &&
            LLVMGetLinkage(f) == LLVMInternalLinkage)
            LLVMDeleteFunction(f);
    }
}

int hd_looks_inline(LLVMModuleRef module, struct hd_err *err)
{
    struct hd_ptrmap held, callees;
    bool any = false;
    int failed = 0;
    hd_ptrmap_init(&held);
    hd_ptrmap_init(&callees);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        if (!LLVMIsDeclaration(f))
            any |= mark_loops(f, &callees);
    if (any) {
        hold_others(module, &held);
        failed = hd_emit_passes(module, "always-inline", err);
        release_others(module, &held, &callees);
    }
    hd_ptrmap_release(&held);
    hd_ptrmap_release(&callees);
    return failed;
}
