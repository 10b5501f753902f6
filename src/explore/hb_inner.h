/* What the files of happens-before share. */
#ifndef HD_EXPLORE_HB_INNER_H
#define HD_EXPLORE_HB_INNER_H

#include "core/touch.h"
#include "explore/hb.h"

#define HD_HB_UNDO_CAP (16ull * HD_MAX_STEPS)
#define HD_HB_RACES_CAP (16ull * HD_MAX_STEPS)
#define HD_HB_ENDS_CAP (2ull * HD_MAX_STEPS)

static const struct hd_hb_object hd_hb_untouched = { HD_NO_EVENT, HD_NO_EVENT };

/* The clock learns what the event knows. */
HD_HOT void hd_hb_follow(const struct hd_hb *hb, uint32_t *clock, uint32_t event)
{
    if (event == HD_NO_EVENT)
        return;
    typedef int32_t quad __attribute__((vector_size(16), aligned(16), may_alias));
    const quad *other = (const quad *)(const void *)hd_hb_clock(hb, event);
    quad *mine = (quad *)(void *)clock;
#pragma clang loop unroll(disable)
    for (uint32_t i = 0, n = hb->width / 4; i < n; i++) {
        quad newer = other[i] > mine[i];
        mine[i] = (other[i] & newer) | (mine[i] & ~newer);
    }
}

HD_HOT bool hd_hb_known(const struct hd_hb *hb, const uint32_t *clock, uint32_t event)
{
    uint32_t t = hb->events[event].thread;
    return clock[t] >= hd_hb_clock(hb, event)[t];
}

/* The object at `addr` as it was before `event`, which touched it. */
HD_HOT struct hd_hb_object hd_hb_object_before(const struct hd_hb *hb, uint32_t event,
                                               uint64_t addr)
{
    uint64_t i = hb->events[event].undo;
    if (__builtin_expect(hb->undo[i].addr == addr && hb->undo[i].len, 1))
        return hb->undo[i].was;
    uint64_t end = event + 1 < hb->depth ? hb->events[event + 1].undo : hb->n_undo;
    for (; i < end; i++)
        if (addr - hb->undo[i].addr < hb->undo[i].len)
            return hb->undo[i].was;
    return hd_hb_untouched;
}

/* The write before `write` in its group; HD_NO_EVENT: it is the first. */
static inline uint32_t hd_hb_group_before(const struct hd_hb *hb, uint32_t write, uint64_t addr)
{
    uint64_t commutes = hb->events[write].commutes;
    if (__builtin_expect(!commutes, 1))
        return HD_NO_EVENT;
    struct hd_hb_object o = hd_hb_object_before(hb, write, addr);
    bool one = o.read == HD_NO_EVENT && o.write != HD_NO_EVENT &&
               hb->events[o.write].commutes == commutes;
    return one ? o.write : HD_NO_EVENT;
}

/* The event, whose clock is complete, is its thread's newest. */
HD_HOT void hd_hb_enter(struct hd_hb *hb, uint32_t thread, uint32_t event, uint32_t *clock)
{
    hb->of[thread][hb->count[thread]] = event;
    clock[thread] = ++hb->count[thread];
    hb->last[thread] = event;
    hb->moved |= thread < 64 ? 1ull << thread : 0;
}

/* Calls `look` for every cell that begins in the range, until it says yes. */
bool hd_hb_any_cell(const struct hd_hb *hb, const struct hd_touch *range,
                    bool (*look)(void *self, uint32_t cell), void *self);

/* The newest event that a blocking operation conflicts with, a write of its object or one that
 * conflicts with everything, before which it could have run.  `state` is that of the object now. */
uint32_t hd_hb_could_precede(const struct hd_hb *hb, uint32_t write, uint64_t addr,
                             const struct hd_action *action, uint64_t state,
                             const uint32_t *clock);

#endif
