/* The rows of events: sets of events, or clocks when an execution is too long for sets. */
#include "explore/order/hb_inner.h"

#include <string.h>

uint32_t hd_hb_most_sets = HD_HB_SET_EVENTS - 1; /* hd_set_below() knows no more */

void hd_hb_widen(struct hd_hb *hb, uint32_t n)
{
    uint32_t stride = hb->stride ? hb->stride : 4;
    while (stride < n)
        stride *= 2;
    uint32_t *clocks = hd_arena_take(hb->arena, 4ull * stride * HD_MAX_STEPS);
    uint32_t *counts = hd_arena_take(hb->arena, 4ull * stride * HD_MAX_STEPS);
    if (!clocks || !counts) {
        hb->full = true;
        hb->plain = false;
        return;
    }
    for (uint64_t e = 0; hb->stride && e < hb->depth; e++) {
        memcpy(clocks + e * stride, hb->rows + e * hb->stride, 4ull * hb->stride);
        memcpy(counts + e * stride, hb->counts + e * hb->stride, 4ull * hb->stride);
    }
    if (hb->stride) {
        hd_arena_give_back(hb->rows, 4ull * hb->stride * HD_MAX_STEPS);
        hd_arena_give_back(hb->counts, 4ull * hb->stride * HD_MAX_STEPS);
    }
    hb->rows = clocks;
    hb->counts = counts;
    hb->stride = stride;
}

void hd_hb_to_clocks(struct hd_hb *hb)
{
    struct hd_set known[HD_HB_SET_EVENTS];
    for (uint32_t e = 0; e < hb->depth; e++)
        known[e] = hd_hb_set(hb, e);
    hd_arena_give_back(hb->rows, HD_HB_ROWS_BYTES);
    hb->sets = false;
    hb->limit = HD_MAX_STEPS;
    hb->stride = 0;
    hb->width = (hb->n_threads + 3) & ~3u;
    hd_hb_widen(hb, hb->width);
    for (uint32_t e = 0; e < hb->depth && !hb->full; e++) {
        uint32_t *clock = hb->rows + (uint64_t)e * hb->stride, mine = hb->events[e].thread;
        memcpy(hb->counts + (uint64_t)e * hb->stride, hb->count, 4ull * hb->width);
        memset(clock, 0, 4ull * hb->width);
        for (uint32_t t = 0; t < hb->n_threads; t++)
            for (uint32_t i = 0; i < 2; i++)
                clock[t] += (uint32_t)__builtin_popcountll(known[e].w[i] & hb->mine[t].w[i]);
        hb->of[mine][hb->count[mine]++] = e;
    }
}

uint32_t hd_hb_next_of(const struct hd_hb *hb, uint32_t thread, uint32_t event)
{
    if (!hb->sets) {
        uint32_t n = hd_hb_counts(hb, event)[thread];
        return n < hb->count[thread] ? hb->of[thread][n] : HD_NO_EVENT;
    }
    return hd_set_first(hd_set_but(hb->mine[thread], hd_set_below(event)));
}

bool hd_hb_initial(const struct hd_hb *hb, uint32_t f, uint32_t e)
{
    const uint32_t *row = hd_hb_row(hb, f);
    uint32_t thread = hb->events[f].thread, beyond = 0;
    if (hb->sets) {
        struct hd_set others = hd_set_but(hd_hb_set(hb, f), hd_set_below(e));
        hd_set_del(&others, f);
        return !(others.w[0] | others.w[1]);
    }
    const uint32_t *counts = hd_hb_counts(hb, e);
    for (uint32_t t = 0; t < hb->n_threads; t++)
        beyond += row[t] > counts[t];
    /* f itself is beyond; its own thread's other events must not be */
    return beyond == 1 && row[thread] == counts[thread] + 1;
}

bool hd_hb_knows_all(const struct hd_hb *hb, uint32_t w)
{
    const uint32_t *row = hd_hb_row(hb, w);
    if (!hb->sets)
        return !hd_hb_any_beyond(hb, hd_hb_counts(hb, w), row);
    struct hd_set unknown = hd_set_but(hd_set_below(w), hd_hb_set(hb, w));
    return !(unknown.w[0] | unknown.w[1]);
}
