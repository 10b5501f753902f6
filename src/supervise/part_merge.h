/* Adding up the results of work units (parts.h). */
#ifndef HD_SUPERVISE_PART_MERGE_H
#define HD_SUPERVISE_PART_MERGE_H

#include "supervise/parts.h"
#include "supervise/supervise.h"

#define HD_MANIFEST "manifest"

/* What was found in the directory. */
struct hd_merged {
    uint32_t n_units;      /* of the whole tree, as far as they are known */
    uint32_t n_missing;    /* of these, without a result */
    struct hd_str missing; /* the names of the first ones, with commas */
    uint32_t n_results;    /* files that were read */
    uint32_t n_repeated;   /* results of a unit that has another one, */
    uint32_t n_unasked;    /* or of a unit that is not needed */
};

/* Reads the manifest and all files *.result of the directory, and fills the result as if one
 * process had explored all; every finding is replayed.  It is finished only if the whole
 * tree is covered.  Returns HD_EXIT_OK; or another exit status with err, and then there is
 * nothing to release but `merged`. */
int hd_merge_results(const struct hd_job *job, const char *directory, struct hd_result *result,
                     struct hd_merged *merged, struct hd_err *err);

#endif
