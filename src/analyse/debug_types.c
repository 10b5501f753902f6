#include "analyse/debug_types.h"

#include "base/err.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

/* Positions of operands in debug-info nodes. */
enum { SCOPE = 1, NAME = 2, TYPE_BASE = 3, TYPE_ELEMENTS = 4, SUBPROGRAM_TYPE = 4, COUNT = 0 };
enum { DEPTH = 12 };

/* NULL: there is none.  A constant is a constant, other nodes are metadata. */
static LLVMValueRef operand_value(LLVMContextRef context, LLVMMetadataRef node, unsigned index)
{
    LLVMValueRef value = LLVMMetadataAsValue(context, node);
    unsigned n = LLVMGetMDNodeNumOperands(value);
    if (index >= n)
        return NULL;
    LLVMValueRef *all = hd_alloc(n * sizeof *all);
    LLVMGetMDNodeOperands(value, all);
    LLVMValueRef found = all[index];
    free(all);
    return found;
}

LLVMMetadataRef hd_debug_operand(LLVMContextRef context, LLVMMetadataRef node, unsigned index)
{
    LLVMValueRef value = operand_value(context, node, index);
    return value ? LLVMValueAsMetadata(value) : NULL;
}

unsigned hd_debug_operands(LLVMContextRef context, LLVMMetadataRef node)
{
    return node ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(context, node)) : 0;
}

const char *hd_debug_string(LLVMContextRef context, LLVMMetadataRef node, size_t *length)
{
    unsigned n = 0;
    const char *text = node ? LLVMGetMDString(LLVMMetadataAsValue(context, node), &n) : NULL;
    *length = n;
    return n ? text : NULL;
}

const char *hd_debug_name(LLVMContextRef context, LLVMMetadataRef node, size_t *length)
{
    return hd_debug_string(context, hd_debug_operand(context, node, NAME), length);
}

static bool is_kind(LLVMMetadataRef node, LLVMMetadataKind kind)
{
    return node && LLVMGetMetadataKind(node) == kind;
}

/* typedef, const, volatile and _Atomic have no size of their own; pointers do. */
static bool is_wrapper(LLVMMetadataRef type)
{
    return is_kind(type, LLVMDIDerivedTypeMetadataKind) && LLVMDITypeGetSizeInBits(type) == 0;
}

LLVMMetadataRef hd_debug_plain(LLVMContextRef context, LLVMMetadataRef type)
{
    for (int i = 0; i < DEPTH && type; i++) {
        if (!is_wrapper(type))
            return type;
        type = hd_debug_operand(context, type, TYPE_BASE);
    }
    return NULL;
}

LLVMMetadataRef hd_debug_pointee(LLVMContextRef context, LLVMMetadataRef type)
{
    type = hd_debug_plain(context, type);
    if (!is_kind(type, LLVMDIDerivedTypeMetadataKind))
        return NULL;
    return hd_debug_operand(context, type, TYPE_BASE);
}

LLVMMetadataRef hd_debug_signature(LLVMContextRef context, LLVMMetadataRef subprogram,
                                   unsigned index)
{
    LLVMMetadataRef type = subprogram ? hd_debug_operand(context, subprogram, SUBPROGRAM_TYPE)
                                      : NULL;
    LLVMMetadataRef types = is_kind(type, LLVMDISubroutineTypeMetadataKind)
                                ? hd_debug_operand(context, type, TYPE_BASE)
                                : NULL;
    return types ? hd_debug_operand(context, types, index) : NULL;
}

/* "app::", "std::": the namespaces and classes around a type. */
static void append_scope(LLVMContextRef context, LLVMMetadataRef node, struct hd_str *out,
                         int depth)
{
    LLVMMetadataRef scope = hd_debug_operand(context, node, SCOPE);
    bool space = is_kind(scope, LLVMDINamespaceMetadataKind);
    if (depth > DEPTH || (!space && !is_kind(scope, LLVMDICompositeTypeMetadataKind)))
        return;
    size_t n;
    const char *name = hd_debug_name(context, scope, &n);
    append_scope(context, scope, out, depth + 1);
    if (!name)
        return;
    hd_str_append_bytes(out, name, n);
    hd_str_append(out, "::");
}

/* Appends "[4][8]" and goes on with the elements. */
static LLVMMetadataRef append_dimensions(LLVMContextRef context, LLVMMetadataRef array,
                                         struct hd_str *out)
{
    LLVMMetadataRef all = hd_debug_operand(context, array, TYPE_ELEMENTS);
    unsigned n = hd_debug_operands(context, all);
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef range = hd_debug_operand(context, all, i);
        if (!is_kind(range, LLVMDISubrangeMetadataKind))
            return NULL;
        LLVMValueRef count = operand_value(context, range, COUNT);
        bool known = count && LLVMIsAConstantInt(count);
        hd_str_appendf(out, "[%llu]", known ? LLVMConstIntGetZExtValue(count) : 0);
    }
    return hd_debug_operand(context, array, TYPE_BASE);
}

static bool is_array(LLVMContextRef context, LLVMMetadataRef type)
{
    LLVMMetadataRef all = is_kind(type, LLVMDICompositeTypeMetadataKind)
                              ? hd_debug_operand(context, type, TYPE_ELEMENTS)
                              : NULL;
    LLVMMetadataRef first = hd_debug_operands(context, all) ? hd_debug_operand(context, all, 0)
                                                            : NULL;
    return is_kind(first, LLVMDISubrangeMetadataKind);
}

bool hd_debug_key(LLVMContextRef context, LLVMMetadataRef type, struct hd_str *out)
{
    LLVMMetadataRef plain = hd_debug_plain(context, type);
    if (is_array(context, plain)) {
        type = append_dimensions(context, plain, out);
        plain = hd_debug_plain(context, type);
    }
    const char *name = NULL;
    size_t n;
    while (type && plain && !(name = hd_debug_name(context, type, &n)) && type != plain)
        type = hd_debug_operand(context, type, TYPE_BASE);
    if (!name)
        return false;
    append_scope(context, type, out, 0);
    hd_str_append_bytes(out, name, n);
    unsigned n_file = 0;
    LLVMMetadataRef file = LLVMDIScopeGetFile(type);
    const char *path = file ? LLVMDIFileGetFilename(file, &n_file) : NULL, *base = path;
    for (const char *at = path; at && at < path + n_file; at++)
        base = *at == '/' ? at + 1 : base;
    hd_str_appendf(out, "@%u@%llu@", LLVMDITypeGetLine(type),
                   (unsigned long long)LLVMDITypeGetSizeInBits(plain) / 8);
    hd_str_append_bytes(out, base ? base : "", path ? (size_t)(path + n_file - base) : 0);
    return true;
}
