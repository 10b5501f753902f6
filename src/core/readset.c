#include "core/readset.h"

#include <string.h>

/* The first range that ends at or after `at`. */
static uint32_t first_behind(const struct hd_readset *set, uint64_t at)
{
    uint32_t low = 0, high = set->n;
    while (low < high) {
        uint32_t middle = (low + high) / 2;
        if (set->ranges[middle].end < at)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

bool hd_readset_add(struct hd_readset *set, uint64_t begin, uint64_t end)
{
    if (set->all || begin >= end)
        return false;
    uint32_t i = first_behind(set, begin), last = i;
    if (i < set->n && set->ranges[i].begin <= begin && set->ranges[i].end >= end)
        return false;
    while (last < set->n && set->ranges[last].begin <= end)
        last++;
    if (last > i) { /* ranges [i, last) become one */
        struct hd_readset_range *r = &set->ranges[i];
        r->begin = r->begin < begin ? r->begin : begin;
        uint64_t furthest = set->ranges[last - 1].end;
        r->end = furthest > end ? furthest : end;
        memmove(r + 1, &set->ranges[last], (set->n - last) * sizeof *r);
        set->n -= last - i - 1;
        return true;
    }
    if (set->n == HD_READSET_RANGES) {
        set->all = 1;
        return true;
    }
    memmove(&set->ranges[i + 1], &set->ranges[i], (set->n - i) * sizeof set->ranges[0]);
    set->ranges[i] = (struct hd_readset_range){ begin, end };
    set->n++;
    return true;
}

bool hd_readset_meets(const struct hd_readset *set, uint64_t begin, uint64_t end)
{
    if (set->all)
        return true;
    uint32_t i = first_behind(set, begin + 1);
    return i < set->n && set->ranges[i].begin < end;
}

bool hd_readset_check(const struct hd_readset *set)
{
    if (set->n > HD_READSET_RANGES || set->all > 1 || set->grown > 1)
        return false;
    for (uint32_t i = 0; i < set->n; i++)
        if (set->ranges[i].begin >= set->ranges[i].end ||
            (i && set->ranges[i - 1].end >= set->ranges[i].begin))
            return false;
    return true;
}
