/* All searches, filters and checks there are: the rows of core/searches.def, core/filters.def
 * and checks.def. */
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

#define HD_CHECK(NAME, name) extern const struct hd_check hd_check_##name;
#include "explore/loop/checks.def"
#undef HD_CHECK

const struct hd_check *const hd_checks[HD_N_CHECKS] = {
#define HD_CHECK(NAME, name) &hd_check_##name,
#include "explore/loop/checks.def"
#undef HD_CHECK
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
