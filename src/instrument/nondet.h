/* Values of __VERIFIER_nondet_*() that decide nothing. */
#ifndef HD_INSTRUMENT_NONDET_H
#define HD_INSTRUMENT_NONDET_H

#include <llvm-c/Core.h>

/* A call whose result goes nowhere but into variables that are never read becomes 0: with every
 * other value the program does the same, so that there is nothing to try. */
void hd_nondet_settle(LLVMModuleRef module);

#endif
