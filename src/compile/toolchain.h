/* The clang that compiles and links for us, and the parts of the installation it needs. */
#ifndef HD_COMPILE_TOOLCHAIN_H
#define HD_COMPILE_TOOLCHAIN_H

#include "base/err.h"
#include "base/str.h"

struct hd_toolchain {
    char *clang;   /* path */
    char *include; /* directory of heddle.h */
    char *runtime; /* libheddle_rt.a */
    char *cxx;     /* libheddle_cxx.a: parts of C++'s library, as bitcode */
};

/* Finds a clang of the LLVM version heddle is linked with: HEDDLE_CLANG if set, otherwise
 * clang-N, otherwise clang.  A newer clang would write bitcode that this LLVM can't read. */
int hd_toolchain_init(struct hd_toolchain *tools, struct hd_err *err);
void hd_toolchain_release(struct hd_toolchain *tools);

#endif
