/* What is to be linked. */
#ifndef HD_COMPILE_LINK_REQUEST_H
#define HD_COMPILE_LINK_REQUEST_H

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

#endif
