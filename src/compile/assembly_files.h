/* Assembly that reads files when code is generated. */
#ifndef HD_COMPILE_ASSEMBLY_FILES_H
#define HD_COMPILE_ASSEMBLY_FILES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Is there a directive (.incbin, .include) that does, or one that could spell it (.macro)? */
bool hd_assembly_reads_files(LLVMModuleRef module);

#endif
