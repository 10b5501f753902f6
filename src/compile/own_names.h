/* Functions and variables of the program with names that heddle's runtime has too (sleep, read,
 * index, …).  C leaves such names to a program that does not use the library's; for its own
 * calls the program's definition counts. */
#ifndef HD_COMPILE_OWN_NAMES_H
#define HD_COMPILE_OWN_NAMES_H

#include "base/err.h"

#include <llvm-c/Core.h>

/* Renames what `program` defines under a name that the archive `runtime` defines or uses, main
 * aside.  An error if it is something that only the runtime can supply: the heap, threads and
 * locks. */
int hd_own_names(LLVMModuleRef program, const char *runtime, struct hd_err *err);

#endif
