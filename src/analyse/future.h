/* Future accesses (Parízek and Lhoták's hybrid analysis, static phase): for a point, the
 * visible instructions that may still be executed before its function returns, those of called
 * functions included, and the threads that may be started meanwhile.
 *
 * At run time the rows of the points on a thread's stack (where it stands, and the points
 * after the calls) are merged: together, and with the row `always`, they are all that the
 * thread can still do. What a thread that it may start does is the row of that entry.
 *
 * The table is one piece of memory without pointers, made to be put into a file and mapped: */
#ifndef HD_ANALYSE_FUTURE_H
#define HD_ANALYSE_FUTURE_H

#include "analyse/facts.h"

#define HD_FUTURE_MAGIC 0x3165727574756600ull /* "\0future1" */

struct hd_future {
    uint64_t magic;
    uint64_t bytes; /* of all */
    uint32_t n_points, n_visible, n_entries, n_rows;
    uint32_t words;     /* of a row: n_visible bits, then n_entries bits */
    uint32_t visible;   /* offset of uint32_t[n_visible]: the point of every bit */
    uint32_t row_of;    /* offset of uint32_t[n_points]: a point's row */
    uint32_t entry_row; /* offset of uint32_t[n_entries] */
    uint32_t rows;      /* offset of uint64_t[n_rows][words]; equal rows are stored once */
    uint32_t always;    /* the row of what a thread may do at any time: functions that
                                            code outside may call, and what runs at its end */
};

/* NULL when the table would be larger than `most` bytes: then anything must be expected.  The
 * caller frees. */
struct hd_future *hd_future_create(const struct hd_facts *facts, size_t most);

static inline const uint64_t *hd_future_row(const struct hd_future *future, uint32_t row)
{
    const uint64_t *rows = (const uint64_t *)((const char *)future + future->rows);
    return rows + (size_t)row * future->words;
}

/* What may be executed from the point on (the point itself included). */
static inline const uint64_t *hd_future_at(const struct hd_future *future, uint32_t point)
{
    const uint32_t *row_of = (const uint32_t *)((const char *)future + future->row_of);
    return hd_future_row(future, row_of[point]);
}

static inline const uint64_t *hd_future_of_entry(const struct hd_future *future, uint32_t entry)
{
    const uint32_t *rows = (const uint32_t *)((const char *)future + future->entry_row);
    return hd_future_row(future, rows[entry]);
}

/* Is it a table, whole, with every offset inside? */
bool hd_future_check(const void *bytes, size_t n);

#endif
