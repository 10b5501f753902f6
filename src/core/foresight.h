/* What threads may still do according to the static analysis (analyse/future.h), by site:
 * computed before the exploration from the program's code, used by the reductions that look
 * ahead.
 *
 * A row is a set of points, a bit each.  What a thread that stands at a site can still do is
 * in the row `at` of that site, the rows `behind` of the calls that it stands in, and the row
 * `always`; what the threads do that it may start meanwhile is in them, too. */
#ifndef HD_CORE_FORESIGHT_H
#define HD_CORE_FORESIGHT_H

#include "core/route.h"

#include <stdbool.h>
#include <stdint.h>

#define HD_FORESIGHT_WORDS (8u << 20)

struct hd_foresight {
    uint32_t n_sites; /* 0: nothing is known, anything must be expected */
    uint32_t n_bits, words;
    uint32_t always;
    uint32_t conflicts; /* the row of bit b's conflicts is this + b; 0: they are not known */
    uint32_t n_rows;
    uint32_t bit[HD_MAX_GUIDED]; /* by site: its bit + 1; 0: none, always to be expected */
    uint32_t at[HD_MAX_GUIDED], behind[HD_MAX_GUIDED]; /* by site: row + 1; 0: anything */
    uint64_t rows[HD_FORESIGHT_WORDS];
};

static inline bool hd_foresight_has(const struct hd_foresight *f, uint32_t row, uint32_t bit)
{
    return f->rows[(uint64_t)row * f->words + bit / 64] >> bit % 64 & 1;
}

#endif
