/* How to explore: presets, searches and reductions by name, as options of the explorer. */
#ifndef HD_STRATEGY_STRATEGY_H
#define HD_STRATEGY_STRATEGY_H

#include "base/err.h"
#include "base/str.h"
#include "core/worker_memory.h"

#define HD_DEFAULT_STRATEGY "auto"

struct hd_plan;

/* The searches that `auto` is made of, with all else as in `options`. */
void hd_strategy_plan(struct hd_plan *plan, const struct hd_options *options);

/* A whole configuration; what was set before is forgotten.  `auto` is what it is for one
 * search: optimal. */
int hd_strategy_preset(struct hd_options *options, const char *text, struct hd_err *err);

/* dfs[:SEED], random[:SEED], pct[:D[:SEED]], pos[:SEED] */
int hd_strategy_search(struct hd_options *options, const char *text, struct hd_err *err);

/* A list of none and the names of core/filters.def, bounds with their number after a colon; its
 * reductions replace the preset's. */
int hd_strategy_reduce(struct hd_options *options, const char *text, struct hd_err *err);

/* "rmw,observers": which steps may be taken for independent although they touch the same. */
int hd_strategy_finer(struct hd_options *options, const char *text, struct hd_err *err);

/* Appends the configuration in words: "dfs, not-seen, depth:100". */
void hd_strategy_describe(struct hd_str *out, const struct hd_options *options);

/* "distance", "prefer:1,3". */
int hd_strategy_heuristic(struct hd_options *options, const char *text, struct hd_err *err);

#endif
