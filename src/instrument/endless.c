#include "instrument/endless.h"

#include "base/str.h"

#include <llvm-c/DebugInfo.h>

/* Does nothing, and cannot break the program? */
static bool idle(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMBr:
    case LLVMSwitch:
    case LLVMPHI:
    case LLVMICmp:
    case LLVMSelect:
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMSExt:
        return true;
    case LLVMCall: {
        LLVMValueRef value = LLVMGetCalledValue(inst), callee = hd_plan_callee(inst);
        size_t n;
        if (LLVMIsAInlineAsm(value))
            return hd_loop_polite(value);
        return callee && (hd_str_starts(LLVMGetValueName2(callee, &n), "llvm.x86.sse2.pause") ||
                          hd_str_starts(LLVMGetValueName2(callee, &n), "llvm.dbg."));
    }
    default:
        return false;
    }
}

bool hd_endless(const struct hd_loop *l)
{
    for (unsigned i = 0; i < l->n; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(l->blocks[i]);
        for (unsigned s = 0; s < LLVMGetNumSuccessors(end); s++)
            if (!hd_loop_has(l, LLVMGetSuccessor(end, s)))
                return false;
        for (LLVMValueRef inst = LLVMGetFirstInstruction(l->blocks[i]); inst;
             inst = LLVMGetNextInstruction(inst))
            if (!idle(inst))
                return false;
    }
    return true;
}

void hd_endless_hook(struct hd_pass *p, const struct hd_loop *l)
{
    LLVMValueRef shown = LLVMGetBasicBlockTerminator(l->header);
    LLVMPositionBuilderBefore(p->builder, hd_loop_first(l));
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(shown));
    LLVMValueRef args[] = { hd_pass_u32(p, hd_sites_add(&p->sites, shown, HD_OP_SPIN, 0, 0)) };
    hd_pass_hook(p, "__heddle_spin", p->nothing, args, 1);
}
