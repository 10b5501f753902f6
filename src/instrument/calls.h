/* Call sites: what the runtime is told before a call, according to the callee's row in
 * libc.def. */
#ifndef HD_INSTRUMENT_CALLS_H
#define HD_INSTRUMENT_CALLS_H

#include "instrument/pass.h"

void hd_calls_rewrite(struct hd_pass *p, struct hd_plan *plan, LLVMValueRef call);

#endif
