#include "instrument/frames.h"

#include "analyse/libc.h"
#include "core/frame.h"
#include "instrument/names.h"

#include <llvm/Config/llvm-config.h>
#include <stdlib.h>
#include <string.h>

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

/* What a call needs: a record, and in it the stack pointer. */
enum { FRAMED = 1, FOREIGN };

static bool has_pointer(LLVMValueRef call)
{
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call); i++)
        if (LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(call, i))) == LLVMPointerTypeKind)
            return true;
    return false;
}

/* Does the instruction call a hook, or reach code that may? */
static bool speaks(const struct hd_planned *item)
{
    if (item->kind != HD_PLAN_CALL)
        return item->region == HD_REGION_SHARED || item->source == HD_REGION_SHARED ||
               item->kind == HD_PLAN_FENCE || item->kind == HD_PLAN_BARRIER;
    LLVMValueRef callee = hd_plan_callee(item->inst);
    if (callee == NULL)
        return true;
    const char *name = name_of(callee);
    if (hd_str_starts(name, "llvm."))
        return has_pointer(item->inst) && !hd_str_starts(name, "llvm.dbg.") &&
               !hd_str_starts(name, "llvm.lifetime.");
    if (!LLVMIsDeclaration(callee))
        return false;
    const struct hd_libc *row = hd_libc_find(name);
    return row == NULL || row->class != HD_LIBC_PURE;
}

/* Propagate this to callers. */
static void spread(const struct hd_facts *facts, bool *loud)
{
    uint32_t n_functions = facts->code.n_functions, n_work = 0, n;
    uint32_t *work = hd_alloc((n_functions + 1) * sizeof *work);
    for (uint32_t f = 0; f < n_functions; f++)
        if (loud[f])
            work[n_work++] = f;
    while (n_work) {
        const struct hd_edge *edges = hd_points_to_callers(&facts->points_to, work[--n_work], &n);
        for (uint32_t i = 0; i < n; i++) {
            if (edges[i].kind > HD_EDGE_CALLBACK || edges[i].point == HD_NO_POINT)
                continue;
            uint32_t caller = hd_code_function_of(&facts->code, edges[i].point);
            if (!loud[caller])
                work[n_work++] = caller;
            loud[caller] = true;
        }
    }
    free(work);
}

/* May code that is not here run, and call functions of the program? */
static bool is_foreign(const struct hd_facts *facts, uint32_t point)
{
    LLVMValueRef callee = hd_code_callee(facts->code.insts[point]);
    return facts->points_to.calls_unknown[point] && (callee == NULL || LLVMIsDeclaration(callee));
}

static bool leads_on(const struct hd_facts *facts, const bool *loud, bool outside, uint32_t point)
{
    uint32_t n;
    const struct hd_edge *edges = hd_points_to_edges(&facts->points_to, point, &n);
    LLVMValueRef inst = facts->code.insts[point], callee = hd_code_callee(inst);
    if (callee == NULL)
        return !LLVMIsAInlineAsm(LLVMGetCalledValue(inst));
    if (hd_str_starts(name_of(callee), "llvm."))
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (edges[i].kind <= HD_EDGE_CALLBACK && loud[edges[i].function] &&
            hd_code_is_defined(&facts->code, edges[i].function))
            return true;
    return outside && is_foreign(facts, point);
}

void hd_frames_prepare(struct hd_pass *p, const struct hd_facts *facts, struct hd_plan *plan)
{
    const struct hd_code *code = &facts->code;
    bool *loud = hd_alloc(code->n_functions + 1), outside = false;
    hd_ptrmap_init(&p->framed);
    p->frame_head = LLVMAddGlobal(p->module, p->pointer, HD_FRAME_SYMBOL);
    for (uint32_t f = 0; f < code->n_functions; f++) {
        if (!hd_code_is_defined(code, f))
            continue;
        hd_plan_function(plan, code->functions[f].value);
        for (size_t i = 0; i < plan->n && !loud[f]; i++)
            loud[f] = speaks(&plan->items[i]);
    }
    spread(facts, loud);
    for (uint32_t f = 0; f < code->n_functions; f++)
        outside |= hd_code_is_defined(code, f) && facts->points_to.called_from_outside[f];
    for (uint32_t i = 0; i < code->n_insts; i++)
        if (hd_code_is_call(code->insts[i]) && leads_on(facts, loud, outside, i))
            *hd_ptrmap_put(&p->framed, code->insts[i]) = outside && is_foreign(facts, i) ? FOREIGN
                                                                                         : FRAMED;
    free(loud);
}

void hd_frames_release(struct hd_pass *p) { hd_ptrmap_release(&p->framed); }

void hd_frames_begin(struct hd_pass *p) { p->frame = p->frame_caller = NULL; }

static LLVMTypeRef record_type(struct hd_pass *p)
{
    LLVMTypeRef fields[] = { p->pointer, p->i32, p->i32 };
    return LLVMStructTypeInContext(p->context, fields, 3, 0);
}

static LLVMValueRef field(struct hd_pass *p, LLVMBuilderRef b, unsigned i)
{
    return LLVMBuildStructGEP2(b, record_type(p), p->frame, i, "");
}

/* The function's record: who called it, and no call. */
static void make_record(struct hd_pass *p)
{
    if (p->frame)
        return;
    p->frame = hd_pass_slot(p, record_type(p));
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(p->frame));
    p->frame_caller = LLVMBuildLoad2(b, p->pointer, p->frame_head, "");
    LLVMBuildStore(b, p->frame_caller, p->frame);
    LLVMBuildStore(b, hd_pass_u64(p, 0), field(p, b, 1));
    LLVMDisposeBuilder(b);
}

static bool must_be_last(LLVMValueRef call)
{
#if LLVM_VERSION_MAJOR >= 18
    return LLVMIsACallInst(call) && LLVMGetTailCallKind(call) == LLVMTailCallKindMustTail;
#else
    (void)call;
    return false;
#endif
}

void hd_frames_allow_behind(LLVMValueRef call)
{
#if LLVM_VERSION_MAJOR >= 18
    if (must_be_last(call))
        LLVMSetTailCallKind(call, LLVMTailCallKindNone);
#else
    (void)call;
#endif
}

LLVMValueRef hd_frames_behind(LLVMValueRef call)
{
    if (LLVMIsACallInst(call))
        return must_be_last(call) ? NULL : LLVMGetNextInstruction(call);
    if (!LLVMIsAInvokeInst(call))
        return NULL;
    LLVMValueRef next = LLVMGetFirstInstruction(LLVMGetNormalDest(call));
    while (LLVMIsAPHINode(next))
        next = LLVMGetNextInstruction(next);
    return next;
}

static bool has_one_predecessor(LLVMBasicBlockRef block)
{
    unsigned n = 0;
    for (LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block)); use;
         use = LLVMGetNextUse(use))
        n += LLVMIsATerminatorInst(LLVMGetUser(use)) != NULL;
    return n == 1;
}

LLVMValueRef hd_frames_only_behind(LLVMValueRef call)
{
    if (LLVMIsAInvokeInst(call) && !has_one_predecessor(LLVMGetNormalDest(call)))
        return NULL;
    return hd_frames_behind(call);
}

LLVMValueRef hd_frames_before_return(LLVMValueRef inst)
{
    LLVMValueRef call = LLVMGetPreviousInstruction(inst);
    return call && LLVMIsACallInst(call) && must_be_last(call) ? call : inst;
}

/* Mark that the function is in no call. */
static void take_back(struct hd_pass *p)
{
    LLVMBuildStore(p->builder, p->frame_caller, p->frame_head);
    LLVMBuildStore(p->builder, hd_pass_u32(p, 0), field(p, p->builder, 1));
}

void hd_frames_call(struct hd_pass *p, LLVMValueRef call)
{
    LLVMValueRef behind = hd_frames_behind(call);
    const uint64_t *needs = hd_ptrmap_get(&p->framed, call);
    if (behind == NULL || needs == NULL)
        return;
    bool foreign = *needs == FOREIGN;
    uint32_t site = hd_sites_add(&p->sites, call, HD_OP_NONE, 0, HD_NAMES_ANY);
    make_record(p);
    hd_pass_before(p, call);
    LLVMBuildStore(p->builder, hd_pass_u32(p, site), field(p, p->builder, 1));
    LLVMBuildStore(p->builder, p->frame, p->frame_head);
    if (foreign)
        LLVMBuildStore(p->builder,
                       LLVMBuildPtrToInt(p->builder, hd_pass_stack_pointer(p), p->i32, ""),
                       field(p, p->builder, 2));
    hd_pass_before(p, behind);
    take_back(p);
    if (foreign)
        LLVMBuildStore(p->builder, hd_pass_u32(p, 0), field(p, p->builder, 2));
    hd_pass_before(p, call);
}

bool hd_frames_returns_twice(LLVMValueRef inst)
{
    if (!LLVMIsACallInst(inst) && !LLVMIsAInvokeInst(inst))
        return false;
    LLVMValueRef callee = hd_plan_callee(inst);
    const char *name = callee ? name_of(callee) : "";
    return strcmp(name, "setjmp") == 0 || strcmp(name, "_setjmp") == 0 ||
           strcmp(name, "sigsetjmp") == 0 || strcmp(name, "__sigsetjmp") == 0;
}

void hd_frames_end(struct hd_pass *p)
{
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(p->function); b;
         b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            bool jump = hd_frames_returns_twice(i);
            if (!jump && (!LLVMIsALandingPadInst(i) || p->frame == NULL))
                continue;
            make_record(p);
            hd_pass_before(p, jump ? hd_frames_behind(i) : next);
            take_back(p);
        }
}
