#include "explore/order/cell_lists.h"

#include "core/pack.h"

#include <string.h>

/* Memory for one more item of `size` bytes in *items; the old block is left in the arena. */
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

void hd_cell_lists_push(struct hd_cell_lists *l, uint32_t cell, const void *record)
{
    void *records = l->records;
    l->full = l->full || !more_room(l->arena, &records, &l->room, l->n, l->bytes);
    l->records = records;
    if (l->full)
        return;
    struct hd_cell_record *to = hd_cell_lists_record(l, ++l->n);
    memcpy(to, record, l->bytes);
    to->next = l->heads[cell];
    l->heads[cell] = l->n;
}

static void cell_added(void *owner, uint32_t from, uint32_t to)
{
    struct hd_cell_lists *l = owner;
    void *heads = l->heads;
    l->full = l->full || !more_room(l->arena, &heads, &l->n_heads, to, sizeof *l->heads);
    l->heads = heads;
    if (l->full)
        return;
    l->heads[to] = 0;
    for (uint32_t i = from == to ? 0 : l->heads[from]; i && !l->full;) {
        const struct hd_cell_record *r = hd_cell_lists_record(l, i);
        i = r->next;
        hd_cell_lists_push(l, to, r);
    }
}

bool hd_cell_lists_init(struct hd_cell_lists *l, struct hd_arena *arena, uint32_t record_bytes)
{
    memset(l, 0, sizeof *l);
    l->arena = arena;
    l->bytes = record_bytes;
    return hd_cells_init(&l->cells, arena, l, cell_added);
}

void hd_cell_lists_forget(struct hd_cell_lists *l)
{
    for (uint32_t i = 0; i < l->cells.n; i++)
        l->heads[i] = 0;
    l->n = 0;
}

uint32_t hd_cell_lists_at(struct hd_cell_lists *l, uint64_t addr, uint64_t end)
{
    uint32_t cell = hd_cells_at(&l->cells, addr, end);
    l->full = l->full || cell == ~0u;
    return l->full ? ~0u : cell;
}

void hd_cell_lists_pack(struct hd_cell_lists *l, struct hd_pack *p,
                        void (*pack)(void *record, struct hd_pack *p))
{
    hd_cells_pack(&l->cells, p);
    uint32_t n = l->n;
    hd_pack_count(p, &n, UINT32_MAX / 8);
    for (uint32_t i = 0; i < n && !p->bad; i++) {
        void *records = l->records;
        hd_pack_want(p, more_room(l->arena, &records, &l->room, i, l->bytes));
        l->records = records;
        if (p->bad)
            return;
        struct hd_cell_record *record = hd_cell_lists_record(l, i + 1);
        pack(record, p);
        hd_pack_u32(p, &record->next, i); /* an older one, so that no list is circular */
        l->n = i + 1;
    }
    for (uint32_t i = 0; i < l->cells.n && !p->bad; i++)
        hd_pack_u32(p, &l->heads[i], l->n);
    hd_pack_want(p, !l->full);
}
