/* A list of records for every cell (cells.h).  When a cell is split, its second half begins
 * with a copy of the list.  Records are never removed one by one. */
#ifndef HD_EXPLORE_ORDER_CELL_LISTS_H
#define HD_EXPLORE_ORDER_CELL_LISTS_H

#include "explore/order/cells.h"

#include <stddef.h>

struct hd_cell_record { /* the head of every record */
    uint32_t next;      /* of the same cell: index + 1 */
};

struct hd_cell_lists {
    struct hd_arena *arena;
    struct hd_cells cells;
    uint32_t *heads; /* by cell: index + 1 of its newest record */
    uint32_t n_heads;
    uint8_t *records;
    uint32_t n, room, bytes; /* bytes: of a record */
    bool full;               /* memory is used up: the contents are no longer valid */
};

bool hd_cell_lists_init(struct hd_cell_lists *l, struct hd_arena *arena, uint32_t record_bytes);

/* Empty all lists. */
void hd_cell_lists_forget(struct hd_cell_lists *l);

/* Put a copy of the record at the head of the cell's list. */
void hd_cell_lists_push(struct hd_cell_lists *l, uint32_t cell, const void *record);

/* The cell at `addr`, as hd_cells_at().  ~0u: memory is used up, and l->full says so. */
uint32_t hd_cell_lists_at(struct hd_cell_lists *l, uint64_t addr, uint64_t end);

/* Write the lists into a work unit, or read them (loop/filter.h).  `pack` handles a record
 * without its head. */
void hd_cell_lists_pack(struct hd_cell_lists *l, struct hd_pack *p,
                        void (*pack)(void *record, struct hd_pack *p));

/* The record of that index + 1; NULL for 0.  A push moves the records. */
static inline void *hd_cell_lists_record(const struct hd_cell_lists *l, uint32_t index)
{
    return index ? l->records + (uint64_t)(index - 1) * l->bytes : NULL;
}

#endif
