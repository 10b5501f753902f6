/* All searches and filters there are. */
#include "explore/loop/filter.h"
#include "explore/loop/search.h"

#define HD_SEARCH(table) extern const struct hd_search_ops table;
#include "explore/loop/searches.def"
#undef HD_SEARCH

const struct hd_search_ops *const hd_searches[] = {
#define HD_SEARCH(table) &table,
#include "explore/loop/searches.def"
#undef HD_SEARCH
};

extern const struct hd_filter hd_filter_traces, hd_filter_depth, hd_filter_preemptions,
    hd_filter_delays, hd_filter_sleep, hd_filter_dpor, hd_filter_source, hd_filter_optimal,
    hd_filter_observers, hd_filter_not_seen, hd_filter_not_seen_hash, hd_filter_like_scale,
    hd_filter_local_cycle, hd_filter_super_step, hd_filter_super_step_thesis, hd_filter_eager,
    hd_filter_states, hd_filter_shared, hd_filter_hybrid, hd_filter_hybrid_hr, hd_filter_hr,
    hd_filter_hr_fields, hd_filter_dpor_states, hd_filter_dice;

const struct hd_filter *const hd_filters[HD_N_FILTERS] = {
    [HD_FILTER_INDEX_TRACES] = &hd_filter_traces,
    [HD_FILTER_INDEX_DEPTH] = &hd_filter_depth,
    [HD_FILTER_INDEX_PREEMPTIONS] = &hd_filter_preemptions,
    [HD_FILTER_INDEX_DELAYS] = &hd_filter_delays,
    [HD_FILTER_INDEX_SLEEP] = &hd_filter_sleep,
    [HD_FILTER_INDEX_DPOR] = &hd_filter_dpor,
    [HD_FILTER_INDEX_SOURCE] = &hd_filter_source,
    [HD_FILTER_INDEX_OPTIMAL] = &hd_filter_optimal,
    [HD_FILTER_INDEX_OBSERVERS] = &hd_filter_observers,
    [HD_FILTER_INDEX_NOT_SEEN] = &hd_filter_not_seen,
    [HD_FILTER_INDEX_NOT_SEEN_HASH] = &hd_filter_not_seen_hash,
    [HD_FILTER_INDEX_LIKE_SCALE] = &hd_filter_like_scale,
    [HD_FILTER_INDEX_EAGER] = &hd_filter_eager,
    [HD_FILTER_INDEX_STATES] = &hd_filter_states,
    [HD_FILTER_INDEX_SHARED] = &hd_filter_shared,
    [HD_FILTER_INDEX_DICE] = &hd_filter_dice,
    [HD_FILTER_INDEX_HYBRID] = &hd_filter_hybrid,
    [HD_FILTER_INDEX_DPOR_STATES] = &hd_filter_dpor_states,
    [HD_FILTER_INDEX_HYBRID_HR] = &hd_filter_hybrid_hr,
    [HD_FILTER_INDEX_HR] = &hd_filter_hr,
    [HD_FILTER_INDEX_HR_FIELDS] = &hd_filter_hr_fields,
    [HD_FILTER_INDEX_LOCAL_CYCLE] = &hd_filter_local_cycle,
    [HD_FILTER_INDEX_SUPER_STEP] = &hd_filter_super_step,
    [HD_FILTER_INDEX_SUPER_STEP_THESIS] = &hd_filter_super_step_thesis,
};
