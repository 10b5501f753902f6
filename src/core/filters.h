/* The filters' names, order, claims and combinations; filters.def and chains.def are the
 * tables.  What they do is in src/explore/filters. */
#ifndef HD_CORE_FILTERS_H
#define HD_CORE_FILTERS_H

#include <stdbool.h>
#include <stdint.h>

enum hd_filter_index {
#define HD_FILTER(name, table, text, stage, traits, claim, argument, sentence, summary)          \
    HD_FILTER_INDEX_##name,
#include "core/filters.def"
#undef HD_FILTER
    HD_N_FILTERS
};

#define HD_FILTER_BIT(name) (1u << HD_FILTER_INDEX_##name)

enum hd_filter_bit {
#define HD_FILTER(name, table, text, stage, traits, claim, argument, sentence, summary)          \
    HD_FILTER_##name = HD_FILTER_BIT(name),
#include "core/filters.def"
#undef HD_FILTER
};

/* Reductions that learn from every execution what threads will touch, and then change nodes
 * that they have left: one worker explores with them (docs/design/026-shared-states.md). */
#define HD_FILTERS_LEARNING                                                                      \
    (HD_FILTER_HYBRID | HD_FILTER_HYBRID_HR | HD_FILTER_HR | HD_FILTER_HR_FIELDS |               \
     HD_FILTER_DPOR_STATES)

enum hd_filter_trait {
    HD_TRAIT_NONE = 0,
    HD_TRAIT_BOUND = 1,
    HD_TRAIT_SLEEPS = 4,
    HD_TRAIT_COUNTS = 8,
    HD_TRAIT_PARTS = 16,
};

/* What a filter claims about the schedules that it leaves out. */
enum hd_filter_claim { HD_CLAIM_NOTHING, HD_CLAIM_WITHIN, HD_CLAIM_ALL };

#define HD_NO_FIELD (~0u)

struct hd_filter_row {
    const char *text;
    const char *summary;
    const char *sentence; /* why a search with it is not exhaustive; "" or NULL: see claim */
    uint32_t stage;
    uint32_t traits;
    enum hd_filter_claim claim;
    struct hd_filter_argument {
        uint32_t field;     /* offset of a uint32_t in struct hd_options; HD_NO_FIELD */
        const char *letter; /* what messages call it; NULL: it has none */
        uint32_t least, most;
    } argument;
};

extern const struct hd_filter_row hd_filter_table[HD_N_FILTERS];

/* The combinations of chains.def, in bits; hd_n_chains of them. */
extern const uint32_t hd_chain_table[];
extern const uint32_t hd_n_chains;

/* May these filters (bits) stand together?  One alone may. */
bool hd_chain_allowed(uint32_t filters);

/* The filters that bound or count.  All others are reductions. */
uint32_t hd_filters_not_reductions(void);

/* These filters (bits) and those that they need: some reductions work on states, and a filter
 * that stores states needs `eager`. */
uint32_t hd_filters_needed(uint32_t filters);

/* Does one of these filters (bits) ask which steps are dependent? Otherwise what invariants
 * read (core/readset.h) makes no difference. */
bool hd_filters_use_dependence(uint32_t filters);

#endif
