#include "instrument/pass.h"

#include <llvm-c/DebugInfo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void hd_pass_init(struct hd_pass *p, LLVMModuleRef module)
{
    *p = (struct hd_pass){ .module = module, .context = LLVMGetModuleContext(module) };
    p->builder = LLVMCreateBuilderInContext(p->context);
    p->layout = LLVMGetModuleDataLayout(module);
    p->i8 = LLVMInt8TypeInContext(p->context);
    p->i32 = LLVMInt32TypeInContext(p->context);
    p->i64 = LLVMInt64TypeInContext(p->context);
    p->pointer = LLVMPointerTypeInContext(p->context, 0);
    p->nothing = LLVMVoidTypeInContext(p->context);
    p->call_site = LLVMAddGlobal(module, p->i32, "__heddle_call_site");
    hd_sites_init(&p->sites, p->context);
    hd_strs_init(&p->externals);
    hd_strs_init(&p->unseen);
}

void hd_pass_release(struct hd_pass *p)
{
    LLVMDisposeBuilder(p->builder);
    hd_sites_release(&p->sites);
    hd_strs_release(&p->externals);
    hd_strs_release(&p->unseen);
    free(p->moved);
}

void hd_pass_before(struct hd_pass *p, LLVMValueRef inst)
{
    LLVMPositionBuilderBefore(p->builder, inst);
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(inst));
}

static bool is_narrow(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(type) < 32;
}

static LLVMValueRef declared(struct hd_pass *p, const char *name, LLVMTypeRef result,
                             LLVMValueRef *args, unsigned n, LLVMTypeRef *type)
{
    LLVMTypeRef types[8];
    for (unsigned i = 0; i < n; i++)
        types[i] = LLVMTypeOf(args[i]);
    *type = LLVMFunctionType(result, types, n, 0);
    LLVMValueRef function = LLVMGetNamedFunction(p->module, name);
    return function ? function : LLVMAddFunction(p->module, name, *type);
}

LLVMValueRef hd_pass_hook(struct hd_pass *p, const char *name, LLVMTypeRef result,
                          LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef type;
    LLVMValueRef function = declared(p, name, result, args, n, &type);
    LLVMValueRef call = LLVMBuildCall2(p->builder, type, function, args, n, "");
    unsigned kind = LLVMGetEnumAttributeKindForName("zeroext", 7);
    for (unsigned i = 0; i < n; i++)
        if (is_narrow(LLVMTypeOf(args[i])))
            LLVMAddCallSiteAttribute(call, i + 1, LLVMCreateEnumAttribute(p->context, kind, 0));
    return call;
}

LLVMValueRef hd_pass_libc(struct hd_pass *p, const char *name, LLVMTypeRef result,
                          LLVMValueRef *args, unsigned n)
{
    LLVMTypeRef type;
    LLVMValueRef function = declared(p, name, result, args, n, &type);
    return LLVMBuildCall2(p->builder, type, function, args, n, "");
}

const char *hd_pass_sized(const char *stem, uint64_t bytes)
{
    static char name[64];
    snprintf(name, sizeof name, "%s%u", stem, (unsigned)bytes);
    return name;
}

LLVMValueRef hd_pass_u32(struct hd_pass *p, uint32_t value)
{
    return LLVMConstInt(p->i32, value, 0);
}

LLVMValueRef hd_pass_u64(struct hd_pass *p, uint64_t value)
{
    return LLVMConstInt(p->i64, value, 0);
}

LLVMValueRef hd_pass_slot(struct hd_pass *p, LLVMTypeRef type)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    LLVMPositionBuilderBefore(b, first);
    LLVMValueRef slot = LLVMBuildAlloca(b, type, "");
    LLVMDisposeBuilder(b);
    return slot;
}

LLVMValueRef hd_pass_stack_pointer(struct hd_pass *p)
{
    unsigned id = LLVMLookupIntrinsicID("llvm.stacksave", strlen("llvm.stacksave"));
    bool typed = LLVMIntrinsicIsOverloaded(id); /* since LLVM 18 */
    LLVMValueRef f = LLVMGetIntrinsicDeclaration(p->module, id, &p->pointer, typed);
    return LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(f), f, NULL, 0, "");
}

uint64_t hd_pass_bytes(struct hd_pass *p, LLVMTypeRef type)
{
    return LLVMStoreSizeOfType(p->layout, type);
}

LLVMTypeRef hd_pass_carrier(struct hd_pass *p, LLVMTypeRef type)
{
    uint64_t bytes = hd_pass_bytes(p, type);
    if (bytes != 1 && bytes != 2 && bytes != 4 && bytes != 8 && bytes != 16)
        return NULL;
    LLVMTypeRef carrier = LLVMIntTypeInContext(p->context, (unsigned)bytes * 8);
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMPointerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMFP128TypeKind:
        return carrier;
    case LLVMVectorTypeKind:
        if (LLVMGetTypeKind(LLVMGetElementType(type)) == LLVMPointerTypeKind ||
            LLVMSizeOfTypeInBits(p->layout, type) != bytes * 8)
            return NULL;
        return carrier;
    default:
        return NULL;
    }
}

LLVMValueRef hd_pass_to_carrier(struct hd_pass *p, LLVMValueRef value, LLVMTypeRef carrier)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMBuildZExt(p->builder, value, carrier, "");
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(p->builder, value, carrier, "");
    default:
        return LLVMBuildBitCast(p->builder, value, carrier, "");
    }
}

LLVMValueRef hd_pass_from_carrier(struct hd_pass *p, LLVMValueRef value, LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
        return LLVMBuildTrunc(p->builder, value, type, "");
    case LLVMPointerTypeKind:
        return LLVMBuildIntToPtr(p->builder, value, type, "");
    default:
        return LLVMBuildBitCast(p->builder, value, type, "");
    }
}

void hd_pass_move(struct hd_pass *p, LLVMValueRef phi, LLVMValueRef by, LLVMValueRef part)
{
    if (p->n_moved == p->moved_room) {
        p->moved_room = p->moved_room ? p->moved_room * 2 : 16;
        p->moved = hd_realloc(p->moved, p->moved_room * sizeof *p->moved);
    }
    p->moved[p->n_moved++] = (struct hd_moved){ phi, { by, part } };
    LLVMReplaceAllUsesWith(phi, by);
}

void hd_pass_remove_moved(struct hd_pass *p)
{
    for (size_t i = 0; i < p->n_moved; i++)
        LLVMInstructionEraseFromParent(p->moved[i].phi);
    p->n_moved = 0;
}

void hd_pass_replace(LLVMValueRef inst, LLVMValueRef value)
{
    if (value)
        LLVMReplaceAllUsesWith(inst, value);
    LLVMInstructionEraseFromParent(inst);
}

void hd_pass_keep(struct hd_pass *p, LLVMValueRef address, LLVMValueRef bytes)
{
    LLVMValueRef args[] = { address, bytes };
    hd_pass_hook(p, "__heddle_keep", p->nothing, args, 2);
}

void hd_pass_forward(LLVMBuilderRef builder, LLVMValueRef function, LLVMValueRef callee)
{
    LLVMTypeRef type = LLVMGlobalGetValueType(callee);
    unsigned n = LLVMCountParams(function);
    LLVMValueRef *args = hd_alloc((n + 1) * sizeof *args);
    LLVMGetParams(function, args);
    LLVMValueRef result = LLVMBuildCall2(builder, type, callee, args, n, "");
    if (LLVMGetTypeKind(LLVMGetReturnType(type)) == LLVMVoidTypeKind)
        LLVMBuildRetVoid(builder);
    else
        LLVMBuildRet(builder, result);
    free(args);
}
