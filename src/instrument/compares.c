#include "instrument/compares.h"

#include "core/op.h"

#include <string.h>

bool hd_compares_needed(LLVMModuleRef module)
{
    static const char *const names[] = {
        "free",
        "cfree",
        "realloc",
        "reallocarray",
        "munmap",
        "_ZdlPv",
        "_ZdaPv",
        "_ZdlPvm",
        "_ZdaPvm",
        "_ZdlPvmSt11align_val_t",
        "_ZdlPvSt11align_val_t",
    };
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (LLVMGetNamedFunction(module, names[i]))
            return true;
    return false;
}

static LLVMValueRef without_casts(LLVMValueRef value)
{
    while (LLVMIsABitCastInst(value) || LLVMIsAGetElementPtrInst(value))
        value = LLVMGetOperand(value, 0);
    return value;
}

/* Constants, variables and stack slots are no blocks of the heap. */
static bool may_be_heap(LLVMValueRef pointer)
{
    LLVMValueRef base = without_casts(pointer);
    return !LLVMIsConstant(base) && !LLVMIsAAllocaInst(base);
}

/* The pointer that an operand of the comparison was made of, NULL if it is none. */
static LLVMValueRef pointer_of(LLVMValueRef operand)
{
    if (LLVMIsAPtrToIntInst(operand))
        operand = LLVMGetOperand(operand, 0);
    return LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMPointerTypeKind ? operand : NULL;
}

static void hook(struct hd_pass *p, LLVMValueRef inst)
{
    LLVMIntPredicate how = LLVMGetICmpPredicate(inst);
    if (how != LLVMIntEQ && how != LLVMIntNE)
        return;
    LLVMValueRef a = pointer_of(LLVMGetOperand(inst, 0)), b = pointer_of(LLVMGetOperand(inst, 1));
    if (!a || !b || !may_be_heap(a) || !may_be_heap(b) || without_casts(a) == without_casts(b))
        return;
    hd_pass_before(p, inst);
    uint32_t site = hd_sites_add(&p->sites, inst, HD_OP_COMPARE, 0, 0);
    LLVMValueRef args[] = { a, b, hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_compared", p->nothing, args, 3);
}

/* memcmp() and bcmp() compare the pointers that lie in the two ranges.  Behind the call: what
 * it has compared is what is there in its step. */
static void hook_bytes(struct hd_pass *p, LLVMValueRef call)
{
    size_t n;
    LLVMValueRef callee = LLVMGetCalledValue(call);
    if (!LLVMIsAFunction(callee) || LLVMGetNumArgOperands(call) != 3)
        return;
    const char *name = LLVMGetValueName2(callee, &n);
    LLVMValueRef args[] = { LLVMGetOperand(call, 0), LLVMGetOperand(call, 1),
                            LLVMGetOperand(call, 2), NULL };
    if ((strcmp(name, "memcmp") != 0 && strcmp(name, "bcmp") != 0) ||
        LLVMTypeOf(args[0]) != p->pointer || LLVMTypeOf(args[1]) != p->pointer ||
        LLVMTypeOf(args[2]) != p->i64)
        return;
    if (LLVMIsAConstantInt(args[2]) && LLVMConstIntGetZExtValue(args[2]) < 8)
        return;
    hd_pass_before(p, LLVMGetNextInstruction(call));
    args[3] = hd_pass_u32(p, hd_sites_add(&p->sites, call, HD_OP_COMPARE, 0, 0));
    hd_pass_hook(p, "__heddle_compared_bytes", p->nothing, args, 4);
}

void hd_compares_hook(struct hd_pass *p)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(p->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
             inst = LLVMGetNextInstruction(inst))
            if (LLVMIsAICmpInst(inst))
                hook(p, inst);
            else if (LLVMIsACallInst(inst))
                hook_bytes(p, inst);
}
