/* What was attached to instructions, and names of debug scopes. */
#include "analyse/debug_types.h"
#include "base/err.h"
#include "instrument/names.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

/* Positions of operands in debug-info nodes. */
enum { SCOPE = 1, LINKAGE_NAME = 3 };

unsigned hd_names_kind(LLVMContextRef context)
{
    return LLVMGetMDKindIDInContext(context, "heddle.name", 11);
}

const char *hd_names_type(LLVMValueRef inst, size_t *length)
{
    LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(inst));
    if (!LLVMIsACallInst(inst) && !LLVMIsAInvokeInst(inst))
        return hd_names_get(
            inst, LLVMGetMDKindIDInContext(context, HD_NAMES_TYPE, sizeof HD_NAMES_TYPE - 1), 0,
            length);
    LLVMAttributeRef type = LLVMGetCallSiteStringAttribute(
        inst, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, HD_NAMES_TYPE,
        sizeof HD_NAMES_TYPE - 1);
    unsigned n = 0;
    const char *text = type ? LLVMGetStringAttributeValue(type, &n) : NULL;
    *length = n;
    return text;
}

/* The function that a debug scope is in. */
static LLVMMetadataRef subprogram_of(LLVMContextRef context, LLVMMetadataRef scope)
{
    while (scope && LLVMGetMetadataKind(scope) != LLVMDISubprogramMetadataKind) {
        LLVMMetadataKind kind = LLVMGetMetadataKind(scope);
        if (kind != LLVMDILexicalBlockMetadataKind && kind != LLVMDILexicalBlockFileMetadataKind)
            return NULL;
        scope = hd_debug_operand(context, scope, SCOPE);
    }
    return scope;
}

const char *hd_names_function(LLVMContextRef context, LLVMMetadataRef scope, size_t *length)
{
    LLVMMetadataRef subprogram = subprogram_of(context, scope);
    return subprogram ? hd_debug_name(context, subprogram, length) : NULL;
}

const char *hd_names_linked(LLVMContextRef context, LLVMMetadataRef scope, size_t *length)
{
    LLVMMetadataRef subprogram = subprogram_of(context, scope);
    return subprogram ? hd_debug_string(
                            context, hd_debug_operand(context, subprogram, LINKAGE_NAME), length)
                      : NULL;
}

const char *hd_names_get(LLVMValueRef inst, unsigned kind, unsigned arg, size_t *length)
{
    LLVMValueRef node = LLVMGetMetadata(inst, kind);
    unsigned n = node ? LLVMGetMDNodeNumOperands(node) : 0, bytes = 0;
    LLVMValueRef *all = hd_alloc((n + 1) * sizeof *all);
    const char *found = NULL;
    if (n)
        LLVMGetMDNodeOperands(node, all);
    for (unsigned i = arg == HD_NAMES_ANY ? 0 : arg; i < n && !found; i++) {
        found = LLVMGetMDString(all[i], &bytes);
        if (bytes == 0)
            found = NULL;
        if (arg != HD_NAMES_ANY)
            break;
    }
    free(all);
    *length = bytes;
    return found;
}
