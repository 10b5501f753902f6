/* What LLVM says while it works. */
#ifndef HD_COMPILE_DIAGNOSTICS_H
#define HD_COMPILE_DIAGNOSTICS_H

#include "base/err.h"

#include <llvm-c/Core.h>

/* From now on the first error is kept in `said`, as one line.  Without a handler LLVM would end
 * the process. */
void hd_diagnostics_keep(LLVMContextRef context, struct hd_err *said);
void hd_diagnostics_end(LLVMContextRef context);

#endif
