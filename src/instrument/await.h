/* Loops that wait for another thread by reading repeatedly. */
#ifndef HD_INSTRUMENT_AWAIT_H
#define HD_INSTRUMENT_AWAIT_H

#include "instrument/loops.h"
#include "instrument/pass.h"

/* Finds them in the planned function, before it is rewritten, and puts hooks in
 * (core/abi.h). */
void hd_await_loops(struct hd_pass *p, const struct hd_plan *plan);

/* May the instruction be part of such a loop, by itself? It changes nothing, or may turn out to
 * change nothing, or it writes a local. */
bool hd_await_part(LLVMValueRef inst);

/* Is a variable of the loop's header the same after every iteration, or computed from what the
 * iteration read alone? */
bool hd_await_rests(const struct hd_loop *l, LLVMValueRef phi);

#endif
