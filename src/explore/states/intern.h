/* Interned byte strings: each is stored once and has a number; equal strings have equal
 * numbers, and only they. */
#ifndef HD_EXPLORE_STATES_INTERN_H
#define HD_EXPLORE_STATES_INTERN_H

#include "core/arena.h"

#include <stdbool.h>

struct hd_intern {
    struct hd_arena *arena;
    uint64_t *table; /* hash (24 bits) and place (40 bits, in units of 8 bytes); 0: free */
    uint64_t size;   /* a power of two */
    uint64_t n;
    char *store; /* where the next string goes */
    uint64_t store_left;
};

bool hd_intern_init(struct hd_intern *in, struct hd_arena *arena);

/* The string's number, from 1, and in *fresh whether it is new.  0: memory is used up. */
uint64_t hd_intern_add(struct hd_intern *in, const void *bytes, uint64_t n, bool *fresh);

/* Write the strings into a work unit, or read them (loop/filter.h) into an empty set.  Strings
 * have at most `longest` bytes. */
struct hd_pack;
void hd_intern_pack(struct hd_intern *in, struct hd_pack *p, uint64_t longest);

#endif
