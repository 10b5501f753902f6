/* Code that is reached only by undefined behaviour. */
#ifndef HD_INSTRUMENT_UNREACHABLE_H
#define HD_INSTRUMENT_UNREACHABLE_H

#include "instrument/pass.h"

/* Calls the runtime where the source ends a path in p->function without a return: the code that
 * follows must not run. */
void hd_unreachable_tell(struct hd_pass *p);

/* The module is optimised: whatever is unreachable by now is a trap. */
void hd_unreachable_trap(LLVMModuleRef module);

#endif
