/* All searches and filters there are: the rows of core/searches.def and core/filters.def. */
#include "explore/loop/filter.h"
#include "explore/loop/search.h"

#define HD_SEARCH(name, table, text, usage, kind, takes_depth, summary)                          \
    extern const struct hd_search_ops table;
#include "core/searches.def"
#undef HD_SEARCH

const struct hd_search_ops *const hd_searches[HD_N_SEARCHES] = {
#define HD_SEARCH(name, table, text, usage, kind, takes_depth, summary)                          \
    [HD_SEARCH_##name] = &table,
#include "core/searches.def"
#undef HD_SEARCH
};

#define HD_FILTER(name, table, text, stage, traits, claim, argument, sentence, summary)          \
    extern const struct hd_filter table;
#include "core/filters.def"
#undef HD_FILTER

const struct hd_filter *const hd_filters[HD_N_FILTERS] = {
#define HD_FILTER(name, table, text, stage, traits, claim, argument, sentence, summary)          \
    [HD_FILTER_INDEX_##name] = &table,
#include "core/filters.def"
#undef HD_FILTER
};
