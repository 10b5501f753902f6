/* What a state is known by. */
#ifndef HD_EXPLORE_STATES_FINGERPRINT_H
#define HD_EXPLORE_STATES_FINGERPRINT_H

#include <stdint.h>

struct hd_fingerprint {
    uint64_t lo, hi;
};

#endif
