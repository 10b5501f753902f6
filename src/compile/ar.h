/* Reading of archives made by ar and llvm-ar: GNU and BSD long names, thin archives, with or
 * without a symbol index. */
#ifndef HD_COMPILE_AR_H
#define HD_COMPILE_AR_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stddef.h>

struct hd_ar_member {
    char *name;
    const char *bytes; /* inside the archive's text, or of a file of its own (thin) */
    size_t n;
};

struct hd_ar {
    struct hd_str text; /* the file */
    struct hd_ar_member *members;
    size_t n;
    struct hd_str *files; /* thin archives: the members' contents */
    size_t n_files;
};

bool hd_ar_is(const char *bytes, size_t n);

/* Reads `path`.  Everything is released by hd_ar_release(), also after an error. */
int hd_ar_open(struct hd_ar *ar, const char *path, struct hd_err *err);
void hd_ar_release(struct hd_ar *ar);

#endif
