/* Locals whose size is known only when they begin: variable-length arrays and blocks of alloca.
 *
 * They lie at the lower end of their frame, each below the one before, and they end together:
 * those of a scope where the stack pointer is set back (llvm.stackrestore), the others when the
 * function returns.  So no list of them is needed: everything between the stack pointer and the
 * address that it is set back to has ended.
 *
 * The number of bytes to take comes from the runtime.  If the optimiser knew it, it could move
 * the local to the fixed part of the frame, where setting the stack pointer back does not end
 * it. */
#include "instrument/bounds.h"

#include "core/abi.h"
#include "instrument/frames.h"
#include "instrument/names.h"

bool hd_dynamic_is(LLVMValueRef slot)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(
        LLVMGetBasicBlockParent(LLVMGetInstructionParent(slot)));
    if (!LLVMIsAConstantInt(LLVMGetOperand(slot, 0)))
        return true;
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i && LLVMIsAAllocaInst(i);
         i = LLVMGetNextInstruction(i))
        if (i == slot)
            return false;
    return true;
}

LLVMValueRef hd_dynamic_bytes(struct hd_pass *p, LLVMValueRef slot)
{
    uint64_t each = LLVMABISizeOfType(p->layout, LLVMGetAllocatedType(slot));
    LLVMValueRef n = LLVMBuildZExtOrBitCast(p->builder, LLVMGetOperand(slot, 0), p->i64, "");
    return LLVMBuildMul(p->builder, n, hd_pass_u64(p, each), "");
}

void hd_dynamic_begins(struct hd_pass *p, LLVMValueRef slot)
{
    unsigned alignment = LLVMGetAlignment(slot);
    uint64_t front = alignment > HD_ZONE_BYTES ? alignment : HD_ZONE_BYTES;
    uint64_t each = LLVMABISizeOfType(p->layout, LLVMGetAllocatedType(slot));
    uint32_t site = hd_sites_add(&p->sites, slot, HD_OP_NONE, 0, 0);
    hd_pass_before(p, slot);
    LLVMValueRef count = LLVMBuildZExtOrBitCast(p->builder, LLVMGetOperand(slot, 0), p->i64, "");
    LLVMValueRef ask[] = { count, hd_pass_u64(p, each), hd_pass_u64(p, front),
                           hd_pass_u32(p, site) };
    LLVMValueRef all = hd_pass_hook(p, "__heddle_dynamic_room", p->i64, ask, 4);
    LLVMValueRef room = LLVMBuildArrayAlloca(p->builder, p->i8, all, "");
    LLVMSetAlignment(room, (unsigned)front);
    LLVMValueRef index = hd_pass_u64(p, front);
    LLVMValueRef inside = LLVMBuildInBoundsGEP2(p->builder, p->i8, room, &index, 1, "");
    hd_zones_name(p, slot, inside);
    LLVMValueRef tell[] = { inside, count, hd_pass_u64(p, each) };
    hd_pass_hook(p, "__heddle_dynamic_alive", p->nothing, tell, 3);
    LLVMReplaceAllUsesWith(slot, inside);
    LLVMInstructionEraseFromParent(slot);
}

/* All of the running function below the address has ended. */
static void ends(struct hd_pass *p, LLVMValueRef before, LLVMValueRef address,
                 const struct hd_local *shared)
{
    uint32_t site = hd_sites_add(&p->sites, before, HD_OP_NONE, 0, HD_NAMES_ANY);
    p->sites.items[site].variable = shared ? shared->name : 0;
    hd_pass_before(p, before);
    LLVMValueRef args[] = { address, hd_pass_u32(p, shared != NULL), hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_dynamic_gone", p->nothing, args, 3);
}

static bool is_restore(LLVMValueRef inst)
{
    return LLVMIsACallInst(inst) && hd_str_starts(hd_code_callee_name(inst), "llvm.stackrestore");
}

void hd_dynamic_ends(struct hd_pass *p, const struct hd_local *shared)
{
    LLVMValueRef first = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(p->function));
    while (LLVMIsAAllocaInst(first))
        first = LLVMGetNextInstruction(first);
    hd_pass_before(p, first);
    LLVMValueRef whole = hd_pass_stack_pointer(p);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i; i = LLVMGetNextInstruction(i)) {
            if (is_restore(i))
                ends(p, i, LLVMGetOperand(i, 0), shared);
            else if (LLVMIsAReturnInst(i))
                ends(p, hd_frames_before_return(i), whole, shared);
        }
}
