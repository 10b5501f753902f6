/* The operation of a futex call is mostly a constant: in the call of syscall(), or in the calls
 * of a function that hands it on. */
#include "instrument/requeues.h"

#include "analyse/code.h"

#include <linux/futex.h>
#include <stddef.h>
#include <sys/syscall.h>

#define DEEPEST 8 /* functions and expressions between the call and a constant */

static bool may_be(LLVMValueRef value, unsigned depth);

static bool is_requeue(uint64_t operation)
{
    operation &= (uint64_t)FUTEX_CMD_MASK;
    return operation == FUTEX_REQUEUE || operation == FUTEX_CMP_REQUEUE;
}

/* What callers give for the parameter. */
static bool parameter_may_be(LLVMValueRef parameter, unsigned depth)
{
    LLVMValueRef function = LLVMGetParamParent(parameter);
    unsigned index = 0;
    while (LLVMGetParam(function, index) != parameter)
        index++;
    for (LLVMUseRef u = LLVMGetFirstUse(function); u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (!hd_code_is_call(call) || LLVMGetCalledValue(call) != function ||
            index >= LLVMGetNumArgOperands(call) || may_be(LLVMGetOperand(call, index), depth))
            return true;
    }
    return false;
}

static bool phi_may_be(LLVMValueRef phi, unsigned depth)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++)
        if (may_be(LLVMGetIncomingValue(phi, i), depth))
            return true;
    return false;
}

/* An operation with flags: FUTEX_PRIVATE_FLAG and the like are above it. */
static bool or_may_be(LLVMValueRef value, unsigned depth)
{
    for (unsigned i = 0; i < 2; i++) {
        LLVMValueRef flags = LLVMGetOperand(value, i);
        if (LLVMIsAConstantInt(flags) &&
            !(LLVMConstIntGetZExtValue(flags) & (uint64_t)FUTEX_CMD_MASK))
            return may_be(LLVMGetOperand(value, 1 - i), depth);
    }
    return true;
}

/* May the value be one of the operations?  Yes if it is not known. */
static bool may_be(LLVMValueRef value, unsigned depth)
{
    if (LLVMIsAConstantInt(value))
        return is_requeue(LLVMConstIntGetZExtValue(value));
    if (depth == 0)
        return true;
    if (LLVMIsAArgument(value))
        return parameter_may_be(value, depth - 1);
    if (LLVMIsACastInst(value))
        return may_be(LLVMGetOperand(value, 0), depth - 1);
    if (LLVMIsAPHINode(value))
        return phi_may_be(value, depth - 1);
    if (LLVMIsASelectInst(value))
        return may_be(LLVMGetOperand(value, 1), depth - 1) ||
               may_be(LLVMGetOperand(value, 2), depth - 1);
    if (LLVMIsABinaryOperator(value) && LLVMGetInstructionOpcode(value) == LLVMOr)
        return or_may_be(value, depth - 1);
    return true;
}

static bool call_may_be(LLVMValueRef call)
{
    LLVMValueRef number = LLVMGetOperand(call, 0);
    if (LLVMIsAConstantInt(number) && LLVMConstIntGetZExtValue(number) != SYS_futex)
        return false;
    return LLVMGetNumArgOperands(call) < 3 || may_be(LLVMGetOperand(call, 2), DEEPEST);
}

bool hd_requeues(LLVMModuleRef module)
{
    LLVMValueRef function = LLVMGetNamedFunction(module, "syscall");
    for (LLVMUseRef u = function ? LLVMGetFirstUse(function) : NULL; u; u = LLVMGetNextUse(u)) {
        LLVMValueRef call = LLVMGetUser(u);
        if (!hd_code_is_call(call) || LLVMGetCalledValue(call) != function || call_may_be(call))
            return true;
    }
    return false;
}
