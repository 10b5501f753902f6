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

/* Constants, variables and what lies on the stack are no blocks of the heap. */
static bool may_be_heap(LLVMValueRef pointer)
{
    LLVMValueRef base = without_casts(pointer);
    return !LLVMIsConstant(base) && !LLVMIsAAllocaInst(base);
}

/* The pointer behind an operand of the comparison, NULL if it is none. */
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

void hd_compares_hook(struct hd_pass *p)
{
    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(p->function); block;
         block = LLVMGetNextBasicBlock(block))
        for (LLVMValueRef inst = LLVMGetFirstInstruction(block); inst;
             inst = LLVMGetNextInstruction(inst))
            if (LLVMIsAICmpInst(inst))
                hook(p, inst);
}
