/* The states that several workers have visited, in memory that all of them share
 * (docs/design/026-shared-states.md).  A state belongs to the worker that adds it, which
 * explores what follows it, or gives that away.
 *
 * Open addressing, one group of slots after the other.  The place of a key grows with a hash of
 * it, so a larger table has the states in the same order.  It is made in place: no page is
 * touched that the larger table does not need.  Nothing is removed or moved while workers
 * look, so adding needs no lock:
 *
 *  B1  a slot is free while `lo` is 0; a compare-and-swap of `lo` takes it, for good
 *  B2  `hi` is 0 until the number has been written; who finds its own `lo` waits for `hi`
 *  B3  a key is in the first group, from its own on, in which it found a place, and fewer than
 *      HD_STATE_FAR groups away from its own
 *  B4  states are moved only while no worker is `inside` */
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

struct hd_state_tag {
    uint32_t number; /* 0 in a table without numbers */
    uint32_t rank;   /* not 0 */
};

/* Of a key the low 16 bits of `hi` are not kept.  The rank is there instead, or HD_STATE_DEEP
 * if it is that or more. */
#define HD_STATE_DEEP 0xffffu
struct hd_state_slot {
    uint64_t lo, hi;
};

/* A cache line. */
#define HD_STATE_GROUP 4u
#define HD_STATE_FAR 512u
struct hd_state_group {
    _Alignas(64) struct hd_state_slot slots[HD_STATE_GROUP];
};

struct hd_state_table {
    struct hd_bitstate bits; /* instead of the slots, if there is such a table */
    struct hd_state_group *groups;
    uint32_t *number_of; /* by slot, if `numbered` */
    uint32_t numbered;
    uint64_t n_groups;
    uint64_t most;                /* groups that there is room for */
    uint64_t first;               /* groups to begin with; 0: as many as usual */
    struct hd_moved_state *moved; /* room for states while the table grows */
    uint32_t growing;
    _Alignas(64) uint64_t n; /* about so many are taken */
    uint32_t numbers;        /* all numbers of states are below */
    struct {
        _Alignas(64) uint32_t inside;
        uint32_t added;        /* that are not in `n` yet */
        uint32_t next, n_next; /* numbers that it may give */
    } workers[HD_MAX_JOBS];
};

/* The table may grow to most of the arena, which costs nothing before it is used.  False when
 * memory is used up. */
bool hd_state_table_init(struct hd_state_table *t, struct hd_arena *arena, bool numbered);

/* Do two keys belong to one state, as far as the table can tell? */
bool hd_state_table_same(const uint64_t a[2], const uint64_t b[2]);

/* The state is about to be claimed: fetch its group.  It is hardly ever in a cache. */
void hd_state_table_prefetch(const struct hd_state_table *t, const uint64_t key[2]);

/* Add the state `key`, with the rank of *tag and a number, for one worker; *tag becomes that of
 * the state that is there, of whose rank HD_STATE_DEEP is the most that is known. */
enum hd_claim hd_state_table_claim(struct hd_state_table *t, uint32_t worker,
                                   const uint64_t key[2], struct hd_state_tag *tag);

/* Is it time for a larger table?  Make it larger; no other worker may do so meanwhile. */
bool hd_state_table_is_filled(const struct hd_state_table *t);
void hd_state_table_grow(struct hd_state_table *t);

/* Write the states into a work unit, or read them into an empty table (core/pack.h).  Nobody
 * else uses the table. */
void hd_state_table_pack(struct hd_state_table *t, struct hd_pack *p);

#endif
