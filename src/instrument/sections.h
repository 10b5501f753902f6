/* Functions that are atomic sections by their name, a rule of the software verification
 * competition (SV-COMP): what __VERIFIER_atomic_NAME() does is one step. */
#ifndef HD_INSTRUMENT_SECTIONS_H
#define HD_INSTRUMENT_SECTIONS_H

#include <llvm-c/Core.h>

/* Every such function that the module defines begins with heddle_atomic_begin() and ends with
 * heddle_atomic_end(), wherever it returns or an exception leaves it. */
void hd_sections_mark(LLVMModuleRef module);

#endif
