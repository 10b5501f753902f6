/* A reduction by races that is complete within a bound on preemptions (bounded_dpor.c). */
#ifndef HD_EXPLORE_DPOR_BOUNDED_DPOR_H
#define HD_EXPLORE_DPOR_BOUNDED_DPOR_H

#include "explore/dpor/dpor.h"

/* Does the chain of filters have a bound on preemptions? */
static inline bool hd_bounded_dpor(const struct hd_explorer *ex)
{
    return ex->opt->filters & HD_FILTER_PREEMPTIONS;
}

/* These replace the functions of dpor.h with the same names. */
uint32_t hd_bounded_dpor_admit(struct hd_dpor *d, struct hd_explorer *ex, uint32_t *alts,
                               uint32_t n);
void hd_bounded_dpor_ended(struct hd_dpor *d, struct hd_explorer *ex,
                           const struct hd_finding *finding);

#endif
