/* Choosing some of several: a wake of k threads chooses one of the sets of k. */
#ifndef HD_CORE_SUBSET_H
#define HD_CORE_SUBSET_H

#include <stdint.h>

#define HD_MOST_SUBSETS 0xffffu /* a choice has 16 bits */

/* How many sets of k there are among n, at most HD_MOST_SUBSETS + 1; 1 if there are not more
 * than k. */
static inline uint32_t hd_subsets(uint32_t n, uint32_t k)
{
    uint64_t ways = 1;
    if (k >= n)
        return 1;
    for (uint32_t i = 0; i < k; i++) {
        ways = ways * (n - i) / (i + 1);
        if (ways > HD_MOST_SUBSETS && 2 * (i + 1) <= n) /* it only grows up to the middle */
            return HD_MOST_SUBSETS + 1;
    }
    return ways > HD_MOST_SUBSETS ? HD_MOST_SUBSETS + 1 : (uint32_t)ways;
}

#endif
