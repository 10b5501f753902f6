/* Which programs may move threads from one futex to another. */
#ifndef HD_INSTRUMENT_REQUEUES_H
#define HD_INSTRUMENT_REQUEUES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* May the module call FUTEX_REQUEUE or FUTEX_CMP_REQUEUE, as far as the constants show it that
 * reach the operation of a futex call? */
bool hd_requeues(LLVMModuleRef module);

#endif
