/* The searches' names and kinds; searches.def is the table.  What they do is in
 * src/explore/searches. */
#ifndef HD_CORE_SEARCHES_H
#define HD_CORE_SEARCHES_H

#include <stdbool.h>
#include <stdint.h>

enum hd_search {
#define HD_SEARCH(name, table, text, usage, kind, takes_depth, summary) HD_SEARCH_##name,
#include "core/searches.def"
#undef HD_SEARCH
    HD_N_SEARCHES
};

enum hd_search_kind {
    HD_SEARCHES_WHOLE,
    HD_SEARCHES_SAMPLES,
    HD_SEARCHES_GUIDED,
    HD_SEARCHES_STATES
};

struct hd_search_row {
    const char *text, *usage, *summary;
    enum hd_search_kind kind;
    bool takes_depth;
};

extern const struct hd_search_row hd_search_table[HD_N_SEARCHES];

static inline bool hd_search_samples(uint32_t search)
{
    return hd_search_table[search].kind == HD_SEARCHES_SAMPLES;
}

static inline bool hd_search_is_guided(uint32_t search)
{
    return hd_search_table[search].kind == HD_SEARCHES_GUIDED ||
           hd_search_table[search].kind == HD_SEARCHES_STATES;
}

/* Has everything been explored when it ends, unless something was dropped? */
static inline bool hd_search_covers(uint32_t search)
{
    return hd_search_table[search].kind == HD_SEARCHES_WHOLE ||
           hd_search_table[search].kind == HD_SEARCHES_STATES;
}

#endif
