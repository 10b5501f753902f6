/* Functions and variables that no run of the program can reach. */
#ifndef HD_COMPILE_UNUSED_H
#define HD_COMPILE_UNUSED_H

#include "base/err.h"
#include "base/str.h"
#include "base/strmap.h"

#include <llvm-c/Core.h>

/* Named metadata of the program: the names of functions that were removed. */
#define HD_UNUSED_FUNCTIONS "heddle.unused"

/* Removes every definition that is not reached over calls, addresses and initial values from
 * main, constructors, functions that may be invariants (int FN(void)) and the definitions named
 * in `keep`.  With keep == NULL everything that other code could name is kept.  Adds the names
 * that only removed code refers to to `dropped`: the linker has to insist on their definitions
 * as if that code was there. */
int hd_unused_drop(LLVMModuleRef program, const struct hd_strmap *keep, struct hd_strs *dropped,
                   struct hd_err *err);

#endif
