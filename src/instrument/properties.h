/* Which programs ask for the properties of threads. */
#ifndef HD_INSTRUMENT_PROPERTIES_H
#define HD_INSTRUMENT_PROPERTIES_H

#include <llvm-c/Core.h>
#include <stdint.h>

/* How may the module ask for names, scheduling or attributes of a thread other than the caller,
 * or set them (HD_PROPERTIES_* in core/site.h; 0: it does not)?  A thread that is asked about
 * itself has not been joined nor ended, and whoever joins it comes after all that it does. */
uint32_t hd_properties_used(LLVMModuleRef module);

#endif
