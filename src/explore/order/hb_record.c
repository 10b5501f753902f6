#include "base/hash.h"
#include "core/enabled.h"
#include "explore/order/hb_inner.h"

#include <string.h>

static void cell_added(void *owner, uint32_t from, uint32_t to)
{
    struct hd_hb *hb = owner;
    if (to >= hb->objects_cap) {
        uint32_t cap = hb->objects_cap ? 2 * hb->objects_cap : 256;
        struct hd_hb_object *objects = hd_arena_take(hb->arena, cap * sizeof *objects);
        if (!objects) {
            hb->full = true;
            hb->plain = false;
            return;
        }
        if (hb->objects)
            memcpy(objects, hb->objects, hb->objects_cap * sizeof *objects);
        hb->objects = objects;
        hb->objects_cap = cap;
    }
    hb->objects[to] = from == to ? hd_hb_untouched : hb->objects[from];
    uint64_t addr = hb->cells.cells[to].addr;
    uint64_t thread = (addr ^ HD_TOUCH_THREAD) >> 3;
    if (thread < HD_MAX_THREADS && addr % 8 == 0) /* or a wild pointer that looks like it */
        hb->thread_cells[thread] = to + 1;
    thread = (addr - HD_STACK_BASE) / HD_STACK_STRIDE;
    if (thread < HD_MAX_THREADS) { /* its end may now depend on other events */
        hb->stack_cells[thread]++;
        hb->n_stack_cells++;
        hb->n_settled = hb->lowest = 0;
    }
}

bool hd_hb_init(struct hd_hb *hb, struct hd_arena *arena, bool hashing)
{
    memset(hb, 0, sizeof *hb);
    hb->arena = arena;
    hb->hashing = hashing;
    hb->plain = !hashing;
    hb->last_all = HD_NO_EVENT;
    memset(hb->last, 0xff, sizeof hb->last);
    memset(hb->wake, 0xff, sizeof hb->wake);
    hb->events = hd_arena_take(arena, sizeof *hb->events * (uint64_t)HD_MAX_STEPS);
    hb->undo = hd_arena_take(arena, sizeof *hb->undo * HD_HB_UNDO_CAP);
    hb->races = hd_arena_take(arena, sizeof *hb->races * HD_HB_RACES_CAP);
    hb->ends = hd_arena_take(arena, sizeof *hb->ends * HD_HB_ENDS_CAP);
    hb->candidates = hd_arena_take(arena, sizeof *hb->candidates * (uint64_t)HD_MAX_STEPS);
    hb->sets = true;
    hb->stride = hb->width = HD_HB_SET_EVENTS / 32;
    hb->limit = hd_hb_most_sets;
    hb->rows = hd_arena_take(arena, HD_HB_ROWS_BYTES);
    if (hb->rows && (hashing || !hd_hb_most_sets))
        hd_hb_to_clocks(hb);
    return hb->events && hb->undo && hb->races && hb->ends && hb->candidates && hb->rows &&
           !hb->full && hd_cells_init(&hb->cells, arena, hb, cell_added);
}

/* There is always room left for a simple event per step (hb_simple.c). */
static struct hd_hb_undo *remember(struct hd_hb *hb)
{
    if (hb->n_undo >= HD_HB_UNDO_CAP - HD_MAX_STEPS) {
        hb->full = true;
        hb->n_undo--;
    }
    return &hb->undo[hb->n_undo++];
}

/* The event may be in a race with the new one, unless they are ordered otherwise. */
static void candidate(struct hd_hb *hb, uint32_t event)
{
    if (event == HD_NO_EVENT)
        return;
    if (hb->n_candidates == HD_MAX_STEPS) {
        hb->full = true;
        return;
    }
    uint32_t i = hb->n_candidates++; /* newest first */
    for (; i > 0 && hb->candidates[i - 1] < event; i--)
        hb->candidates[i] = hb->candidates[i - 1];
    hb->candidates[i] = event;
}

uint32_t hd_hb_could_precede(const struct hd_hb *hb, uint32_t write, uint64_t addr,
                             const struct hd_action *action, uint64_t state,
                             const uint32_t *clock)
{
    for (uint32_t all = hb->last_all;;) {
        bool wrote = write != HD_NO_EVENT && (all == HD_NO_EVENT || write > all);
        uint32_t e = wrote ? write : all;
        if (e == HD_NO_EVENT || hd_hb_known(hb, clock, e))
            return HD_NO_EVENT;
        if (wrote)
            state = hb->events[e].state;
        if (hd_op_can_run((enum hd_op)action->op, action->size, state))
            return e;
        if (wrote)
            write = hd_hb_object_before(hb, e, addr).write;
        else
            all = hb->events[e].all;
    }
}

/* The newest write of the place before which an AWAIT could have run: it waits for the value of
 * the bytes, which that write and later ones have left. */
static uint32_t could_await(const struct hd_hb *hb, uint32_t write, uint64_t addr, uint32_t until,
                            const struct hd_action *action, const uint32_t *clock)
{
    if (!hb->could_await)
        return HD_NO_EVENT;
    for (; write != HD_NO_EVENT && !hd_hb_known(hb, clock, write);
         write = hd_hb_object_before(hb, write, addr).write)
        if (hb->could_await(hb->await_self, write, until, action))
            return write;
    return HD_NO_EVENT;
}

static uint32_t could_await_all(const struct hd_hb *hb, uint32_t until,
                                const struct hd_action *action, const uint32_t *clock)
{
    if (!hb->could_await)
        return HD_NO_EVENT;
    for (uint32_t all = hb->last_all; all != HD_NO_EVENT && !hd_hb_known(hb, clock, all);
         all = hb->events[all].all)
        if (hb->could_await(hb->await_self, all, until, action))
            return all;
    return HD_NO_EVENT;
}

/* An AWAIT happens after the writes that it sees. */
static void follow_writes(const struct hd_hb *hb, const struct hd_hb_event *e, uint32_t *clock)
{
    for (uint64_t i = e->undo; i < hb->n_undo; i++)
        if (hb->undo[i].len)
            hd_hb_follow(hb, clock, hb->undo[i].was.write);
}

/* The object as it was before the group that the event joins. */
static struct hd_hb_object outside_group(const struct hd_hb *hb, struct hd_hb_object o,
                                         uint64_t addr, uint64_t commutes)
{
    while (commutes && o.read == HD_NO_EVENT && o.write != HD_NO_EVENT &&
           hb->events[o.write].commutes == commutes)
        o = hd_hb_object_before(hb, o.write, addr);
    return o;
}

/* The write, and those in a group with it. */
static void group_candidates(struct hd_hb *hb, uint32_t write, uint64_t addr)
{
    for (; write != HD_NO_EVENT; write = hd_hb_group_before(hb, write, addr))
        candidate(hb, write);
}

/* Note the conflicts of the event on one object, and make it the object's newest access.
 * Returns the event whose clock is to be merged after the races, or HD_NO_EVENT. */
static uint32_t touch_cell(struct hd_hb *hb, uint32_t event, uint32_t cell, bool writes,
                           const struct hd_action *action, const uint32_t *clock)
{
    struct hd_hb_object *o = &hb->objects[cell];
    const struct hd_cell *c = &hb->cells.cells[cell];
    bool ordered = (c->addr & HD_TOUCH_THREAD) && !(c->addr & HD_TOUCH_SYNC);
    bool blocks = hd_op_blocks((enum hd_op)action->op) && (c->addr & HD_TOUCH_SYNC);
    struct hd_hb_undo *u = remember(hb);
    u->addr = c->addr;
    u->len = c->len;
    u->cell = cell;
    u->was = *o;
    struct hd_hb_object met = outside_group(hb, *o, c->addr, hb->events[event].commutes);
    if (blocks)
        candidate(hb, hd_hb_could_precede(hb, o->write, c->addr, action, hb->events[event].state,
                                          clock));
    else if (action->op == HD_OP_AWAIT)
        candidate(hb, could_await(hb, o->write, c->addr, event, action, clock));
    else if (!ordered)
        group_candidates(hb, met.write, c->addr);
    uint32_t after = blocks || ordered ? o->write : HD_NO_EVENT;
    if (!writes) {
        o->read = event;
        return after;
    }
    for (uint32_t r = met.read; r != HD_NO_EVENT; r = hd_hb_object_before(hb, r, c->addr).read)
        if (r != event)
            candidate(hb, r);
    o->write = event;
    o->read = HD_NO_EVENT;
    return after;
}

static void set_wake(struct hd_hb *hb, uint32_t thread, uint32_t event, uint64_t waits_on)
{
    struct hd_hb_undo *u = remember(hb);
    *u = (struct hd_hb_undo){ .addr = thread, .waits_on = hb->waits_on[thread] };
    u->was.write = hb->wake[thread];
    hb->wake[thread] = event;
    hb->waits_on[thread] = waits_on;
}

/* A waiter happens after the signal that woke it, and after no other. */
static void wake_waiters(struct hd_hb *hb, uint32_t event, uint32_t thread,
                         const struct hd_action *a, uint32_t chosen)
{
    if (hd_op_sleeps((enum hd_op)a->op))
        set_wake(hb, thread, HD_NO_EVENT, a->object);
    else if (chosen != ~0u && (a->op == HD_OP_CANCEL || (hd_op_wakes_one((enum hd_op)a->op) &&
                                                         hb->waits_on[chosen] == a->object)))
        set_wake(hb, chosen, event, 0);
    else if (hd_op_wakes_all((enum hd_op)a->op))
        for (uint32_t t = 0; t < hb->n_threads; t++)
            if (hb->waits_on[t] == a->object)
                set_wake(hb, t, event, 0);
    if (a->op == HD_OP_FUTEX_REQUEUE)
        for (uint32_t t = 0; t < hb->n_threads; t++)
            if (hb->waits_on[t] == a->object)
                set_wake(hb, t, HD_NO_EVENT, a->object2);
    if (hd_op_woken((enum hd_op)a->op) && hb->wake[thread] != HD_NO_EVENT)
        set_wake(hb, thread, HD_NO_EVENT, 0);
}

/* The clock the thread's next event starts from. */
static void base_clock(const struct hd_hb *hb, uint32_t thread, uint32_t wake, uint32_t *clock)
{
    if (hb->last[thread] == HD_NO_EVENT)
        memset(clock, 0, 4ull * hb->width);
    else
        memcpy(clock, hd_hb_row(hb, hb->last[thread]), 4ull * hb->width);
    hd_hb_follow(hb, clock, wake);
}

static void find_races(struct hd_hb *hb, struct hd_hb_event *e, uint32_t *clock)
{
    for (uint32_t i = 0; i < hb->n_candidates; i++) {
        uint32_t other = hb->candidates[i];
        if (hd_hb_known(hb, clock, other))
            continue;
        if (hb->n_races == HD_HB_RACES_CAP) {
            hb->full = true;
            return;
        }
        hb->races[hb->n_races++] = (struct hd_hb_race){ hd_hb_section(hb, other),
                                                        (uint32_t)(e - hb->events), HD_NO_EVENT };
        hd_hb_follow(hb, clock, other);
    }
}

static void touch_all(struct hd_hb *hb, uint32_t event)
{
    for (uint32_t t = 0; t < hb->n_threads; t++)
        if (t != hb->events[event].thread)
            candidate(hb, hb->last[t]);
    hb->last_all = event;
}

static void hash_event(struct hd_hb *hb, struct hd_hb_event *e, const uint32_t *clock,
                       uint16_t op, uint32_t what)
{
    e->hash = hd_hash_step(hd_hash_mix((uint64_t)e->thread << 32 | op), what);
    for (uint32_t t = 0; t < hb->n_threads; t++)
        if (clock[t]) /* leave out threads without events: their number varies */
            e->hash = hd_hash_step(e->hash, (uint64_t)t << 32 | clock[t]);
}

struct ending {
    struct hd_hb *hb;
    const uint32_t *clock;
};

/* Accesses of other threads to memory that ends now; the event need not come after them. */
static bool end_cell(void *self, uint32_t cell)
{
    struct hd_hb *hb = ((struct ending *)self)->hb;
    const uint32_t *clock = ((struct ending *)self)->clock;
    const struct hd_hb_object *o = &hb->objects[cell];
    uint64_t addr = hb->cells.cells[cell].addr;
    for (uint32_t w = o->write; w != HD_NO_EVENT; w = hd_hb_group_before(hb, w, addr))
        if (!hd_hb_known(hb, clock, w))
            candidate(hb, w);
    for (uint32_t r = o->read; r != HD_NO_EVENT; r = hd_hb_object_before(hb, r, addr).read)
        if (!hd_hb_known(hb, clock, r))
            candidate(hb, r);
    return false;
}

static void end_range(struct hd_hb *hb, uint32_t event, const struct hd_touch *range,
                      const uint32_t *clock)
{
    struct ending ending = { hb, clock };
    hd_hb_any_cell(hb, range, end_cell, &ending);
    for (uint64_t i = 0; i < hb->n_ends; i++)
        if (range->begin < hb->ends[i].end && hb->ends[i].begin < range->end &&
            !hd_hb_known(hb, clock, hb->ends[i].event))
            candidate(hb, hb->ends[i].event);
    if (hb->n_ends == HD_HB_ENDS_CAP) {
        hb->full = true;
        return;
    }
    hb->ends[hb->n_ends++] = (struct hd_hb_end){ range->begin, range->end, event };
}

/* Returns the event whose clock is to be merged after the races, or HD_NO_EVENT. */
static uint32_t touch_objects(struct hd_hb *hb, uint32_t event, const struct hd_action *action,
                              const uint32_t *clock)
{
    uint32_t after = HD_NO_EVENT;
    struct hd_touch touched[HD_MAX_TOUCHES];
    for (int i = 0, n = hd_touches_all(action, touched); i < n; i++) {
        if (hd_touch_ends(action, &touched[i])) {
            end_range(hb, event, &touched[i], clock);
            continue;
        }
        for (uint64_t at = touched[i].begin; at < touched[i].end && !hb->full;) {
            uint32_t cell = hd_cells_at(&hb->cells, at, touched[i].end);
            if (cell == ~0u || hb->full) {
                hb->full = true;
                return after;
            }
            uint32_t release = touch_cell(hb, event, cell, touched[i].writes, action, clock);
            if (release != HD_NO_EVENT)
                after = release;
            at += hb->cells.cells[cell].len;
        }
    }
    return after;
}

/* Make room for one more event of the thread; set hb->full if there is none. */
static inline void make_room(struct hd_hb *hb, uint32_t thread)
{
    if (thread >= hb->n_threads) {
        hb->n_threads = thread + 1;
        if (!hb->sets)
            hb->width = (hb->n_threads + 3) & ~3u;
        if (hb->width > hb->stride)
            hd_hb_widen(hb, hb->width);
    }
    if (!hb->of[thread]) {
        hb->of[thread] = hd_arena_take(hb->arena, sizeof(uint32_t) * (uint64_t)HD_MAX_STEPS);
        hb->full = hb->full || !hb->of[thread];
    }
    if (hb->sets && hb->depth == hb->limit)
        hd_hb_to_clocks(hb);
}

void hd_hb_any(struct hd_hb *hb, uint32_t thread, const struct hd_action *action, uint32_t chosen,
               uint32_t choice, uint64_t state)
{
    make_room(hb, thread);
    if (hb->full)
        return;
    uint32_t event = hb->depth++;
    uint32_t *clock = hb->rows + (uint64_t)event * hb->stride;
    struct hd_hb_event *e = &hb->events[event];
    /* A cancellation that ended a wait does not race with the wait.  Its clock is not that
     * of the waiting thread either: the wait could have been granted before. */
    uint32_t wake = hb->wake[thread], cancel = HD_NO_EVENT;
    if (!hd_op_woken((enum hd_op)action->op)) /* a handler runs during the wait */
        wake = HD_NO_EVENT;
    if (hd_op_wait_cancelled((enum hd_op)action->op)) {
        cancel = wake;
        wake = HD_NO_EVENT;
    }
    *e =
        (struct hd_hb_event){ .thread = thread,
                              .before = hb->last[thread],
                              .wake = wake,
                              .all = hb->last_all,
                              .chosen = action->op == HD_OP_CHOOSE_INSIDE ? HD_HB_INSIDE : chosen,
                              .choice = hd_op_wakes_one((enum hd_op)action->op) ? chosen : choice,
                              .undo = hb->n_undo,
                              .state = state,
                              .commutes = hd_action_commuting(action) };
    hb->groups = hb->groups || e->commutes;
    hb->plain = hb->plain && !hb->groups && hd_op_table[action->op].access != HD_ACCESS_ALL;
    if (!hb->sets)
        memcpy(hb->counts + (uint64_t)event * hb->stride, hb->count, 4ull * hb->width);
    base_clock(hb, thread, wake, clock);
    if (hb->sets) /* a copy within one object does not race with itself */
        clock[event >> 5] |= 1u << (event & 31);
    e->races = hb->n_races;
    hb->n_candidates = 0;
    uint32_t after = touch_objects(hb, event, action, clock);
    if (hb->full)
        return;
    bool blocks = hd_op_blocks((enum hd_op)action->op);
    if (hb->last_all != cancel && !blocks)
        candidate(hb, hb->last_all);
    if (action->op == HD_OP_AWAIT)
        candidate(hb, could_await_all(hb, event, action, clock));
    if (hd_op_table[action->op].access == HD_ACCESS_ALL)
        touch_all(hb, event);
    if (hd_op_table[action->op].space == HD_SPACE_THREAD)
        hd_hb_follow(hb, clock, after);
    find_races(hb, e, clock);
    if (action->op == HD_OP_AWAIT)
        follow_writes(hb, e, clock);
    hd_hb_follow(hb, clock, after);
    hd_hb_follow(hb, clock, cancel);
    hd_hb_follow(hb, clock, e->all);
    wake_waiters(hb, event, thread, action, chosen);
    hd_hb_enter(hb, thread, event, clock);
    if (hb->hashing)
        hash_event(hb, e, clock, action->op, chosen == ~0u ? choice : chosen);
}

static uint32_t awaits_blocked_by(struct hd_hb *hb, const struct hd_action *action,
                                  const struct hd_touch *touched, int n, const uint32_t *clock,
                                  uint32_t by[HD_MOST_BLOCKERS])
{
    uint32_t found = 0;
    uint32_t all = hd_hb_section(hb, could_await_all(hb, hb->depth, action, clock));
    if (all != HD_NO_EVENT)
        by[found++] = all;
    for (int i = 0; i < n; i++)
        for (uint64_t at = touched[i].begin; at < touched[i].end && found < HD_MOST_BLOCKERS;) {
            uint32_t cell = hd_cells_at(&hb->cells, at, touched[i].end);
            if (cell == ~0u)
                return found;
            uint32_t e = could_await(hb, hb->objects[cell].write, at, hb->depth, action, clock);
            if (e != HD_NO_EVENT)
                by[found++] = e;
            at += hb->cells.cells[cell].len;
        }
    return found;
}

uint32_t hd_hb_blocked_by(struct hd_hb *hb, uint32_t thread, const struct hd_action *action,
                          uint64_t state, uint32_t by[HD_MOST_BLOCKERS])
{
    struct hd_touch touched[2];
    uint32_t clock[HD_MAX_THREADS] __attribute__((aligned(16)));
    if (!hd_op_blocks((enum hd_op)action->op))
        return 0;
    int n = hd_touches(action, touched);
    base_clock(hb, thread, hb->wake[thread], clock);
    if (action->op == HD_OP_AWAIT)
        return awaits_blocked_by(hb, action, touched, n, clock, by);
    uint32_t cell = n ? hd_cells_at(&hb->cells, touched[0].begin, touched[0].end) : ~0u;
    if (cell == ~0u)
        return 0;
    by[0] = hd_hb_section(hb, hd_hb_could_precede(hb, hb->objects[cell].write, touched[0].begin,
                                                  action, state, clock));
    return by[0] != HD_NO_EVENT;
}

/* Restore an object whose cell has been split since, or the event that woke a thread. */
static __attribute__((noinline)) void restore_other(struct hd_hb *hb, const struct hd_hb_undo *u)
{
    if (u->len == 0) {
        hb->wake[u->addr] = u->was.write;
        hb->waits_on[u->addr] = u->waits_on;
        return;
    }
    for (uint64_t at = u->addr; at < u->addr + u->len;) {
        uint32_t cell = hd_cells_at(&hb->cells, at, u->addr + u->len);
        hb->objects[cell] = u->was;
        at += hb->cells.cells[cell].len;
    }
}

static void restore(struct hd_hb *hb, uint64_t n_undo)
{
    const struct hd_hb_undo *first = hb->undo + n_undo, *u = hb->undo + hb->n_undo;
    const struct hd_cell *cells = hb->cells.cells;
    hb->n_undo = n_undo;
    while (u-- > first)
        if (__builtin_expect(u->len && cells[u->cell].len == u->len, 1)) {
            hb->objects[u->cell] = u->was;
        } else {
            restore_other(hb, u);
            cells = hb->cells.cells;
        }
}

/* Sets: threads have no events from `depth` on. */
HD_HOT void keep_below(struct hd_hb *hb, uint32_t depth)
{
    struct hd_set below = hd_set_below(depth);
    const __m128i kept = _mm_set_epi64x((int64_t)below.w[1], (int64_t)below.w[0]);
    __m128i *mine = (__m128i *)(void *)hb->mine, *end = mine + hb->n_threads;
#pragma clang loop unroll(disable)
    for (; mine < end; mine++)
        _mm_store_si128(mine, _mm_and_si128(_mm_load_si128(mine), kept));
}

void hd_hb_back(struct hd_hb *hb, uint32_t depth)
{
    if (hb->depth > depth) {
        const struct hd_hb_event *first = &hb->events[depth], *e = &hb->events[hb->depth];
        restore(hb, first->undo);
        hb->n_races = first->races;
        hb->last_all = first->all;
        for (const struct hd_hb_event *x = e; x-- > first;) {
            hb->last[x->thread] = x->before;
            if (__builtin_expect(x->before == HD_NO_EVENT, 0))
                hd_tset_del(&hb->moved, x->thread);
        }
        if (__builtin_expect(hb->sets, 1))
            keep_below(hb, depth);
        else
            while (e-- > first)
                hb->count[e->thread]--;
        hb->depth = depth;
    }
    hb->plain = hb->last_all == HD_NO_EVENT && !hb->hashing && !hb->groups && !hb->full;
    while (hb->n_ends && hb->ends[hb->n_ends - 1].event >= depth)
        hb->n_ends--;
    if (hb->n_settled > hb->n_races)
        hb->n_settled = hb->n_races;
    if (hb->lowest > depth)
        hb->lowest = depth;
}

void hd_hb_graph_hash(const struct hd_hb *hb, uint64_t out[2])
{
    out[0] = out[1] = 0;
    for (uint32_t i = 0; i < hb->depth; i++) {
        out[0] += hb->events[i].hash;
        out[1] += hd_hash_mix(hb->events[i].hash ^ 0x5bd1e9955bd1e995ull);
    }
}
