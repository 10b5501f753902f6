/* Bump allocation of tool memory, which no rollback touches.  Memory comes zeroed and 16-byte
 * aligned, and is never freed: an arena goes as a whole. */
#ifndef HD_CORE_ARENA_H
#define HD_CORE_ARENA_H

#include <stdint.h>

struct hd_arena {
    char *base;
    uint64_t used, size;
};

/* NULL when the arena is used up. */
void *hd_arena_take(struct hd_arena *arena, uint64_t bytes);

/* The memory is no longer needed: its whole pages go back to the system.  Its addresses are not
 * handed out again. */
void hd_arena_give_back(void *memory, uint64_t bytes);

#endif
