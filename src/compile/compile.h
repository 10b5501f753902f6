/* From sources to an executable that heddle can explore, in one call. */
#ifndef HD_COMPILE_COMPILE_H
#define HD_COMPILE_COMPILE_H

#include "base/err.h"
#include "base/str.h"
#include "compile/rewrite.h"

#include <stdbool.h>

struct hd_compile_request {
    const struct hd_strs *files; /* C/C++ sources, objects, archives */
    const struct hd_strs *flags; /* more clang options; NULL: none */
    const char *directory;       /* where executable and intermediate files go; must exist */
    bool cxx;                    /* link as C++ even when no source is C++ */
    hd_rewrite_fn rewrite;       /* hd_instrument_program of instrument/instrument.h */
};

struct hd_compile_result {
    char *program; /* path of the executable, below directory; the caller frees */
    double seconds;
};

/* Compiles and links.  The build id depends on sources and flags, not on the directory.
 * Returns 0; or -1 with err.  err->text is "" when clang has already said on stderr what
 * is wrong. */
int hd_compile_program(const struct hd_compile_request *request, struct hd_compile_result *result,
                       struct hd_err *err);

/* Whether a file name given to `heddle check` is something to compile rather than an
 * executable: .c, .cc, .cpp, .cxx, .C, .i, .ii, .o, .a, .bc */
bool hd_compile_is_input(const char *path);

#endif
