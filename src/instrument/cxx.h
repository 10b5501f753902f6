/* Prepares C++ programs for instrumentation: code from the standard library's headers is part
 * of the program, and should not show in reports. */
#ifndef HD_INSTRUMENT_CXX_H
#define HD_INSTRUMENT_CXX_H

#include "base/err.h"

#include <llvm-c/Core.h>
#include <stdbool.h>
#include <stdint.h>

/* Gives the standard streams' functions back to the library, and puts small functions of system
 * headers into their callers: an operation then has the line of the program that asked for it,
 * and the memory order that it asked for.  Does nothing to C. */
int hd_cxx_prepare(LLVMModuleRef module, struct hd_err *err);

/* Is the debug scope in a system header, or in heddle's part of the library? */
bool hd_cxx_is_library(LLVMMetadataRef scope);

/* Is that atomic access weaker than seq_cst without an observable effect?
 *
 * - The counters of shared pointers change by read-modify-writes with acq_rel only, which are
 *   ordered like seq_cst ones; that it is the last is read with acquire by somebody who still
 *   has a share, so that no other can come.  (use_count reads a counter as such, and is not
 *   meant.)
 * - Who waits for a future reads again when it has woken.
 * - Who reads the guard of a static variable too early takes the way through
 *   __cxa_guard_acquire, with the same result. */
bool hd_cxx_order_suffices(LLVMValueRef inst);

/* Is it a call inside std::lock? */
bool hd_cxx_backs_off(LLVMValueRef call);

#endif
