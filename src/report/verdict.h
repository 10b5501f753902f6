/* The verdict of an exploration, and what it depends on. */
#ifndef HD_REPORT_VERDICT_H
#define HD_REPORT_VERDICT_H

#include "base/str.h"
#include "supervise/program.h"
#include "supervise/supervise.h"

#define HD_ASSUMES_NO_THREAD "the program created no thread"

enum hd_verdict { HD_VERIFIED, HD_VIOLATION, HD_NONE_FOUND };

struct hd_summary {
    enum hd_verdict verdict;
    bool exhaustive;             /* every interleaving was explored, up to an equivalence */
    enum hd_race_policy races;   /* how they were looked for */
    enum hd_memory memory;       /* what it was explored under */
    bool no_livelocks;           /* livelocks were not looked for */
    struct hd_strs downgrades;   /* why not, in plain words, one entry each */
    struct hd_strs undischarged; /* names of the obligations that were not shown */
    struct hd_strs assumptions;  /* what the verdict takes for granted in this program */
    double mistaken;             /* bound on the probability that two states became one */
    uint32_t state_bits;         /* that are kept of each, if that may happen */
};

/* `seconds` is the time bound that was given. */
void hd_summary_init(struct hd_summary *summary, const struct hd_result *result,
                     const struct hd_options *options, const struct hd_route *route,
                     double seconds, const struct hd_program *program);
void hd_summary_release(struct hd_summary *summary);

const char *hd_verdict_text(enum hd_verdict verdict);
const char *hd_memory_text(enum hd_memory memory);    /* in reports */
const char *hd_races_text(enum hd_race_policy races); /* as --races takes it */

#endif
