/* Messages between the ranks of a distributed search (cli/distributed.c): a unit to explore,
 * and what came of it.  Files travel as they are on disk, sealed (sealed.h). */
#ifndef HD_SUPERVISE_ERRAND_H
#define HD_SUPERVISE_ERRAND_H

#include "base/err.h"
#include "base/str.h"

#include <stdbool.h>
#include <stdint.h>

enum hd_errand_kind {
    HD_ERRAND_ASK,    /* a rank has nothing to do */
    HD_ERRAND_UNIT,   /* explore the first file for so many milliseconds */
    HD_ERRAND_RESULT, /* files: units that are left, and last the result */
    HD_ERRAND_FAILED, /* `text` says why there is none */
    HD_ERRAND_STOP,   /* there is no more to do */
    HD_N_ERRANDS
};

struct hd_errand {
    uint32_t kind;
    bool broke;            /* a violation ended the search */
    uint64_t milliseconds; /* of a unit: its budget; of a result: what it took */
    uint64_t executions;   /* of a result */
    struct hd_str text;    /* the unit's name, or what went wrong */
    uint32_t n_files;
    struct hd_errand_file {
        char name[96];
        struct hd_str bytes;
    } *files;
};

void hd_errand_init(struct hd_errand *errand, enum hd_errand_kind kind);
void hd_errand_release(struct hd_errand *errand);

/* Add a file of the directory; write the files into one. */
int hd_errand_add(struct hd_errand *errand, const char *directory, const char *name,
                  struct hd_err *err);
int hd_errand_save(const struct hd_errand *errand, const char *directory, struct hd_err *err);

/* Appends the bytes; they begin with a version and end with a hash. */
void hd_errand_write(const struct hd_errand *errand, struct hd_str *bytes);
/* Refuses what is damaged, or of another version. */
int hd_errand_read(struct hd_errand *errand, void *bytes, size_t n, struct hd_err *err);

#endif
