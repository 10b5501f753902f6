/* Library functions whose address the program takes: they may be called from unknown places. */
#ifndef HD_INSTRUMENT_ADDRESSES_H
#define HD_INSTRUMENT_ADDRESSES_H

#include "instrument/pass.h"

/* Replaces the address of each function whose calls must be announced by that of a new
 * function of the module, which only calls it.  To be called before the analysis. */
void hd_addresses_wrap(LLVMModuleRef module);

/* Lists those that are left: nothing announces their calls.  Before the rewriting. */
void hd_addresses_list(struct hd_pass *p);

#endif
