/* Which programs ask for the properties of threads. */
#ifndef HD_INSTRUMENT_PROPERTIES_H
#define HD_INSTRUMENT_PROPERTIES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* May the module ask for names, scheduling or attributes of a thread other than the caller,
 * or set them?  A thread that is asked about itself has not been joined, and whoever joins it
 * comes after all that it does. */
bool hd_uses_properties(LLVMModuleRef module);

#endif
