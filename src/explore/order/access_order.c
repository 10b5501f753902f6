#include "explore/order/access_order.h"

#include "core/touch.h"
#include "core/worker_memory.h"

#include <string.h>

enum { MOST_ACCESSES = 1u << 24 };

#define STACKS_END (HD_STACK_BASE + HD_MAX_THREADS * HD_STACK_STRIDE)

/* Who accesses the cell, and what happens before that. */
struct access {
    const uint16_t *clock;
    uint32_t thread, place;
    bool writes, atomic;
};

static void cell_added(void *owner, uint32_t from, uint32_t to)
{
    struct hd_access_order *ao = owner;
    const struct hd_cell *cell = &ao->cells.cells[to];
    if (to >= ao->lists_cap) {
        uint32_t cap = ao->lists_cap ? 2 * ao->lists_cap : 256;
        uint32_t(*lists)[2] = hd_arena_take(ao->arena, cap * sizeof *lists);
        if (!lists) {
            ao->full = true;
            return;
        }
        if (ao->lists)
            memcpy(lists, ao->lists, ao->lists_cap * sizeof *lists);
        ao->lists = lists;
        ao->lists_cap = cap;
    }
    for (int i = 0; i < 2; i++)
        ao->lists[to][i] = from == to ? 0 : ao->lists[from][i];
    if (cell->addr < STACKS_END && cell->addr + cell->len > HD_STACK_BASE) {
        bool first = ao->stacks_begin == ao->stacks_end;
        uint64_t end = cell->addr + cell->len;
        if (first || cell->addr < ao->stacks_begin)
            ao->stacks_begin = cell->addr;
        if (first || end > ao->stacks_end)
            ao->stacks_end = end;
    }
}

bool hd_access_order_init(struct hd_access_order *ao, struct hd_arena *arena,
                          void (*unordered)(void *self, uint32_t early, uint32_t late),
                          void *self)
{
    memset(ao, 0, sizeof *ao);
    ao->arena = arena;
    ao->unordered = unordered;
    ao->self = self;
    ao->accesses = hd_arena_take(arena, (uint64_t)MOST_ACCESSES * sizeof *ao->accesses);
    ao->before = hd_arena_take(arena, (uint64_t)HD_MAX_STEPS * sizeof *ao->before);
    return ao->accesses && ao->before && hd_cells_init(&ao->cells, arena, ao, cell_added);
}

static bool learn_range(struct hd_access_order *ao, const struct hd_touch *t)
{
    uint64_t first = t->begin / 8, last = (t->end - 1) / 8, news = 0;
    if (last - first >= HD_PLAIN_WORDS)
        last = first + HD_PLAIN_WORDS - 1;
    for (uint64_t word = first; t->begin < t->end && word <= last; word++) {
        uint64_t *bits = &ao->plain[word % HD_PLAIN_WORDS / 64], bit = 1ull << word % 64;
        news |= ~*bits & bit;
        *bits |= bit;
    }
    return news;
}

bool hd_access_order_learn(struct hd_access_order *ao, const struct hd_action *a)
{
    struct hd_touch touched[2];
    bool news = false;
    for (int i = 0, n = hd_touches(a, touched); i < n; i++)
        if (touched[i].begin < HD_TOUCH_THREAD)
            news |= learn_range(ao, &touched[i]);
    return news;
}

static inline bool happened_before(const struct access *now, const struct hd_ordered_access *a)
{
    return a->thread == now->thread || now->clock[a->thread] > a->place;
}

/* The next access from there on that does not happen before the new one, + 1; 0: none.  If one
 * access of a thread happens before it, so do all earlier ones of that thread, and whatever
 * happens before that access. */
static uint32_t next_unordered(const struct hd_access_order *ao, uint32_t at,
                               const struct access *now)
{
    while (at) {
        const struct hd_ordered_access *a = &ao->accesses[at - 1];
        if (!happened_before(now, a))
            return at;
        at = a->kind == HD_ACCESS_PLAIN && a->after_all ? 0 : a->other;
    }
    return 0;
}

/* Report the accesses that the new one conflicts with and does not happen after, newest first.
 * Returns whether there is none, also among those that do not conflict. */
static __attribute__((noinline)) bool report_unordered(struct hd_access_order *ao, uint32_t plain,
                                                       uint32_t atomic, const struct access *now)
{
    bool none = true;
    for (;;) {
        plain = next_unordered(ao, plain, now);
        atomic = next_unordered(ao, atomic, now);
        if (!plain && !atomic)
            return none;
        uint32_t *newest = plain > atomic ? &plain : &atomic;
        const struct hd_ordered_access *a = &ao->accesses[*newest - 1];
        none = false;
        *newest = a->before;
        if (a->writes || now->writes)
            ao->unordered(ao->self, a->event, ao->depth);
    }
}

/* The same; mostly all accesses that are to be compared happen before the newest of them, and
 * that one before the new access. */
static inline bool find_unordered(struct hd_access_order *ao, uint32_t cell,
                                  const struct access *now)
{
    uint32_t plain = ao->lists[cell][HD_ACCESS_PLAIN];
    uint32_t atomic = now->atomic ? 0 : ao->lists[cell][HD_ACCESS_ATOMIC];
    if (plain > atomic && ao->accesses[plain - 1].after_all &&
        happened_before(now, &ao->accesses[plain - 1]))
        return true;
    return !(plain | atomic) || report_unordered(ao, plain, atomic, now);
}

static struct hd_ordered_access *new_access(struct hd_access_order *ao, uint32_t cell)
{
    if (ao->n_accesses == MOST_ACCESSES) {
        ao->full = true;
        ao->n_accesses--;
    }
    struct hd_ordered_access *a = &ao->accesses[ao->n_accesses++];
    a->event = ao->depth;
    a->cell = cell;
    a->len = ao->cells.cells[cell].len;
    return a;
}

static inline void access_cell(struct hd_access_order *ao, uint32_t cell,
                               const struct access *now)
{
    bool after_all = find_unordered(ao, cell, now);
    enum hd_access_kind kind = now->atomic ? HD_ACCESS_ATOMIC : HD_ACCESS_PLAIN;
    uint32_t before = ao->lists[cell][kind], other = before;
    if (before && ao->accesses[before - 1].thread == now->thread)
        other = ao->accesses[before - 1].other;
    struct hd_ordered_access *a = new_access(ao, cell);
    a->place = now->place;
    a->before = before;
    a->other = other;
    a->thread = (uint8_t)now->thread;
    a->kind = (uint8_t)kind;
    a->writes = now->writes;
    a->after_all = after_all;
    ao->lists[cell][kind] = ao->n_accesses;
}

static void end_cell(struct hd_access_order *ao, uint32_t cell, const struct access *now)
{
    uint32_t *lists = ao->lists[cell];
    if (!(lists[HD_ACCESS_PLAIN] | lists[HD_ACCESS_ATOMIC]))
        return;
    find_unordered(ao, cell, now);
    struct hd_ordered_access *a = new_access(ao, cell);
    a->kind = HD_ACCESS_ENDS;
    a->before = lists[HD_ACCESS_PLAIN];
    a->other = lists[HD_ACCESS_ATOMIC];
    lists[HD_ACCESS_PLAIN] = lists[HD_ACCESS_ATOMIC] = 0;
}

/* Memory ends.  Later objects at the same place are others. */
static void end_range(struct hd_access_order *ao, const struct hd_touch *range,
                      const struct access *now)
{
    const struct hd_cells *cells = &ao->cells;
    uint64_t bytes = range->end - range->begin;
    bool stack = range->begin >= HD_STACK_BASE && range->end <= STACKS_END;
    if (stack && (range->end <= ao->stacks_begin || range->begin >= ao->stacks_end))
        return;
    if (bytes >= cells->n) {
        for (uint32_t i = 0; i < cells->n; i++)
            if (cells->cells[i].addr - range->begin < bytes)
                end_cell(ao, i, now);
        return;
    }
    for (uint64_t at = range->begin; at < range->end; at++) {
        uint32_t cell = hd_cells_find(cells, at);
        if (cell != ~0u)
            end_cell(ao, cell, now);
    }
}

static __attribute__((noinline)) void touch(struct hd_access_order *ao, uint64_t at, uint64_t end,
                                            const struct access *now)
{
    while (at < end) {
        uint32_t cell = hd_cells_at(&ao->cells, at, end);
        if (cell == ~0u || ao->full) {
            ao->full = true;
            return;
        }
        access_cell(ao, cell, now);
        at += ao->cells.cells[cell].len;
    }
}

/* Uses of a synchronisation object race with the end of its memory only: as atomic accesses. */
static void use_object(struct hd_access_order *ao, const struct hd_touch *object,
                       const struct access *now)
{
    struct access use = *now;
    use.writes = use.atomic = true;
    touch(ao, object->begin, object->end, &use);
}

static __attribute__((noinline)) void
touch_otherwise(struct hd_access_order *ao, const struct hd_action *a, struct access *now)
{
    struct hd_touch touched[2];
    for (int i = 0, n = hd_touches(a, touched); i < n; i++) {
        now->writes = touched[i].writes;
        if (hd_touch_ends(a, &touched[i]))
            end_range(ao, &touched[i], now);
        else if (touched[i].begin < HD_TOUCH_THREAD)
            touch(ao, touched[i].begin, touched[i].end, now);
        else if (hd_touch_uses(a, &touched[i]))
            use_object(ao, &touched[i], now);
    }
}

void hd_access_order_ran(struct hd_access_order *ao, uint32_t thread, const struct hd_action *a,
                         const uint16_t *clock, uint32_t place)
{
    const struct hd_op_row *row = &hd_op_table[a->op];
    struct access now = { clock, thread, place, row->access == HD_ACCESS_WRITE,
                          hd_op_atomic((enum hd_op)a->op) };
    if (ao->full || ao->depth >= HD_MAX_STEPS) {
        ao->full = true;
        return;
    }
    ao->before[ao->depth] = ao->n_accesses;
    if (row->space == HD_SPACE_MEM && hd_action_touches_one(a)) {
        uint32_t cell = hd_cells_exact(&ao->cells, a->object, a->size);
        if (cell != ~0u)
            access_cell(ao, cell, &now);
        else
            touch(ao, a->object, a->object + a->size, &now);
    } else {
        touch_otherwise(ao, a, &now);
    }
    ao->depth++;
}

/* The lists of the cell that the access was made to are as before it; that may have been split
 * since. */
static void restore(struct hd_access_order *ao, const struct hd_ordered_access *a)
{
    uint64_t end = ao->cells.cells[a->cell].addr + a->len;
    for (uint64_t at = end - a->len; at < end;) {
        uint32_t cell = ao->cells.cells[a->cell].len == a->len ? a->cell
                                                               : hd_cells_at(&ao->cells, at, end);
        uint32_t *lists = ao->lists[cell];
        lists[a->kind == HD_ACCESS_ENDS ? HD_ACCESS_PLAIN : a->kind] = a->before;
        if (a->kind == HD_ACCESS_ENDS)
            lists[HD_ACCESS_ATOMIC] = a->other;
        at += ao->cells.cells[cell].len;
    }
}

void hd_access_order_back(struct hd_access_order *ao, uint32_t depth)
{
    if (ao->depth <= depth)
        return;
    while (ao->n_accesses > ao->before[depth])
        restore(ao, &ao->accesses[--ao->n_accesses]);
    ao->depth = depth;
}
