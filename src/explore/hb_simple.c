/* Events of the most frequent kinds: an access of one cell that is known as such, a lock that is taken
 * or given back, the start, end and joining of a thread, while nothing has happened that conflicts with
 * everything and nobody has to be woken.  What is done for them is what hd_hb_any() does for all; the
 * candidates for races need no list, as they are met newest first. */
#include "explore/hb_inner.h"

#include <string.h>

enum kind {
    OTHER,
    READS,
    WRITES,
    LOCKS,   /* may have to wait */
    ORDERED, /* after what was done to the thread before */
    ENDS,    /* … and its stack ends */
};

static const uint8_t kinds[HD_OP_COUNT] = {
    [HD_OP_READ] = READS,      [HD_OP_ATOMIC_READ] = READS,   [HD_OP_CAS_FAIL] = READS,
    [HD_OP_WRITE] = WRITES,    [HD_OP_ATOMIC_WRITE] = WRITES, [HD_OP_RMW] = WRITES,
    [HD_OP_CAS] = WRITES,      [HD_OP_UNLOCK] = WRITES,       [HD_OP_SPIN_UNLOCK] = WRITES,
    [HD_OP_RWUNLOCK] = WRITES, [HD_OP_SEM_POST] = WRITES,     [HD_OP_LOCK] = LOCKS,
    [HD_OP_SPIN_LOCK] = LOCKS, [HD_OP_RDLOCK] = LOCKS,        [HD_OP_WRLOCK] = LOCKS,
    [HD_OP_START] = ORDERED,   [HD_OP_JOIN] = ORDERED,        [HD_OP_EXIT] = ENDS,
};

/* The rows of the event's clock and counts, as they are before it is looked at. */
HD_HOT uint32_t *begin_rows(struct hd_hb *hb, uint32_t event, uint32_t last)
{
    typedef int32_t quad __attribute__((vector_size(16), aligned(16), may_alias));
    uint32_t *clock = hb->clocks + (uint64_t)event * hb->stride;
    quad *mine = (quad *)(void *)clock;
    quad *counts = (quad *)(void *)(hb->counts + (uint64_t)event * hb->stride);
    const quad *count = (const quad *)(void *)hb->count;
    const quad *before = (const quad *)(const void *)hd_hb_clock(hb, last);
    if (last == HD_NO_EVENT) {
        memset(mine, 0, 4ull * hb->width);
        memcpy(counts, count, 4ull * hb->width);
        return clock;
    }
#pragma clang loop unroll(disable)
    for (uint32_t i = 0, n = hb->width / 4; i < n; i++) {
        mine[i] = before[i];
        counts[i] = count[i];
    }
    return clock;
}

static __attribute__((noinline)) void race(struct hd_hb *hb, uint32_t event, uint32_t *clock,
                                           uint32_t other)
{
    if (hb->n_races == HD_HB_RACES_CAP) {
        hb->full = true;
        return;
    }
    hb->races[hb->n_races++] = (struct hd_hb_race){ other, event, HD_NO_EVENT };
    hd_hb_follow(hb, clock, other);
}

HD_HOT void race_with(struct hd_hb *hb, uint32_t event, uint32_t *clock, uint32_t other)
{
    if (other != HD_NO_EVENT && !hd_hb_known(hb, clock, other))
        race(hb, event, clock, other);
}

HD_HOT void wrote(struct hd_hb_object *o, uint32_t event)
{
    o->write = event;
    o->read = HD_NO_EVENT;
}

HD_HOT void touch(struct hd_hb *hb, enum kind kind, const struct hd_action *action,
                  uint32_t event, const struct hd_hb_undo *u, uint32_t *clock)
{
    struct hd_hb_object *o = &hb->objects[u->cell];
    switch (kind) {
    case READS:
        race_with(hb, event, clock, o->write);
        o->read = event;
        return;
    case WRITES:
        for (uint32_t r = o->read; r != HD_NO_EVENT; r = hd_hb_object_before(hb, r, u->addr).read)
            race_with(hb, event, clock, r);
        race_with(hb, event, clock, o->write);
        break;
    case LOCKS:
        race_with(
            hb, event, clock,
            hd_hb_could_precede(hb, o->write, u->addr, action, hb->events[event].state, clock));
        hd_hb_follow(hb, clock, o->write);
        break;
    case ENDS: {
        struct hd_touch stack = hd_touch_end(action); /* no other event ends it */
        hb->ends[hb->n_ends++] = (struct hd_hb_end){ stack.begin, stack.end, event };
    }
        /* fall through */
    default:
        hd_hb_follow(hb, clock, o->write);
    }
    wrote(o, event);
}

bool hd_hb_simple(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                  uint64_t state)
{
    enum kind kind = (enum kind)kinds[action->op];
    if (kind == OTHER || thread >= hb->n_threads || !hb->of[thread] || hb->full ||
        hb->last_all != HD_NO_EVENT || hb->wake[thread] != HD_NO_EVENT || action->object2 ||
        hb->hashing || hb->n_undo == HD_HB_UNDO_CAP)
        return false;
    struct hd_touch range = hd_touch_one(action);
    uint32_t cell = hd_cells_exact(&hb->cells, range.begin, (uint32_t)(range.end - range.begin));
    if (cell == ~0u || (kind >= LOCKS && hb->objects[cell].read != HD_NO_EVENT))
        return false;
    if (kind == ENDS && (hb->stack_cells[action->object] || hb->n_ends == HD_HB_ENDS_CAP))
        return false;
    uint32_t event = hb->depth++, before = hb->last[thread];
    struct hd_hb_event *e = &hb->events[event];
    e->thread = thread;
    e->before = before;
    e->wake = e->all = HD_NO_EVENT;
    e->chosen = ~0u;
    e->races = hb->n_races;
    e->undo = hb->n_undo;
    e->state = state;
    struct hd_hb_undo *u = &hb->undo[hb->n_undo++];
    u->addr = range.begin;
    u->len = (uint32_t)(range.end - range.begin);
    u->cell = cell;
    u->was = hb->objects[cell];
    uint32_t *clock = begin_rows(hb, event, before);
    touch(hb, kind, action, event, u, clock);
    e->n_races = (uint32_t)(hb->n_races - e->races);
    hd_hb_enter(hb, thread, event, clock);
    return true;
}
