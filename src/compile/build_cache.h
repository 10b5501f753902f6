/* The cache of one build: object files by their preprocessed source, and the instrumented
 * object of a program by what is linked.  The native linker runs each time: what it finds
 * depends on more files than could be named. */
#ifndef HD_COMPILE_BUILD_CACHE_H
#define HD_COMPILE_BUILD_CACHE_H

#include "base/cache.h"
#include "compile/cache_key.h"
#include "compile/driver.h"
#include "compile/toolchain.h"

struct hd_link_request;

struct hd_build_cache {
    struct hd_cache store;
    uint8_t clang[HD_CACHE_KEY_BYTES]; /* hd_cache_key_clang() */
    uint8_t tools[HD_CACHE_KEY_BYTES]; /* that and hd_cache_key_heddle() */
    const char *directory;             /* for intermediate files */
};

int hd_build_cache_open(struct hd_build_cache *cache, const struct hd_toolchain *tools,
                        const char *directory, struct hd_err *err);
void hd_build_cache_close(struct hd_build_cache *cache);

/* An object file that is to be made. */
struct hd_unit {
    const struct hd_driver *driver;
    const struct hd_item *item;
    const struct hd_strs *argv; /* clang and its options, without -c, -o, -x and the source */
    const char *output;
    bool known;                    /* its key is */
    bool listed;                   /* clang lists the files that it reads: hd_unit_argv() */
    char *dependencies;            /* a file that the options ask for, or NULL */
    struct hd_cache_digest digest; /* the key */
    struct hd_cache_digest read;   /* of the files that the preprocessor read */
    struct hd_str files;           /* what the preprocessor read, as clang lists it */
};

/* Looks it up; true: the output has been written.  Release it in each case. */
bool hd_unit_find(struct hd_unit *unit, struct hd_build_cache *cache);
/* Options for a clang whose result can be stored. */
void hd_unit_argv(struct hd_unit *unit, const struct hd_build_cache *cache, struct hd_strs *argv);
/* Stores the output, if it was made of what the key says. */
void hd_unit_keep(struct hd_unit *unit, struct hd_build_cache *cache);
void hd_unit_release(struct hd_unit *unit);

/* NULL; or an option after which the result depends on more than the preprocessed source and
 * the options, or is not known to do. */
const char *hd_unit_unknown_option(const struct hd_strs *flags);

/* The instrumented object of a program.  `arguments` are for the native linker. */
struct hd_program_entry {
    bool known;
    struct hd_cache_digest digest;
};

/* True: `object` has been written and `arguments` are set. */
bool hd_program_find(struct hd_program_entry *entry, struct hd_build_cache *cache,
                     const struct hd_link_request *request, const char *object,
                     struct hd_strs *arguments);
void hd_program_keep(const struct hd_program_entry *entry, struct hd_build_cache *cache,
                     const struct hd_link_request *request, const char *object,
                     const struct hd_strs *arguments);

#endif
