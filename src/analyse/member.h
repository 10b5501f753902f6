/* The member of a global variable at an offset, as the source names it, from the debug
 * information: ".b", ".c[]" (elements of an array are one location for the analysis). */
#ifndef HD_ANALYSE_MEMBER_H
#define HD_ANALYSE_MEMBER_H

#include "base/str.h"

#include <llvm-c/Core.h>

/* Appends it; false, and nothing appended, when the debug information does not say. */
bool hd_member_of(struct hd_str *out, LLVMValueRef global, uint64_t offset);

#endif
