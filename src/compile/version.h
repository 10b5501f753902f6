/* Which LLVM this heddle is linked with. */
#ifndef HD_COMPILE_VERSION_H
#define HD_COMPILE_VERSION_H

/* "19.1.7"; static storage. */
const char *hd_llvm_version(void);

#endif
