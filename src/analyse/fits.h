/* Does a call fit what the tables say of the function?  C lets a program declare and call a
 * library function with other arguments than it has: configure scripts do so, and programs
 * without prototypes.  libc.def, pointers.def and sync.def hold for the real function only. */
#ifndef HD_ANALYSE_FITS_H
#define HD_ANALYSE_FITS_H

#include <llvm-c/Core.h>

/* Makes calls that do not fit calls of unknown functions: their callee gets a name that LLVM
 * writes as the same symbol and that no table has ('\1' and the name).  So do other uses of a
 * function whose declaration does not fit. */
void hd_fits_settle(LLVMModuleRef module);

/* The name that a user knows. */
const char *hd_fits_name(const char *name);

#endif
