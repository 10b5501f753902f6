/* Inlines functions in which a waiting loop reads or tries: while (!is_ready()), while
 * (try_lock(&l)). */
#ifndef HD_INSTRUMENT_LOOKS_H
#define HD_INSTRUMENT_LOOKS_H

#include "base/err.h"

#include <llvm-c/Core.h>

/* Puts them into the loops that call them, where the loop can be seen to wait (await.c).
 * Locals have been promoted.  Returns 0, or -1 with `err`. */
int hd_looks_inline(LLVMModuleRef module, struct hd_err *err);

#endif
