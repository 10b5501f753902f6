/* Events of the most frequent kinds: an access of one cell that is known as such, a lock that
 * is taken or given back, the start, end and joining of a thread, while nothing has happened
 * that conflicts with everything and no thread has to be woken.  The result is that of
 * hd_hb_any(); the candidates for races need no list, as they are found newest first. */
#include "explore/order/hb_inner.h"

typedef int32_t quad __attribute__((vector_size(16), aligned(16), may_alias));
typedef uint64_t word __attribute__((may_alias));

static const _Alignas(16) uint32_t nothing[HD_MAX_THREADS]; /* what a new thread knows */

/* The functions here are inlined with constants for the kind of the event and for whether rows
 * are sets, which leaves a third of the code. */
HD_HOT const uint32_t *row_of(const struct hd_hb *hb, uint32_t event, bool sets)
{
    return sets ? hb->rows + 4ull * event : hd_hb_row(hb, event);
}

/* Clocks: fill the event's row, and the numbers of events before it. */
HD_HOT void make_clock(struct hd_hb *hb, uint32_t event, const uint32_t *base, uint32_t other,
                       quad *row)
{
    quad *counts = (quad *)(void *)(hb->counts + (uint64_t)event * hb->stride);
    const quad *count = (const quad *)(void *)hb->count, *mine = (const quad *)(const void *)base;
    const quad *theirs = other == HD_NO_EVENT ? mine
                                              : (const quad *)(const void *)hd_hb_row(hb, other);
#pragma clang loop unroll(disable)
    for (uint32_t i = 0, n = hb->width / 4; i < n; i++) {
        quad newer = theirs[i] > mine[i];
        row[i] = (theirs[i] & newer) | (mine[i] & ~newer);
        counts[i] = count[i];
    }
}

/* Make the event's row, without itself: what `base` knows, and what event `other` knows. */
HD_HOT uint32_t *make_row(struct hd_hb *hb, uint32_t event, const uint32_t *base, uint32_t other,
                          bool sets)
{
    quad *row = (quad *)(void *)(uintptr_t)row_of(hb, event, sets);
    if (!sets) {
        make_clock(hb, event, base, other, row);
        return (uint32_t *)row;
    }
    quad known = *(const quad *)(const void *)base;
    if (other != HD_NO_EVENT)
        known |= *(const quad *)(const void *)row_of(hb, other, true);
    *row = known;
    return (uint32_t *)row;
}

static HD_RARE void race(struct hd_hb *hb, uint32_t event, uint32_t other)
{
    if (hb->n_races == HD_HB_RACES_CAP)
        hb->full = true;
    else
        hb->races[hb->n_races++] = (struct hd_hb_race){ other, event, HD_NO_EVENT };
}

HD_HOT bool unknown(const struct hd_hb *hb, const uint32_t *row, uint32_t other, bool sets)
{
    if (other == HD_NO_EVENT)
        return false;
    return sets ? !(((const word *)(const void *)row)[other >> 6] >> (other & 63) & 1)
                : !hd_hb_known(hb, row, other);
}

/* A write of what has been read since the last write: races with the reads, newest first, and
 * with that write. */
static HD_RARE void race_with_all(struct hd_hb *hb, uint32_t event, uint32_t *clock)
{
    const struct hd_hb_undo *u = &hb->undo[hb->n_undo - 1];
    for (uint32_t r = u->was.read; r != HD_NO_EVENT; r = hd_hb_object_before(hb, r, u->addr).read)
        if (unknown(hb, clock, r, hb->sets)) {
            race(hb, event, r);
            hd_hb_follow(hb, clock, r);
        }
    if (unknown(hb, clock, u->was.write, hb->sets)) {
        race(hb, event, u->was.write);
        hd_hb_follow(hb, clock, u->was.write);
    }
}

/* The event whose row is to be merged, unless there are reads to look at.  Enters the races
 * with it, and with the lock operation that came before it.  (Whatever happened to an object
 * before its last write happens before that write.) */
HD_HOT uint32_t followed(struct hd_hb *hb, enum hd_simple kind, const struct hd_action *action,
                         uint64_t state, uint64_t addr, uint32_t event, uint32_t write,
                         const uint32_t *base, bool sets)
{
    if (kind <= HD_SIMPLE_GIVES) {
        if (!unknown(hb, base, write, sets))
            return HD_NO_EVENT;
        race(hb, event, write);
    } else if (kind == HD_SIMPLE_LOCKS) {
        uint32_t other = hd_hb_could_precede(hb, write, addr, action, state, base);
        if (other != HD_NO_EVENT)
            race(hb, event, other);
    } else if (kind == HD_SIMPLE_ENDS) {
        struct hd_touch stack = hd_touch_end(action); /* no other event ends it */
        hb->ends[hb->n_ends++] = (struct hd_hb_end){ stack.begin, stack.end, event };
    }
    return write;
}

/* The cell of the action's object, which begins at *addr and has *len bytes; ~0u if there is
 * none, or several. */
HD_HOT uint32_t cell_of(const struct hd_hb *hb, enum hd_simple kind,
                        const struct hd_action *action, uint64_t *addr, uint32_t *len)
{
    *addr = action->object;
    *len = action->size;
    if (kind > HD_SIMPLE_WRITES) {
        *addr = (kind <= HD_SIMPLE_LOCKS ? HD_TOUCH_SYNC : HD_TOUCH_THREAD) | action->object << 3;
        *len = 8;
    }
    return kind <= HD_SIMPLE_LOCKS ? hd_cells_exact(&hb->cells, *addr, *len)
                                   : hb->thread_cells[action->object] - 1;
}

/* Enter the event and its undo record, and mark the object as touched.  Returns the object as
 * it was before. */
HD_HOT struct hd_hb_object enter(struct hd_hb *hb, uint32_t event, uint32_t thread,
                                 uint32_t before, bool reads, uint32_t cell, uint64_t addr,
                                 uint32_t len, uint64_t state)
{
    struct hd_hb_event *e = &hb->events[event];
    e->thread = thread;
    e->before = before;
    e->wake = e->all = HD_NO_EVENT;
    e->chosen = ~0u;
    e->choice = 0;
    e->races = hb->n_races;
    uint64_t n_undo = hb->n_undo;
    e->undo = n_undo;
    e->state = state;
    struct hd_hb_object *o = &hb->objects[cell], was = *o;
    struct hd_hb_undo *u = &hb->undo[n_undo];
    u->addr = addr;
    u->len = len;
    u->cell = cell;
    u->was = was;
    if (reads)
        o->read = event;
    else
        *o = (struct hd_hb_object){ event, HD_NO_EVENT };
    hb->depth = event + 1;
    hb->n_undo = n_undo + 1;
    return was;
}

/* Make the event, whose row lacks only itself, its thread's newest. */
HD_HOT void become_newest(struct hd_hb *hb, uint32_t thread, uint32_t event, uint32_t *row,
                          bool sets)
{
    if (!sets) {
        hd_hb_enter(hb, thread, event, row);
        return;
    }
    uint64_t bit = 1ull << (event & 63);
    ((word *)(void *)row)[event >> 6] |= bit;
    hb->mine[thread].w[event >> 6] |= bit;
    hb->last[thread] = event;
}

/* Record an event of that kind.  Returns false if it is not simple. */
HD_HOT bool simple(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                   uint64_t state, enum hd_simple kind, bool sets)
{
    uint64_t addr;
    uint32_t len, cell = cell_of(hb, kind, action, &addr, &len);
    if (cell == ~0u || (kind >= HD_SIMPLE_LOCKS && hb->objects[cell].read != HD_NO_EVENT))
        return false;
    if (kind == HD_SIMPLE_ENDS &&
        (hb->stack_cells[action->object] || hb->n_ends == HD_HB_ENDS_CAP))
        return false;
    uint32_t event = hb->depth, before = hb->last[thread];
    const uint32_t *base = nothing;
    if (__builtin_expect(before == HD_NO_EVENT, 0))
        hd_tset_add(&hb->moved, thread);
    else
        base = row_of(hb, before, sets);
    struct hd_hb_object was = enter(hb, event, thread, before, kind == HD_SIMPLE_READS, cell,
                                    addr, len, state);
    bool reads = (kind == HD_SIMPLE_WRITES || kind == HD_SIMPLE_GIVES) && was.read != HD_NO_EVENT;
    uint32_t other = HD_NO_EVENT;
    if (!reads)
        other = followed(hb, kind, action, state, addr, event, was.write, base, sets);
    uint32_t *row = make_row(hb, event, base, other, sets);
    if (reads)
        race_with_all(hb, event, row);
    become_newest(hb, thread, event, row, sets);
    return true;
}

/* clang-format off */
#define SIMPLE(name, kind, sets)                                                                 \
    static __attribute__((noinline)) bool name(struct hd_hb *hb, uint32_t thread,                \
                                               const struct hd_action *action, uint64_t state)   \
    {                                                                                            \
        return simple(hb, thread, action, state, HD_SIMPLE_##kind, sets);                        \
    }
SIMPLE(reads,   READS,  true) SIMPLE(clock_reads,   READS,  false)
SIMPLE(writes,  WRITES, true) SIMPLE(clock_writes,  WRITES, false)
SIMPLE(gives,   GIVES,  true) SIMPLE(clock_gives,   GIVES,  false)
SIMPLE(locks,   LOCKS,  true) SIMPLE(clock_locks,   LOCKS,  false)
SIMPLE(ordered, THREAD, true) SIMPLE(clock_ordered, THREAD, false)
SIMPLE(ends,    ENDS,   true) SIMPLE(clock_ends,    ENDS,   false)

static bool (*const by_kind[][2])(struct hd_hb *hb, uint32_t thread,
                                  const struct hd_action *action, uint64_t state) = {
    [HD_SIMPLE_READS] = { clock_reads, reads },     [HD_SIMPLE_WRITES] = { clock_writes, writes },
    [HD_SIMPLE_GIVES] = { clock_gives, gives },     [HD_SIMPLE_LOCKS] = { clock_locks, locks },
    [HD_SIMPLE_THREAD] = { clock_ordered, ordered }, [HD_SIMPLE_ENDS] = { clock_ends, ends },
};
/* clang-format on */

/* Clocks have room for a thread that has a list of events. */
HD_HOT_ABROAD bool hd_hb_simple(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                                uint64_t state)
{
    enum hd_simple kind = (enum hd_simple)hd_op_simple[action->op];
    if (kind == HD_SIMPLE_NOT || !hb->plain || !hb->of[thread] ||
        hb->wake[thread] != HD_NO_EVENT || (action->object2 | action->size2) ||
        hb->depth >= hb->limit)
        return false;
    return by_kind[kind][hb->sets](hb, thread, action, state);
}
