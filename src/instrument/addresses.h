/* Library functions whose address the program takes: anybody may call them, from places that
 * are not known. */
#ifndef HD_INSTRUMENT_ADDRESSES_H
#define HD_INSTRUMENT_ADDRESSES_H

#include "instrument/pass.h"

/* Puts a function of the module's own in the place of the address of each function whose calls
 * must be announced; it does nothing but call it.  Before the analysis. */
void hd_addresses_wrap(LLVMModuleRef module);

/* Lists those that are left: nothing announces their calls.  Before the rewriting. */
void hd_addresses_list(struct hd_pass *p);

#endif
