#include "instrument/names.h"

#include "analyse/debug_types.h"
#include "base/err.h"
#include "base/ptrmap.h"
#include "base/str.h"
#include "core/site.h"

#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm/Config/llvm-config.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Positions of operands in debug-info nodes. */
enum { TYPE_BASE = 3, TYPE_ELEMENTS = 4, MEMBER_UNIT = 4, VARIABLE_NAME = 1, VARIABLE_TYPE = 3 };
enum { DEPTH = 12 }; /* of an expression; deeper ones stay without a name */

struct namer {
    LLVMContextRef context;
    LLVMTargetDataRef layout;
    struct hd_ptrmap locals; /* alloca -> LLVMMetadataRef of its variable */
    unsigned debug, kind, types;
};

/* An object: `text`, or what the pointer `text` points to; its type in the debug info, if
 * known. */
struct lvalue {
    struct hd_str text;
    bool pointed;
    LLVMMetadataRef type;
    unsigned indexed; /* dimensions of the array type that have been passed */
    uint64_t offset;  /* bytes into the object that no member has been named for yet */
};

/* The member of a struct that holds the byte; of several (bit-fields) the first that starts
 * latest. */
static LLVMMetadataRef member_at(struct namer *namer, LLVMMetadataRef type, uint64_t offset)
{
    type = hd_debug_plain(namer->context, type);
    if (type == NULL || LLVMGetMetadataKind(type) != LLVMDICompositeTypeMetadataKind)
        return NULL;
    LLVMMetadataRef elements = hd_debug_operand(namer->context, type, TYPE_ELEMENTS), best = NULL;
    unsigned n = elements
                     ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(namer->context, elements))
                     : 0;
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef element = hd_debug_operand(namer->context, elements, i);
        if (element == NULL || LLVMGetMetadataKind(element) != LLVMDIDerivedTypeMetadataKind)
            continue;
        if (LLVMDITypeGetFlags(element) & LLVMDIFlagStaticMember)
            continue;
        uint64_t at = LLVMDITypeGetOffsetInBits(element);
        if (at <= offset * 8 && (best == NULL || at > LLVMDITypeGetOffsetInBits(best)))
            best = element;
    }
    return best;
}

/* ", hi": the other bit-fields that lie in the same storage unit, which is accessed as one. */
static void add_neighbours(struct namer *namer, struct lvalue *l, LLVMMetadataRef member)
{
    LLVMContextRef context = namer->context;
    LLVMMetadataRef elements = hd_debug_operand(context, hd_debug_plain(context, l->type),
                                                TYPE_ELEMENTS),
                    unit = hd_debug_operand(context, member, MEMBER_UNIT);
    unsigned n = hd_debug_operands(context, elements);
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef element = hd_debug_operand(context, elements, i);
        size_t length;
        if (element == member || element == NULL ||
            LLVMGetMetadataKind(element) != LLVMDIDerivedTypeMetadataKind ||
            !(LLVMDITypeGetFlags(element) & LLVMDIFlagBitField) ||
            hd_debug_operand(context, element, MEMBER_UNIT) != unit)
            continue;
        const char *name = hd_debug_name(context, element, &length);
        if (name) {
            hd_str_append(&l->text, ", ");
            hd_str_append_bytes(&l->text, name, length);
        }
    }
}

/* Goes into the member at the offset.  False when the debug info has none. */
static bool add_member(struct namer *namer, struct lvalue *l)
{
    LLVMMetadataRef member = member_at(namer, l->type, l->offset);
    size_t n;
    const char *name = member ? hd_debug_name(namer->context, member, &n) : NULL;
    if (name) {
        hd_str_append(&l->text, l->pointed ? "->" : ".");
        hd_str_append_bytes(&l->text, name, n);
        l->pointed = false;
        if (LLVMDITypeGetFlags(member) & LLVMDIFlagBitField)
            add_neighbours(namer, l, member);
    }
    l->type = member ? hd_debug_operand(namer->context, member, TYPE_BASE) : NULL;
    l->offset -= member ? LLVMDITypeGetOffsetInBits(member) / 8 : l->offset;
    return member != NULL;
}

/* A struct or array (1 or 2), as far as the debug info says; unions are 0: which member is
 * meant can't be seen from an address. */
static int shape_of(struct namer *namer, LLVMMetadataRef type)
{
    if (type == NULL || LLVMGetMetadataKind(type) != LLVMDICompositeTypeMetadataKind)
        return 0;
    LLVMMetadataRef elements = hd_debug_operand(namer->context, type, TYPE_ELEMENTS);
    unsigned n = hd_debug_operands(namer->context, elements);
    bool moves = n == 1;
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef element = hd_debug_operand(namer->context, elements, i);
        if (element && LLVMGetMetadataKind(element) == LLVMDISubrangeMetadataKind)
            return 2;
        if (element && LLVMGetMetadataKind(element) == LLVMDIDerivedTypeMetadataKind)
            moves |= LLVMDITypeGetOffsetInBits(element) != 0;
    }
    return moves ? 1 : 0;
}

/* `array`: into the object, which is an array (of one or more dimensions); otherwise, along a
 * pointer. */
static void add_index(struct namer *namer, struct lvalue *l, bool array)
{
    hd_str_append(&l->text, "[]");
    l->pointed = false;
    if (!array)
        return;
    LLVMMetadataRef type = hd_debug_plain(namer->context, l->type);
    bool known = type && LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind;
    if (known &&
        ++l->indexed < hd_debug_operands(namer->context,
                                         hd_debug_operand(namer->context, type, TYPE_ELEMENTS)))
        return;
    l->indexed = 0;
    l->type = known ? hd_debug_operand(namer->context, type, TYPE_BASE) : NULL;
}

/* An address with a constant offset, or of something larger than what is accessed, is that of a
 * member. */
static void descend(struct namer *namer, struct lvalue *l, uint64_t bytes)
{
    for (int i = 0; i < DEPTH; i++) {
        LLVMMetadataRef type = hd_debug_plain(namer->context, l->type);
        int shape = shape_of(namer, type);
        if (shape == 0 || (l->offset == 0 && LLVMDITypeGetSizeInBits(type) <= bytes * 8))
            return;
        if (shape == 1) {
            if (!add_member(namer, l))
                return;
            continue;
        }
        add_index(namer, l, true);
        if (l->indexed)
            continue;
        uint64_t size = l->type
                            ? LLVMDITypeGetSizeInBits(hd_debug_plain(namer->context, l->type)) / 8
                            : 0;
        l->offset = size ? l->offset % size : 0;
    }
}

static bool is_zero(LLVMValueRef value)
{
    return LLVMIsAConstantInt(value) && LLVMConstIntGetZExtValue(value) == 0;
}

static bool find(struct namer *namer, LLVMValueRef pointer, struct lvalue *l, int depth);

static bool find_element(struct namer *namer, LLVMValueRef gep, struct lvalue *l, int depth)
{
    if (!find(namer, LLVMGetOperand(gep, 0), l, depth + 1))
        return false;
    LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
    int n = LLVMGetNumOperands(gep);
    if (n == 2 && LLVMIsAConstantInt(LLVMGetOperand(gep, 1)) && !l->pointed) {
        int64_t index = LLVMConstIntGetSExtValue(LLVMGetOperand(gep, 1));
        l->offset += (uint64_t)index * LLVMABISizeOfType(namer->layout, type);
        return true;
    }
    if (l->offset && !l->pointed)
        descend(namer, l, LLVMABISizeOfType(namer->layout, type));
    if (!is_zero(LLVMGetOperand(gep, 1)) || (n == 2 && l->pointed))
        add_index(namer, l, false);
    for (int i = 2; i < n; i++) {
        LLVMValueRef index = LLVMGetOperand(gep, (unsigned)i);
        if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
            unsigned field = (unsigned)LLVMConstIntGetZExtValue(index);
            l->offset += LLVMOffsetOfElement(namer->layout, type, field);
            add_member(namer, l);
            type = LLVMStructGetTypeAtIndex(type, field);
        } else {
            add_index(namer, l, true);
            type = LLVMGetElementType(type);
        }
    }
    return true;
}

static bool take_variable(struct namer *namer, LLVMMetadataRef variable, struct lvalue *l)
{
    size_t n;
    const char *name = hd_debug_string(
        namer->context, hd_debug_operand(namer->context, variable, VARIABLE_NAME), &n);
    if (name == NULL)
        return false;
    hd_str_append_bytes(&l->text, name, n);
    l->type = hd_debug_operand(namer->context, variable, VARIABLE_TYPE);
    return true;
}

static bool find_global(struct namer *namer, LLVMValueRef global, struct lvalue *l)
{
    size_t n, length;
    bool found = false;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
    for (unsigned i = 0; i < n && !found; i++)
        if (LLVMValueMetadataEntriesGetKind(all, i) == namer->debug)
            found = take_variable(namer,
                                  LLVMDIGlobalVariableExpressionGetVariable(
                                      LLVMValueMetadataEntriesGetMetadata(all, i)),
                                  l);
    LLVMDisposeValueMetadataEntries(all);
    if (found)
        return true;
    const char *name = LLVMGetValueName2(global, &length);
    if (length == 0 || LLVMGetLinkage(global) == LLVMPrivateLinkage)
        return false;
    hd_str_append_bytes(&l->text, name, length);
    return true;
}

static bool find_local(struct namer *namer, LLVMValueRef slot, struct lvalue *l)
{
    const uint64_t *variable = hd_ptrmap_get(&namer->locals, slot);
    if (variable)
        return take_variable(namer, (LLVMMetadataRef)(uintptr_t)*variable, l);
#if LLVM_VERSION_MAJOR >= 20
    /* Debug records can't be walked through LLVM-C: the slot's own name must do. */
    size_t n;
    const char *name = LLVMGetValueName2(slot, &n);
    if (n > 5 && memcmp(name + n - 5, ".addr", 5) == 0)
        n -= 5;
    hd_str_append_bytes(&l->text, name, n);
    return n > 0 && memchr(name, '.', n) == NULL;
#else
    return false;
#endif
}

static const char *callee_name(LLVMValueRef call)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    size_t n;
    return callee && LLVMIsAFunction(callee) ? LLVMGetValueName2(callee, &n) : "";
}

static bool find(struct namer *namer, LLVMValueRef pointer, struct lvalue *l, int depth)
{
    if (depth > DEPTH)
        return false;
    if (LLVMIsAGlobalVariable(pointer))
        return find_global(namer, pointer, l);
    if (LLVMIsAAllocaInst(pointer))
        return find_local(namer, pointer, l);
    if (LLVMIsAGetElementPtrInst(pointer) ||
        (LLVMIsAConstantExpr(pointer) && LLVMGetConstOpcode(pointer) == LLVMGetElementPtr))
        return find_element(namer, pointer, l, depth);
    if (LLVMIsALoadInst(pointer)) {
        if (!find(namer, LLVMGetOperand(pointer, 0), l, depth + 1))
            return false;
        if (l->pointed) {
            hd_str_append_char(&l->text, ')');
            char *inner = hd_str_detach(&l->text);
            hd_str_init(&l->text);
            hd_str_appendf(&l->text, "(*%s", inner);
            free(inner);
        }
        l->pointed = true;
        l->type = l->type ? hd_debug_pointee(namer->context, l->type) : NULL;
        return true;
    }
    if (LLVMIsACallInst(pointer) &&
        hd_str_starts(callee_name(pointer), "llvm.threadlocal.address"))
        return find(namer, LLVMGetOperand(pointer, 0), l, depth + 1);
    return false;
}

/* The name of what the pointer points to, "" when there is none; `bytes`: how much is accessed,
 * 0 when that is not known.  *type: that of the object, NULL: not known. */
static LLVMMetadataRef name_string(struct namer *namer, LLVMValueRef pointer, uint64_t bytes,
                                   LLVMMetadataRef *type)
{
    struct lvalue l = { .pointed = false };
    struct hd_str name;
    hd_str_init(&l.text);
    hd_str_init(&name);
    if (find(namer, pointer, &l, 0)) {
        if (!l.pointed && (bytes || l.offset))
            descend(namer, &l, bytes ? bytes : UINT64_MAX / 8);
        hd_str_appendf(&name, "%s%s", l.pointed ? "*" : "", l.text.text);
    }
    *type = l.offset == 0 && !l.indexed ? l.type : NULL;
    LLVMMetadataRef text = LLVMMDStringInContext2(namer->context, name.text, name.length);
    hd_str_release(&name);
    hd_str_release(&l.text);
    return text;
}

static void set_text(struct namer *namer, LLVMValueRef inst, unsigned kind, LLVMMetadataRef text)
{
    LLVMMetadataRef node = LLVMMDNodeInContext2(namer->context, &text, 1);
    LLVMSetMetadata(inst, kind, LLVMMetadataAsValue(namer->context, node));
}

/* The type of a value that is a number of its own kind, whatever the debug info says. */
static const char *machine_type(LLVMTypeRef type)
{
    switch (LLVMGetTypeKind(type)) {
    case LLVMFloatTypeKind:
        return "float@0@4@";
    case LLVMDoubleTypeKind:
        return "double@0@8@";
    case LLVMX86_FP80TypeKind:
        return "long double@0@16@";
    case LLVMPointerTypeKind:
        return HD_TYPE_POINTER;
    default:
        return NULL;
    }
}

/* Names what an access touches, and notes the type of its value. */
static void attach(struct namer *namer, LLVMValueRef inst, LLVMValueRef pointer,
                   LLVMValueRef value)
{
    LLVMMetadataRef type;
    uint64_t bytes = LLVMStoreSizeOfType(namer->layout, LLVMTypeOf(value));
    const char *machine = machine_type(LLVMTypeOf(value));
    struct hd_str key;
    set_text(namer, inst, namer->kind, name_string(namer, pointer, bytes, &type));
    LLVMMetadataRef plain = type ? hd_debug_plain(namer->context, type) : NULL;
    hd_str_init(&key);
    if (machine)
        hd_str_append(&key, machine);
    else if (plain && LLVMDITypeGetSizeInBits(plain) == bytes * 8 &&
             !hd_debug_key(namer->context, type, &key)) {
        hd_str_clear(&key);
        if (hd_debug_pointee(namer->context, type))
            hd_str_append(&key, HD_TYPE_POINTER); /* atomic ones are accessed as numbers */
    }
    if (key.length)
        set_text(namer, inst, namer->types,
                 LLVMMDStringInContext2(namer->context, key.text, key.length));
    hd_str_release(&key);
}

static void attach_call(struct namer *namer, LLVMValueRef call)
{
    unsigned n = LLVMGetNumArgOperands(call);
    LLVMMetadataRef *all = hd_alloc((n + 1) * sizeof *all);
    for (unsigned i = 0; i < n; i++) {
        LLVMValueRef arg = LLVMGetOperand(call, i);
        bool pointer = LLVMGetTypeKind(LLVMTypeOf(arg)) == LLVMPointerTypeKind;
        LLVMMetadataRef type;
        all[i] = pointer ? name_string(namer, arg, 0, &type)
                         : LLVMMDStringInContext2(namer->context, "", 0);
    }
    LLVMMetadataRef node = LLVMMDNodeInContext2(namer->context, all, n);
    LLVMSetMetadata(call, namer->kind, LLVMMetadataAsValue(namer->context, node));
    free(all);
}

/* ---- the types of blocks ---- */

/* What the result of a call points to, as far as its uses say. */
struct result {
    LLVMMetadataRef type;
    bool returned; /* by the function that makes the call */
};

/* Of several types the largest: an object is also used as one of its base classes. */
static void may_be(struct namer *namer, struct result *r, LLVMMetadataRef pointer)
{
    LLVMMetadataRef type = pointer ? hd_debug_pointee(namer->context, pointer) : NULL;
    LLVMMetadataRef plain = type ? hd_debug_plain(namer->context, type) : NULL;
    LLVMMetadataRef before = r->type ? hd_debug_plain(namer->context, r->type) : NULL;
    uint64_t bits = plain ? LLVMDITypeGetSizeInBits(plain) : 0;
    if (bits > (before ? LLVMDITypeGetSizeInBits(before) : 0))
        r->type = type;
}

static bool is_returned(LLVMValueRef value, int depth);

/* Is what the slot holds returned? */
static bool slot_is_returned(LLVMValueRef slot, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(slot); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsALoadInst(user) && is_returned(user, depth + 1))
            return true;
    }
    return false;
}

static bool is_returned(LLVMValueRef value, int depth)
{
    for (LLVMUseRef use = LLVMGetFirstUse(value); use && depth < 4; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAReturnInst(user))
            return true;
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == value &&
            LLVMIsAAllocaInst(LLVMGetOperand(user, 1)) &&
            slot_is_returned(LLVMGetOperand(user, 1), depth))
            return true;
    }
    return false;
}

static void look_at_store(struct namer *namer, LLVMValueRef place, struct result *r)
{
    struct lvalue l = { .pointed = false };
    hd_str_init(&l.text);
    if (find(namer, place, &l, 0)) {
        if (l.offset && !l.pointed)
            descend(namer, &l, LLVMPointerSize(namer->layout));
        may_be(namer, r, l.offset ? NULL : l.type);
    }
    hd_str_release(&l.text);
}

/* An argument of a function, the object of a constructor among them. */
static void look_at_call(struct namer *namer, LLVMValueRef call, LLVMValueRef value,
                         struct result *r)
{
    LLVMValueRef callee = LLVMGetCalledValue(call);
    LLVMMetadataRef about = callee && LLVMIsAFunction(callee) ? LLVMGetSubprogram(callee) : NULL;
    unsigned n = LLVMGetNumArgOperands(call);
    if (!about || n != LLVMCountParams(callee))
        return;
    for (unsigned i = 0; i < n; i++)
        if (LLVMGetOperand(call, i) == value)
            may_be(namer, r, hd_debug_signature(namer->context, about, i + 1));
}

static void attach_type(struct namer *namer, LLVMValueRef call)
{
    struct result r = { .type = NULL };
    struct hd_str key;
    LLVMValueRef function = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
    for (LLVMUseRef use = LLVMGetFirstUse(call); use; use = LLVMGetNextUse(use)) {
        LLVMValueRef user = LLVMGetUser(use);
        if (LLVMIsAStoreInst(user) && LLVMGetOperand(user, 0) == call)
            look_at_store(namer, LLVMGetOperand(user, 1), &r);
        else if (LLVMIsACallInst(user) || LLVMIsAInvokeInst(user))
            look_at_call(namer, user, call, &r);
    }
    if (is_returned(call, 0)) {
        r.returned = true;
        may_be(namer, &r, hd_debug_signature(namer->context, LLVMGetSubprogram(function), 0));
    }
    hd_str_init(&key);
    if (!r.type || !hd_debug_key(namer->context, r.type, &key)) {
        hd_str_clear(&key);
        hd_str_append(&key, r.returned && !r.type ? HD_TYPE_RETURNED : "");
    }
    if (key.length)
        LLVMAddCallSiteAttribute(call, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                 LLVMCreateStringAttribute(namer->context, HD_NAMES_TYPE,
                                                           sizeof HD_NAMES_TYPE - 1, key.text,
                                                           (unsigned)key.length));
    hd_str_release(&key);
}

/* A local has a type, too. */
static void attach_local(struct namer *namer, LLVMValueRef slot)
{
    const uint64_t *variable = hd_ptrmap_get(&namer->locals, slot);
    LLVMMetadataRef type = variable ? hd_debug_operand(namer->context,
                                                       (LLVMMetadataRef)(uintptr_t)*variable,
                                                       VARIABLE_TYPE)
                                    : NULL;
    struct hd_str key;
    hd_str_init(&key);
    if (type && hd_debug_key(namer->context, type, &key))
        set_text(namer, slot, namer->types,
                 LLVMMDStringInContext2(namer->context, key.text, key.length));
    hd_str_release(&key);
}

static void note_declare(struct namer *namer, LLVMValueRef call)
{
    LLVMValueRef slot_md = LLVMGetOperand(call, 0), slot;
    if (LLVMGetMDNodeNumOperands(slot_md) != 1)
        return;
    LLVMGetMDNodeOperands(slot_md, &slot);
    if (slot && LLVMIsAAllocaInst(slot))
        *hd_ptrmap_put(&namer->locals,
                       slot) = (uintptr_t)LLVMValueAsMetadata(LLVMGetOperand(call, 1));
}

static void visit_call(struct namer *namer, LLVMValueRef call, bool declares)
{
    const char *name = callee_name(call);
    if (!declares && !hd_str_starts(name, "llvm.dbg.")) {
        attach_call(namer, call);
        if (LLVMGetTypeKind(LLVMTypeOf(call)) == LLVMPointerTypeKind)
            attach_type(namer, call);
    } else if (declares && strcmp(name, "llvm.dbg.declare") == 0)
        note_declare(namer, call);
}

static void visit(struct namer *namer, LLVMValueRef inst)
{
    LLVMMetadataRef ignored;
    switch (LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
        attach(namer, inst, LLVMGetOperand(inst, 0), inst);
        break;
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        attach(namer, inst, LLVMGetOperand(inst, 0), LLVMGetOperand(inst, 1));
        break;
    case LLVMStore:
        attach(namer, inst, LLVMGetOperand(inst, 1), LLVMGetOperand(inst, 0));
        break;
    case LLVMAlloca:
        set_text(namer, inst, namer->kind, name_string(namer, inst, 0, &ignored));
        attach_local(namer, inst);
        break;
    case LLVMCall:
    case LLVMInvoke:
        visit_call(namer, inst, false);
        break;
    default:
        break;
    }
}

void hd_names_attach(LLVMModuleRef module)
{
    struct namer namer = { .context = LLVMGetModuleContext(module) };
    namer.layout = LLVMGetModuleDataLayout(module);
    namer.kind = hd_names_kind(namer.context);
    namer.types = LLVMGetMDKindIDInContext(namer.context, HD_NAMES_TYPE,
                                           sizeof HD_NAMES_TYPE - 1);
    namer.debug = LLVMGetMDKindIDInContext(namer.context, "dbg", 3);
    hd_ptrmap_init(&namer.locals);
#if LLVM_VERSION_MAJOR == 19
    LLVMSetIsNewDbgInfoFormat(module, 0);
#endif
    for (int declares = 1; declares >= 0; declares--)
        for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
            for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(f); b; b = LLVMGetNextBasicBlock(b))
                for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
                     i = LLVMGetNextInstruction(i)) {
                    if (!declares)
                        visit(&namer, i);
                    else if (LLVMIsACallInst(i))
                        visit_call(&namer, i, true);
                }
    hd_ptrmap_release(&namer.locals);
}
