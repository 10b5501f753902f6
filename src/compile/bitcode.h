/* Bitcode modules: reading, their symbols, linking them into one. */
#ifndef HD_COMPILE_BITCODE_H
#define HD_COMPILE_BITCODE_H

#include "base/err.h"
#include "compile/symbols.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

bool hd_bitcode_is(const char *bytes, size_t n);

/* Can all of it be read?  A child process tries, because it may crash or need too much memory.
 * The other functions need bitcode that has been tried or is known to be whole. */
int hd_bitcode_try(const char *name, const char *bytes, size_t n, struct hd_err *err);

/* Reads a module (functions lazily).  `bytes` is copied. `name` is for messages. */
int hd_bitcode_read(LLVMContextRef context, const char *name, const char *bytes, size_t n,
                    LLVMModuleRef *module, struct hd_err *err);

void hd_bitcode_symbols(LLVMModuleRef module, struct hd_symbols *symbols);

/* Links `module` (taken) into `program`. */
int hd_bitcode_link(LLVMModuleRef program, LLVMModuleRef module, const char *name,
                    struct hd_err *err);

/* Adds a constant with those bytes in a section of its own, kept whether used or not. */
void hd_bitcode_embed(LLVMModuleRef module, const char *section, const void *bytes, size_t n,
                      unsigned alignment);

#endif
