#include "core/filters.h"

#include "core/options.h"

#include <stddef.h>

#define ARGUMENT(field, letter, least, most)                                                     \
    { offsetof(struct hd_options, field), letter, least, most }
#define OWN_ARGUMENT(name, letter, least, most)                                                  \
    ARGUMENT(argument[HD_FILTER_INDEX_##name], letter, least, most)
#define NO_ARGUMENT { HD_NO_FIELD, NULL, 0, 0 }
#define REACHABILITY                                                                             \
    "what threads can reach was found by following pointers; one that is kept in disguise is "   \
    "not seen (hr, hr-fields, hybrid:hr)"

_Static_assert(HD_N_FILTERS <= HD_MAX_FILTERS, "sets of filters are words of that many bits");

const struct hd_filter_row hd_filter_table[HD_N_FILTERS] = {
#define HD_FILTER(name, table, text, stage, traits, claim, argument, sentence, summary)          \
    [HD_FILTER_INDEX_##name] = { text,    summary,           sentence,                           \
                                 stage,   HD_TRAIT_##traits, HD_CLAIM_##claim,                   \
                                 argument },
#include "core/filters.def"
#undef HD_FILTER
};

const uint32_t hd_chain_table[] = {
#define HD_CHAIN(filters) filters,
#include "core/chains.def"
#undef HD_CHAIN
};

const uint32_t hd_n_chains = sizeof hd_chain_table / sizeof *hd_chain_table;

bool hd_chain_allowed(uint32_t filters)
{
    if ((filters & (filters - 1)) == 0)
        return true;
    for (uint32_t i = 0; i < hd_n_chains; i++)
        if ((filters & ~hd_chain_table[i]) == 0)
            return true;
    return false;
}

bool hd_filters_use_dependence(uint32_t filters)
{
    uint32_t indifferent = HD_FILTER_DEPTH | HD_FILTER_PREEMPTIONS | HD_FILTER_DELAYS |
                           HD_FILTER_STATES;
    return (filters & ~indifferent) != 0;
}

uint32_t hd_filters_not_reductions(void)
{
    uint32_t bits = 0;
    for (unsigned i = 0; i < HD_N_FILTERS; i++)
        if (hd_filter_table[i].traits & (HD_TRAIT_BOUND | HD_TRAIT_COUNTS))
            bits |= 1u << i;
    return bits;
}

uint32_t hd_filters_needed(uint32_t filters)
{
    if (filters & (HD_FILTER_HYBRID | HD_FILTER_HYBRID_HR | HD_FILTER_HR | HD_FILTER_HR_FIELDS |
                   HD_FILTER_DPOR_STATES))
        filters |= HD_FILTER_STATES;
    /* these look at every step of a thread, its start and its end among them */
    uint32_t whole = HD_FILTER_DICE | HD_FILTER_SHARED | HD_FILTER_PREEMPTIONS |
                     HD_FILTER_SYNC_ONLY;
    if (filters & HD_FILTER_STATES && !(filters & whole))
        filters |= HD_FILTER_EAGER;
    return filters;
}
