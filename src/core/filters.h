/* The filters' names, order and compatibility; filters.def is the table.  What they do is in
 * src/explore/filters. */
#ifndef HD_CORE_FILTERS_H
#define HD_CORE_FILTERS_H

#include <stdint.h>

enum hd_filter_index {
#define HD_FILTER(name, text, stage, traits, excludes, summary) HD_FILTER_INDEX_##name,
#include "core/filters.def"
#undef HD_FILTER
    HD_N_FILTERS
};

#define HD_FILTER_BIT(name) (1u << HD_FILTER_INDEX_##name)

enum hd_filter_bit {
#define HD_FILTER(name, text, stage, traits, excludes, summary)                                  \
    HD_FILTER_##name = HD_FILTER_BIT(name),
#include "core/filters.def"
#undef HD_FILTER
};

enum hd_filter_trait {
    HD_TRAIT_NONE = 0,
    HD_TRAIT_BOUND = 1,
    HD_TRAIT_UNSOUND = 2,
    HD_TRAIT_SLEEPS = 4,
    HD_TRAIT_COUNTS = 8,
    HD_TRAIT_PARTS = 16,
};

struct hd_filter_row {
    const char *text;
    const char *summary;
    uint32_t stage;
    uint32_t traits;
    uint32_t excludes; /* bits */
};

extern const struct hd_filter_row hd_filter_table[HD_N_FILTERS];

#endif
