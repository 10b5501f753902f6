/* The native linker: it makes the output of the instrumented object, the native inputs and
 * heddle's runtime. */
#ifndef HD_COMPILE_NATIVE_LINK_H
#define HD_COMPILE_NATIVE_LINK_H

#include "base/err.h"
#include "compile/link_request.h"

/* `native` are arguments as clang takes them, in order.  An error names what is missing. */
int hd_native_link(const struct hd_link_request *request, const char *object,
                   const struct hd_strs *native, struct hd_err *err);

#endif
