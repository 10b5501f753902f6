#include "explore/cells.h"

#include "base/hash.h"

#include <string.h>

static bool grow(struct hd_cells *c)
{
    uint32_t cap = c->cap ? 2 * c->cap : 256;
    struct hd_cell *cells = hd_arena_take(c->arena, cap * sizeof *cells);
    uint32_t *table = hd_arena_take(c->arena, 4ull * cap * sizeof *table);
    if (!cells || !table)
        return false;
    if (c->n)
        memcpy(cells, c->cells, c->n * sizeof *cells);
    c->cells = cells;
    c->table = table;
    c->cap = cap;
    c->table_size = 4 * cap;
    for (uint32_t i = 0; i < c->n; i++)
        c->table[hd_cells_slot(c, cells[i].addr)] = i + 1;
    return true;
}

bool hd_cells_init(struct hd_cells *c, struct hd_arena *arena, void *owner,
                   void (*added)(void *owner, uint32_t from, uint32_t to))
{
    memset(c, 0, sizeof *c);
    c->arena = arena;
    c->owner = owner;
    c->added = added;
    return grow(c);
}

static uint32_t add(struct hd_cells *c, uint64_t addr, uint32_t len, uint32_t from)
{
    if (c->n == c->cap && !grow(c))
        return ~0u;
    uint32_t index = c->n++;
    c->cells[index] = (struct hd_cell){ .addr = addr, .len = len };
    c->table[hd_cells_slot(c, addr)] = index + 1;
    c->added(c->owner, from == ~0u ? index : from, index);
    return index;
}

/* Cut cell `index` so that it ends at `addr`; the rest is a cell of its own, which is returned. */
static uint32_t split(struct hd_cells *c, uint32_t index, uint64_t addr)
{
    struct hd_cell *cell = &c->cells[index];
    uint32_t left = (uint32_t)(addr - cell->addr), right = cell->len - left;
    cell->len = left;
    return add(c, addr, right, index);
}

uint32_t hd_cells_find(const struct hd_cells *c, uint64_t addr)
{
    uint32_t found = c->table[hd_cells_slot(c, addr)];
    return found ? found - 1 : ~0u;
}

uint32_t hd_cells_at(struct hd_cells *c, uint64_t addr, uint64_t end)
{
    uint64_t word_end = (addr & ~7ull) + 8;
    if (end > word_end)
        end = word_end;
    uint32_t found = c->table[hd_cells_slot(c, addr)];
    if (__builtin_expect(found && c->cells[found - 1].addr + c->cells[found - 1].len == end, 1))
        return found - 1;
    if (found && c->cells[found - 1].addr + c->cells[found - 1].len < end)
        return found - 1; /* smaller: the caller goes on behind it */
    if (found)
        return split(c, found - 1, end) == ~0u ? ~0u : found - 1;
    for (uint64_t a = addr & ~7ull; a < addr; a++) { /* inside a cell that starts before? */
        uint32_t before = c->table[hd_cells_slot(c, a)];
        if (before && a + c->cells[before - 1].len > addr) {
            uint32_t right = split(c, before - 1, addr);
            if (right == ~0u)
                return ~0u;
            return hd_cells_at(c, addr, end);
        }
    }
    for (uint64_t a = addr + 1; a < end; a++) /* up to the next cell */
        if (c->table[hd_cells_slot(c, a)])
            end = a;
    return add(c, addr, (uint32_t)(end - addr), ~0u);
}
