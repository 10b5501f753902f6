#include "instrument/waits_loop.h"

enum { MOST_BLOCKS = 256, MOST_VALUES = 256, PLACE_DEPTH = 8 };

/* ---- what can be seen in the code ---- */

bool hd_wait_call(LLVMValueRef value)
{
    return LLVMIsACallInst(value) || LLVMIsAInvokeInst(value);
}

bool hd_wait_reaches(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef avoided,
                     struct hd_ptrmap *seen)
{
    if (from == avoided || *hd_ptrmap_put(seen, from))
        return false;
    if (from == to)
        return true;
    *hd_ptrmap_put(seen, from) = 1;
    LLVMValueRef end = LLVMGetBasicBlockTerminator(from);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (hd_wait_reaches(LLVMGetSuccessor(end, i), to, avoided, seen))
            return true;
    return false;
}

bool hd_wait_same_place(LLVMValueRef a, LLVMValueRef b, int depth)
{
    if (a == b)
        return true;
    if (depth == 0 || !LLVMIsAInstruction(a) || !LLVMIsAInstruction(b) ||
        LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return false;
    if (!LLVMIsALoadInst(a) && !LLVMIsAGetElementPtrInst(a) && !LLVMIsACastInst(a))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(a); i++)
        if (!hd_wait_same_place(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i),
                                depth - 1))
            return false;
    return true;
}

/* Without a negation, which only says which successor of a branch is which. */
static LLVMValueRef without_not(LLVMValueRef value)
{
    bool negates = LLVMIsAInstruction(value) && LLVMGetInstructionOpcode(value) == LLVMXor &&
                   LLVMIsAConstantInt(LLVMGetOperand(value, 1));
    return negates ? LLVMGetOperand(value, 0) : value;
}

bool hd_wait_same_value(LLVMValueRef a, LLVMValueRef b, int depth)
{
    a = without_not(a);
    b = without_not(b);
    if (a == b)
        return true;
    if (depth == 0 || !LLVMIsAInstruction(a) || !LLVMIsAInstruction(b) || LLVMIsAPHINode(a) ||
        LLVMGetInstructionOpcode(a) != LLVMGetInstructionOpcode(b) ||
        LLVMGetNumOperands(a) != LLVMGetNumOperands(b))
        return false;
    for (int i = 0; i < LLVMGetNumOperands(a); i++)
        if (!hd_wait_same_value(LLVMGetOperand(a, (unsigned)i), LLVMGetOperand(b, (unsigned)i),
                                depth - 1))
            return false;
    return true;
}

LLVMValueRef hd_wait_written(LLVMValueRef inst)
{
    return LLVMIsAStoreInst(inst)       ? LLVMGetOperand(inst, 1)
           : LLVMIsAAtomicRMWInst(inst) ? LLVMGetOperand(inst, 0)
                                        : NULL;
}

LLVMValueRef hd_wait_base(LLVMValueRef pointer)
{
    while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsACastInst(pointer))
        pointer = LLVMGetOperand(pointer, 0);
    return pointer;
}

bool hd_wait_local(LLVMValueRef pointer)
{
    return LLVMIsAAllocaInst(hd_wait_base(pointer)) != NULL;
}

/* Is the value what the wait returned? */
static bool is_result(LLVMValueRef wait, LLVMValueRef value)
{
    if (LLVMIsAPHINode(value)) {
        for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
            if (LLVMGetIncomingValue(value, i) == wait)
                return true;
        return false;
    }
    return value == wait;
}

int hd_wait_woken(LLVMValueRef wait, bool zero, LLVMValueRef condition)
{
    if (!zero || !LLVMIsAICmpInst(condition) || !is_result(wait, LLVMGetOperand(condition, 0)) ||
        !LLVMIsAConstantInt(LLVMGetOperand(condition, 1)))
        return -1;
    bool with_zero = LLVMConstIntGetZExtValue(LLVMGetOperand(condition, 1)) == 0;
    switch (LLVMGetICmpPredicate(condition)) {
    case LLVMIntEQ:
        return with_zero ? 0 : 1;
    case LLVMIntNE:
        return with_zero ? 1 : 0;
    default:
        return -1;
    }
}

/* ---- the loop ---- */

struct loop {
    LLVMValueRef wait;
    LLVMBasicBlockRef entry;  /* of the function */
    LLVMBasicBlockRef header; /* NULL: the wait is in no loop */
    LLVMBasicBlockRef latches[MOST_BLOCKS];
    LLVMBasicBlockRef turn[MOST_BLOCKS]; /* what a thread that was woken may pass until it waits
                                            again */
    int n_latches, n_turn;
};

static bool passes(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef avoided)
{
    struct hd_ptrmap seen;
    hd_ptrmap_init(&seen);
    bool found = hd_wait_reaches(from, to, avoided, &seen);
    hd_ptrmap_release(&seen);
    return found;
}

static bool dominates(const struct loop *l, LLVMBasicBlockRef a, LLVMBasicBlockRef b)
{
    return a == b || !passes(l->entry, b, a);
}

static bool leads_to(LLVMBasicBlockRef block, LLVMBasicBlockRef next)
{
    LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
        if (LLVMGetSuccessor(end, i) == next)
            return true;
    return false;
}

/* The blocks from which the loop of the header goes back to it. */
static void find_latches(struct loop *l, LLVMBasicBlockRef header)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(header);
    l->n_latches = 0;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        if (leads_to(b, header) && l->n_latches < MOST_BLOCKS && dominates(l, header, b))
            l->latches[l->n_latches++] = b;
}

static bool in_loop(const struct loop *l, LLVMBasicBlockRef header, LLVMBasicBlockRef block)
{
    if (block == header)
        return true;
    for (int i = 0; i < l->n_latches; i++)
        if (l->latches[i] != header && passes(block, l->latches[i], header))
            return true;
    return false;
}

/* The innermost loop around the wait: its header is dominated by those of all others. */
static void find_header(struct loop *l)
{
    LLVMBasicBlockRef home = LLVMGetInstructionParent(l->wait);
    LLVMValueRef function = LLVMGetBasicBlockParent(home);
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(function); b; b = LLVMGetNextBasicBlock(b))
        if (dominates(l, b, home) && (!l->header || dominates(l, l->header, b))) {
            find_latches(l, b);
            if (l->n_latches > 0 && in_loop(l, b, home))
                l->header = b;
        }
    if (l->header)
        find_latches(l, l->header);
}

static bool in_turn(const struct loop *l, LLVMBasicBlockRef block)
{
    for (int i = 0; i < l->n_turn; i++)
        if (l->turn[i] == block)
            return true;
    return false;
}

/* Collects the blocks of a turn in which the wait was not ended by time. */
static void find_turn(struct loop *l, bool zero)
{
    l->turn[l->n_turn++] = LLVMGetInstructionParent(l->wait);
    for (int i = 0; i < l->n_turn; i++) {
        LLVMValueRef end = LLVMGetBasicBlockTerminator(l->turn[i]);
        int side = -1;
        if (LLVMIsABranchInst(end) && LLVMIsConditional(end))
            side = hd_wait_woken(l->wait, zero, LLVMGetCondition(end));
        for (unsigned k = 0; k < LLVMGetNumSuccessors(end); k++) {
            LLVMBasicBlockRef next = LLVMGetSuccessor(end, k);
            if ((side < 0 || side == (int)k) && l->n_turn < MOST_BLOCKS && !in_turn(l, next) &&
                in_loop(l, l->header, next))
                l->turn[l->n_turn++] = next;
        }
    }
}

/* ---- what a turn changes ---- */

/* Is the value computed from `start`, and not just `start` itself?  Memory is not followed. */
static bool computed(const struct loop *l, LLVMValueRef value, LLVMValueRef start, bool changed,
                     int *budget)
{
    if (value == start)
        return changed;
    if (!LLVMIsAInstruction(value) || LLVMIsALoadInst(value) || hd_wait_call(value) ||
        --*budget < 0 || !in_turn(l, LLVMGetInstructionParent(value)))
        return false;
    if (!LLVMIsAPHINode(value)) {
        for (int i = 0; i < LLVMGetNumOperands(value); i++)
            if (computed(l, LLVMGetOperand(value, (unsigned)i), start, true, budget))
                return true;
        return false;
    }
    for (unsigned i = 0; i < LLVMCountIncoming(value); i++)
        if (in_turn(l, LLVMGetIncomingBlock(value, i)) &&
            computed(l, LLVMGetIncomingValue(value, i), start, changed, budget))
            return true;
    return false;
}

/* A local that counts: it has another value in each turn. */
static bool counts(const struct loop *l, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        int budget = MOST_VALUES;
        if (in_turn(l, LLVMGetIncomingBlock(phi, i)) &&
            computed(l, LLVMGetIncomingValue(phi, i), phi, false, &budget))
            return true;
    }
    return false;
}

/* Is the value computed from what the place contains? */
static bool from_place(LLVMValueRef value, LLVMValueRef place, int *budget)
{
    if (!LLVMIsAInstruction(value) || hd_wait_call(value) || --*budget < 0)
        return false;
    if (LLVMIsALoadInst(value))
        return hd_wait_same_place(LLVMGetOperand(value, 0), place, PLACE_DEPTH);
    for (int i = 0; i < LLVMGetNumOperands(value); i++)
        if (from_place(LLVMGetOperand(value, (unsigned)i), place, budget))
            return true;
    return false;
}

/* A counter in memory: the instruction computes its new value from the old one. */
static bool updates(LLVMValueRef inst)
{
    int budget = MOST_VALUES;
    if (LLVMIsAAtomicRMWInst(inst))
        return LLVMGetAtomicRMWBinOp(inst) != LLVMAtomicRMWBinOpXchg;
    return LLVMIsAStoreInst(inst) &&
           from_place(LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1), &budget);
}

/* Does another instruction of the turn write the place, or another call get the local? */
static bool answered(const struct loop *l, LLVMValueRef inst)
{
    LLVMValueRef place = hd_wait_written(inst);
    for (int i = 0; i < l->n_turn; i++)
        for (LLVMValueRef other = LLVMGetFirstInstruction(l->turn[i]); other;
             other = LLVMGetNextInstruction(other)) {
            LLVMValueRef there = hd_wait_written(other);
            if (other != inst && there && hd_wait_same_place(place, there, PLACE_DEPTH))
                return true;
            bool calls = hd_wait_local(place) && hd_wait_call(other) && other != l->wait;
            for (int k = 0; calls && k < LLVMGetNumOperands(other); k++)
                if (hd_wait_base(LLVMGetOperand(other, (unsigned)k)) == hd_wait_base(place))
                    return true;
        }
    return false;
}

static bool turn_changes(const struct loop *l)
{
    for (LLVMValueRef i = LLVMGetFirstInstruction(l->header); i && LLVMIsAPHINode(i);
         i = LLVMGetNextInstruction(i))
        if (counts(l, i))
            return true;
    for (int b = 0; b < l->n_turn; b++)
        for (LLVMValueRef i = LLVMGetFirstInstruction(l->turn[b]); i;
             i = LLVMGetNextInstruction(i))
            if (updates(i) && !answered(l, i))
                return true;
    return false;
}

bool hd_wait_turn_changes(LLVMValueRef wait, bool zero)
{
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(wait));
    struct loop l = { .wait = wait, .entry = LLVMGetEntryBasicBlock(function) };
    find_header(&l);
    if (l.header == NULL)
        return false;
    find_turn(&l, zero);
    return turn_changes(&l);
}
