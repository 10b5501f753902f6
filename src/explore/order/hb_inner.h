/* What the files of happens-before share. */
#ifndef HD_EXPLORE_ORDER_HB_INNER_H
#define HD_EXPLORE_ORDER_HB_INNER_H

#include "core/touch.h"
#include "explore/order/hb.h"

#define HD_HB_UNDO_CAP (16ull * HD_MAX_STEPS)
#define HD_HB_RACES_CAP (16ull * HD_MAX_STEPS)
#define HD_HB_ROWS_BYTES                                                                         \
    (16ull * (HD_HB_SET_EVENTS + 4)) /* of sets; they are read four at a time */
#define HD_HB_ENDS_CAP (2ull * HD_MAX_STEPS)

static const struct hd_hb_object hd_hb_untouched = { HD_NO_EVENT, HD_NO_EVENT };

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

/* Make the event, whose row lacks only itself, its thread's newest. */
HD_HOT void hd_hb_enter(struct hd_hb *hb, uint32_t thread, uint32_t event, uint32_t *row)
{
    if (__builtin_expect(hb->sets, 1)) {
        row[event >> 5] |= 1u << (event & 31);
        hd_set_add(&hb->mine[thread], event);
    } else {
        hb->of[thread][hb->count[thread]] = event;
        row[thread] = ++hb->count[thread];
    }
    hb->last[thread] = event;
    hd_tset_add(&hb->moved, thread);
}

/* From now on rows are clocks (hb_rows.c). */
void hd_hb_to_clocks(struct hd_hb *hb);

/* Room for thread ids below n in every clock. */
void hd_hb_widen(struct hd_hb *hb, uint32_t n);

/* Call `look` for every cell in the range until it returns true. */
bool hd_hb_any_cell(struct hd_hb *hb, const struct hd_touch *range,
                    bool (*look)(void *self, uint32_t cell), void *self);

/* The newest event that a blocking operation conflicts with, a write of its object or one that
 * conflicts with everything, before which it could have run.  `state` is that of the object
 * now. */
uint32_t hd_hb_could_precede(const struct hd_hb *hb, uint32_t write, uint64_t addr,
                             const struct hd_action *action, uint64_t state,
                             const uint32_t *clock);

#endif
