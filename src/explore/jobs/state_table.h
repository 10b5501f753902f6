/* The states that several workers have visited, in memory that all of them share
 * (docs/design/026-shared-states.md).  A state belongs to the worker that adds it, which
 * explores what follows it, or gives that away.
 *
 * Open addressing, one cache line after the other.  Nothing is ever removed or moved while
 * workers look, so adding needs no lock:
 *
 *  B1  a slot is free while `lo` is 0; a compare-and-swap of `lo` takes it, for good
 *  B2  `hi` is 0 until the tag has been written; who finds its own `lo` waits for `hi`
 *  B3  a key is in the first line, from its own on, in which it found a place
 *  B4  the table is replaced by a larger one only while no worker is `inside` */
#ifndef HD_EXPLORE_JOBS_STATE_TABLE_H
#define HD_EXPLORE_JOBS_STATE_TABLE_H

#include "core/arena.h"
#include "core/bitstate.h"
#include "core/shared_tree.h"

struct hd_pack;

enum hd_claim {
    HD_CLAIM_OURS,  /* the state was new */
    HD_CLAIM_KNOWN, /* somebody has added it before */
    HD_CLAIM_FULL,  /* there is no room */
};

struct hd_state_slot {
    uint64_t lo, hi;
};

struct hd_state_tag {
    uint32_t number;
    uint32_t rank; /* not 0 */
};

/* Slots and their tags side by side: both are needed, and mostly come from one page. */
#define HD_STATE_GROUP 8u
struct hd_state_group {
    struct hd_state_slot slots[HD_STATE_GROUP];
    struct hd_state_tag tags[HD_STATE_GROUP]; /* of each slot */
};

struct hd_state_table {
    struct hd_bitstate bits; /* instead of the slots, if there is such a table */
    struct hd_state_group *groups;
    uint64_t size;  /* slots, a power of two */
    uint64_t first; /* the size to begin with; 0: the usual one */
    uint32_t growing;
    _Alignas(64) uint64_t n; /* about so many are taken */
    uint32_t numbers;        /* all numbers of states are below */
    struct {
        _Alignas(64) uint32_t inside;
        uint32_t added;        /* that are not in `n` yet */
        uint32_t next, n_next; /* numbers that it may give */
    } workers[HD_MAX_JOBS];
};

/* False when memory is used up. */
bool hd_state_table_init(struct hd_state_table *t, struct hd_arena *arena);

/* Add the state `key`, with the rank of *tag and a number, for one worker; *tag becomes that of
 * the state that is there. */
enum hd_claim hd_state_table_claim(struct hd_state_table *t, uint32_t worker,
                                   const uint64_t key[2], struct hd_state_tag *tag);

/* Is it time for a larger table?  Make one; no other worker may do so meanwhile, nor use the
 * arena. */
bool hd_state_table_is_filled(const struct hd_state_table *t);
void hd_state_table_grow(struct hd_state_table *t, struct hd_arena *arena);

/* Write the states into a work unit, or read them into an empty table (core/pack.h).  Nobody
 * else uses the table. */
void hd_state_table_pack(struct hd_state_table *t, struct hd_arena *arena, struct hd_pack *p);

#endif
