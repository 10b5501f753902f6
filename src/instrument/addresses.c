#include "instrument/addresses.h"

#include "analyse/fits.h"
#include "analyse/libc.h"
#include "base/err.h"
#include "base/str.h"
#include "instrument/notes.h"
#include "instrument/plan.h"
#include "instrument/waits.h"

#include <stdlib.h>
#include <string.h>

/* A constant without users may still exist. */
static bool is_dead(LLVMValueRef user)
{
    if (!LLVMIsAConstant(user) || LLVMIsAGlobalValue(user))
        return false;
    for (LLVMUseRef use = LLVMGetFirstUse(user); use; use = LLVMGetNextUse(use))
        if (!is_dead(LLVMGetUser(use)))
            return false;
    return true;
}

static bool address_taken(LLVMValueRef function)
{
    for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAFunction(user) || is_dead(user)) /* as its personality */
            continue;
        if (!LLVMIsACallInst(user) && !LLVMIsAInvokeInst(user))
            return true;
        /* The runtime distinguishes opaque handlers from others; what ends an exception runs
         * while the library forgets it. */
        LLVMValueRef callee = hd_plan_callee(user);
        size_t n;
        const char *name = callee ? LLVMGetValueName2(callee, &n) : "";
        if (strcmp(name, "__cxa_atexit") == 0 || strcmp(name, "__cxa_throw") == 0)
            continue;
        for (unsigned i = 0; i < LLVMGetNumArgOperands(user); i++)
            if (LLVMGetOperand(user, i) == function)
                return true;
    }
    return false;
}

/* Does the call site say what the function touches, or that it is reached? */
static bool told_of(const struct hd_libc *row)
{
    if (row->class != HD_LIBC_MODEL)
        return row->class != HD_LIBC_PURE;
    const char *text = row->effects;
    for (struct hd_effect e; hd_libc_effect(&text, &e);)
        if (e.kind == HD_EFFECT_READ || e.kind == HD_EFFECT_WRITE || e.kind == HD_EFFECT_FORMAT)
            return true;
    return false;
}

/* A function whose calls must be announced and whose address is taken; NULL: it is none. */
static const char *wanted(LLVMValueRef f, const struct hd_libc **row)
{
    size_t n;
    const char *name = LLVMGetValueName2(f, &n);
    if (!LLVMIsDeclaration(f) || hd_str_starts(name, "llvm.") ||
        hd_str_starts(name, "__heddle_") || !address_taken(f))
        return NULL;
    *row = hd_libc_find(name);
    name = hd_fits_name(name);
    return *row == NULL || told_of(*row) || hd_note_wanted(name) || hd_waits_named(name) ? name
                                                                                         : NULL;
}

/* A function that calls `callee` with its own arguments. */
static LLVMValueRef make_caller(LLVMModuleRef module, LLVMValueRef callee, const char *name)
{
    LLVMContextRef context = LLVMGetModuleContext(module);
    char *own = hd_str_format("%s_through_pointer", name);
    LLVMValueRef f = LLVMAddFunction(module, own, LLVMGlobalGetValueType(callee));
    LLVMSetLinkage(f, LLVMInternalLinkage);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    LLVMPositionBuilderAtEnd(builder, LLVMAppendBasicBlockInContext(context, f, ""));
    hd_pass_forward(builder, f, callee);
    if (hd_waits_named(name)) /* who calls it is not known */
        hd_waits_mark_call(LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(f)), name);
    free(own);
    LLVMDisposeBuilder(builder);
    return f;
}

static bool calls_directly(LLVMValueRef user, LLVMValueRef callee)
{
    return (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user)) &&
           LLVMGetCalledValue(user) == callee;
}

/* Direct calls go on calling the library. */
static void put_in_place(LLVMValueRef callee, LLVMValueRef caller)
{
    LLVMReplaceAllUsesWith(callee, caller);
    for (LLVMUseRef use = LLVMGetFirstUse(caller), next; use; use = next) {
        LLVMValueRef user = LLVMGetUser(use);
        next = LLVMGetNextUse(use);
        if (calls_directly(user, caller))
            LLVMSetOperand(user, (unsigned)LLVMGetNumOperands(user) - 1, callee);
    }
}

/* Has a parameter or result that is passed in memory: a caller would have to know how. */
static bool passes_memory(LLVMValueRef f)
{
    static const char *const ways[] = { "byval", "sret", "inalloca", "preallocated" };
    for (size_t w = 0; w < sizeof ways / sizeof *ways; w++) {
        unsigned kind = LLVMGetEnumAttributeKindForName(ways[w], strlen(ways[w]));
        for (unsigned i = 0; i < LLVMCountParams(f); i++)
            if (LLVMGetEnumAttributeAtIndex(f, i + 1, kind))
                return true;
    }
    return false;
}

void hd_addresses_wrap(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
        const struct hd_libc *row;
        const char *name = wanted(f, &row);
        if (name == NULL || passes_memory(f) || LLVMIsFunctionVarArg(LLVMGlobalGetValueType(f)) ||
            LLVMGetLinkage(f) == LLVMExternalWeakLinkage)
            continue;
        LLVMValueRef caller = make_caller(module, f, name);
        put_in_place(f, caller);
    }
}

void hd_addresses_list(struct hd_pass *p)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
        const struct hd_libc *row;
        const char *name = wanted(f, &row);
        if (name == NULL)
            continue;
        hd_strs_add(&p->unseen, name);
        if (!hd_strs_has(&p->externals, name))
            hd_strs_add(&p->externals, name);
    }
}
