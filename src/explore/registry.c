/* All searches and filters there are. */
#include "explore/filter.h"
#include "explore/search.h"

#define HD_SEARCH(table) extern const struct hd_search_ops table;
#include "explore/searches.def"
#undef HD_SEARCH
#define HD_FILTER(table) extern const struct hd_filter table;
#include "explore/filters.def"
#undef HD_FILTER

const struct hd_search_ops *const hd_searches[] = {
#define HD_SEARCH(table) &table,
#include "explore/searches.def"
#undef HD_SEARCH
};

const struct hd_filter *const hd_filters[] = {
#define HD_FILTER(table) &table,
#include "explore/filters.def"
#undef HD_FILTER
};

const uint32_t hd_n_filters = sizeof hd_filters / sizeof hd_filters[0];
