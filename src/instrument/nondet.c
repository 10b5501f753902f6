#include "instrument/nondet.h"

#include "base/str.h"

#include <stdbool.h>
#include <string.h>

#define MOST_STEPS 8 /* from the call to where the value ends up */

/* May this use of a variable's address be ignored: does it only begin or end its lifetime? */
static bool is_lifetime(LLVMValueRef user)
{
    if (!LLVMIsACallInst(user) || !LLVMIsAFunction(LLVMGetCalledValue(user)))
        return false;
    size_t n;
    return hd_str_starts(LLVMGetValueName2(LLVMGetCalledValue(user), &n), "llvm.lifetime.");
}

/* Is it a variable of this module that is only ever stored to? */
static bool never_read(LLVMValueRef variable)
{
    bool here = LLVMIsAAllocaInst(variable) ||
                (LLVMIsAGlobalVariable(variable) && LLVMGetInitializer(variable));
    if (!here)
        return false;
    for (LLVMUseRef u = LLVMGetFirstUse(variable); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        bool stored_to = LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == variable &&
                         LLVMGetOperand(user, 0) != variable;
        if (!stored_to && !is_lifetime(user))
            return false;
    }
    return true;
}

/* An instruction that makes a value of values, and can do nothing else. */
static bool computes(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
    case LLVMPHI:
        return true;
    default:
        return false;
    }
}

static bool decides_nothing(LLVMValueRef value, uint32_t left)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef user = LLVMGetUser(u);
        if (!LLVMIsAInstruction(user))
            return false;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value &&
            never_read(LLVMGetOperand(user, 1)))
            continue;
        if (left == 0 || !computes(user) || !decides_nothing(user, left - 1))
            return false;
    }
    return true;
}

/* All values of these types are equivalent if they are not read; pointers are refused
 * anyway. */
static bool is_value(LLVMValueRef inst)
{
    LLVMValueRef f = LLVMIsACallInst(inst) ? LLVMGetCalledValue(inst) : NULL;
    size_t n;
    return f && LLVMIsAFunction(f) && LLVMIsDeclaration(f) &&
           LLVMGetTypeKind(LLVMTypeOf(inst)) == LLVMIntegerTypeKind &&
           hd_str_starts(LLVMGetValueName2(f, &n), "__VERIFIER_nondet_");
}

static void settle_block(LLVMBasicBlockRef block)
{
    LLVMValueRef next;
    for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
        next = LLVMGetNextInstruction(i);
        if (!is_value(i) || !decides_nothing(i, MOST_STEPS))
            continue;
        LLVMReplaceAllUsesWith(i, LLVMConstNull(LLVMTypeOf(i)));
        LLVMInstructionEraseFromParent(i);
    }
}

void hd_nondet_settle(LLVMModuleRef module)
{
    for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
        for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
            settle_block(b);
}
