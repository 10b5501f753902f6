#include "core/filters.h"

const struct hd_filter_row hd_filter_table[HD_N_FILTERS] = {
#define HD_FILTER(name, text, stage, traits, excludes, summary)                                  \
    [HD_FILTER_INDEX_##                                                                          \
        name] = { text, summary, stage, HD_TRAIT_##traits, (excludes) & ~HD_FILTER_BIT(name) },
#include "core/filters.def"
#undef HD_FILTER
};
