/* Cells: a partition of memory into byte ranges that a program's accesses distinguish.
 *
 * Dependence is by overlapping bytes, but a state per byte would be slow.  Bytes that have only
 * been accessed together share a cell, and a cell is split when an access covers a part of it.
 * The halves start with the state of the whole, so the result is that of a state per byte.
 *
 * A large range takes few cells, however long it is: an aligned block of 8^k bytes (64 bytes to
 * 1 GiB) that was accessed as a whole is one cell.  A range of any length takes at most 14
 * cells per k.  A block that an access cuts through falls into its eight parts, and so on
 * downwards, only where the access ends.
 *
 * Invariants: cells are disjoint, and every cell is found under its first address.  A cell
 * either lies within an aligned word of 8 bytes or is an aligned block.  `divided` holds
 * exactly the blocks that contain smaller cells.  Cells live in tool memory and are never
 * removed: they hold the partition only, nothing of an execution. */
#ifndef HD_EXPLORE_ORDER_CELLS_H
#define HD_EXPLORE_ORDER_CELLS_H

#include "core/arena.h"
#include "core/op.h"

#include <stdbool.h>

struct hd_cell {
    uint64_t addr;
    uint32_t len;
    uint32_t pad;
};

struct hd_cells {
    struct hd_arena *arena;
    struct hd_cell *cells;
    uint32_t *table; /* index + 1, by hash of the address */
    uint32_t n, cap, table_size;
    uint64_t *divided; /* a hash set: block | k; 0: free */
    uint32_t n_divided, divided_size;
    /* `to` is a new cell that was cut off `from`: copy its state.  Also called with from == to
     * == n - 1 for a cell that is entirely new.  The owner must make room for n cells first. */
    void *owner;
    void (*added)(void *owner, uint32_t from, uint32_t to);
};

bool hd_cells_init(struct hd_cells *cells, struct hd_arena *arena, void *owner,
                   void (*added)(void *owner, uint32_t from, uint32_t to));

/* The cell that starts at `addr` and does not reach beyond `end`; made or split when needed.
 * Walk a range by adding its length to addr.  ~0u when memory is used up. */
uint32_t hd_cells_at(struct hd_cells *cells, uint64_t addr, uint64_t end);

/* Split blocks so that none reaches across `addr`. */
void hd_cells_cut(struct hd_cells *cells, uint64_t addr);

/* The slot of the table for an address. */
HD_HOT uint32_t hd_cells_slot(const struct hd_cells *c, uint64_t addr)
{
    uint32_t mask = c->table_size - 1;
    uint32_t i = (uint32_t)(addr * 0x9e3779b97f4a7c15ull >> 32) & mask;
    while (c->table[i] && c->cells[c->table[i] - 1].addr != addr)
        i = (i + 1) & mask;
    return i;
}

/* The cell [addr, addr + len); ~0u if there is no such cell, or several. */
HD_HOT uint32_t hd_cells_exact(const struct hd_cells *c, uint64_t addr, uint32_t len)
{
    uint32_t found = c->table[hd_cells_slot(c, addr)];
    return found && c->cells[found - 1].len == len ? found - 1 : ~0u;
}

/* Write the cells into a work unit, or read them (loop/filter.h) into a structure that has none
 * yet; `added` makes room for the state of each. */
struct hd_pack;
void hd_cells_pack(struct hd_cells *cells, struct hd_pack *p);

/* The cell that begins at `addr`; ~0u: none does. */
uint32_t hd_cells_find(const struct hd_cells *cells, uint64_t addr);

#endif
