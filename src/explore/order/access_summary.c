#include "explore/order/access_summary.h"

#include <string.h>

static void cell_added(void *owner, uint32_t from, uint32_t to);

bool hd_access_summary_init(struct hd_access_summary *t, struct hd_arena *arena)
{
    memset(t, 0, sizeof *t);
    t->arena = arena;
    return hd_cells_init(&t->cells, arena, t, cell_added);
}

void hd_access_summary_forget(struct hd_access_summary *t)
{
    for (uint32_t i = 0; i < t->cells.n; i++)
        t->heads[i] = 0;
    t->n = 0;
}

/* Memory for one more of `size` bytes in *items; the old one is left behind in the arena. */
static bool more_room(struct hd_arena *arena, void **items, uint32_t *room, uint32_t n,
                      size_t size)
{
    if (n < *room)
        return true;
    uint32_t wanted = *room ? 2 * *room : 256;
    void *bigger = hd_arena_take(arena, wanted * size);
    if (!bigger)
        return false;
    if (*room)
        memcpy(bigger, *items, *room * size);
    *items = bigger;
    *room = wanted;
    return true;
}

static void push(struct hd_access_summary *t, uint32_t cell, const struct hd_accessor *who)
{
    void *items = t->items;
    t->full = t->full || !more_room(t->arena, &items, &t->room, t->n, sizeof *t->items);
    t->items = items;
    if (t->full)
        return;
    t->items[t->n] = *who;
    t->items[t->n].next = t->heads[cell];
    t->heads[cell] = ++t->n;
}

static void cell_added(void *owner, uint32_t from, uint32_t to)
{
    struct hd_access_summary *t = owner;
    void *heads = t->heads;
    t->full = t->full || !more_room(t->arena, &heads, &t->n_heads, to, sizeof *t->heads);
    t->heads = heads;
    if (t->full)
        return;
    t->heads[to] = 0;
    for (uint32_t i = from == to ? 0 : t->heads[from]; i && !t->full;) {
        struct hd_accessor who = t->items[i - 1];
        push(t, to, &who);
        i = who.next;
    }
}

/* Returns whether the cell did not know. */
static bool add(struct hd_access_summary *t, uint32_t cell, const struct hd_accessor *who)
{
    for (uint32_t i = t->heads[cell]; i; i = t->items[i - 1].next) {
        struct hd_accessor *known = &t->items[i - 1];
        if (known->thread != who->thread || known->bit != who->bit ||
            known->writes != who->writes)
            continue;
        uint64_t before = known->locks;
        known->locks &= who->locks;
        return known->locks != before;
    }
    push(t, cell, who);
    return true;
}

void hd_access_summary_add(struct hd_access_summary *t, const struct hd_touch *range,
                           const struct hd_accessor *who,
                           void (*grown)(void *self, const struct hd_touch *cell,
                                         const struct hd_accessor *who),
                           void *self)
{
    for (uint64_t at = range->begin; at < range->end && !t->full;) {
        uint32_t cell = hd_cells_at(&t->cells, at, range->end);
        if (cell == ~0u) {
            t->full = true;
            return;
        }
        struct hd_touch here = { at, at + t->cells.cells[cell].len, who->writes };
        if (add(t, cell, who) && grown)
            grown(self, &here, who);
        at = here.end;
    }
}

bool hd_access_summary_by(struct hd_access_summary *t, const struct hd_touch *range,
                          uint32_t thread, uint64_t held,
                          bool (*counts)(const void *self, const struct hd_accessor *who),
                          const void *self)
{
    for (uint64_t at = range->begin; at < range->end && !t->full;) {
        uint32_t cell = hd_cells_at(&t->cells, at, range->end);
        if (cell == ~0u) {
            t->full = true;
            break;
        }
        for (uint32_t i = t->heads[cell]; i; i = t->items[i - 1].next) {
            const struct hd_accessor *who = &t->items[i - 1];
            if (who->thread != thread && (who->writes || range->writes) && !(who->locks & held) &&
                (!counts || counts(self, who)))
                return true;
        }
        at += t->cells.cells[cell].len;
    }
    return t->full;
}
