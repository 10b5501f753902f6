/* What turns the linked program into the one that is run. */
#ifndef HD_COMPILE_REWRITE_H
#define HD_COMPILE_REWRITE_H

#include "base/err.h"

#include <stdint.h>

struct LLVMOpaqueModule;

/* A callback, because this layer is below the instrumenter: commands pass
 * hd_instrument_program.  `salt`: a hash of the native inputs, to be mixed into the build
 * id.  `analysis`: off, fast, full or all; NULL: as the environment says. */
typedef int (*hd_rewrite_fn)(struct LLVMOpaqueModule *module, uint64_t salt, const char *analysis,
                             struct hd_err *err);

#endif
