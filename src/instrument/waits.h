/* Waits for condition variables that rely on being signalled.
 *
 * POSIX and C++ let a wait end without a signal.  If the program checks its condition again
 * after the wait, as a loop around it does, such a wake-up changes nothing.  The verdict names
 * the other waits, unless wake-ups without a signal are explored (--spurious). */
#ifndef HD_INSTRUMENT_WAITS_H
#define HD_INSTRUMENT_WAITS_H

#include "instrument/pass.h"

/* Puts a call of __heddle_waits (core/abi.h) before each such wait.  Functions must be those of
 * the source, and their locals promoted. */
void hd_waits_mark(LLVMModuleRef module);

/* Is it a function that waits for a condition variable? */
bool hd_waits_named(const char *name);

/* Puts such a call before the instruction; `name` is what the verdict calls the wait. */
void hd_waits_mark_call(LLVMValueRef inst, const char *name);

/* The call is one that was put there: tells it its site. */
bool hd_waits_settle(struct hd_pass *p, LLVMValueRef call, const char *callee);

#endif
