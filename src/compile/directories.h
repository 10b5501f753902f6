/* Where source files are.  An object knows the directory that it was compiled in, a program
 * calls its files as they are to be found from the directory that it is linked in: lib/hit.c,
 * if hit.c was compiled inside lib. */
#ifndef HD_COMPILE_DIRECTORIES_H
#define HD_COMPILE_DIRECTORIES_H

#include "base/err.h"
#include "base/str.h"

#include <llvm-c/Core.h>

/* The compiler's flag for a file that becomes an object. */
int hd_directories_flag(struct hd_strs *argv, struct hd_err *err);

/* Rename the files of a program that is linked in the current directory. */
int hd_directories_resolve(LLVMModuleRef program, struct hd_err *err);

#endif
