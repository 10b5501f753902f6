/* What may stand together in one search, and what implies what.  Which filters are right
 * together is in core/chains.def; here are the rules about the rest of the options. */
#ifndef HD_STRATEGY_RULES_H
#define HD_STRATEGY_RULES_H

#include "base/err.h"
#include "core/worker_memory.h"

/* With --finer observers `optimal` is `observers`. */
void hd_rules_observe(struct hd_options *options);

/* Refuses combinations that mean nothing, or that are not known to be right. */
int hd_rules_check(const struct hd_options *options, struct hd_err *err);

#endif
