/* Which options may be combined in one search, and which imply others. core/chains.def says
 * which filters are right together; here are the rules about the other options. */
#ifndef HD_STRATEGY_RULES_H
#define HD_STRATEGY_RULES_H

#include "base/err.h"
#include "core/worker_memory.h"

/* With --finer observers `optimal` is `observers`. */
void hd_rules_observe(struct hd_options *options);

/* Refuse combinations that make no sense, or that are not known to be right. */
int hd_rules_check(const struct hd_options *options, struct hd_err *err);

#endif
