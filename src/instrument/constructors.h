/* Constructors as part of main. */
#ifndef HD_INSTRUMENT_CONSTRUCTORS_H
#define HD_INSTRUMENT_CONSTRUCTORS_H

#include <llvm-c/Core.h>

/* When the program has constructors, a new main calls them, from the lowest priority number to
 * the highest, and then the old one (HD_MAIN_BEHIND): what they do is part of the program like
 * everything else, threads that they create too. */
void hd_constructors_into_main(LLVMModuleRef module);

#endif
