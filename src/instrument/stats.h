/* Counts of an instrumentation. */
#ifndef HD_INSTRUMENT_STATS_H
#define HD_INSTRUMENT_STATS_H

#include <stdint.h>

struct hd_instrument_stats {
    uint32_t sites;
    uint32_t hooked; /* memory accesses that became hooks */
    uint32_t left;   /* memory accesses proven private */
    uint32_t externals;
    uint32_t weak_atomics;
    uint32_t inline_asm;
};

#endif
