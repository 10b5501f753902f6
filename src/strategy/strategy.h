/* How to explore: presets, searches and reductions by name, as options of the explorer. */
#ifndef HD_STRATEGY_STRATEGY_H
#define HD_STRATEGY_STRATEGY_H

#include "base/err.h"
#include "base/str.h"
#include "core/worker_memory.h"

#define HD_DEFAULT_STRATEGY "auto"

struct hd_plan;

/* The memory model of a search that goes on after data races: what they read is explored. */
void hd_strategy_after_races(struct hd_options *options);

/* The searches that `auto` is made of, with all else as in `options`, which are borrowed. */
void hd_strategy_plan(struct hd_plan *plan, const struct hd_options *options);

/* Set a whole configuration, a preset or a strategy from outside (supervise/plugin.h); earlier
 * settings are dropped.  `auto` as a single search is
 * optimal. */
int hd_strategy_preset(struct hd_options *options, const char *text, struct hd_err *err);

/* dfs[:SEED], random[:SEED], pct[:D[:SEED]], pos[:SEED] */
int hd_strategy_search(struct hd_options *options, const char *text, struct hd_err *err);

/* A list of names of core/filters.def, or none; bounds have their number after a colon.  Its
 * reductions replace the preset's. */
int hd_strategy_reduce(struct hd_options *options, const char *text, struct hd_err *err);

/* "rmw,observers": which steps count as independent although they access the same bytes. */
int hd_strategy_finer(struct hd_options *options, const char *text, struct hd_err *err);

/* Appends the configuration in words: "dfs, not-seen, depth:100". */
void hd_strategy_describe(struct hd_str *out, const struct hd_options *options);

/* "distance", "prefer:1,3". */
int hd_strategy_heuristic(struct hd_options *options, const char *text, struct hd_err *err);

#endif
