/* Inline assembly that is an atomic instruction is turned into one of LLVM's, so that it is
 * seen.
 */
#ifndef HD_INSTRUMENT_ASSEMBLY_H
#define HD_INSTRUMENT_ASSEMBLY_H

#include <llvm-c/Core.h>

void hd_assembly_lower(LLVMModuleRef module);

#endif
