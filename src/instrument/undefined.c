#include "instrument/undefined.h"

#include "core/abi.h"
#include "core/use.h"
#include "instrument/bounds.h"
#include "instrument/frames.h"
#include "instrument/names.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>
#include <string.h>

static LLVMValueRef array_of_runtime(struct hd_undefined *u, const char *name, unsigned n)
{
    LLVMValueRef array = LLVMGetNamedGlobal(u->p->module, name);
    return array ? array : LLVMAddGlobal(u->p->module, LLVMArrayType(u->p->i64, n), name);
}

/* void __heddle_check(i1 bad, i32 use, i32 site, i32 origin), which becomes part of its caller:
 * the call after it is almost never made. */
static LLVMValueRef make_check(struct hd_undefined *u)
{
    struct hd_pass *p = u->p;
    LLVMTypeRef params[] = { LLVMInt1TypeInContext(p->context), p->i32, p->i32, p->i32 };
    LLVMTypeRef type = LLVMFunctionType(p->nothing, params, 4, 0);
    LLVMTypeRef hook = LLVMFunctionType(p->nothing, params + 1, 3, 0);
    LLVMValueRef function = LLVMAddFunction(p->module, "__heddle_check", type);
    LLVMValueRef report = LLVMAddFunction(p->module, "__heddle_undefined", hook);
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    unsigned cold = LLVMGetEnumAttributeKindForName("cold", 4);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)-1,
                            LLVMCreateEnumAttribute(p->context, always, 0));
    LLVMAddAttributeAtIndex(report, (LLVMAttributeIndex)-1,
                            LLVMCreateEnumAttribute(p->context, cold, 0));
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(p->context, function, "");
    LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(p->context, function, "");
    LLVMBasicBlockRef good = LLVMAppendBasicBlockInContext(p->context, function, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildCondBr(b, LLVMGetParam(function, 0), bad, good);
    LLVMPositionBuilderAtEnd(b, bad);
    LLVMValueRef args[] = { LLVMGetParam(function, 1), LLVMGetParam(function, 2),
                            LLVMGetParam(function, 3) };
    LLVMBuildCall2(b, hook, report, args, 3, "");
    LLVMBuildBr(b, good);
    LLVMPositionBuilderAtEnd(b, good);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return function;
}

uint32_t hd_undefined_site(struct hd_undefined *u, LLVMValueRef inst)
{
    uint64_t *site = hd_ptrmap_put(&u->sites, inst);
    if (*site == 0)
        *site = hd_sites_add(&u->p->sites, inst, HD_OP_NONE, 0, 0);
    return (uint32_t)*site;
}

/* Where a value without a definition may have come from, as far as the function shows: the
 * first load or mark that is found.  `seen`: values that lead to none. */
static uint32_t find_origin(struct hd_undefined *u, LLVMValueRef value, struct hd_ptrmap *seen)
{
    enum { MOST = 200 };
    if (LLVMIsALoadInst(value) || hd_undefined_is_mark(u, value))
        return hd_undefined_site(u, value);
    if (!LLVMIsAInstruction(value) || hd_code_is_call(value) || seen->n > MOST ||
        hd_ptrmap_get(seen, value))
        return 0;
    *hd_ptrmap_put(seen, value) = 1;
    uint32_t origin = 0;
    for (unsigned i = 0; !origin && i < (unsigned)LLVMGetNumOperands(value); i++)
        if (hd_undefined_may(u, LLVMGetOperand(value, i)))
            origin = find_origin(u, LLVMGetOperand(value, i), seen);
    return origin;
}

static uint32_t origin_of(struct hd_undefined *u, LLVMValueRef value)
{
    struct hd_ptrmap seen;
    hd_ptrmap_init(&seen);
    uint32_t origin = find_origin(u, value, &seen);
    hd_ptrmap_release(&seen);
    return origin;
}

void hd_undefined_check(struct hd_undefined *u, LLVMValueRef value, uint32_t use,
                        LLVMValueRef before)
{
    struct hd_pass *p = u->p;
    if (!hd_undefined_may(u, value))
        return;
    LLVMValueRef bits = hd_bits_of(u, value);
    uint32_t site = hd_sites_add(&p->sites, before, HD_OP_NONE, 0, HD_NAMES_ANY);
    if (u->check == NULL)
        u->check = make_check(u);
    hd_pass_before(p, before);
    LLVMValueRef args[] = { hd_bits_any(p, bits), hd_pass_u32(p, use), hd_pass_u32(p, site),
                            hd_pass_u32(p, origin_of(u, value)) };
    LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(u->check), u->check, args, 4, "");
}

/* ---- memory ---- */

static bool is_hooked(const struct hd_undefined *u, LLVMValueRef inst)
{
    return hd_ptrmap_get(&u->hooked, inst) != NULL;
}

static void behind(struct hd_undefined *u, LLVMValueRef inst)
{
    hd_pass_before(u->p, LLVMGetNextInstruction(inst));
    LLVMSetCurrentDebugLocation2(u->p->builder, LLVMInstructionGetDebugLoc(inst));
}

static void range_hook(struct hd_undefined *u, const char *hook, LLVMValueRef address,
                       LLVMValueRef bytes)
{
    LLVMValueRef args[] = { address,
                            LLVMBuildZExtOrBitCast(u->p->builder, bytes, u->p->i64, "") };
    hd_pass_hook(u->p, hook, u->p->nothing, args, 2);
}

static void set_bits(struct hd_undefined *u, LLVMValueRef address, LLVMValueRef bits,
                     uint64_t bytes)
{
    struct hd_pass *p = u->p;
    bool plain = LLVMGetTypeKind(LLVMTypeOf(bits)) == LLVMIntegerTypeKind &&
                 (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16);
    if (plain) {
        LLVMTypeRef carrier = LLVMIntTypeInContext(p->context, (unsigned)bytes * 8);
        LLVMValueRef args[] = { address, LLVMBuildIntCast2(p->builder, bits, carrier, 0, "") };
        hd_pass_hook(p, hd_pass_sized("__heddle_set_bits", bytes), p->nothing, args, 2);
        return;
    }
    LLVMValueRef slot = hd_pass_slot(p, LLVMTypeOf(bits));
    LLVMBuildStore(p->builder, bits, slot);
    LLVMValueRef args[] = { address, slot, hd_pass_u64(p, bytes) };
    hd_pass_hook(p, "__heddle_set_bits_n", p->nothing, args, 3);
}

static void visit_store(struct hd_undefined *u, LLVMValueRef store)
{
    LLVMValueRef value = LLVMGetOperand(store, 0), address = LLVMGetOperand(store, 1);
    uint64_t bytes = hd_pass_bytes(u->p, LLVMTypeOf(value));
    hd_undefined_check(u, address, HD_USE_ADDRESS, store);
    if (!hd_undefined_memory(u, address))
        return;
    if (hd_undefined_is_declaration(u, store, address)) {
        behind(u, store);
        range_hook(u, "__heddle_declare", address, hd_pass_u64(u->p, bytes));
    } else if (hd_undefined_may(u, value)) {
        LLVMValueRef bits = hd_bits_of(u, value);
        behind(u, store);
        set_bits(u, address, bits, bytes);
    } else if (!is_hooked(u, store)) {
        behind(u, store);
        range_hook(u, "__heddle_defined", address, hd_pass_u64(u->p, bytes));
    }
}

static void visit_copy(struct hd_undefined *u, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), from = LLVMGetOperand(call, 1);
    LLVMValueRef bytes = LLVMGetOperand(call, 2);
    hd_undefined_check(u, to, HD_USE_ADDRESS, call);
    hd_undefined_check(u, from, HD_USE_ADDRESS, call);
    hd_undefined_check(u, bytes, HD_USE_ARGUMENT, call);
    if (!hd_undefined_memory(u, to))
        return;
    if (hd_undefined_is_declaration(u, call, to)) {
        behind(u, call);
        range_hook(u, "__heddle_declare", to, bytes);
    } else if (hd_undefined_memory(u, from)) {
        behind(u, call);
        LLVMValueRef wide = LLVMBuildZExtOrBitCast(u->p->builder, bytes, u->p->i64, "");
        LLVMValueRef args[] = { to, from, wide };
        hd_pass_hook(u->p, "__heddle_copy_bits", u->p->nothing, args, 3);
    } else if (!is_hooked(u, call)) {
        behind(u, call);
        range_hook(u, "__heddle_defined", to, bytes);
    }
}

static void visit_fill(struct hd_undefined *u, LLVMValueRef call)
{
    LLVMValueRef to = LLVMGetOperand(call, 0), bytes = LLVMGetOperand(call, 2);
    hd_undefined_check(u, to, HD_USE_ADDRESS, call);
    hd_undefined_check(u, bytes, HD_USE_ARGUMENT, call);
    if (!hd_undefined_memory(u, to))
        return;
    bool declares = hd_undefined_is_declaration(u, call, to);
    if (!declares && is_hooked(u, call))
        return;
    behind(u, call);
    range_hook(u, declares ? "__heddle_declare" : "__heddle_defined", to, bytes);
}

/* An atomic operation without a hook, on memory of the thread's own. */
static void visit_atomic(struct hd_undefined *u, LLVMValueRef inst)
{
    LLVMValueRef address = LLVMGetOperand(inst, 0);
    hd_undefined_check(u, address, HD_USE_ADDRESS, inst);
    if (!hd_undefined_memory(u, address) || is_hooked(u, inst))
        return;
    uint64_t bytes = hd_pass_bytes(u->p, LLVMTypeOf(LLVMGetOperand(inst, 1)));
    behind(u, inst);
    range_hook(u, "__heddle_defined", address, hd_pass_u64(u->p, bytes));
}

/* ---- calls and returns ---- */

/* The store must be the last thing before the call or return, because another thread may run in
 * a hook that is put between them. */
static void settle_later(struct hd_undefined *u, LLVMValueRef store, LLVMValueRef before)
{
    if (u->n_stores == u->store_room) {
        u->store_room = u->store_room ? u->store_room * 2 : 16;
        u->stores = hd_realloc(u->stores, u->store_room * sizeof *u->stores);
    }
    u->stores[u->n_stores].store = store;
    u->stores[u->n_stores++].before = before;
}

void hd_undefined_settle(struct hd_undefined *u)
{
    for (size_t i = 0; i < u->n_stores; i++) {
        LLVMPositionBuilderBefore(u->p->builder, u->stores[i].before);
        LLVMInstructionRemoveFromParent(u->stores[i].store);
        LLVMInsertIntoBuilder(u->p->builder, u->stores[i].store);
    }
    u->n_stores = 0;
}

static LLVMValueRef argument_slot(struct hd_undefined *u, unsigned i)
{
    LLVMValueRef index = hd_pass_u32(u->p, i);
    return LLVMConstInBoundsGEP2(u->p->i64, u->argument_bits, &index, 1);
}

static void pass_arguments(struct hd_undefined *u, LLVMValueRef call, uint64_t params)
{
    struct hd_pass *p = u->p;
    for (unsigned i = 0; params; i++, params >>= 1) {
        if (!(params & 1))
            continue;
        LLVMValueRef bits = hd_bits_of(u, LLVMGetOperand(call, i));
        hd_pass_before(p, call);
        LLVMValueRef wide = LLVMBuildIntCast2(p->builder, bits, p->i64, 0, "");
        settle_later(u, LLVMBuildStore(p->builder, wide, argument_slot(u, i)), call);
    }
}

static bool must_be_defined(LLVMValueRef call, unsigned i)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("noundef", 7);
    return LLVMGetCallSiteEnumAttribute(call, i + 1, kind) != NULL;
}

static void visit_call(struct hd_undefined *u, LLVMValueRef call)
{
    const char *name = hd_code_callee_name(call);
    if (hd_str_starts(name, "llvm.memcpy") || hd_str_starts(name, "llvm.memmove")) {
        visit_copy(u, call);
        return;
    }
    if (hd_str_starts(name, "llvm.memset")) {
        visit_fill(u, call);
        return;
    }
    uint32_t callee = hd_undefined_callee(u, call);
    bool passes = callee != HD_NO_POINT && u->closed[callee];
    hd_undefined_check(u, LLVMGetCalledValue(call), HD_USE_ADDRESS, call);
    if (passes)
        pass_arguments(u, call, u->params[callee]);
    for (unsigned i = 0; i < LLVMGetNumArgOperands(call) && !hd_str_starts(name, "llvm."); i++)
        if (must_be_defined(call, i) && !(passes && i < 64 && u->params[callee] >> i & 1))
            hd_undefined_check(u, LLVMGetOperand(call, i), HD_USE_ARGUMENT, call);
    if (callee == HD_NO_POINT)
        hd_undefined_call(u, call);
}

static void visit_return(struct hd_undefined *u, LLVMValueRef inst)
{
    struct hd_pass *p = u->p;
    uint32_t f = hd_code_function(&u->facts->code, p->function);
    if (LLVMGetNumOperands(inst) == 0 || !u->results[f] ||
        !hd_undefined_tracks(p, LLVMTypeOf(LLVMGetOperand(inst, 0))))
        return;
    LLVMValueRef bits = hd_bits_of(u, LLVMGetOperand(inst, 0));
    LLVMValueRef last = hd_frames_before_return(inst);
    hd_pass_before(p, last);
    settle_later(u, LLVMBuildStore(p->builder, bits, u->result_bits), last);
}

/* ---- a function ---- */

static void visit(struct hd_undefined *u, LLVMValueRef inst)
{
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMBr:
        if (LLVMIsConditional(inst))
            hd_undefined_check(u, LLVMGetCondition(inst), HD_USE_BRANCH, inst);
        break;
    case LLVMSwitch:
        hd_undefined_check(u, LLVMGetOperand(inst, 0), HD_USE_BRANCH, inst);
        break;
    case LLVMLoad:
        hd_undefined_check(u, LLVMGetOperand(inst, 0), HD_USE_ADDRESS, inst);
        break;
    case LLVMStore:
        visit_store(u, inst);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        visit_atomic(u, inst);
        break;
    case LLVMUDiv:
    case LLVMSDiv:
    case LLVMURem:
    case LLVMSRem:
        hd_undefined_check(u, LLVMGetOperand(inst, 1), HD_USE_DIVISOR, inst);
        break;
    case LLVMCall:
    case LLVMInvoke:
        visit_call(u, inst);
        break;
    case LLVMRet:
        visit_return(u, inst);
        break;
    default:
        break;
    }
}

static uint64_t bytes_of_slot(struct hd_undefined *u, LLVMValueRef slot)
{
    LLVMValueRef count = LLVMGetOperand(slot, 0);
    uint64_t n = LLVMIsAConstantInt(count) ? LLVMConstIntGetZExtValue(count) : 0;
    return n * LLVMABISizeOfType(u->p->layout, LLVMGetAllocatedType(slot));
}

/* Locals that may hold bytes without a definition: all are defined when the function begins,
 * until the declaration says otherwise, and when it ends, for the next user of the memory. */
static void clean_locals(struct hd_undefined *u, LLVMValueRef at)
{
    LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(u->p->function);
    const struct hd_objects *objects = &u->points_to->objects;
    for (LLVMValueRef i = LLVMGetFirstInstruction(entry); i; i = LLVMGetNextInstruction(i)) {
        if (!LLVMIsAAllocaInst(i) || i == at || hd_dynamic_is(i))
            continue;
        uint32_t object = hd_objects_find(objects, i);
        uint64_t bytes = bytes_of_slot(u, i);
        if (object == HD_NO_POINT || !u->objects[object] || bytes == 0)
            continue;
        hd_pass_before(u->p, at);
        range_hook(u, "__heddle_defined", i, hd_pass_u64(u->p, bytes));
    }
}

/* Behind the allocas of the function. */
static LLVMValueRef first_statement(LLVMValueRef function)
{
    LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));
    while (LLVMIsAAllocaInst(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

static void begin_params(struct hd_undefined *u, uint64_t params)
{
    struct hd_pass *p = u->p;
    for (unsigned i = 0; params; i++, params >>= 1) {
        if (!(params & 1))
            continue;
        LLVMValueRef param = LLVMGetParam(p->function, i);
        hd_pass_before(p, first_statement(p->function));
        LLVMValueRef all = LLVMBuildLoad2(p->builder, p->i64, argument_slot(u, i), "");
        LLVMTypeRef type = hd_bits_type(p, LLVMTypeOf(param));
        *hd_ptrmap_put(&u->bits, param) = (uint64_t)(uintptr_t)LLVMBuildIntCast2(p->builder, all,
                                                                                 type, 0, "");
    }
}

static void note_hooked(struct hd_undefined *u, const struct hd_plan *plan)
{
    for (size_t i = 0; i < plan->n; i++)
        if (plan->items[i].region == HD_REGION_SHARED && plan->items[i].kind != HD_PLAN_CALL)
            *hd_ptrmap_put(&u->hooked, plan->items[i].inst) = 1;
}

/* Facts about a phi hold for its replacements. */
static void note_moved(struct hd_undefined *u)
{
    for (size_t i = 0; i < u->p->n_moved; i++)
        for (unsigned k = 0; k < 2; k++)
            if (u->p->moved[i].by[k] && hd_undefined_may(u, u->p->moved[i].phi))
                *hd_ptrmap_put(&u->maybe, u->p->moved[i].by[k]) = 1;
}

/* The marks have done their work: such a variable begins as zeros, in every execution. */
static void remove_marks(struct hd_undefined *u)
{
    LLVMValueRef f = u->p->function;
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
        for (LLVMValueRef i = LLVMGetFirstInstruction(b), next; i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (hd_undefined_is_mark(u, i))
                hd_pass_replace(i, LLVMConstNull(LLVMTypeOf(i)));
        }
}

void hd_undefined_function(struct hd_undefined *u, const struct hd_plan *plan)
{
    const struct hd_code *code = &u->facts->code;
    uint32_t f = hd_code_function(code, u->p->function);
    const struct hd_code_function *function = &code->functions[f];
    u->argument_bits = array_of_runtime(u, "__heddle_argument_bits", HD_MAX_ARGUMENT_BITS);
    u->result_bits = array_of_runtime(u, "__heddle_result_bits", HD_MAX_RESULT_BITS);
    hd_ptrmap_init(&u->bits);
    hd_ptrmap_init(&u->sites);
    hd_ptrmap_init(&u->hooked);
    note_hooked(u, plan);
    note_moved(u);
    begin_params(u, u->params[f]);
    clean_locals(u, first_statement(u->p->function));
    for (uint32_t i = function->first; i < function->end; i++)
        visit(u, code->insts[i]);
    hd_bits_finish(u);
    for (uint32_t i = function->first; i < function->end; i++)
        if (LLVMIsAReturnInst(code->insts[i]))
            clean_locals(u, hd_frames_before_return(code->insts[i]));
    remove_marks(u);
    hd_ptrmap_release(&u->bits);
    hd_ptrmap_release(&u->sites);
    hd_ptrmap_release(&u->hooked);
}
