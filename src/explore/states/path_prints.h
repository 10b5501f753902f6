/* The fingerprints of states along the path.  That of a state is the xor of
 *   - the world's hash of memory, changed by what has been written since the last node of the
 *     path that was looked at;
 *   - a hash of the local state of every live thread, its next action included, hashed again
 *     when it has moved since then or somebody has written on its stack. */
#ifndef HD_EXPLORE_STATES_PATH_PRINTS_H
#define HD_EXPLORE_STATES_PATH_PRINTS_H

#include "explore/loop/explorer.h"
#include "explore/states/fingerprint.h"

struct hd_pack;

struct hd_print_at { /* of the nodes of the path whose state was computed */
    struct hd_fingerprint memory;
    struct hd_fingerprint locals; /* of all live threads: the xor */
    uint32_t depth;
    uint32_t n_threads;
    uint32_t n_before; /* of `before`, without its own */
    bool unknown;
};

struct hd_local_before { /* a thread's local state before a node at which it was another */
    struct hd_fingerprint print;
    uint64_t thread;
};

struct hd_path_prints {
    struct hd_print_at *at;
    uint32_t n_at;
    struct hd_fingerprint local[HD_MAX_THREADS]; /* at the last of those nodes; 0: not live */
    struct hd_local_before *before;
    uint32_t n_before;
};

/* False: there is not enough memory. */
bool hd_path_prints_init(struct hd_path_prints *s, struct hd_arena *arena);

/* The fingerprint of the new node's state, from that of the last node before it that has one.
 * False: the state cannot be distinguished from others. */
bool hd_path_prints_look(struct hd_path_prints *s, const struct hd_explorer *ex,
                         struct hd_fingerprint *print);

/* Nodes from `depth` on are no longer on the path. */
static inline void hd_path_prints_leave(struct hd_path_prints *s, uint32_t depth)
{
    while (s->n_at && s->at[s->n_at - 1].depth >= depth) {
        uint32_t to = s->at[--s->n_at].n_before;
        while (s->n_before > to) {
            const struct hd_local_before *b = &s->before[--s->n_before];
            s->local[b->thread] = b->print;
        }
    }
}

/* The next fingerprint is computed from the root on. */
void hd_path_prints_clear(struct hd_path_prints *s);

/* Pack the fingerprints at nodes of the path, and the changes of the threads' local states. */
void hd_path_prints_pack(struct hd_path_prints *s, struct hd_explorer *ex, struct hd_pack *p);

#endif
