/* Loops that only read: waiting for another thread by looking again and again. */
#ifndef HD_INSTRUMENT_AWAIT_H
#define HD_INSTRUMENT_AWAIT_H

#include "instrument/pass.h"

/* Finds them in the planned function, before it is rewritten, and puts hooks in (core/abi.h). */
void hd_await_loops(struct hd_pass *p, const struct hd_plan *plan);

/* Assembly that is only there to be polite to the processor while a thread spins. */
bool hd_await_polite(LLVMValueRef assembly);

#endif
