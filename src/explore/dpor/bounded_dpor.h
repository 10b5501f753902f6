/* A reduction by races that is complete within a bound on preemptions (bounded_dpor.c). */
#ifndef HD_EXPLORE_DPOR_BOUNDED_DPOR_H
#define HD_EXPLORE_DPOR_BOUNDED_DPOR_H

#include "explore/dpor/dpor.h"

/* Is the bound in the chain? */
static inline bool hd_bounded_dpor(const struct hd_explorer *ex)
{
    return ex->opt->filters & HD_FILTER_PREEMPTIONS;
}

/* In place of the functions of dpor.h with these names. */
uint32_t hd_bounded_dpor_admit(struct hd_dpor *d, struct hd_explorer *ex, uint32_t *alts,
                               uint32_t n);
void hd_bounded_dpor_ended(struct hd_dpor *d, struct hd_explorer *ex,
                           const struct hd_finding *finding);

#endif
