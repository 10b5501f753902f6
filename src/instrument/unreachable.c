/* Undefined behaviour must end in a violation, never in code that happens to follow.
 *
 * The compiler marks as unreachable the end of a C++ function that must return a value and does
 * not, and __builtin_unreachable().  There a call of the runtime is inserted
 * (hd_unreachable_tell), before an optimisation can conclude that the path to it is never
 * taken.  Calls through a null pointer and accesses of it would be marked later, so null is
 * declared to be an address like others: the processor faults.  Other code that the optimiser
 * finds unreachable becomes a trap with a number that the runtime recognises. */
#include "instrument/unreachable.h"

#include "core/abi.h"

#include <llvm-c/DebugInfo.h>

static const LLVMAttributeIndex whole = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;

static bool never_returns(LLVMValueRef call)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noreturn", 8);
    LLVMValueRef callee = LLVMIsAFunction(LLVMGetCalledValue(call));
    return LLVMGetCallSiteEnumAttribute(call, whole, kind) ||
           (callee && LLVMGetEnumAttributeAtIndex(callee, whole, kind));
}

/* The end of a block after a call that does not return is no mistake. */
static bool is_told(LLVMValueRef end)
{
    LLVMValueRef before = LLVMGetPreviousInstruction(end);
    return before && LLVMIsACallInst(before) && never_returns(before);
}

static void make_null_valid(struct hd_pass *p)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("null_pointer_is_valid", 21);
    LLVMAddAttributeAtIndex(p->function, whole, LLVMCreateEnumAttribute(p->context, kind, 0));
}

void hd_unreachable_tell(struct hd_pass *p)
{
    make_null_valid(p);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b;
         b = LLVMGetNextBasicBlock(b)) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
        if (!end || LLVMGetInstructionOpcode(end) != LLVMUnreachable || is_told(end))
            continue;
        LLVMValueRef site = hd_pass_u32(p, hd_sites_add(&p->sites, end, HD_OP_NONE, 0, 0));
        hd_pass_before(p, end);
        hd_pass_hook(p, "__heddle_unreachable", p->nothing, &site, 1);
    }
}

void hd_unreachable_trap(LLVMModuleRef module)
{
    static const char name[] = "llvm.ubsantrap";
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef trap = LLVMGetIntrinsicDeclaration(
        module, LLVMLookupIntrinsicID(name, sizeof name - 1), NULL, 0);
    LLVMValueRef number = LLVMConstInt(LLVMInt8TypeInContext(context), HD_TRAP_UNREACHABLE, 0);
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b)) {
            LLVMValueRef end = LLVMGetBasicBlockTerminator(b);
            if (!end || LLVMGetInstructionOpcode(end) != LLVMUnreachable)
                continue;
            LLVMPositionBuilderBefore(builder, end);
            LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(end));
            LLVMBuildCall2(builder, LLVMGlobalGetValueType(trap), trap, &number, 1, "");
        }
    LLVMDisposeBuilder(builder);
}
