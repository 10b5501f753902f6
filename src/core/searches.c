#include "core/searches.h"

const struct hd_search_row hd_search_table[HD_N_SEARCHES] = {
#define HD_SEARCH(name, table, text, usage, kind, takes_depth, summary)                          \
    [HD_SEARCH_##name] = { text, usage, summary, HD_SEARCHES_##kind, takes_depth },
#include "core/searches.def"
#undef HD_SEARCH
};
