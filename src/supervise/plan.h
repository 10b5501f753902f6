/* The searches of a portfolio. */
#ifndef HD_SUPERVISE_PLAN_H
#define HD_SUPERVISE_PLAN_H

#include "base/err.h"
#include "core/worker_memory.h"

struct hd_search_plan {
    const char *name;
    struct hd_options options;
};

#define HD_SHORT_PHASES 4
#define HD_EARLY_PHASE 1 /* the sample that comes first where a tree is huge */

struct hd_plan {
    struct hd_search_plan whole;                  /* explores everything, given time */
    struct hd_search_plan brief[HD_SHORT_PHASES]; /* samples, for a slice each */
    struct hd_search_plan other;                  /* another way to explore everything */
    /* the same with interchangeable threads; without a name: there is none */
    struct hd_search_plan alike;
    /* explores everything where orders weaker than seq_cst are executed; without a name:
     * there is none, for the reason in `refused` */
    struct hd_search_plan weak;
    struct hd_search_plan weak_sample; /* looks here and there in them; it has no name either */
    struct hd_err refused;
};

#endif
