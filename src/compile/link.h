/* The link step: bitcode inputs become one module, which becomes an object and is linked with
 * the native inputs. */
#ifndef HD_COMPILE_LINK_H
#define HD_COMPILE_LINK_H

#include "base/err.h"
#include "compile/driver.h"
#include "compile/rewrite.h"
#include "compile/toolchain.h"

struct hd_build_cache;

struct hd_link_request {
    const struct hd_toolchain *tools;
    const struct hd_driver *driver; /* items, in order; mode LINK, SHARED or RELOCATABLE */
    char *const *compiled; /* by item: the bitcode or native object made of a source, or NULL */
    const char *directory; /* for intermediate files */
    const char *output;
    hd_rewrite_fn rewrite; /* for mode LINK */
    struct hd_build_cache *cache;
};

int hd_link(const struct hd_link_request *request, struct hd_err *err);

#endif
