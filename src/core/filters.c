#include "core/filters.h"

#include "core/counters.h"
#include "core/options.h"

#include <stddef.h>

#define COUNTER(field) offsetof(struct hd_counters, field)
#define ARGUMENT(field) offsetof(struct hd_options, field)
#define NO_COUNTER HD_NO_FIELD
#define NO_ARGUMENT HD_NO_FIELD
#define REACHABILITY                                                                             \
    "what threads can reach was found by following pointers; one that is kept in disguise is "   \
    "not seen (hr, hr-fields, hybrid:hr)"

const struct hd_filter_row hd_filter_table[HD_N_FILTERS] = {
#define HD_FILTER(name, text, stage, traits, claim, counter, argument, sentence, summary)        \
    [HD_FILTER_INDEX_##name] = { text,                                                           \
                                 summary,                                                        \
                                 sentence,                                                       \
                                 stage,                                                          \
                                 HD_TRAIT_##traits,                                              \
                                 HD_CLAIM_##claim,                                               \
                                 (uint32_t)counter,                                              \
                                 (uint32_t)argument },
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
