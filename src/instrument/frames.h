/* The call stack that a thread carries for the runtime: a record in the frame of every
 * function that stands in a call from which a visible action may be reached.
 *
 *     struct hd_frame { caller, site }        (core/frame.h)
 *
 * `__heddle_frame` points at the record of the innermost such call of the running thread.  A
 * call is put between two pairs of stores; nothing else in the function changes, and inlining
 * moves both along with the call. */
#ifndef HD_INSTRUMENT_FRAMES_H
#define HD_INSTRUMENT_FRAMES_H

#include "analyse/facts.h"
#include "instrument/pass.h"

/* Finds the calls that need a record.  Before the rewriting; the answers are about instructions
 * of the module as it is now. */
void hd_frames_prepare(struct hd_pass *p, const struct hd_facts *facts, struct hd_plan *plan);
void hd_frames_release(struct hd_pass *p);

/* A new function, and the end of it: where a jump or an exception may come back, the record is
 * brought back too. */
void hd_frames_begin(struct hd_pass *p);
void hd_frames_end(struct hd_pass *p);

/* The call may lead to a visible action: stores are put around it.  To be called before the
 * call itself is rewritten. / */
void hd_frames_call(struct hd_pass *p, LLVMValueRef call);

/* setjmp and the like. */
bool hd_frames_returns_twice(LLVMValueRef inst);

/* A call that must stay last (musttail) no longer must. */
void hd_frames_allow_behind(LLVMValueRef call);

/* What comes when the call has returned; NULL when nothing may be put there. */
LLVMValueRef hd_frames_behind(LLVMValueRef call);
/* The same, but only where every path to it has made the call, so that it may use the call's
 * operands and its result. */
LLVMValueRef hd_frames_only_behind(LLVMValueRef call);
/* Where code may be put that runs last before the return. */
LLVMValueRef hd_frames_before_return(LLVMValueRef inst);

#endif
