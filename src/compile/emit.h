/* Optimiser and code generator. */
#ifndef HD_COMPILE_EMIT_H
#define HD_COMPILE_EMIT_H

#include "base/err.h"

#include <llvm-c/Core.h>

/* Runs a pass pipeline in opt's notation. */
int hd_emit_passes(LLVMModuleRef module, const char *passes, struct hd_err *err);

/* The module is so large that code for it is generated without optimisation. */
void hd_emit_mark_large(LLVMModuleRef module);

/* Position-independent native code. */
int hd_emit_object(LLVMModuleRef module, const char *path, struct hd_err *err);

/* Bitcode, as `heddle cc -r` writes it. */
int hd_emit_bitcode(LLVMModuleRef module, const char *path, struct hd_err *err);

#endif
