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

/* The same, but filters that are not known to be right together may be used: the obligation
 * `chain` is not discharged then (--allow-unsound). */
int hd_rules_check_unsound(const struct hd_options *options, struct hd_err *err);

/* Can the search be split into work units that need no order (supervise/parts.h)?  0; or -1
 * with err, which says what to use instead. */
int hd_rules_split(const struct hd_options *options, struct hd_err *err);

#endif
