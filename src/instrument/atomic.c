#include "instrument/atomic.h"

#include "core/abi.h"
#include "core/memory_order.h"
#include "instrument/assembly.h"
#include "instrument/cxx.h"
#include "instrument/names.h"
#include "instrument/notes.h"

#include <stdlib.h>

static uint32_t order_bits(LLVMAtomicOrdering order)
{
    switch (order) {
    case LLVMAtomicOrderingAcquire:
        return HD_ORDER_ACQUIRE;
    case LLVMAtomicOrderingRelease:
        return HD_ORDER_RELEASE;
    case LLVMAtomicOrderingAcquireRelease:
        return HD_ORDER_ACQUIRE | HD_ORDER_RELEASE;
    case LLVMAtomicOrderingSequentiallyConsistent:
        return HD_ORDER_ACQUIRE | HD_ORDER_RELEASE | HD_ORDER_SEQ_CST;
    default:
        return HD_ORDER_RELAXED;
    }
}

uint32_t hd_atomic_order(struct hd_pass *p, LLVMValueRef inst, LLVMAtomicOrdering order,
                         LLVMAtomicOrdering failure)
{
    uint32_t bits = order_bits(order);
    uint32_t failing = failure == LLVMAtomicOrderingNotAtomic ? bits : order_bits(failure);
    if (failing & HD_ORDER_ACQUIRE)
        bits |= HD_ORDER_FAIL_ACQUIRE;
    if (failing & HD_ORDER_SEQ_CST)
        bits |= HD_ORDER_FAIL_SEQ_CST;
    if (bits == HD_ORDER_STRONG || hd_cxx_order_suffices(inst))
        return HD_ORDER_STRONG;
    p->stats.weak_atomics++;
    hd_note_reached(p, inst, HD_NOTE_WEAK, "");
    return bits;
}

/* A new site of that order.  Orders in library code cannot be changed by options. */
static uint32_t add_site(struct hd_pass *p, LLVMValueRef inst, enum hd_op op, LLVMTypeRef type,
                         uint32_t order)
{
    uint32_t site = hd_sites_add(&p->sites, inst, op, type ? hd_pass_bytes(p, type) : 0,
                                 type ? 0 : HD_NAMES_ANY);
    if (!hd_cxx_order_suffices(inst))
        hd_sites_order(&p->sites, inst, site, order);
    return site;
}

static uint64_t width(LLVMTypeRef type) { return LLVMGetIntTypeWidth(type) / 8; }

LLVMValueRef hd_atomic_load_hook(struct hd_pass *p, LLVMValueRef address, LLVMTypeRef type,
                                 uint32_t order, uint32_t site)
{
    LLVMValueRef args[] = { address, hd_pass_u32(p, order), hd_pass_u32(p, site) };
    return hd_pass_hook(p, hd_pass_sized("__heddle_aload", width(type)), type, args, 3);
}

void hd_atomic_store_hook(struct hd_pass *p, LLVMValueRef address, LLVMValueRef value,
                          uint32_t order, uint32_t site)
{
    LLVMValueRef args[] = { address, value, hd_pass_u32(p, order), hd_pass_u32(p, site) };
    hd_pass_hook(p, hd_pass_sized("__heddle_astore", width(LLVMTypeOf(value))), p->nothing, args,
                 4);
}

LLVMValueRef hd_atomic_rmw_hook(struct hd_pass *p, LLVMValueRef address, LLVMValueRef value,
                                uint32_t how, uint32_t order, uint32_t site)
{
    LLVMTypeRef type = LLVMTypeOf(value);
    LLVMValueRef args[] = { address, value, hd_pass_u32(p, how), hd_pass_u32(p, order),
                            hd_pass_u32(p, site) };
    return hd_pass_hook(p, hd_pass_sized("__heddle_rmw", width(type)), type, args, 5);
}

LLVMValueRef hd_atomic_cas_hook(struct hd_pass *p, LLVMValueRef address, LLVMValueRef expected,
                                LLVMValueRef desired, LLVMValueRef order, uint32_t site)
{
    LLVMTypeRef type = LLVMTypeOf(expected);
    LLVMValueRef args[] = { address, expected, desired, order, hd_pass_u32(p, site) };
    return hd_pass_hook(p, hd_pass_sized("__heddle_cas", width(type)), type, args, 5);
}

void hd_atomic_load(struct hd_pass *p, const struct hd_planned *item)
{
    LLVMValueRef inst = item->inst;
    LLVMTypeRef type = LLVMTypeOf(inst), carrier = hd_pass_carrier(p, type);
    uint32_t order = hd_atomic_order(p, inst, LLVMGetOrdering(inst), LLVMAtomicOrderingNotAtomic);
    uint32_t site = add_site(p, inst, HD_OP_ATOMIC_READ, type, order);
    hd_pass_before(p, inst);
    LLVMValueRef value = hd_atomic_load_hook(p, LLVMGetOperand(inst, 0), carrier, order, site);
    hd_pass_replace(inst, hd_pass_from_carrier(p, value, type));
    p->stats.hooked++;
}

void hd_atomic_store(struct hd_pass *p, const struct hd_planned *item)
{
    LLVMValueRef inst = item->inst, value = LLVMGetOperand(inst, 0);
    LLVMTypeRef carrier = hd_pass_carrier(p, LLVMTypeOf(value));
    uint32_t order = hd_atomic_order(p, inst, LLVMGetOrdering(inst), LLVMAtomicOrderingNotAtomic);
    uint32_t site = add_site(p, inst, HD_OP_ATOMIC_WRITE, LLVMTypeOf(value), order);
    hd_pass_before(p, inst);
    hd_atomic_store_hook(p, LLVMGetOperand(inst, 1), hd_pass_to_carrier(p, value, carrier), order,
                         site);
    hd_pass_replace(inst, NULL);
    p->stats.hooked++;
}

static bool is_native_rmw(LLVMAtomicRMWBinOp op) { return op <= LLVMAtomicRMWBinOpUMin; }

/* The new value that an operation without a hook of its own would store. */
static LLVMValueRef computed(struct hd_pass *p, LLVMAtomicRMWBinOp op, LLVMValueRef old,
                             LLVMValueRef value)
{
    LLVMBuilderRef b = p->builder;
    LLVMTypeRef type = LLVMTypeOf(old);
    switch ((int)op) {
    case LLVMAtomicRMWBinOpFAdd:
        return LLVMBuildFAdd(b, old, value, "");
    case LLVMAtomicRMWBinOpFSub:
        return LLVMBuildFSub(b, old, value, "");
    case LLVMAtomicRMWBinOpFMax:
    case LLVMAtomicRMWBinOpFMin: {
        /* Like fmax and fmin: a number wins against a NaN. */
        LLVMRealPredicate better = op == LLVMAtomicRMWBinOpFMax ? LLVMRealOGT : LLVMRealOLT;
        LLVMValueRef old_wins = LLVMBuildFCmp(b, better, old, value, "");
        LLVMValueRef no_value = LLVMBuildFCmp(b, LLVMRealUNO, value, value, "");
        return LLVMBuildSelect(b, LLVMBuildOr(b, old_wins, no_value, ""), old, value, "");
    }
    case 15: { /* uinc_wrap */
        LLVMValueRef more = LLVMBuildAdd(b, old, LLVMConstInt(type, 1, 0), "");
        LLVMValueRef wraps = LLVMBuildICmp(b, LLVMIntUGE, old, value, "");
        return LLVMBuildSelect(b, wraps, LLVMConstInt(type, 0, 0), more, "");
    }
    case 16: { /* udec_wrap */
        LLVMValueRef less = LLVMBuildSub(b, old, LLVMConstInt(type, 1, 0), "");
        LLVMValueRef zero = LLVMBuildICmp(b, LLVMIntEQ, old, LLVMConstInt(type, 0, 0), "");
        LLVMValueRef above = LLVMBuildICmp(b, LLVMIntUGT, old, value, "");
        return LLVMBuildSelect(b, LLVMBuildOr(b, zero, above, ""), value, less, "");
    }
    default:
        hd_bug("atomic operation %d is not known", (int)op);
    }
}

/* The body of a looping operation: (address, value, order, site) -> old value. */
static void build_loop(struct hd_pass *p, LLVMValueRef function, LLVMAtomicRMWBinOp op,
                       LLVMTypeRef type, LLVMTypeRef carrier)
{
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(p->context, function, "");
    LLVMBasicBlockRef loop = LLVMAppendBasicBlockInContext(p->context, function, "");
    LLVMBasicBlockRef done = LLVMAppendBasicBlockInContext(p->context, function, "");
    LLVMValueRef address = LLVMGetParam(function, 0), order = LLVMGetParam(function, 2);
    LLVMValueRef site = LLVMGetParam(function, 3);
    uint64_t bytes = width(carrier);

    LLVMPositionBuilderAtEnd(p->builder, entry);
    LLVMSetCurrentDebugLocation2(p->builder, NULL);
    LLVMValueRef load_args[] = { address, order, site };
    LLVMValueRef first = hd_pass_hook(p, hd_pass_sized("__heddle_aload", bytes), carrier,
                                      load_args, 3);
    LLVMBuildBr(p->builder, loop);

    LLVMPositionBuilderAtEnd(p->builder, loop);
    LLVMValueRef expected = LLVMBuildPhi(p->builder, carrier, "");
    LLVMValueRef old = hd_pass_from_carrier(p, expected, type);
    LLVMValueRef new = computed(p, op, old, LLVMGetParam(function, 1));
    LLVMValueRef cas_args[] = { address, expected, hd_pass_to_carrier(p, new, carrier), order,
                                site };
    LLVMValueRef seen = hd_pass_hook(p, hd_pass_sized("__heddle_cas", bytes), carrier, cas_args,
                                     5);
    LLVMValueRef came[] = { first, seen };
    LLVMBasicBlockRef from[] = { entry, loop };
    LLVMAddIncoming(expected, came, from, 2);
    LLVMValueRef equal = LLVMBuildICmp(p->builder, LLVMIntEQ, seen, expected, "");
    LLVMBuildCondBr(p->builder, equal, done, loop);

    LLVMPositionBuilderAtEnd(p->builder, done);
    LLVMBuildRet(p->builder, old);
}

/* Floating-point operations and the like: a function of the module that loops over cas. */
static LLVMValueRef call_loop(struct hd_pass *p, LLVMValueRef inst, uint32_t order, uint32_t site)
{
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    LLVMTypeRef type = LLVMTypeOf(inst), carrier = hd_pass_carrier(p, type);
    char *type_name = LLVMPrintTypeToString(type);
    char *name = hd_str_format("__heddle_loop_%d_%s", (int)op, type_name);
    LLVMDisposeMessage(type_name);
    LLVMTypeRef params[] = { p->pointer, type, p->i32, p->i32 };
    LLVMTypeRef signature = LLVMFunctionType(type, params, 4, 0);
    LLVMValueRef function = LLVMGetNamedFunction(p->module, name);
    if (function == NULL) {
        function = LLVMAddFunction(p->module, name, signature);
        LLVMSetLinkage(function, LLVMInternalLinkage);
        build_loop(p, function, op, type, carrier);
    }
    free(name);
    hd_pass_before(p, inst);
    LLVMValueRef args[] = { LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1),
                            hd_pass_u32(p, order), hd_pass_u32(p, site) };
    return LLVMBuildCall2(p->builder, signature, function, args, 4, "");
}

static bool keep_native(struct hd_pass *p, const struct hd_planned *item, LLVMTypeRef type)
{
    if (item->region != HD_REGION_THREAD)
        return false;
    hd_pass_before(p, item->inst);
    hd_pass_keep(p, LLVMGetOperand(item->inst, 0), hd_pass_u64(p, hd_pass_bytes(p, type)));
    return true;
}

/* Is the result of the operation unused?  Before optimisation, the code of x++ still adds to
 * the result, and does not use the sum. */
static bool is_unused(LLVMValueRef value)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (!LLVMIsABinaryOperator(user) || LLVMGetFirstUse(user))
            return false;
    }
    return true;
}

void hd_atomic_rmw(struct hd_pass *p, const struct hd_planned *item)
{
    LLVMValueRef inst = item->inst, value = LLVMGetOperand(inst, 1), old;
    LLVMTypeRef type = LLVMTypeOf(value), carrier = hd_pass_carrier(p, type);
    LLVMAtomicRMWBinOp op = LLVMGetAtomicRMWBinOp(inst);
    if (keep_native(p, item, type))
        return;
    uint32_t order = hd_atomic_order(p, inst, LLVMGetOrdering(inst), LLVMAtomicOrderingNotAtomic);
    uint32_t site = add_site(p, inst, HD_OP_RMW, type, order);
    hd_pass_before(p, inst);
    if (is_native_rmw(op)) {
        old = hd_atomic_rmw_hook(
            p, LLVMGetOperand(inst, 0), hd_pass_to_carrier(p, value, carrier),
            (uint32_t)op | (is_unused(inst) ? HD_RMW_UNUSED : 0), order, site);
        old = hd_pass_from_carrier(p, old, type);
    } else {
        old = call_loop(p, inst, order, site);
    }
    hd_pass_replace(inst, old);
    p->stats.hooked++;
}

/* Does the weak compare-exchange fail spuriously?  0 or HD_CAS_FAILS. */
static LLVMValueRef ask_fails(struct hd_pass *p, uint32_t site)
{
    LLVMValueRef number = hd_pass_u32(p, site);
    return hd_pass_hook(p, "__heddle_cas_fails", LLVMTypeOf(number), &number, 1);
}

void hd_atomic_cas(struct hd_pass *p, const struct hd_planned *item)
{
    LLVMValueRef inst = item->inst;
    LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(inst, 1)), carrier = hd_pass_carrier(p, type);
    if (keep_native(p, item, type))
        return;
    uint32_t order = hd_atomic_order(p, inst, LLVMGetCmpXchgSuccessOrdering(inst),
                                     LLVMGetCmpXchgFailureOrdering(inst));
    uint32_t site = add_site(p, inst, HD_OP_CAS, type, order);
    hd_pass_before(p, inst);
    LLVMValueRef expected = hd_pass_to_carrier(p, LLVMGetOperand(inst, 1), carrier);
    LLVMValueRef desired = hd_pass_to_carrier(p, LLVMGetOperand(inst, 2), carrier);
    LLVMValueRef how = hd_pass_u32(p, order),
                 fails = LLVMGetWeak(inst) ? ask_fails(p, site) : NULL;
    if (fails)
        how = LLVMBuildOr(p->builder, how, fails, "");
    LLVMValueRef old = hd_atomic_cas_hook(p, LLVMGetOperand(inst, 0), expected, desired, how,
                                          site);
    LLVMValueRef equal = LLVMBuildICmp(p->builder, LLVMIntEQ, old, expected, "");
    if (fails)
        equal = LLVMBuildAnd(p->builder, equal,
                             LLVMBuildICmp(p->builder, LLVMIntEQ, fails, hd_pass_u32(p, 0), ""),
                             "");
    LLVMValueRef pair = LLVMGetUndef(LLVMTypeOf(inst));
    pair = LLVMBuildInsertValue(p->builder, pair, hd_pass_from_carrier(p, old, type), 0, "");
    pair = LLVMBuildInsertValue(p->builder, pair, equal, 1, "");
    hd_pass_replace(inst, pair);
    p->stats.hooked++;
}

void hd_atomic_fence(struct hd_pass *p, const struct hd_planned *item)
{
    uint32_t order = hd_cxx_order_suffices(item->inst) ? HD_ORDER_STRONG
                                                       : order_bits(LLVMGetOrdering(item->inst));
    unsigned part = hd_assembly_barrier(LLVMGetModuleContext(p->module));
    uint32_t site = LLVMGetMetadata(item->inst, part)
                        ? hd_sites_add(&p->sites, item->inst, HD_OP_FENCE, 0, HD_NAMES_ANY)
                        : add_site(p, item->inst, HD_OP_FENCE, NULL, order);
    hd_pass_before(p, item->inst);
    LLVMValueRef args[] = { hd_pass_u32(p, order), hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_fence", p->nothing, args, 2);
    hd_pass_replace(item->inst, NULL);
}

void hd_atomic_barrier(struct hd_pass *p, const struct hd_planned *item)
{
    uint32_t site = hd_sites_add(&p->sites, item->inst, HD_OP_FENCE, 0, HD_NAMES_ANY);
    hd_pass_before(p, item->inst);
    LLVMValueRef number = hd_pass_u32(p, site);
    hd_pass_hook(p, "__heddle_barrier", p->nothing, &number, 1);
}
