/* A set of visited states, each a tuple of words with its hash.
 *
 * Exact: tuples are stored and compared in full.  Otherwise only the hashes are kept, and two
 * states may be confused.
 *
 * With a limit it is a cache (SCALE 4.2.1): a place is chosen by the hash among WAYS, and when
 * all of them are taken the oldest state there is forgotten.  Forgetting costs work, never a
 * wrong answer; so does a full arena, after which nothing is stored any more. */
#ifndef HD_EXPLORE_STATES_STATE_SET_H
#define HD_EXPLORE_STATES_STATE_SET_H

#include "core/arena.h"

#include <stdbool.h>

struct hd_state_set {
    struct hd_arena *arena;
    bool exact, full;
    uint64_t *table; /* 0: free; hashes, or stored tuples with 24 bits of their hash on top */
    uint64_t size;   /* places */
    uint64_t n;
    uint64_t limit;  /* 0: the table grows */
    uint8_t *turn;   /* cache: by set, the way that is replaced next */
    uint32_t *slots; /* exact cache: room for a tuple by place */
    char *store;     /* exact, growing: tuples */
    uint64_t store_used, store_size;
};

/* `limit`: most states kept, 0 for no bound. */
bool hd_state_set_init(struct hd_state_set *set, struct hd_arena *arena, bool exact,
                       uint64_t limit);

bool hd_state_set_has(const struct hd_state_set *set, const uint32_t *key, uint32_t words,
                      uint64_t hash);

/* Returns whether the state is new. */
bool hd_state_set_add(struct hd_state_set *set, const uint32_t *key, uint32_t words,
                      uint64_t hash);

/* Write the set into a work unit, or read it (loop/filter.h) into an empty one with the same
 * limit. */
struct hd_pack;
void hd_state_set_pack(struct hd_state_set *set, struct hd_pack *p);

#endif
