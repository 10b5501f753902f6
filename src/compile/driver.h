/* The command line of a compiler driver, taken apart (gcc's and clang's words). */
#ifndef HD_COMPILE_DRIVER_H
#define HD_COMPILE_DRIVER_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>

enum hd_driver_mode {
    HD_DRIVER_LINK,        /* sources and objects -> executable */
    HD_DRIVER_SHARED,      /* sources and objects -> shared object */
    HD_DRIVER_RELOCATABLE, /* -r: sources and objects -> one object */
    HD_DRIVER_COMPILE,     /* -c: each source -> object */
    HD_DRIVER_PASS,        /* clang's own business: -E, -S, --version, -print-… */
};

enum hd_item_kind {
    HD_ITEM_SOURCE,   /* C or C++, to be compiled */
    HD_ITEM_ASSEMBLY, /* to be assembled into a native object */
    HD_ITEM_FILE,     /* object, archive, shared object, bitcode */
    HD_ITEM_LIBRARY,  /* text is what follows -l */
    HD_ITEM_FLAG,     /* for the linker, in its place */
};

struct hd_item {
    enum hd_item_kind kind;
    char *text;
    char *language; /* of a source, when -x was given; otherwise NULL */
};

struct hd_driver {
    enum hd_driver_mode mode;
    bool cxx;                     /* called as a C++ driver */
    bool unoptimised;             /* -O0 or no -O: __OPTIMIZE__ must not be defined */
    char *output;                 /* -o; NULL: not given */
    char *analysis;               /* --analysis: off, fast, full or all; NULL: not given */
    struct hd_strs compile_flags; /* for every source */
    struct hd_strs library_dirs;  /* of -L */
    struct hd_strs passed;        /* PASS: all arguments as they came */
    struct hd_strs notes;         /* lines for the user: what is ignored */
    struct hd_item *items;        /* in the order of the command line */
    size_t n_items;
};

/* argv[0] is ignored.  Release also after an error. */
int hd_driver_init(struct hd_driver *d, int argc, char *const *argv, bool cxx,
                   struct hd_err *err);
void hd_driver_release(struct hd_driver *d);

/* Whether a file of that name is a C/C++ source (or preprocessed source). */
bool hd_driver_is_source(const char *path);

/* Whether anything in it makes the program a C++ program. */
bool hd_driver_is_cxx(const struct hd_driver *d);

#endif
