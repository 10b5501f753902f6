/* Shared by the files of the default reduction: filters/optimal.c answers races,
 * wakeup_prefix.c looks reversals up in the tree, optimal_steps.c handles steps. */
#ifndef HD_EXPLORE_DPOR_OPTIMAL_H
#define HD_EXPLORE_DPOR_OPTIMAL_H

#include "explore/dpor/reversal.h"
#include "explore/dpor/wakeup_choices.h"

struct hd_optimal {
    struct hd_reversal v; /* first: the common functions get a pointer to its dpor */
    struct hd_wakeup wakeup;
    struct hd_wakeup_choices choices;
};

void hd_optimal_out_of_memory(struct hd_explorer *ex);

/* wakeup_prefix.c: go down the tree from *link, as far as branches belong to a prefix of v.
 * Returns the link where what is left of v, from event *f on, is missing; NULL if executions
 * that begin with v will be explored. */
uint32_t *hd_wakeup_prefix(struct hd_reversal *v, struct hd_explorer *ex, struct hd_branch *pool,
                           uint32_t *link, uint32_t *f);

/* optimal_steps.c */
bool hd_optimal_goes_on(void *self, struct hd_explorer *ex, uint32_t thread);
uint32_t hd_optimal_single(void *self, struct hd_explorer *ex);
void hd_optimal_ran(void *self, struct hd_explorer *ex, uint32_t depth);
extern const struct hd_fast_paths hd_optimal_fast_paths;

#endif
