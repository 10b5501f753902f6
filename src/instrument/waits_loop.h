/* The loop around a wait for a condition variable.
 *
 * A wake-up without a signal changes nothing if the thread checks its condition, waits again
 * and has changed nothing on the way.  A loop that counts its turns does: with
 *
 *   while (!ready && tries-- > 0)
 *       pthread_cond_wait(&condition, &mutex);
 *
 * wake-ups use up the tries.  Two changes are looked for, in the turns in which the wait was
 * not ended by time: a local that is computed from its own value in the turn before, and a
 * counter in memory that nothing else in the turn writes (one that goes up before the wait and
 * down after it is all right). */
#ifndef HD_INSTRUMENT_WAITS_LOOP_H
#define HD_INSTRUMENT_WAITS_LOOP_H

#include "base/ptrmap.h"

#include <llvm-c/Core.h>
#include <stdbool.h>

/* Does something differ when the thread waits again?  `zero`: the wait's result says with 0
 * that it was not ended by time. */
bool hd_wait_turn_changes(LLVMValueRef wait, bool zero);

/* Is `to` reached from `from` without passing `avoided`? */
bool hd_wait_reaches(LLVMBasicBlockRef from, LLVMBasicBlockRef to, LLVMBasicBlockRef avoided,
                     struct hd_ptrmap *seen);

/* The successor of a branch on the wait's result if that is 0; -1: the branch is none. */
int hd_wait_woken(LLVMValueRef wait, bool zero, LLVMValueRef condition);

/* The same address, as far as the code shows it. */
bool hd_wait_same_place(LLVMValueRef a, LLVMValueRef b, int depth);

/* Computed in the same way from the same variables and results of functions, at any time. */
bool hd_wait_same_value(LLVMValueRef a, LLVMValueRef b, int depth);

/* Where the instruction writes; NULL: it is no single write. */
LLVMValueRef hd_wait_written(LLVMValueRef inst);

/* The start of the object, as far as the code shows it; is it a local variable? */
LLVMValueRef hd_wait_base(LLVMValueRef pointer);
bool hd_wait_local(LLVMValueRef pointer);

bool hd_wait_call(LLVMValueRef value);

#endif
