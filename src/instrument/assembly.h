/* Atomic instructions in inline assembly become LLVM's, so that they are instrumented. */
#ifndef HD_INSTRUMENT_ASSEMBLY_H
#define HD_INSTRUMENT_ASSEMBLY_H

#include <llvm-c/Core.h>

void hd_assembly_lower(LLVMModuleRef module);

/* The kind of metadata that a fence has which is part of a locked instruction. */
unsigned hd_assembly_barrier(LLVMContextRef context);

#endif
