/* Does the program depend on the time, or does it use it only for deadlines? */
#ifndef HD_INSTRUMENT_DEADLINES_H
#define HD_INSTRUMENT_DEADLINES_H

#include <llvm-c/Core.h>
#include <stdbool.h>

/* May a reading of the clock decide anything but deadlines and lengths of waits?  Asked of the
 * program as it was compiled. */
bool hd_deadlines_looked_at(LLVMModuleRef module);

/* If it does not: where std::condition_variable compares the time with the deadline to find out
 * whether a wait was ended by time, call `instead`, which knows. */
void hd_deadlines_compare(LLVMModuleRef module, LLVMValueRef instead);

#endif
