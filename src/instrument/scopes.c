#include "instrument/scopes.h"

#include "analyse/code.h"
#include "base/str.h"
#include "compile/emit.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#define HOLD "__heddle_hold"

bool hd_scopes_is_marker(LLVMValueRef inst, const char *which)
{
    return LLVMIsACallInst(inst) && hd_str_starts(hd_code_callee_name(inst), which);
}

static bool is_lifetime(LLVMValueRef inst) { return hd_scopes_is_marker(inst, "llvm.lifetime."); }

/* ---- 1. ---- */

static bool is_scalar(LLVMTypeRef type)
{
    LLVMTypeKind kind = LLVMGetTypeKind(type);
    return kind != LLVMStructTypeKind && kind != LLVMArrayTypeKind;
}

/* Where the scope begins, if it has a beginning and an end, and a variable keeps the
 * address. */
static LLVMValueRef kept_scope(LLVMValueRef slot)
{
    LLVMValueRef start = NULL;
    bool ends = false, kept = false;
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (hd_scopes_is_marker(user, "llvm.lifetime.start"))
            start = user;
        ends |= hd_scopes_is_marker(user, "llvm.lifetime.end");
        kept |= LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == slot;
    }
    return ends && kept ? start : NULL;
}

/* It must not throw: a call that may is made an invoke where its function is put into a caller
 * that catches, and an invoke ends its block. */
static LLVMValueRef hold_function(LLVMModuleRef module, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, HOLD);
    if (function)
        return function;
    unsigned kind = LLVMGetEnumAttributeKindForName("nounwind", 8);
    LLVMContextRef context = LLVMGetModuleContext(module);
    function = LLVMAddFunction(module, HOLD, type);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                            LLVMCreateEnumAttribute(context, kind, 0));
    return function;
}

static void hold(LLVMModuleRef module, LLVMBuilderRef builder, LLVMValueRef slot,
                 LLVMValueRef start)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef param = LLVMPointerTypeInContext(context, 0);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), &param, 1, 0);
    LLVMValueRef function = hold_function(module, type);
    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(start));
    LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(start));
    LLVMBuildCall2(builder, type, function, &slot, 1, "");
}

void hd_scopes_hold(LLVMModuleRef module)
{
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        LLVMBasicBlockRef entry = LLVMCountBasicBlocks(f) ? LLVMGetEntryBasicBlock(f) : NULL;
        LLVMValueRef i = entry ? LLVMGetFirstInstruction(entry) : NULL;
        for (LLVMValueRef start; i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && is_scalar(LLVMGetAllocatedType(i)) &&
                (start = kept_scope(i)) != NULL)
                hold(module, builder, i, start);
    }
    LLVMDisposeBuilder(builder);
}

/* ---- 3. ---- */

/* A walk through the code that may run after the end of a scope. */
struct walk {
    LLVMValueRef slot;
    struct hd_ptrmap seen; /* blocks */
    LLVMBasicBlockRef *work;
    size_t n_work, room;
    struct hd_ptrmap *late; /* NULL: only whether there is one matters */
    bool found;
};

static bool leads_to(LLVMValueRef pointer, LLVMValueRef slot)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer == slot;
}

static bool accesses(LLVMValueRef inst, LLVMValueRef slot)
{
    if (LLVMIsALoadInst(inst) || LLVMIsAAtomicRMWInst(inst) || LLVMIsAAtomicCmpXchgInst(inst))
        return leads_to(LLVMGetOperand(inst, 0), slot);
    if (LLVMIsAStoreInst(inst))
        return leads_to(LLVMGetOperand(inst, 1), slot);
    if (hd_scopes_is_marker(inst, "llvm.memset"))
        return leads_to(LLVMGetOperand(inst, 0), slot);
    if (hd_scopes_is_marker(inst, "llvm.memcpy") || hd_scopes_is_marker(inst, "llvm.memmove"))
        return leads_to(LLVMGetOperand(inst, 0), slot) || leads_to(LLVMGetOperand(inst, 1), slot);
    return false;
}

static void add_work(struct walk *w, LLVMBasicBlockRef block)
{
    uint64_t *seen = hd_ptrmap_put(&w->seen, block);
    if (*seen)
        return;
    *seen = 1;
    if (w->n_work == w->room) {
        w->room = w->room ? w->room * 2 : 16;
        w->work = hd_realloc(w->work, w->room * sizeof *w->work);
    }
    w->work[w->n_work++] = block;
}

/* From the instruction to the end of its block, or to where the scope begins anew. */
static void walk_block(struct walk *w, LLVMValueRef i)
{
    for (; i; i = LLVMGetNextInstruction(i)) {
        if (hd_scopes_is_marker(i, "llvm.lifetime.start") && LLVMGetOperand(i, 1) == w->slot)
            return;
        if (accesses(i, w->slot)) {
            w->found = true;
            if (w->late)
                *hd_ptrmap_put(w->late, i) = 1;
        }
        unsigned n = LLVMIsATerminatorInst(i) ? LLVMGetNumSuccessors(i) : 0;
        for (unsigned s = 0; s < n; s++)
            add_work(w, LLVMGetSuccessor(i, s));
    }
}

static bool find_late(LLVMValueRef slot, struct hd_ptrmap *late)
{
    struct walk w = { .slot = slot, .late = late };
    hd_ptrmap_init(&w.seen);
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (hd_scopes_is_marker(user, "llvm.lifetime.end"))
            walk_block(&w, LLVMGetNextInstruction(user));
    }
    while (w.n_work)
        walk_block(&w, LLVMGetFirstInstruction(w.work[--w.n_work]));
    free(w.work);
    hd_ptrmap_release(&w.seen);
    return w.found;
}

void hd_scopes_late(LLVMValueRef function, struct hd_ptrmap *late)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i))
            if (LLVMIsAAllocaInst(i) && find_late(i, late))
                *hd_ptrmap_put(late, i) = 1;
}

/* ---- 2. ---- */

/* Has the address other uses than loads and stores of the local? */
static bool is_still_kept(LLVMValueRef slot)
{
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        bool plain = LLVMIsALoadInst(user) ||
                     (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) != slot);
        if (!plain && !is_lifetime(user) && !hd_scopes_is_marker(user, HOLD))
            return true;
    }
    return false;
}

/* Lets go of the locals that nothing uses too late; `all`: of all. */
static unsigned let_go(LLVMValueRef function, bool all)
{
    unsigned n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(function), next; use; use = next) {
        LLVMValueRef call = LLVMGetUser(use), slot = LLVMGetOperand(call, 0);
        next = LLVMGetNextUse(use);
        if (!all && (!LLVMIsAAllocaInst(slot) || is_still_kept(slot) || find_late(slot, NULL)))
            continue;
        LLVMInstructionEraseFromParent(call);
        n++;
    }
    return n;
}

int hd_scopes_settle(LLVMModuleRef module, struct hd_err *err)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, HOLD);
    int failed = hd_emit_passes(module, "function(mem2reg)", err);
    while (!failed && function && let_go(function, false))
        failed = hd_emit_passes(module, "function(mem2reg)", err);
    if (function) {
        let_go(function, true);
        LLVMDeleteFunction(function);
    }
    return failed;
}
