/* Does the program look at the time, or does it only say until when a wait may last? */
#ifndef HD_INSTRUMENT_DEADLINES_H
#define HD_INSTRUMENT_DEADLINES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* May what a reading of the clock holds decide anything but the deadlines and lengths of waits?
 * Asked of the program as it was compiled. */
bool hd_deadlines_looked_at(LLVMModuleRef module);

/* If it does not: where std::condition_variable compares the time with the deadline to find out
 * whether a wait was ended by time, call `instead`, which knows. */
void hd_deadlines_compare(LLVMModuleRef module, LLVMValueRef instead);

#endif
