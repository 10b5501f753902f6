/* Which programs open files. */
#ifndef HD_INSTRUMENT_OPENS_H
#define HD_INSTRUMENT_OPENS_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* May the module open files or the like, so that it has descriptors whose numbers are the
 * kernel's?  Duplicates are noted when they are made (runtime/fd.h). */
bool hd_opens_files(LLVMModuleRef module);

#endif
