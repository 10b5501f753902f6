/* Events of the most frequent kinds: an access of one cell that is known as such, a lock that
 * is taken or given back, the start, end and joining of a thread, while nothing has happened
 * that conflicts with everything and nobody has to be woken.  What is done for them is what
 * hd_hb_any() does for all; the candidates for races need no list, as they are met newest
 * first. */
#include "explore/hb_inner.h"

#include <string.h>

enum kind {
    OTHER,
    READS, /* memory */
    WRITES,
    GIVES,   /* back, a synchronisation object: as a write of it */
    LOCKS,   /* … may have to wait for it */
    ORDERED, /* after what was done to the thread before */
    ENDS,    /* … and its stack ends */
};

static const uint8_t kinds[HD_OP_COUNT] = {
    [HD_OP_READ] = READS,      [HD_OP_ATOMIC_READ] = READS,   [HD_OP_CAS_FAIL] = READS,
    [HD_OP_WRITE] = WRITES,    [HD_OP_ATOMIC_WRITE] = WRITES, [HD_OP_RMW] = WRITES,
    [HD_OP_CAS] = WRITES,      [HD_OP_UNLOCK] = GIVES,        [HD_OP_SPIN_UNLOCK] = GIVES,
    [HD_OP_RWUNLOCK] = GIVES,  [HD_OP_SEM_POST] = GIVES,      [HD_OP_LOCK] = LOCKS,
    [HD_OP_SPIN_LOCK] = LOCKS, [HD_OP_RDLOCK] = LOCKS,        [HD_OP_WRLOCK] = LOCKS,
    [HD_OP_START] = ORDERED,   [HD_OP_JOIN] = ORDERED,        [HD_OP_EXIT] = ENDS,
};

typedef int32_t quad __attribute__((vector_size(16), aligned(16), may_alias));

static const _Alignas(16) uint32_t nothing[HD_MAX_THREADS]; /* what a new thread knows */

/* The event's row: it knows what `base` does, and what event `other` does; itself comes later. */
HD_HOT uint32_t *make_row(struct hd_hb *hb, uint32_t event, const uint32_t *base, uint32_t other)
{
    uint32_t *row = hb->rows + (uint64_t)event * hb->stride;
    if (__builtin_expect(!hb->sets, 0)) {
        memcpy(row, base, 4ull * hb->width);
        memcpy(hb->counts + (uint64_t)event * hb->stride, hb->count, 4ull * hb->width);
        hd_hb_follow(hb, row, other);
        return row;
    }
    quad known = *(const quad *)(const void *)base;
    if (other != HD_NO_EVENT)
        known |= *(const quad *)(const void *)hd_hb_row(hb, other);
    *(quad *)(void *)row = known;
    return row;
}

static HD_RARE void race(struct hd_hb *hb, uint32_t event, uint32_t other)
{
    if (hb->n_races == HD_HB_RACES_CAP)
        hb->full = true;
    else
        hb->races[hb->n_races++] = (struct hd_hb_race){ other, event, HD_NO_EVENT };
}

HD_HOT bool unknown(const struct hd_hb *hb, const uint32_t *clock, uint32_t other)
{
    return other != HD_NO_EVENT && !hd_hb_known(hb, clock, other);
}

/* A write of what has been read since the last write: races with the reads, newest first, and with
 * that write. */
static HD_RARE void race_with_all(struct hd_hb *hb, uint32_t event, uint32_t *clock)
{
    const struct hd_hb_undo *u = &hb->undo[hb->n_undo - 1];
    for (uint32_t r = u->was.read; r != HD_NO_EVENT; r = hd_hb_object_before(hb, r, u->addr).read)
        if (unknown(hb, clock, r)) {
            race(hb, event, r);
            hd_hb_follow(hb, clock, r);
        }
    if (unknown(hb, clock, u->was.write)) {
        race(hb, event, u->was.write);
        hd_hb_follow(hb, clock, u->was.write);
    }
}

/* The one event that is to be followed, unless there are reads to look at; races with it, and
 * with the lock operation that came before it, are entered.  (What happened to an object
 * before its last write happens before that.) */
HD_HOT uint32_t followed(struct hd_hb *hb, enum kind kind, const struct hd_action *action,
                         uint64_t state, uint64_t addr, uint32_t event, uint32_t write,
                         const uint32_t *base)
{
    if (kind <= GIVES) {
        if (!unknown(hb, base, write))
            return HD_NO_EVENT;
        race(hb, event, write);
    } else if (kind == LOCKS) {
        uint32_t other = hd_hb_could_precede(hb, write, addr, action, state, base);
        if (other != HD_NO_EVENT)
            race(hb, event, other);
    } else if (kind == ENDS) {
        struct hd_touch stack = hd_touch_end(action); /* no other event ends it */
        hb->ends[hb->n_ends++] = (struct hd_hb_end){ stack.begin, stack.end, event };
    }
    return write;
}

/* The cell of the action's object, which begins at *addr and has *len bytes; ~0u: there is none,
 * or more of them. */
HD_HOT uint32_t cell_of(const struct hd_hb *hb, enum kind kind, const struct hd_action *action,
                        uint64_t *addr, uint32_t *len)
{
    *addr = action->object;
    *len = action->size;
    if (kind > WRITES) {
        *addr = (kind <= LOCKS ? HD_TOUCH_SYNC : HD_TOUCH_THREAD) | action->object << 3;
        *len = 8;
    }
    return kind <= LOCKS ? hd_cells_exact(&hb->cells, *addr, *len)
                         : hb->thread_cells[action->object] - 1;
}

/* The event and its undo record; the object is touched.  What it was before. */
HD_HOT struct hd_hb_object enter(struct hd_hb *hb, uint32_t thread, bool reads, uint32_t cell,
                                 uint64_t addr, uint32_t len, uint64_t state)
{
    uint32_t event = hb->depth++;
    struct hd_hb_event *e = &hb->events[event];
    e->thread = thread;
    e->before = hb->last[thread];
    e->wake = e->all = HD_NO_EVENT;
    e->chosen = ~0u;
    e->choice = 0;
    e->races = hb->n_races;
    e->undo = hb->n_undo;
    e->state = state;
    struct hd_hb_object *o = &hb->objects[cell], was = *o;
    struct hd_hb_undo *u = &hb->undo[hb->n_undo++];
    u->addr = addr;
    u->len = len;
    u->cell = cell;
    u->was = was;
    o->write = reads ? was.write : event;
    o->read = reads ? event : HD_NO_EVENT;
    return was;
}

/* (A thread that has a list of events is one that clocks have room for.) */
HD_HOT_ABROAD bool hd_hb_simple(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                                uint64_t state)
{
    enum kind kind = (enum kind)kinds[action->op];
    if (kind == OTHER || !hb->plain || !hb->of[thread] || hb->wake[thread] != HD_NO_EVENT ||
        (action->object2 | action->size2) || hb->depth >= hb->limit)
        return false;
    uint64_t addr;
    uint32_t len, cell = cell_of(hb, kind, action, &addr, &len);
    if (cell == ~0u || (kind >= LOCKS && hb->objects[cell].read != HD_NO_EVENT))
        return false;
    if (kind == ENDS && (hb->stack_cells[action->object] || hb->n_ends == HD_HB_ENDS_CAP))
        return false;
    uint32_t event = hb->depth, before = hb->last[thread];
    const uint32_t *base = nothing;
    if (__builtin_expect(before != HD_NO_EVENT, 1))
        base = hd_hb_row(hb, before);
    struct hd_hb_object was = enter(hb, thread, kind == READS, cell, addr, len, state);
    bool reads = (kind == WRITES || kind == GIVES) && was.read != HD_NO_EVENT;
    uint32_t other = HD_NO_EVENT;
    if (!reads)
        other = followed(hb, kind, action, state, addr, event, was.write, base);
    uint32_t *row = make_row(hb, event, base, other);
    if (reads)
        race_with_all(hb, event, row);
    hd_hb_enter(hb, thread, event, row);
    return true;
}
