#include "analyse/member.h"

#include "analyse/debug_types.h"

#include <llvm-c/DebugInfo.h>
#include <stdlib.h>

#define DEPTH 16
enum { OF_NAME = 2, OF_BASE = 3, OF_ELEMENTS = 4, VARIABLE_TYPE = 3 }; /* operands */

static LLVMMetadataRef type_of(LLVMContextRef context, LLVMValueRef global)
{
    size_t n = 0;
    LLVMMetadataRef type = NULL;
    LLVMValueMetadataEntry *all = LLVMGlobalCopyAllMetadata(global, &n);
    for (unsigned i = 0; i < n && !type; i++) {
        LLVMMetadataRef node = LLVMValueMetadataEntriesGetMetadata(all, i);
        if (LLVMGetMetadataKind(node) == LLVMDIGlobalVariableExpressionMetadataKind)
            type = hd_debug_operand(context, LLVMDIGlobalVariableExpressionGetVariable(node),
                                    VARIABLE_TYPE);
    }
    LLVMDisposeValueMetadataEntries(all);
    return type;
}

/* typedef, const, volatile and _Atomic have no size of their own; pointers do. */
static LLVMMetadataRef plain(LLVMContextRef context, LLVMMetadataRef type)
{
    for (int i = 0; i < DEPTH && type; i++) {
        if (LLVMGetMetadataKind(type) != LLVMDIDerivedTypeMetadataKind ||
            LLVMDITypeGetSizeInBits(type) != 0)
            return type;
        type = hd_debug_operand(context, type, OF_BASE);
    }
    return NULL;
}

/* The element of an array, or the member that holds the byte.  NULL: a union, whose member
 * cannot be told from an address, or nothing that has parts. */
static LLVMMetadataRef part(LLVMContextRef context, LLVMMetadataRef type, uint64_t offset,
                            bool *array)
{
    LLVMMetadataRef elements = hd_debug_operand(context, type, OF_ELEMENTS), best = NULL;
    unsigned n = elements ? LLVMGetMDNodeNumOperands(LLVMMetadataAsValue(context, elements)) : 0;
    bool apart = n == 1;
    *array = false;
    for (unsigned i = 0; i < n; i++) {
        LLVMMetadataRef element = hd_debug_operand(context, elements, i);
        LLVMMetadataKind kind = element ? LLVMGetMetadataKind(element) : LLVMMDStringMetadataKind;
        *array |= kind == LLVMDISubrangeMetadataKind;
        if (kind != LLVMDIDerivedTypeMetadataKind)
            continue;
        uint64_t at = LLVMDITypeGetOffsetInBits(element);
        apart |= at != 0;
        if (at <= offset * 8 && (best == NULL || at > LLVMDITypeGetOffsetInBits(best)))
            best = element;
    }
    return *array ? hd_debug_operand(context, type, OF_BASE) : apart ? best : NULL;
}

bool hd_member_of(struct hd_str *out, LLVMValueRef global, uint64_t offset)
{
    if (!LLVMIsAGlobalVariable(global))
        return false;
    LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(global));
    LLVMMetadataRef type = plain(context, type_of(context, global));
    struct hd_str text;
    bool any = false;
    hd_str_init(&text);
    for (int i = 0;
         i < DEPTH && type && LLVMGetMetadataKind(type) == LLVMDICompositeTypeMetadataKind; i++) {
        bool array;
        LLVMMetadataRef next = part(context, type, offset, &array);
        unsigned length = 0;
        const char *name = NULL;
        if (array) {
            uint64_t bytes = next ? LLVMDITypeGetSizeInBits(plain(context, next)) / 8 : 0;
            offset = bytes ? offset % bytes : 0;
            hd_str_append(&text, "[]");
        } else if (next) {
            LLVMMetadataRef named = hd_debug_operand(context, next, OF_NAME);
            name = named ? LLVMGetMDString(LLVMMetadataAsValue(context, named), &length) : NULL;
            offset -= LLVMDITypeGetOffsetInBits(next) / 8;
            if (length >= 2 && name[0] == '_' && name[1] == '_') {
                any = offset == 0; /* the insides of a library object have no name for us */
                offset = 0;
                break;
            }
            if (length) {
                hd_str_append_char(&text, '.');
                hd_str_append_bytes(&text, name, length);
            }
            next = hd_debug_operand(context, next, OF_BASE);
        }
        any |= next != NULL;
        type = next ? plain(context, next) : NULL;
    }
    if (any && offset == 0)
        hd_str_append(out, text.text);
    hd_str_release(&text);
    return any && offset == 0;
}
