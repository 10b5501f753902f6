#include "analyse/flow.h"

#include "analyse/branches.h"

#include <string.h>

enum {
    MOST_VALUES = 120, /* of a walk */
    MOST_USES = 1000,  /* of variables and locals that it looks at */
    MOST_BRANCHES = 6, /* blocks in a row without a choice, on the way to one */
    MOST_GUARDED = 24, /* blocks whose guards are looked for */
};

struct walk {
    const struct hd_facts *facts;
    struct hd_sources *sources;
    LLVMValueRef values[MOST_VALUES]; /* seen; those from `next` on are to be followed */
    uint32_t n, next, uses;
    LLVMBasicBlockRef stores[MOST_GUARDED]; /* in which private memory is written */
    uint32_t n_stores;
};

static void follow(struct walk *w, LLVMValueRef value)
{
    if (!LLVMIsAInstruction(value) && !LLVMIsAArgument(value))
        return;
    for (uint32_t i = 0; i < w->n; i++)
        if (w->values[i] == value)
            return;
    if (w->n == MOST_VALUES)
        w->sources->more = true;
    else
        w->values[w->n++] = value;
}

static void add_source(struct walk *w, uint32_t point)
{
    if (w->sources->n == HD_MOST_SOURCES)
        w->sources->more = true;
    else
        w->sources->points[w->sources->n++] = point;
}

/* ---- branches ---- */

/* The conditions of the branches that lead to the block, directly or by a way without another
 * choice. */
static void follow_ways(struct walk *w, LLVMBasicBlockRef block, unsigned depth)
{
    const struct hd_code *code = &w->facts->code;
    const struct hd_cfg *cfg = &w->facts->cfg;
    uint32_t id = hd_code_block(code, block);
    struct hd_branches branches;
    hd_branches_find(&branches, block);
    for (unsigned i = 0; i < branches.n; i++)
        follow(w, hd_branches_condition(branches.blocks[i]));
    if (!branches.n && depth && cfg->pred_first[id + 1] - cfg->pred_first[id] == 1)
        follow_ways(w, code->blocks[cfg->pred[cfg->pred_first[id]]].value, depth - 1);
}

static void follow_phi(struct walk *w, LLVMValueRef phi)
{
    for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
        LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
        LLVMValueRef condition = hd_branches_condition(from);
        follow(w, LLVMGetIncomingValue(phi, i));
        if (condition)
            follow(w, condition);
        else
            follow_ways(w, from, MOST_BRANCHES);
    }
}

/* ---- calls ---- */

static void follow_argument(struct walk *w, LLVMValueRef param)
{
    const struct hd_code *code = &w->facts->code;
    LLVMValueRef function = LLVMGetParamParent(param);
    uint32_t n, k = 0, id = hd_code_function(code, function);
    while (LLVMGetParam(function, k) != param)
        k++;
    const struct hd_edge *edges = hd_points_to_callers(&w->facts->points_to, id, &n);
    w->sources->more |= n == 0;
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef call = code->insts[edges[i].point];
        if (edges[i].kind == HD_EDGE_CALL && k < LLVMGetNumArgOperands(call))
            follow(w, LLVMGetOperand(call, k));
        else
            w->sources->more = true;
    }
}

static void follow_returns(struct walk *w, uint32_t function)
{
    const struct hd_code *code = &w->facts->code;
    const struct hd_code_function *f = &code->functions[function];
    for (uint32_t b = f->first_block; b < f->end_block; b++) {
        LLVMValueRef end = code->insts[code->blocks[b].end - 1];
        if (LLVMIsAReturnInst(end) && LLVMGetNumOperands(end) == 1)
            follow(w, LLVMGetOperand(end, 0));
    }
}

/* The result of the program's own function is what that returns; of any other, what it makes of
 * its arguments, and perhaps of memory, which is an access of the call. */
static void follow_call(struct walk *w, LLVMValueRef call, uint32_t point)
{
    uint32_t n;
    bool own = !w->facts->points_to.calls_unknown[point];
    const struct hd_edge *edges = hd_points_to_edges(&w->facts->points_to, point, &n);
    for (uint32_t i = 0; i < n; i++)
        if (edges[i].kind == HD_EDGE_CALL &&
            hd_code_is_defined(&w->facts->code, edges[i].function))
            follow_returns(w, edges[i].function);
        else
            own = false;
    if (own && n)
        return;
    w->sources->more = true;
    add_source(w, point);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        follow(w, LLVMGetOperand(call, i));
}

/* ---- memory ---- */

/* Bytes of a variable or local; `bytes` 0: anywhere in it. */
struct part {
    LLVMValueRef base;
    int64_t offset, bytes;
};

static LLVMValueRef step_back(LLVMValueRef pointer)
{
    bool moves = LLVMIsABitCastInst(pointer) || LLVMIsAGetElementPtrInst(pointer) ||
                 LLVMIsAAddrSpaceCastInst(pointer);
    if (LLVMIsAConstantExpr(pointer))
        moves = LLVMGetConstOpcode(pointer) == LLVMBitCast ||
                LLVMGetConstOpcode(pointer) == LLVMGetElementPtr;
    return moves ? LLVMGetOperand(pointer, 0) : NULL;
}

static bool is_gep(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

static struct part part_of(const struct walk *w, LLVMValueRef pointer, int64_t bytes)
{
    struct part part = { pointer, 0, bytes };
    LLVMValueRef before;
    while ((before = step_back(part.base)) != NULL) {
        struct hd_offset by = { 0 };
        if (is_gep(part.base))
            by = hd_points_to_offset(&w->facts->code, part.base);
        if (by.anywhere || by.n_strides)
            part.bytes = 0;
        part.offset += by.constant;
        part.base = before;
    }
    return part;
}

static bool meet(const struct part *a, const struct part *b)
{
    return !a->bytes || !b->bytes ||
           (a->offset < b->offset + b->bytes && b->offset < a->offset + a->bytes);
}

static int64_t bytes_of(const struct walk *w, LLVMTypeRef type)
{
    return LLVMTypeIsSized(type) ? (int64_t)LLVMABISizeOfType(w->facts->code.layout, type) : 0;
}

/* What is stored through the pointer or through what is made of it, where that may be part of
 * what is read. */
static void follow_stores(struct walk *w, LLVMValueRef pointer, const struct part *read,
                          unsigned depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(pointer); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (w->uses++ == MOST_USES) {
            w->sources->more = true;
            return;
        }
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 1) == pointer) {
            LLVMValueRef value = LLVMGetOperand(user, 0);
            struct part written = part_of(w, pointer, bytes_of(w, LLVMTypeOf(value)));
            if (meet(&written, read)) {
                follow(w, value);
                if (w->n_stores < MOST_GUARDED)
                    w->stores[w->n_stores++] = LLVMGetInstructionParent(user);
            }
        } else if (step_back(user) == pointer && depth) {
            follow_stores(w, user, read, depth - 1);
        }
    }
}

/* The object that an argument points to, where all callers give the same. */
static LLVMValueRef given(struct walk *w, LLVMValueRef param)
{
    const struct hd_code *code = &w->facts->code;
    LLVMValueRef function = LLVMGetParamParent(param), object = NULL;
    uint32_t n, k = 0;
    while (LLVMGetParam(function, k) != param)
        k++;
    const struct hd_edge *edges = hd_points_to_callers(&w->facts->points_to,
                                                       hd_code_function(code, function), &n);
    for (uint32_t i = 0; i < n; i++) {
        LLVMValueRef call = code->insts[edges[i].point];
        if (edges[i].kind != HD_EDGE_CALL || k >= LLVMGetNumArgOperands(call) ||
            (object && LLVMGetOperand(call, k) != object))
            return NULL;
        object = LLVMGetOperand(call, k);
    }
    return object;
}

static void follow_private(struct walk *w, LLVMValueRef pointer, int64_t bytes)
{
    enum { DEPTH = 4 };
    struct part read = part_of(w, pointer, bytes);
    LLVMValueRef whole = LLVMIsAArgument(read.base) ? given(w, read.base) : read.base;
    struct part outer = whole ? part_of(w, whole, 0) : read;
    if (!whole || (!LLVMIsAAllocaInst(outer.base) && !LLVMIsAGlobalVariable(outer.base))) {
        w->sources->more = true;
        return;
    }
    if (outer.base != read.base) {
        int64_t offset = outer.offset;
        bool constant = part_of(w, whole, 1).bytes != 0;
        read = (struct part){ outer.base, read.offset + offset, constant ? read.bytes : 0 };
    }
    follow_stores(w, read.base, &read, DEPTH);
}

static bool is_shared(const struct walk *w, uint32_t point)
{
    const struct hd_accesses *a = &w->facts->accesses;
    for (uint32_t i = a->first[point]; i < a->first[point + 1]; i++)
        if (a->items[i].flags & HD_MEM_SHARED)
            return true;
    return false;
}

static void follow_inst(struct walk *w, LLVMValueRef inst)
{
    uint32_t point = hd_code_point(&w->facts->code, inst);
    if (LLVMIsAPHINode(inst)) {
        follow_phi(w, inst);
    } else if (hd_code_is_call(inst)) {
        follow_call(w, inst, point);
    } else if (LLVMIsALoadInst(inst)) {
        add_source(w, point); /* it may be an action for other reasons */
        if (!is_shared(w, point))
            follow_private(w, LLVMGetOperand(inst, 0), bytes_of(w, LLVMTypeOf(inst)));
    } else if (LLVMIsAAtomicRMWInst(inst) || LLVMIsAAtomicCmpXchgInst(inst)) {
        add_source(w, point);
    } else {
        for (unsigned i = 0; i < (unsigned)LLVMGetNumOperands(inst); i++)
            if (!LLVMValueIsBasicBlock(LLVMGetOperand(inst, i)))
                follow(w, LLVMGetOperand(inst, i));
    }
}

/* ---- what is asked for ---- */

static void run(struct walk *w)
{
    while (w->next < w->n) {
        LLVMValueRef value = w->values[w->next++];
        if (LLVMIsAArgument(value))
            follow_argument(w, value);
        else
            follow_inst(w, value);
    }
}

static bool begin(struct walk *w, LLVMValueRef inst, enum hd_flow_of of)
{
    bool address = of == HD_FLOW_ADDRESS;
    if (LLVMIsAStoreInst(inst))
        follow(w, LLVMGetOperand(inst, address ? 1 : 0));
    else if (LLVMIsAAtomicRMWInst(inst))
        follow(w, LLVMGetOperand(inst, address ? 0 : 1));
    else if (LLVMIsAAtomicCmpXchgInst(inst))
        follow(w, LLVMGetOperand(inst, address ? 0 : 2));
    else if (LLVMIsALoadInst(inst) && address)
        follow(w, LLVMGetOperand(inst, 0));
    else if (!address && hd_code_is_failure(inst))
        follow_ways(w, LLVMGetInstructionParent(inst), MOST_BRANCHES);
    else
        return false;
    return true;
}

/* Blocks whose guards are wanted, each once. */
struct guarded {
    uint32_t n, blocks[MOST_GUARDED];
};

static void add_guarded(struct guarded *g, uint32_t block)
{
    for (uint32_t i = 0; i < g->n; i++)
        if (g->blocks[i] == block)
            return;
    if (g->n < MOST_GUARDED)
        g->blocks[g->n++] = block;
}

/* The only call of the function, or HD_NO_POINT. */
static uint32_t only_call(const struct hd_facts *facts, uint32_t function)
{
    uint32_t n;
    const struct hd_edge *edges = hd_points_to_callers(&facts->points_to, function, &n);
    return n == 1 && edges[0].kind == HD_EDGE_CALL ? edges[0].point : HD_NO_POINT;
}

/* The conditions of all branches on which the blocks depend, of those in the same function, and
 * where that is called at one place only, in the caller. */
static void follow_guards(struct walk *w, struct guarded *g)
{
    const struct hd_code *code = &w->facts->code;
    const struct hd_cfg *cfg = &w->facts->cfg;
    for (uint32_t i = 0; i < g->n; i++) {
        uint32_t block = g->blocks[i];
        uint32_t call = only_call(w->facts, code->blocks[block].function);
        for (uint32_t k = cfg->control_first[block]; k < cfg->control_first[block + 1]; k++) {
            LLVMValueRef condition = hd_branches_condition(code->blocks[cfg->controls[k]].value);
            if (condition)
                follow(w, condition);
            add_guarded(g, cfg->controls[k]);
        }
        if (call != HD_NO_POINT)
            add_guarded(g, code->block_of[call]);
    }
}

static bool has_guards(const struct hd_facts *facts, uint32_t point)
{
    LLVMValueRef inst = facts->code.insts[point];
    if (!hd_code_is_call(inst))
        return LLVMIsAStoreInst(inst) || LLVMIsALoadInst(inst) || LLVMIsAAtomicRMWInst(inst) ||
               LLVMIsAAtomicCmpXchgInst(inst);
    return hd_code_is_failure(inst) || facts->accesses.sync[point] == HD_SYNC_WAIT ||
           strcmp(hd_code_callee_name(inst), "free") == 0;
}

/* Beside the branches on the way to the instruction, those on the way to a write of private
 * memory count whose value it has: they decided whether that was written. */
static bool find_guards(const struct hd_facts *facts, uint32_t point, struct hd_sources *sources)
{
    LLVMValueRef inst = facts->code.insts[point];
    struct hd_sources values = { 0 };
    struct walk w = { .facts = facts, .sources = &values };
    struct guarded g = { .n = 0 };
    if (!has_guards(facts, point))
        return false;
    add_guarded(&g, facts->code.block_of[point]);
    if (begin(&w, inst, HD_FLOW_VALUE))
        run(&w);
    for (uint32_t i = 0; i < w.n_stores; i++)
        add_guarded(&g, hd_code_block(&facts->code, w.stores[i]));
    w = (struct walk){ .facts = facts, .sources = sources };
    follow_guards(&w, &g);
    run(&w);
    return true;
}

bool hd_flow_find(const struct hd_facts *facts, uint32_t point, enum hd_flow_of of,
                  struct hd_sources *sources)
{
    struct walk w = { .facts = facts, .sources = sources };
    *sources = (struct hd_sources){ 0 };
    if (of == HD_FLOW_GUARD)
        return find_guards(facts, point, sources);
    if (!begin(&w, facts->code.insts[point], of))
        return false;
    run(&w);
    return true;
}
