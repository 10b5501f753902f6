/* The values of the locals and global variables that a failed assertion names.
 *
 * Before locals are promoted, the runtime is told of them in front of the call that says that
 * the assertion fails.  That reads nothing that another thread can see: of locals only those
 * whose address is not taken are told, of global variables what the condition has read. */
#ifndef HD_INSTRUMENT_SHOWN_H
#define HD_INSTRUMENT_SHOWN_H

#include "instrument/pass.h"

/* Puts calls of __heddle_shown (core/abi.h) there.  Accesses have their names (names.h). */
void hd_shown_keep(LLVMModuleRef module);

/* The call is one that was put there: tells it its site. */
bool hd_shown_settle(struct hd_pass *p, LLVMValueRef call, const char *callee);

#endif
