/* What llvm.awk defines: the functions of LLVM that heddle calls. */
#ifndef HD_COMPILE_LLVM_H
#define HD_COMPILE_LLVM_H

#include <llvm/Config/llvm-config.h>

extern const char hd_llvm_names[]; /* of all functions, one after the other */
extern const int hd_llvm_count;
extern void *hd_llvm_slots[]; /* their addresses, once they are loaded */

/* At the first call of such a function; ends heddle if LLVM is not there. */
void hd_llvm_load(void);

#endif
