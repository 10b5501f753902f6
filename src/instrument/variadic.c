/* Arguments of variadic functions of the program lie on the stack, over what was there before.
 * va_start tells the runtime where, so that it forgets what it knew of the place.  Those that
 * are passed on the stack lie in the frame of the caller, next to its locals.  Only the caller
 * knows how many bytes they take: it stores the number, and the function reads it when it
 * begins. */
#include "instrument/bounds.h"

#include "instrument/names.h"

#include <llvm-c/DebugInfo.h>

static bool calls(LLVMValueRef inst, const char *which)
{
    return LLVMIsACallInst(inst) && hd_str_starts(hd_code_callee_name(inst), which);
}

/* Bytes of the arguments that are not passed in registers; rather more than too few. */
static uint64_t stacked_bytes(struct hd_pass *p, LLVMValueRef call)
{
    enum { GENERAL = 6, FLOATING = 8 };
    unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5), general = 0, floating = 0;
    uint64_t bytes = 0;
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++) {
        LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));
        LLVMAttributeRef memory = LLVMGetCallSiteEnumAttribute(call, i + 1, byval);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        if (memory)
            bytes += LLVMABISizeOfType(p->layout, LLVMGetTypeAttributeValue(memory)) + 16;
        else if (kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind)
            floating++;
        else if (LLVMABISizeOfType(p->layout, type) <= 8)
            general++;
        else
            bytes += LLVMABISizeOfType(p->layout, type) + 16;
    }
    bytes += general > GENERAL ? 8 * (general - GENERAL) : 0;
    bytes += floating > FLOATING ? 8 * (floating - FLOATING) : 0;
    return (bytes + 7) / 8 * 8;
}

static LLVMValueRef number(struct hd_pass *p)
{
    LLVMValueRef global = LLVMGetNamedGlobal(p->module, "__heddle_stacked_bytes");
    return global ? global : LLVMAddGlobal(p->module, p->i64, "__heddle_stacked_bytes");
}

static void tell(struct hd_pass *p, LLVMValueRef call)
{
    uint64_t bytes = stacked_bytes(p, call);
    if (bytes == 0)
        return;
    hd_pass_before(p, call);
    LLVMBuildStore(p->builder, hd_pass_u64(p, bytes), number(p));
}

static LLVMValueRef take(struct hd_pass *p)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function));
    while (LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    hd_pass_before(p, i);
    LLVMValueRef bytes = LLVMBuildLoad2(p->builder, p->i64, number(p), "");
    LLVMBuildStore(p->builder, hd_pass_u64(p, 0), number(p));
    return bytes;
}

void hd_variadic_function(struct hd_pass *p)
{
    LLVMValueRef bytes = NULL;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (calls(i, "llvm.va_start")) {
                bytes = bytes ? bytes : take(p);
                LLVMValueRef args[] = { LLVMGetOperand(i, 0), bytes };
                hd_pass_before(p, LLVMGetNextInstruction(i));
                hd_pass_hook(p, "__heddle_alive_arguments", p->nothing, args, 2);
            } else if (hd_code_is_call(i) && LLVMIsFunctionVarArg(LLVMGetCalledFunctionType(i))) {
                LLVMValueRef callee = hd_code_callee(i);
                if (callee == NULL || !LLVMIsDeclaration(callee))
                    tell(p, i);
            }
        }
}
