/* Loops that only read: waiting for another thread by looking again and again. */
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

/* A variable of the loop's header: is it the same after every turn, or comes from what the turn
 * read alone? */
bool hd_await_rests(const struct hd_loop *l, LLVMValueRef phi);

#endif
