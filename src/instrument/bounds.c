#include "instrument/bounds.h"

#include "instrument/names.h"

#include <string.h>

/* Memory that an access must stay in. */
struct region {
    LLVMValueRef base; /* NULL: not known */
    uint64_t bytes;
    LLVMValueRef dynamic; /* the base, if it is one of dynamic.c; NULL: it is not */
    bool grows;           /* a block of the heap may give it more bytes */
};

static bool is_gep(LLVMValueRef value)
{
    return LLVMIsAGetElementPtrInst(value) ||
           (LLVMIsAConstantExpr(value) && LLVMGetConstOpcode(value) == LLVMGetElementPtr);
}

static uint64_t constant_or(LLVMValueRef value, uint64_t otherwise)
{
    return LLVMIsAConstantInt(value) ? LLVMConstIntGetZExtValue(value) : otherwise;
}

LLVMValueRef hd_bounds_variable(LLVMValueRef address)
{
    return LLVMIsACallInst(address) &&
                   hd_str_starts(hd_code_callee_name(address), "llvm.threadlocal.address")
               ? LLVMGetOperand(address, 0)
               : address;
}

/* The variable that the pointer is made of. */
static struct region whole(struct hd_pass *p, LLVMValueRef base)
{
    struct region none = { 0 };
    if (LLVMIsAAllocaInst(base)) {
        uint64_t n = constant_or(LLVMGetOperand(base, 0), 0);
        uint64_t bytes = LLVMABISizeOfType(p->layout, LLVMGetAllocatedType(base));
        return (struct region){ base, n * bytes, hd_dynamic_is(base) ? base : NULL, false };
    }
    LLVMValueRef variable = hd_bounds_variable(base);
    if (!LLVMIsAGlobalVariable(variable) || LLVMIsDeclaration(variable))
        return none;
    if (LLVMGetLinkage(variable) != LLVMInternalLinkage &&
        LLVMGetLinkage(variable) != LLVMPrivateLinkage &&
        LLVMGetLinkage(variable) != LLVMExternalLinkage)
        return none; /* another definition may be the one that is linked */
    LLVMTypeRef type = LLVMGlobalGetValueType(variable);
    return LLVMTypeIsSized(type)
               ? (struct region){ base, LLVMABISizeOfType(p->layout, type), NULL, false }
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
    LLVMValueRef variable = r.base ? hd_bounds_variable(r.base) : NULL;
    *name = !variable                     ? 0
            : LLVMIsAAllocaInst(variable) ? hd_zones_name_id(p, variable)
                                          : hd_zones_name_of_variable(p, variable);
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
    uint64_t bytes = hd_arrays_text(p, pointer, base);
    return bytes && whole(p, *base).bytes != bytes ? bytes : 0;
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

/* The variable that a range of bytes from the pointer on must stay in.  *fixed: the pointer
 * leads to a constant place of it, *offset. */
static struct region find(struct hd_bounds *b, LLVMValueRef pointer, int64_t *offset, bool *fixed)
{
    *offset = 0;
    *fixed = true;
    while (is_gep(pointer)) {
        struct hd_offset by = hd_points_to_offset(&b->facts->code, pointer);
        if (is_distance(b, pointer))
            return (struct region){ 0 };
        *offset += by.constant;
        *fixed = *fixed && by.n_strides == 0 && !by.anywhere;
        pointer = LLVMGetOperand(pointer, 0);
    }
    return whole(b->p, pointer);
}

/* void __heddle_bounds(i1 bad, ptr a, i64 n, ptr base, i64 size, i32 name, i32 site), which
 * becomes part of its caller. */
static LLVMValueRef make_check(struct hd_pass *p, bool grows)
{
    LLVMTypeRef params[] = {
        LLVMInt1TypeInContext(p->context), p->pointer, p->i64, p->pointer, p->i64, p->i32, p->i32
    };
    LLVMTypeRef type = LLVMFunctionType(p->nothing, params, 7, 0);
    LLVMTypeRef hook = LLVMFunctionType(p->nothing, params + 1, 6, 0);
    LLVMValueRef function = LLVMAddFunction(p->module, "__heddle_bounds", type), args[6];
    const char *name = grows ? "__heddle_outside_last" : "__heddle_outside";
    LLVMValueRef report = LLVMAddFunction(p->module, name, hook);
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

/* Do the `n` bytes from the pointer on not lie in the region? */
static LLVMValueRef leaves(struct hd_pass *p, LLVMValueRef pointer, LLVMValueRef n,
                           LLVMValueRef begin, LLVMValueRef size)
{
    LLVMValueRef from = LLVMBuildPtrToInt(p->builder, pointer, p->i64, "");
    LLVMValueRef base = LLVMBuildPtrToInt(p->builder, begin, p->i64, "");
    LLVMValueRef offset = LLVMBuildSub(p->builder, from, base, "");
    LLVMValueRef large = LLVMBuildICmp(p->builder, LLVMIntUGT, n, size, "");
    LLVMValueRef room = LLVMBuildSub(p->builder, size, n, "");
    LLVMValueRef behind = LLVMBuildICmp(p->builder, LLVMIntUGT, offset, room, "");
    LLVMValueRef some = LLVMBuildIsNotNull(p->builder, n, "");
    return LLVMBuildAnd(p->builder, some, LLVMBuildOr(p->builder, large, behind, ""), "");
}

/* `n` bytes from the pointer on must lie in the region.  `bad`: NULL, or whether they do not
 * is known already. */
static void compare(struct hd_bounds *b, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef n,
                    const struct region *r, LLVMValueRef bad, unsigned arg)
{
    struct hd_pass *p = b->p;
    LLVMValueRef variable = hd_bounds_variable(r->base);
    bool part = !r->dynamic && whole(p, r->base).bytes != r->bytes;
    uint32_t name = part                              ? 0
                    : LLVMIsAAllocaInst(variable)     ? hd_zones_name_id(p, variable)
                    : LLVMIsAGlobalVariable(variable) ? hd_zones_name_of_variable(p, variable)
                                                      : 0;
    uint32_t site = hd_sites_add(&p->sites, inst, HD_OP_NONE, 0, arg);
    LLVMValueRef *check = &b->check[r->grows];
    if (*check == NULL)
        *check = make_check(p, r->grows);
    LLVMValueRef size = r->dynamic ? hd_dynamic_bytes(p, r->dynamic) : hd_pass_u64(p, r->bytes);
    if (bad == NULL)
        bad = leaves(p, pointer, n, r->base, size);
    LLVMValueRef args[] = {
        bad, pointer, n, r->base, size, hd_pass_u32(p, name), hd_pass_u32(p, site)
    };
    LLVMBuildCall2(p->builder, LLVMGlobalGetValueType(*check), *check, args, 7, "");
}

static bool has_zones(const struct hd_abstract *object, bool globals_only)
{
    return (object->kind == HD_OBJECT_GLOBAL && LLVMIsAGlobalVariable(object->value) &&
            hd_zones_has(object->value)) ||
           (!globals_only && object->kind == HD_OBJECT_STACK);
}

static bool escaped_has_zones(struct hd_bounds *b, bool globals_only)
{
    const struct hd_objects *objects = &b->points_to->objects;
    if (!b->knows_escaped) {
        b->knows_escaped = true;
        for (uint32_t i = 0; i < objects->n; i++) {
            b->escaped_global |= objects->items[i].escaped && has_zones(&objects->items[i], true);
            b->escaped_any |= objects->items[i].escaped && has_zones(&objects->items[i], false);
        }
    }
    return globals_only ? b->escaped_global : b->escaped_any;
}

/* May the pointer lead to a variable, so that its zones matter?  A large set does not name what
 * has escaped; the unknown stands for it. */
static bool leads_to(struct hd_bounds *b, LLVMValueRef pointer, bool globals_only)
{
    uint32_t n;
    const uint32_t *set = hd_points_to_get(b->points_to, pointer, &n);
    const struct hd_objects *objects = &b->points_to->objects;
    bool unknown = false;
    for (uint32_t i = 0; i < n; i++) {
        unknown |= set[i] == HD_UNKNOWN_LOCATION;
        if (has_zones(&objects->items[objects->locations[set[i]].object], globals_only))
            return true;
    }
    return unknown && escaped_has_zones(b, globals_only);
}

/* Look the range up in the zones. */
static void look_up(struct hd_bounds *b, LLVMValueRef inst, LLVMValueRef pointer, LLVMValueRef n,
                    unsigned arg)
{
    struct hd_pass *p = b->p;
    uint32_t site = hd_sites_add(&p->sites, inst, HD_OP_NONE, 0, arg);
    LLVMValueRef args[] = { pointer, n, hd_pass_u32(p, site) };
    hd_pass_hook(p, "__heddle_within", p->nothing, args, 3);
}

/* An access, followed from its address to the variable that it is made through.  As far as it
 * is known, it touches the bytes [from, to) of what the pointer leads to. */
struct walk {
    LLVMValueRef inst, address;
    uint64_t bytes;
    int64_t from, to;
    bool bounded;
};

static bool is_within(const struct walk *w, uint64_t size)
{
    return w->bounded && w->from >= 0 && w->to >= 0 && (uint64_t)w->to <= size;
}

/* The access must stay in the array that the address computation indexes.  `index`: NULL, or
 * the access stays in one element, so that its index decides; optimisation often knows that of
 * an index, but not of an address. */
static void in_array(struct hd_bounds *b, struct walk *w, LLVMValueRef gep, LLVMValueRef index,
                     uint64_t length, bool grows)
{
    struct hd_pass *p = b->p;
    LLVMTypeRef array = LLVMGetGEPSourceElementType(gep);
    struct region r = { LLVMGetOperand(gep, 0), LLVMABISizeOfType(p->layout, array), NULL,
                        grows };
    LLVMValueRef bad = NULL;
    hd_pass_before(p, w->inst);
    if (index) {
        unsigned bits = LLVMGetIntTypeWidth(LLVMTypeOf(index));
        LLVMValueRef wide = bits < 64 ? LLVMBuildSExt(p->builder, index, p->i64, "") : index;
        LLVMValueRef end = LLVMConstInt(LLVMTypeOf(wide), length, 0);
        bad = LLVMBuildICmp(p->builder, LLVMIntUGE, wide, end, "");
    }
    compare(b, w->inst, w->address, hd_pass_u64(p, w->bytes), &r, bad, 0);
    w->from = 0;
    w->to = (int64_t)r.bytes;
    w->bounded = true;
}

/* One address computation.  False: its index may be the distance to another variable.
 *
 * `m[i][j]` must stay in its row.  A pointer into a row that moves on (`p = &m[0][j]; p[n]`)
 * may reach the next one: many programs walk along a column in that way. */
static bool through_gep(struct hd_bounds *b, struct walk *w, LLVMValueRef gep)
{
    LLVMValueRef index;
    bool grows = false;
    struct hd_offset by = hd_points_to_offset(&b->facts->code, gep);
    if (is_distance(b, gep))
        return false;
    bool constant = by.n_strides == 0 && !by.anywhere;
    uint64_t length = hd_arrays_length(b->p, gep, &index, &grows);
    uint64_t size = length ? LLVMABISizeOfType(b->p->layout, LLVMGetGEPSourceElementType(gep))
                           : 0;
    bool in_element = length && is_within(w, size / length);
    w->from += by.constant;
    w->to += by.constant;
    w->bounded = w->bounded && constant;
    if (in_element && !is_within(w, size))
        in_array(b, w, gep, index, length, grows);
    else if (length && !is_within(w, size) && is_inner_array(b->p, gep, size))
        in_array(b, w, gep, NULL, length, false);
    return true;
}

/* The variable, or whatever else the address is made of, where the walk ends. */
static LLVMValueRef follow(struct hd_bounds *b, struct walk *w)
{
    LLVMValueRef base = w->address;
    while (is_gep(base) && through_gep(b, w, base))
        base = LLVMGetOperand(base, 0);
    return base;
}

static void access_of(struct hd_bounds *b, LLVMValueRef inst, LLVMValueRef pointer, uint64_t n,
                      bool hooked)
{
    struct walk w = { inst, pointer, n, 0, (int64_t)n, true };
    struct region r = { 0 };
    LLVMValueRef base = follow(b, &w);
    if (!is_gep(base))
        r = whole(b->p, base);
    bool inside = r.base && is_within(&w, r.bytes);
    bool late = hd_ptrmap_get(&b->late, inst) != NULL;
    if (inside && !r.dynamic && !late)
        return;
    hd_pass_before(b->p, inst);
    if (r.base && !inside)
        compare(b, inst, pointer, hd_pass_u64(b->p, n), &r, NULL, 0);
    if (r.dynamic || late ? !hooked : !r.base && leads_to(b, pointer, hooked))
        look_up(b, inst, pointer, hd_pass_u64(b->p, n), 0);
}

/* A reference of C++ must refer to an object where it is passed or returned, also if it is not
 * used: `return a[n]' of a function that returns one is an error, `return &a[n]' is none. */
static void reference_to(struct hd_bounds *b, LLVMValueRef inst, LLVMValueRef pointer,
                         LLVMAttributeRef promise)
{
    if (promise == NULL || !is_gep(pointer))
        return;
    uint64_t n = LLVMGetEnumAttributeValue(promise);
    struct walk w = { inst, pointer, n, 0, (int64_t)n, true };
    follow(b, &w);
}

static void references(struct hd_bounds *b, LLVMValueRef inst)
{
    unsigned kind = LLVMGetEnumAttributeKindForName("dereferenceable", 15);
    if (LLVMIsAReturnInst(inst) && LLVMGetNumOperands(inst) == 1)
        reference_to(b, inst, LLVMGetOperand(inst, 0),
                     LLVMGetEnumAttributeAtIndex(b->p->function, LLVMAttributeReturnIndex, kind));
    for (unsigned i = 0; hd_code_is_call(inst) && i < LLVMGetNumArgOperands(inst); i++)
        reference_to(b, inst, LLVMGetOperand(inst, i),
                     LLVMGetCallSiteEnumAttribute(inst, i + 1, kind));
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
           (leads_to(b, value, false) || find(b, value, &offset, &fixed).base);
}

void hd_bounds_range(struct hd_bounds *b, LLVMValueRef inst, unsigned arg, LLVMValueRef n)
{
    int64_t offset;
    bool fixed;
    LLVMValueRef pointer = LLVMGetOperand(inst, arg);
    struct region r = find(b, pointer, &offset, &fixed);
    uint64_t known = constant_or(n, UINT64_MAX);
    bool inside = r.base && fixed && offset >= 0 && known <= r.bytes &&
                  (uint64_t)offset <= r.bytes - known;
    bool ends = r.base && LLVMIsAAllocaInst(r.base) && (r.dynamic || hd_zones_end_early(r.base));
    if (inside && !ends)
        return;
    n = LLVMBuildZExtOrBitCast(b->p->builder, n, b->p->i64, "");
    if (r.base && !inside)
        compare(b, inst, pointer, n, &r, NULL, arg);
    if (ends || (!r.base && leads_to(b, pointer, false)))
        look_up(b, inst, pointer, n, arg);
}

void hd_bounds_member(struct hd_bounds *b, LLVMValueRef call, unsigned arg, LLVMValueRef n)
{
    struct region r = { 0 };
    LLVMValueRef pointer = LLVMGetOperand(call, arg);
    r.bytes = hd_bounds_of_member(b->p, pointer, &r.base);
    if (r.bytes)
        compare(b, call, pointer, LLVMBuildZExtOrBitCast(b->p->builder, n, b->p->i64, ""), &r,
                NULL, arg);
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
        references(b, inst);
    }
    hd_ptrmap_release(&hooked);
}
