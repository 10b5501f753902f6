/* A parsed command line, carried out. */
#ifndef HD_COMPILE_BUILD_H
#define HD_COMPILE_BUILD_H

#include "compile/driver.h"
#include "compile/rewrite.h"

/* Compiles, and links when the command line says so.  `directory` takes the intermediate files.
 * Returns 0; -1 with err, whose text is "" when clang has said on stderr what is wrong. */
int hd_build(const struct hd_driver *driver, const char *directory, hd_rewrite_fn rewrite,
             struct hd_err *err);

#endif
