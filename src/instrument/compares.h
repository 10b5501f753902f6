/* Comparisons of pointers for equality: in a program that frees memory the runtime is told of
 * those whose operands may both point to the heap (core/reuse.h), and of comparisons of bytes,
 * which may be pointers. */
#ifndef HD_INSTRUMENT_COMPARES_H
#define HD_INSTRUMENT_COMPARES_H

#include "instrument/pass.h"

/* Does the program free memory?  Asked before any function is rewritten. */
bool hd_compares_needed(LLVMModuleRef module);

/* Hooks the comparisons of the function being rewritten, before its accesses are. */
void hd_compares_hook(struct hd_pass *p);

#endif
