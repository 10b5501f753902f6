/* Optimiser and code generator. */
#ifndef HD_COMPILE_EMIT_H
#define HD_COMPILE_EMIT_H

#include "base/err.h"

#include <llvm-c/Core.h>

/* Runs a pass pipeline in opt's notation. */
int hd_emit_passes(LLVMModuleRef module, const char *passes, struct hd_err *err);

/* How much optimisation the generation of code does; the most if nothing is said. */
enum hd_effort { HD_EFFORT_NONE = 1, HD_EFFORT_SOME };
void hd_emit_limit(LLVMModuleRef module, enum hd_effort effort);

/* Position-independent native code. */
int hd_emit_object(LLVMModuleRef module, const char *path, struct hd_err *err);

/* Bitcode, as `heddle cc -r` writes it. */
int hd_emit_bitcode(LLVMModuleRef module, const char *path, struct hd_err *err);

#endif
