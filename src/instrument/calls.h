/* Call sites: what is said to the runtime before a call, by what libc.def knows of the
 * callee. */
#ifndef HD_INSTRUMENT_CALLS_H
#define HD_INSTRUMENT_CALLS_H

#include "instrument/pass.h"

void hd_calls_rewrite(struct hd_pass *p, struct hd_plan *plan, LLVMValueRef call);

#endif
