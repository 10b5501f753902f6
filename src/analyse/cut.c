#include "analyse/cut.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

struct cutter {
    const struct hd_slice *slice;
    const struct hd_code *code;
    const struct hd_cfg *cfg;
    bool *keep;                     /* by point */
    uint32_t *seen, *queue, search; /* by block: the number of the search that met it */
};

static bool in_slice(const struct cutter *c, uint32_t point)
{
    for (uint32_t e = 0; e < c->slice->facts->threads.n; e++)
        if (hd_slice_at(c->slice, e, point) & HD_SLICE_IN)
            return true;
    return false;
}

/* Kept in any case: space for locals, ends of the function, and paths of exceptions. */
static bool is_frame(LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAlloca:
    case LLVMLandingPad:
    case LLVMResume:
    case LLVMInvoke:
    case LLVMIndirectBr:
    case LLVMCallBr:
        return true;
    default:
        return LLVMIsATerminatorInst(inst) != NULL;
    }
}

/* Keep also the calls that end a block: what follows them never runs. */
static void find_kept(struct cutter *c)
{
    for (uint32_t i = 0; i < c->code->n_insts; i++)
        c->keep[i] = is_frame(c->code->insts[i]) || in_slice(c, i);
    for (uint32_t b = 0; b < c->code->n_blocks; b++)
        if (c->cfg->cut[b] != HD_NO_POINT)
            c->keep[c->cfg->cut[b]] = true;
}

/* The number of blocks from `from` to where the paths meet again, or to an end of the
 * function. */
static uint32_t way(struct cutter *c, uint32_t from, uint32_t meeting)
{
    uint32_t n = 0, begin = 0, blocks = 0;
    c->search++;
    c->queue[n++] = from;
    c->seen[from] = c->search;
    for (uint32_t level = 1; begin < n; blocks++, level = n - begin) {
        for (uint32_t end = begin + level; begin < end; begin++) {
            uint32_t b = c->queue[begin];
            if (b == meeting || (meeting == HD_EXIT_BLOCK &&
                                 LLVMIsAReturnInst(c->code->insts[c->code->blocks[b].end - 1])))
                return blocks;
            for (uint32_t e = c->cfg->succ_first[b]; e < c->cfg->succ_first[b + 1]; e++) {
                uint32_t to = c->cfg->succ[e];
                if (c->seen[to] == c->search)
                    continue;
                c->seen[to] = c->search;
                c->queue[n++] = to;
            }
        }
    }
    return UINT32_MAX;
}

static unsigned shortest(struct cutter *c, uint32_t block, LLVMValueRef branch)
{
    uint32_t best = UINT32_MAX;
    unsigned chosen = 0;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(branch); i++) {
        uint32_t to = hd_code_block(c->code, LLVMGetSuccessor(branch, i));
        uint32_t blocks = way(c, to, c->cfg->post_dominator[block]);
        if (blocks < best) {
            best = blocks;
            chosen = i;
        }
    }
    return chosen;
}

/* A value that none of a switch's cases has. */
static LLVMValueRef other_case(LLVMValueRef inst, LLVMTypeRef type)
{
    for (uint64_t v = 0;; v++) {
        LLVMValueRef value = LLVMConstInt(type, v, 0);
        unsigned i = 1;
        while (i < LLVMGetNumSuccessors(inst) && LLVMGetOperand(inst, 2 * i) != value)
            i++;
        if (i == LLVMGetNumSuccessors(inst))
            return value;
    }
}

/* The branch keeps its targets, so that no phi has to change, but always takes one of them. */
static bool turn(struct cutter *c, uint32_t block)
{
    uint32_t point = c->code->blocks[block].end - 1;
    LLVMValueRef inst = c->code->insts[point];
    bool is_switch = LLVMIsASwitchInst(inst) != NULL;
    if (LLVMGetNumSuccessors(inst) < 2 || (!is_switch && !LLVMIsABranchInst(inst)) ||
        in_slice(c, point))
        return false;
    unsigned to = shortest(c, block, inst);
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 0));
    if (!is_switch)
        LLVMSetCondition(inst, LLVMConstInt(type, to == 0, 0));
    else
        LLVMSetOperand(inst, 0, to ? LLVMGetOperand(inst, 2 * to) : other_case(inst, type));
    return true;
}

/* There may be no statement left at the place, so it gets a mark of its own. */
static void mark_targets(const struct cutter *c, const bool *marked)
{
    LLVMModuleRef module = c->code->module;
    LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(context), NULL, 0, 0);
    LLVMValueRef mark = LLVMGetNamedFunction(module, "heddle_target");
    LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);
    if (mark == NULL)
        mark = LLVMAddFunction(module, "heddle_target", type);
    for (uint32_t i = 0; i < c->code->n_insts; i++) {
        if (!marked[i])
            continue;
        LLVMPositionBuilderBefore(builder, c->code->insts[i]);
        LLVMSetCurrentDebugLocation2(builder, LLVMInstructionGetDebugLoc(c->code->insts[i]));
        LLVMBuildCall2(builder, type, mark, NULL, 0, "");
    }
    LLVMDisposeBuilder(builder);
}

struct hd_cut_numbers hd_cut(const struct hd_slice *slice, const bool *marked)
{
    const struct hd_code *code = &slice->facts->code;
    struct cutter c = { .slice = slice, .code = code, .cfg = &slice->facts->cfg };
    struct hd_cut_numbers numbers = { 0 };
    c.keep = hd_alloc((code->n_insts + 1) * sizeof *c.keep);
    c.seen = hd_alloc((code->n_blocks + 1) * sizeof *c.seen);
    c.queue = hd_alloc((code->n_blocks + 1) * sizeof *c.queue);
    find_kept(&c);
    mark_targets(&c, marked);
    for (uint32_t b = 0; b < code->n_blocks; b++)
        numbers.turned += turn(&c, b);
    for (uint32_t i = 0; i < code->n_insts; i++) {
        LLVMTypeRef type = LLVMTypeOf(code->insts[i]);
        LLVMTypeKind kind = LLVMGetTypeKind(type);
        c.keep[i] |= kind == LLVMTokenTypeKind;
        numbers.kept += c.keep[i];
        numbers.removed += !c.keep[i];
        if (!c.keep[i] && kind != LLVMVoidTypeKind)
            LLVMReplaceAllUsesWith(code->insts[i], LLVMConstNull(type));
    }
    for (uint32_t i = 0; i < code->n_insts; i++)
        if (!c.keep[i])
            LLVMInstructionEraseFromParent(code->insts[i]);
    free(c.keep);
    free(c.seen);
    free(c.queue);
    return numbers;
}
