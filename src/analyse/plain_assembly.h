/* Inline assembly that cannot find out which thread runs it. */
#ifndef HD_ANALYSE_PLAIN_ASSEMBLY_H
#define HD_ANALYSE_PLAIN_ASSEMBLY_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Do its results depend on nothing but its operands?  False if that is not known. */
bool hd_assembly_is_plain(LLVMValueRef assembly);

#endif
