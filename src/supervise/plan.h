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

enum hd_planned {
    HD_PLANNED_WHOLE, /* explores everything, given time */
    HD_PLANNED_OTHER, /* another way to explore everything */
    HD_PLANNED_ALIKE, /* the same with interchangeable threads */
    HD_PLANNED_WEAK,  /* explores everything where orders weaker than seq_cst are executed */
    HD_PLANNED_WEAK_SAMPLE, /* looks here and there in them */
    HD_PLANNED_BRIEF,       /* and the following: samples, for a slice each */
    HD_N_PLANNED = HD_PLANNED_BRIEF + HD_SHORT_PHASES
};

/* Options are large, and most checks need one search: each is made when first asked for, in
 * memory that holds zeros until then. */
struct hd_plan {
    const struct hd_options *options;                          /* of the check; borrowed */
    void (*make)(struct hd_plan *plan, enum hd_planned which); /* fills searches[which] */
    uint32_t made;                                             /* those that were, as bits */
    struct hd_err refused; /* why there is no HD_PLANNED_WEAK, once that was made */
    struct hd_search_plan searches[HD_N_PLANNED]; /* without a name: there is none */
};

/* NULL: there is none, for programs or options like these. */
static inline const struct hd_search_plan *hd_plan_search(struct hd_plan *plan,
                                                          enum hd_planned which)
{
    if (!(plan->made >> which & 1))
        plan->make(plan, which);
    plan->made |= 1u << which;
    return plan->searches[which].name ? &plan->searches[which] : NULL;
}

#endif
