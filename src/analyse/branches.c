#include "analyse/branches.h"

#include <stdbool.h>
#include <stddef.h>

LLVMValueRef hd_branches_condition(LLVMBasicBlockRef block)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    bool decides = LLVMIsABranchInst(end) ? LLVMIsConditional(end) != 0
                                          : LLVMIsASwitchInst(end) != NULL;
    return decides ? LLVMGetOperand(end, 0) : NULL;
}

static bool has(const struct hd_branches *b, LLVMBasicBlockRef block)
{
    for (unsigned i = 0; i < b->n; i++)
        if (b->blocks[i] == block)
            return true;
    return false;
}

static bool leads_to(LLVMBasicBlockRef from, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) == to)
            return true;
    return false;
}

/* Does every way out of the block lead to `to`, to one of the branches, or to where one of
 * these leads? */
static bool belongs(const struct hd_branches *b, LLVMBasicBlockRef block, LLVMBasicBlockRef to)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        LLVMBasicBlockRef next = LLVMGetSuccessor(end, i);
        bool known = next == to || has(b, next);
        for (unsigned k = 0; k < b->n && !known; k++)
            known = leads_to(b->blocks[k], next);
        if (!known)
            return false;
    }
    return true;
}

/* The blocks that lead to `next`; all of them, or (`inner`) those that belong to the others. */
static void add_before(struct hd_branches *b, LLVMBasicBlockRef next, LLVMBasicBlockRef to,
                       bool inner)
{
    LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(next));
    for (; use && b->n < HD_MOST_BRANCHES; use = LLVMGetNextUse(use)) {
        LLVMValueRef end = LLVMGetUser(use);
        if (!LLVMIsATerminatorInst(end))
            continue;
        LLVMBasicBlockRef block = LLVMGetInstructionParent(end);
        if (hd_branches_condition(block) && !has(b, block) && block != to &&
            (!inner || belongs(b, block, to)))
            b->blocks[b->n++] = block;
    }
}

void hd_branches_find(struct hd_branches *b, LLVMBasicBlockRef to)
{
    b->n = 0;
    add_before(b, to, to, false);
    for (unsigned i = 0; i < b->n; i++)
        add_before(b, b->blocks[i], to, true);
}
