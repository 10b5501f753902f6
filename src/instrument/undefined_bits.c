/* The bits of a value: an integer as wide as the value in which those bits are set that have no
 * definition; of a structure a structure of such integers.
 *
 * They are created on demand, right after the value. */
#include "instrument/undefined.h"

#include "instrument/frames.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

static unsigned width_of(struct hd_pass *p, LLVMTypeRef type)
{
    return (unsigned)LLVMSizeOfTypeInBits(p->layout, type);
}

LLVMTypeRef hd_bits_type(struct hd_pass *p, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return LLVMIntTypeInContext(p->context, width_of(p, type));
    unsigned n = LLVMCountStructElementTypes(type);
    LLVMTypeRef *fields = hd_alloc((n + 1) * sizeof *fields);
    for (unsigned i = 0; i < n; i++)
        fields[i] = hd_bits_type(p, LLVMStructGetTypeAtIndex(type, i));
    LLVMTypeRef bits = LLVMStructTypeInContext(p->context, fields, n, LLVMIsPackedStruct(type));
    free(fields);
    return bits;
}

LLVMValueRef hd_bits_any(struct hd_pass *p, LLVMValueRef bits)
{
    LLVMTypeRef type = LLVMTypeOf(bits);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return LLVMBuildIsNotNull(p->builder, bits, "");
    LLVMValueRef any = LLVMConstInt(LLVMInt1TypeInContext(p->context), 0, 0);
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
        LLVMValueRef field = LLVMBuildExtractValue(p->builder, bits, i, "");
        any = LLVMBuildOr(p->builder, any, hd_bits_any(p, field), "");
    }
    return any;
}

/* The value itself, as an integer. */
static LLVMValueRef as_integer(struct hd_pass *p, LLVMValueRef value)
{
    LLVMTypeRef type = hd_bits_type(p, LLVMTypeOf(value));
    switch (LLVMGetTypeKind(LLVMTypeOf(value))) {
    case LLVMIntegerTypeKind:
        return value;
    case LLVMPointerTypeKind:
        return LLVMBuildPtrToInt(p->builder, value, type, "");
    default:
        return LLVMBuildBitCast(p->builder, value, type, "");
    }
}

/* All of the result is undefined if any bit is. */
static LLVMValueRef all_if(struct hd_pass *p, LLVMValueRef any, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return LLVMBuildSExt(p->builder, any, hd_bits_type(p, type), "");
    LLVMValueRef all = LLVMGetUndef(hd_bits_type(p, type));
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++) {
        LLVMValueRef field = all_if(p, any, LLVMStructGetTypeAtIndex(type, i));
        all = LLVMBuildInsertValue(p->builder, all, field, i, "");
    }
    return all;
}

static LLVMValueRef any_of(struct hd_undefined *u, LLVMValueRef inst, unsigned n)
{
    LLVMValueRef any = LLVMConstInt(LLVMInt1TypeInContext(u->p->context), 0, 0);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef operand = LLVMGetOperand(inst, i);
        if (hd_undefined_may(u, operand))
            any = LLVMBuildOr(u->p->builder, any, hd_bits_any(u->p, hd_bits_of(u, operand)), "");
    }
    return any;
}

/* and: a defined 0 on either side defines the bit; or: a defined 1 does. */
static LLVMValueRef of_and_or(struct hd_undefined *u, LLVMValueRef inst, bool is_or)
{
    LLVMBuilderRef b = u->p->builder;
    LLVMValueRef x = LLVMGetOperand(inst, 0), y = LLVMGetOperand(inst, 1);
    LLVMValueRef xb = hd_bits_of(u, x), yb = hd_bits_of(u, y);
    if (is_or) {
        x = LLVMBuildNot(b, x, "");
        y = LLVMBuildNot(b, y, "");
    }
    LLVMValueRef both = LLVMBuildAnd(b, xb, yb, "");
    LLVMValueRef left = LLVMBuildAnd(b, xb, y, ""), right = LLVMBuildAnd(b, x, yb, "");
    return LLVMBuildOr(b, both, LLVMBuildOr(b, left, right, ""), "");
}

static LLVMValueRef of_shift(struct hd_undefined *u, LLVMValueRef inst)
{
    LLVMBuilderRef b = u->p->builder;
    LLVMValueRef by = LLVMGetOperand(inst, 1), bits = hd_bits_of(u, LLVMGetOperand(inst, 0));
    LLVMValueRef moved = LLVMBuildBinOp(b, LLVMGetInstructionOpcode(inst), bits, by, "");
    if (!hd_undefined_may(u, by))
        return moved;
    LLVMValueRef any = hd_bits_any(u->p, hd_bits_of(u, by));
    return LLVMBuildOr(b, moved, all_if(u->p, any, LLVMTypeOf(inst)), "");
}

/* Equal or not: decided as soon as two defined bits differ. */
static LLVMValueRef of_equality(struct hd_undefined *u, LLVMValueRef x, LLVMValueRef y)
{
    LLVMBuilderRef b = u->p->builder;
    LLVMValueRef bits = LLVMBuildOr(b, hd_bits_of(u, x), hd_bits_of(u, y), "");
    LLVMValueRef differ = LLVMBuildXor(b, as_integer(u->p, x), as_integer(u->p, y), "");
    LLVMValueRef known = LLVMBuildAnd(b, differ, LLVMBuildNot(b, bits, ""), "");
    return LLVMBuildAnd(b, LLVMBuildIsNotNull(b, bits, ""), LLVMBuildIsNull(b, known, ""), "");
}

/* An order: decided if the least and the greatest values that the defined bits allow agree. */
static LLVMValueRef of_order(struct hd_undefined *u, LLVMIntPredicate how, LLVMValueRef x,
                             LLVMValueRef y)
{
    LLVMBuilderRef b = u->p->builder;
    LLVMValueRef v[2] = { as_integer(u->p, x), as_integer(u->p, y) };
    LLVMValueRef bits[2] = { hd_bits_of(u, x), hd_bits_of(u, y) }, low[2], high[2];
    LLVMTypeRef type = LLVMTypeOf(v[0]);
    LLVMIntPredicate unsigned_how = how;
    if (how >= LLVMIntSGT) {
        unsigned_how = how - LLVMIntSGT + LLVMIntUGT;
        LLVMValueRef one = LLVMConstInt(type, 1, 0);
        LLVMValueRef sign = LLVMBuildShl(
            b, one, LLVMConstInt(type, LLVMGetIntTypeWidth(type) - 1, 0), "");
        for (int i = 0; i < 2; i++)
            v[i] = LLVMBuildXor(b, v[i], sign, "");
    }
    for (int i = 0; i < 2; i++) {
        low[i] = LLVMBuildAnd(b, v[i], LLVMBuildNot(b, bits[i], ""), "");
        high[i] = LLVMBuildOr(b, v[i], bits[i], "");
    }
    LLVMValueRef one = LLVMBuildICmp(b, unsigned_how, low[0], high[1], "");
    LLVMValueRef other = LLVMBuildICmp(b, unsigned_how, high[0], low[1], "");
    return LLVMBuildXor(b, one, other, "");
}

static LLVMValueRef of_compare(struct hd_undefined *u, LLVMValueRef inst)
{
    LLVMValueRef x = LLVMGetOperand(inst, 0), y = LLVMGetOperand(inst, 1);
    LLVMIntPredicate how = LLVMGetICmpPredicate(inst);
    return how == LLVMIntEQ || how == LLVMIntNE ? of_equality(u, x, y) : of_order(u, how, x, y);
}

/* An undefined condition leaves defined what is the same on both sides. */
static LLVMValueRef of_select(struct hd_undefined *u, LLVMValueRef inst)
{
    LLVMBuilderRef b = u->p->builder;
    LLVMValueRef condition = LLVMGetOperand(inst, 0);
    LLVMValueRef x = LLVMGetOperand(inst, 1), y = LLVMGetOperand(inst, 2);
    LLVMValueRef xb = hd_bits_of(u, x), yb = hd_bits_of(u, y);
    LLVMValueRef bits = LLVMBuildSelect(b, condition, xb, yb, "");
    if (!hd_undefined_may(u, condition) ||
        LLVMGetTypeKind(LLVMTypeOf(bits)) == LLVMStructTypeKind)
        return bits;
    LLVMValueRef differ = LLVMBuildXor(b, as_integer(u->p, x), as_integer(u->p, y), "");
    LLVMValueRef either = LLVMBuildOr(b, differ, LLVMBuildOr(b, xb, yb, ""), "");
    return LLVMBuildSelect(b, hd_bits_of(u, condition), either, bits, "");
}

static LLVMValueRef of_cast(struct hd_undefined *u, LLVMValueRef inst)
{
    LLVMBuilderRef b = u->p->builder;
    LLVMValueRef from = LLVMGetOperand(inst, 0);
    LLVMTypeRef to = LLVMTypeOf(inst), type = hd_bits_type(u->p, to);
    if (!hd_undefined_tracks(u->p, LLVMTypeOf(from)))
        return LLVMConstNull(type);
    LLVMValueRef bits = hd_bits_of(u, from);
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMTrunc:
    case LLVMZExt:
    case LLVMBitCast:
    case LLVMAddrSpaceCast:
    case LLVMPtrToInt:
    case LLVMIntToPtr:
        return LLVMBuildIntCast2(b, bits, type, 0, "");
    case LLVMSExt:
        return LLVMBuildSExt(b, bits, type, "");
    default:
        return all_if(u->p, hd_bits_any(u->p, bits), to);
    }
}

static LLVMValueRef of_field(struct hd_undefined *u, LLVMValueRef inst)
{
    LLVMValueRef whole = LLVMGetOperand(inst, 0);
    const unsigned *path = LLVMGetIndices(inst);
    if (LLVMGetNumIndices(inst) != 1 || !hd_undefined_tracks(u->p, LLVMTypeOf(whole)))
        return LLVMConstNull(hd_bits_type(u->p, LLVMTypeOf(inst)));
    if (LLVMIsAExtractValueInst(inst))
        return LLVMBuildExtractValue(u->p->builder, hd_bits_of(u, whole), path[0], "");
    LLVMValueRef part = hd_bits_of(u, LLVMGetOperand(inst, 1));
    return LLVMBuildInsertValue(u->p->builder, hd_bits_of(u, whole), part, path[0], "");
}

static LLVMValueRef of_arithmetic(struct hd_undefined *u, LLVMValueRef inst)
{
    LLVMBuilderRef b = u->p->builder;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMAnd:
    case LLVMOr:
        return of_and_or(u, inst, LLVMGetInstructionOpcode(inst) == LLVMOr);
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMXor:
        return LLVMBuildOr(b, hd_bits_of(u, LLVMGetOperand(inst, 0)),
                           hd_bits_of(u, LLVMGetOperand(inst, 1)), "");
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
        return of_shift(u, inst);
    case LLVMICmp:
        return of_compare(u, inst);
    case LLVMSelect:
        return of_select(u, inst);
    case LLVMExtractValue:
    case LLVMInsertValue:
        return of_field(u, inst);
    default:
        if (LLVMIsACastInst(inst))
            return of_cast(u, inst);
        return all_if(u->p, any_of(u, inst, (unsigned)LLVMGetNumOperands(inst)),
                      LLVMTypeOf(inst));
    }
}

/* What the bytes are made of that a load has just read. */
static LLVMValueRef of_load(struct hd_undefined *u, LLVMValueRef load)
{
    struct hd_pass *p = u->p;
    LLVMTypeRef type = LLVMTypeOf(load), bits = hd_bits_type(p, type);
    uint64_t bytes = hd_pass_bytes(p, type);
    uint32_t site = hd_undefined_site(u, load);
    LLVMValueRef address = LLVMGetOperand(load, 0);
    bool plain = LLVMGetTypeKind(bits) == LLVMIntegerTypeKind &&
                 (bytes == 1 || bytes == 2 || bytes == 4 || bytes == 8 || bytes == 16);
    if (plain) {
        LLVMTypeRef carrier = LLVMIntTypeInContext(p->context, (unsigned)bytes * 8);
        LLVMValueRef args[] = { address, hd_pass_u32(p, site) };
        LLVMValueRef all = hd_pass_hook(p, hd_pass_sized("__heddle_bits", bytes), carrier, args,
                                        2);
        return LLVMBuildIntCast2(p->builder, all, bits, 0, "");
    }
    LLVMValueRef slot = hd_pass_slot(p, bits);
    LLVMValueRef args[] = { address, slot, hd_pass_u64(p, bytes), hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_bits_n", p->nothing, args, 4);
    return LLVMBuildLoad2(p->builder, bits, slot, "");
}

static LLVMValueRef of_call(struct hd_undefined *u, LLVMValueRef call)
{
    struct hd_pass *p = u->p;
    if (hd_undefined_callee(u, call) != HD_NO_POINT)
        return LLVMBuildLoad2(p->builder, hd_bits_type(p, LLVMTypeOf(call)), u->result_bits, "");
    return all_if(p, any_of(u, call, LLVMGetNumArgOperands(call)), LLVMTypeOf(call));
}

static LLVMValueRef begin_phi(struct hd_undefined *u, LLVMValueRef phi)
{
    struct hd_pass *p = u->p;
    LLVMPositionBuilderBefore(p->builder, phi);
    LLVMValueRef bits = LLVMBuildPhi(p->builder, hd_bits_type(p, LLVMTypeOf(phi)), "");
    if (u->n_phis == u->phi_room) {
        u->phi_room = u->phi_room ? u->phi_room * 2 : 16;
        u->phis = hd_realloc(u->phis, u->phi_room * sizeof *u->phis);
    }
    u->phis[u->n_phis++] = phi;
    return bits;
}

void hd_bits_finish(struct hd_undefined *u)
{
    for (size_t i = 0; i < u->n_phis; i++) { /* more may come */
        LLVMValueRef phi = u->phis[i];
        LLVMValueRef bits = (LLVMValueRef)(uintptr_t)*hd_ptrmap_get(&u->bits, phi);
        for (unsigned k = 0; k < LLVMCountIncoming(phi); k++) {
            LLVMValueRef value = hd_bits_of(u, LLVMGetIncomingValue(phi, k));
            LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, k);
            LLVMAddIncoming(bits, &value, &from, 1);
        }
    }
    u->n_phis = 0;
}

static LLVMValueRef make(struct hd_undefined *u, LLVMValueRef value)
{
    struct hd_pass *p = u->p;
    if (LLVMIsAPHINode(value))
        return begin_phi(u, value);
    bool calls = hd_code_is_call(value);
    hd_pass_before(p, calls ? hd_frames_only_behind(value) : LLVMGetNextInstruction(value));
    LLVMSetCurrentDebugLocation2(p->builder, LLVMInstructionGetDebugLoc(value));
    if (LLVMIsALoadInst(value))
        return of_load(u, value);
    if (calls)
        return of_call(u, value);
    if (hd_undefined_is_mark(u, value))
        return LLVMConstAllOnes(hd_bits_type(p, LLVMTypeOf(value)));
    return of_arithmetic(u, value);
}

/* The caller's place in the code is kept: bits of an operand are made right after it. */
LLVMValueRef hd_bits_of(struct hd_undefined *u, LLVMValueRef value)
{
    struct hd_pass *p = u->p;
    if (!hd_undefined_may(u, value))
        return LLVMConstNull(hd_bits_type(p, LLVMTypeOf(value)));
    const uint64_t *known = hd_ptrmap_get(&u->bits, value);
    if (known)
        return (LLVMValueRef)(uintptr_t)*known;
    LLVMBuilderRef outer = p->builder;
    p->builder = LLVMCreateBuilderInContext(p->context);
    LLVMValueRef bits = make(u, value);
    LLVMDisposeBuilder(p->builder);
    p->builder = outer;
    *hd_ptrmap_put(&u->bits, value) = (uint64_t)(uintptr_t)bits;
    return bits;
}
