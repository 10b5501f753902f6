#include "instrument/bounds.h"

#include "instrument/names.h"

#include <string.h>

/* Memory that an access must stay in. */
struct region {
    LLVMValueRef base; /* NULL: not known */
    uint64_t bytes;
    LLVMValueRef dynamic; /* the base, if it is one of dynamic.c; NULL: it is not */
};

static const char *name_of(LLVMValueRef value)
{
    size_t n;
    return LLVMGetValueName2(value, &n);
}

static bool is_gep(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

static uint64_t constant_or(LLVMValueRef value, uint64_t otherwise)
{
    return LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : otherwise;
}

/* The address of a thread-local variable is the result of a call. */
static LLVMValueRef variable_of(LLVMValueRef base)
{
    return LLVMIsACallInst(base) &&
                   hd_str_starts(hd_code_callee_name(base), "llvm.threadlocal.address")
               ? LLVMGetOperand(base, 0)
               : base;
}

/* The variable that the pointer is made of. */
static struct region whole(struct hd_pass *p, LLVMValueRef base)
{
    struct region none = { NULL, 0, NULL };
    if (LLVMIsAAllocaInst(base)) {
        uint64_t n = constant_or(LLVMGetOperand(base, 0), 0);
        uint64_t bytes = LLVMABISizeOfType(p->layout, LLVMGetAllocatedType(base));
        return (struct region){ base, n * bytes, hd_dynamic_is(base) ? base : NULL };
    }
    LLVMValueRef variable = variable_of(base);
    if (!LLVMIsAGlobalVariable(variable) || LLVMIsDeclaration(variable))
        return none;
    if (LLVMGetLinkage(variable) != LLVMInternalLinkage &&
        LLVMGetLinkage(variable) != LLVMPrivateLinkage &&
        LLVMGetLinkage(variable) != LLVMExternalLinkage)
        return none; /* another definition may be the one that is linked */
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    return LLVMTypeIsSized(type)
               ? (struct region){ base, LLVMABISizeOfType(p->layout, type), NULL }
               : none;
}

uint64_t hd_bounds_of_variable(struct hd_pass *p, LLVMValueRef pointer, LLVMValueRef *base,
                               uint32_t *name)
{
    while (is_gep(pointer)) {
        for (unsigned i = 1; i < (unsigned)LLVMGetNumOperands(pointer); i++)
            if (!LLVMIsAConstantInt(LLVMGetOperand(pointer, i)))
                return 0;
        pointer = LLVMGetOperand(pointer, 0);
    }
    struct region r = whole(p, pointer);
    *base = r.base;
    *name = r.base ? hd_sites_string(&p->sites, name_of(variable_of(r.base))) : 0;
    return r.base ? r.bytes : 0;
}

/* An array inside a structure that is not its last member: those are often declared shorter
 * than they are. */
static bool is_inner_array(struct hd_pass *p, LLVMValueRef gep, uint64_t bytes)
{
    LLVMValueRef field = LLVMGetOperand(gep, 0);
    if (!is_gep(field) || LLVMGetNumOperands(field) != 3)
        return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(field);
    if (LLVMGetTypeKind(type) != LLVMStructTypeKind)
        return false;
    uint64_t index = constant_or(LLVMGetOperand(field, 2), 0);
    return index + 1 < LLVMCountStructElementTypes(type) && bytes > 0 &&
           LLVMABISizeOfType(p->layout, LLVMStructGetTypeAtIndex(type, (unsigned)index)) == bytes;
}

uint64_t hd_bounds_of_member(struct hd_pass *p, LLVMValueRef pointer, LLVMValueRef *base)
{
    if (!is_gep(pointer) ||
        LLVMGetTypeKind(LLVMGetGEPSourceElementType(pointer)) != LLVMArrayTypeKind)
        return 0;
    uint64_t bytes = LLVMABISizeOfType(p->layout, LLVMGetGEPSourceElementType(pointer));
    *base = LLVMGetOperand(pointer, 0);
    return is_inner_array(p, pointer, bytes) ? bytes : 0;
}

/* Is an index made of addresses?  Then it may be the distance to another variable. */
static bool is_distance(struct hd_bounds *b, LLVMValueRef gep)
{
    uint32_t n = 0;
    for (unsigned i = 1; n == 0 && i < (unsigned)LLVMGetNumOperands(gep); i++)
        if (!LLVMIsAConstantInt(LLVMGetOperand(gep, i)))
            hd_points_to_get(b->points_to, LLVMGetOperand(gep, i), &n);
    return n > 0;
}

/* What an access through the pointer must stay in: the array that is indexed, or the variable.
 * *fixed: it is at a constant place, *offset. */
static struct region find(struct hd_bounds *b, LLVMValueRef pointer, bool arrays, int64_t *offset,
                          bool *fixed)
{
    struct hd_pass *p = b->p;
    *offset = 0;
    *fixed = true;
    while (is_gep(pointer)) {
        struct hd_offset by = hd_points_to_offset(&b->facts->code, pointer);
        if (is_distance(b, pointer))
            return (struct region){ NULL, 0, NULL };
        *offset += by.constant;
        *fixed = *fixed && by.n_strides == 0 && !by.anywhere;
        LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
        LLVMValueRef base = LLVMGetOperand(pointer, 0);
        if (arrays && !*fixed && LLVMGetTypeKind(type) == LLVMArrayTypeKind) {
            uint64_t bytes = LLVMABISizeOfType(p->layout, type);
            if (is_inner_array(p, pointer, bytes))
                return (struct region){ base, bytes, NULL };
        }
        pointer = base;
    }
    return whole(p, pointer);
}

/* void __heddle_bounds(i1 bad, ptr a, i64 n, ptr base, i64 size, i32 name, i32 site), which
 * becomes part of its caller. */
static LLVMValueRef make_check(struct hd_pass *p)
{
    LLVMTypeRef params[] = {
        LLVMInt1TypeInContext(p->context), p->pointer, p->i64, p->pointer, p->i64, p->i32, p->i32
    };
    LLVMTypeRef type = LLVMFunctionType(p->nothing, params, 7, 0);
    LLVMTypeRef hook = LLVMFunctionType(p->nothing, params + 1, 6, 0);
    LLVMValueRef function = LLVMAddFunction(p->module, "__heddle_bounds", type), args[6];
    LLVMValueRef report = LLVMAddFunction(p->module, "__heddle_outside", hook);
    unsigned always = LLVMGetEnumAttributeKindForName("alwaysinline", 12);
    LLVMSetLinkage(function, LLVMInternalLinkage);
    LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)-1,
                            LLVMCreateEnumAttribute(p->context, always, 0));
    LLVMBasicBlockRef entry = LLVMAppendBasicBlockInContext(p->context, function, "");
    LLVMBasicBlockRef bad = LLVMAppendBasicBlockInContext(p->context, function, "");
    LLVMBasicBlockRef good = LLVMAppendBasicBlockInContext(p->context, function, "");
    LLVMBuilderRef b = LLVMCreateBuilderInContext(p->context);
    LLVMPositionBuilderAtEnd(b, entry);
    LLVMBuildCondBr(b, LLVMGetParam(function, 0), bad, good);
    LLVMPositionBuilderAtEnd(b, bad);
    for (unsigned i = 0; i < 6; i++)
        args[i] = LLVMGetParam(function, i + 1);
    LLVMBuildCall2(b, hook, report, args, 6, "");
    LLVMBuildBr(b, good);
    LLVMPositionBuilderAtEnd(b, good);
    LLVMBuildRetVoid(b);
    LLVMDisposeBuilder(b);
    return function;
}

/* `n` bytes from the pointer on must lie in the region. */
static void compare(struct hd_bounds *b, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef n,
                    const struct region *r, unsigned arg)
{
    struct hd_pass *p = b->p;
    LLVMValueRef variable = variable_of(r->base);
    uint32_t name = LLVMIsAAllocaInst(variable) ? hd_zones_name_id(p, variable)
                    : LLVMIsAGlobalVariable(variable)
                        ? hd_sites_string(&p->sites, name_of(variable))
                        : 0;
    uint32_t site = hd_sites_add(&p->sites, inst, HD_OP_NONE, 0, arg);
    if (b->check == NULL)
        b->check = make_check(p);
    LLVMValueRef size = r->dynamic ? hd_dynamic_bytes(p, r->dynamic) : hd_pass_u64(p, r->bytes);
    LLVMValueRef from = LLVMBuildPtrToInt(p->builder, pointer, p->i64, "");
    LLVMValueRef base = LLVMBuildPtrToInt(p->builder, r->base, p->i64, "");
    LLVMValueRef offset = LLVMBuildSub(p->builder, from, base, "");
    LLVMValueRef large = LLVMBuildICmp(p->builder, LLVMIntUGT, n, size, "");
    LLVMValueRef room = LLVMBuildSub(p->builder, size, n, "");
    LLVMValueRef behind = LLVMBuildICmp(p->builder, LLVMIntUGT, offset, room, "");
    LLVMValueRef some = LLVMBuildIsNotNull(p->builder, n, "");
    LLVMValueRef bad = LLVMBuildAnd(p->builder, some, LLVMBuildOr(p->builder, large, behind, ""),
                                    "");
    LLVMValueRef args[] = {
        bad, pointer, n, r->base, size, hd_pass_u32(p, name), hd_pass_u32(p, site)
    };
    LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(b->check), b->check, args, 7, "");
}

/* May the pointer lead to a variable, so that its zones matter? */
static bool leads_to(struct hd_bounds *b, LLVMValueRef pointer, bool globals_only)
{
    uint32_t n;
    const uint32_t *set = hd_points_to_get(b->points_to, pointer, &n);
    const struct hd_objects *objects = &b->points_to->objects;
    for (uint32_t i = 0; i < n; i++) {
        const struct hd_abstract *o = &objects->items[objects->locations[set[i]].object];
        if (o->kind == HD_OBJECT_GLOBAL && !LLVMIsGlobalConstant(o->value))
            return true;
        if (!globals_only && o->kind == HD_OBJECT_STACK)
            return true;
    }
    return false;
}

/* The zones tell whether all of it is there. */
static void look_up(struct hd_bounds *b, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef n,
                    unsigned arg)
{
    struct hd_pass *p = b->p;
    uint32_t site = hd_sites_add(&p->sites, inst, HD_OP_NONE, 0, arg);
    LLVMValueRef args[] = { pointer, n, hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_within", p->nothing, args, 3);
}

static void access_of(struct hd_bounds *b, LLVMValueRef inst, LLVMValueRef pointer, uint64_t n,
                      bool hooked)
{
    int64_t offset;
    bool fixed;
    struct region r = find(b, pointer, true, &offset, &fixed);
    bool inside = r.base && fixed && offset >= 0 && (uint64_t)offset + n <= r.bytes;
    if (inside && !r.dynamic)
        return;
    hd_pass_before(b->p, inst);
    if (r.base && !inside)
        compare(b, inst, pointer, hd_pass_u64(b->p, n), &r, 0);
    if (r.dynamic ? !hooked : !r.base && leads_to(b, pointer, hooked))
        look_up(b, inst, pointer, hd_pass_u64(b->p, n), 0);
}

bool hd_bounds_concerns(struct hd_bounds *b, LLVMValueRef call, unsigned i)
{
    int64_t offset;
    bool fixed;
    if (i >= LLVMGetNumArgOperands(call))
        return false;
    LLVMValueRef value = LLVMGetOperand(call, i);
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
           !LLVMIsAConstantPointerNull(value) &&
           (leads_to(b, value, false) || find(b, value, false, &offset, &fixed).base);
}

void hd_bounds_range(struct hd_bounds *b, LLVMValueRef inst, unsigned arg, LLVMValueRef n)
{
    int64_t offset;
    bool fixed;
    LLVMValueRef pointer = LLVMGetOperand(inst, arg);
    struct region r = find(b, pointer, false, &offset, &fixed);
    uint64_t known = constant_or(n, UINT64_MAX);
    bool inside = r.base && fixed && offset >= 0 && known <= r.bytes &&
                  (uint64_t)offset <= r.bytes - known;
    bool ends = r.base && LLVMIsAAllocaInst(r.base) && (r.dynamic || hd_zones_end_early(r.base));
    if (inside && !ends)
        return;
    n = LLVMBuildZExtOrBitCast(b->p->builder, n, b->p->i64, "");
    if (r.base && !inside)
        compare(b, inst, pointer, n, &r, arg);
    if (ends || (!r.base && leads_to(b, pointer, false)))
        look_up(b, inst, pointer, n, arg);
}

void hd_bounds_member(struct hd_bounds *b, LLVMValueRef call, unsigned arg, LLVMValueRef n)
{
    struct region r = { NULL, 0, NULL };
    LLVMValueRef pointer = LLVMGetOperand(call, arg);
    r.bytes = hd_bounds_of_member(b->p, pointer, &r.base);
    if (r.bytes)
        compare(b, call, pointer, LLVMBuildZExtOrBitCast(b->p->builder, n, b->p->i64, ""), &r,
                arg);
}

void hd_bounds_function(struct hd_bounds *b, struct hd_plan *plan)
{
    const struct hd_code *code = &b->facts->code;
    const struct hd_code_function *f = &code->functions[hd_code_function(code, b->p->function)];
    struct hd_ptrmap hooked;
    hd_ptrmap_init(&hooked);
    for (size_t i = 0; i < plan->n; i++)
        if (plan->items[i].region == HD_REGION_SHARED)
            *hd_ptrmap_put(&hooked, plan->items[i].inst) = 1;
    for (uint32_t i = f->first; i < f->end; i++) {
        LLVMValueRef inst = code->insts[i];
        bool is_hooked = hd_ptrmap_get(&hooked, inst) != NULL;
        if (LLVMIsALoadInst(inst))
            access_of(b, inst, LLVMGetOperand(inst, 0), hd_pass_bytes(b->p, LLVMTypeOf(inst)),
                      is_hooked);
        else if (LLVMIsAStoreInst(inst))
            access_of(b, inst, LLVMGetOperand(inst, 1),
                      hd_pass_bytes(b->p, LLVMTypeOf(LLVMGetOperand(inst, 0))), is_hooked);
        else if (LLVMIsAAtomicRMWInst(inst) || LLVMIsAAtomicCmpXchgInst(inst))
            access_of(b, inst, LLVMGetOperand(inst, 0),
                      hd_pass_bytes(b->p, LLVMTypeOf(LLVMGetOperand(inst, 1))), is_hooked);
        else if (hd_code_is_call(inst))
            hd_bounds_call(b, inst);
    }
    hd_ptrmap_release(&hooked);
}
