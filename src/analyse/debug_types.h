/* Types of the source, as LLVM's debug information has them. */
#ifndef HD_ANALYSE_DEBUG_TYPES_H
#define HD_ANALYSE_DEBUG_TYPES_H

#include "base/str.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* The operand of a debug-info node; NULL when it has none. */
LLVMMetadataRef hd_debug_operand(LLVMContextRef context, LLVMMetadataRef node, unsigned index);

unsigned hd_debug_operands(LLVMContextRef context, LLVMMetadataRef node);

/* The text of a string node; NULL when it is empty or none. */
const char *hd_debug_string(LLVMContextRef context, LLVMMetadataRef node, size_t *length);

/* The `name` of a subprogram or type; NULL when it has none. */
const char *hd_debug_name(LLVMContextRef context, LLVMMetadataRef node, size_t *length);

/* The type without typedef, const, volatile and _Atomic; NULL: not known. */
LLVMMetadataRef hd_debug_plain(LLVMContextRef context, LLVMMetadataRef type);

/* What a pointer of that type points to; NULL: no pointer, or void. */
LLVMMetadataRef hd_debug_pointee(LLVMContextRef context, LLVMMetadataRef type);

/* The type of a function's result (0) or of a parameter (from 1 on); NULL: not known. */
LLVMMetadataRef hd_debug_signature(LLVMContextRef context, LLVMMetadataRef subprogram,
                                   unsigned index);

/* Appends what core/site.h calls a type; false when it has no name. */
bool hd_debug_key(LLVMContextRef context, LLVMMetadataRef type, struct hd_str *out);

#endif
