/* Fair cycles in a graph of states: those in which every thread that can move somewhere on the
 * cycle moves on it.
 *
 * An edge is a sequence of steps from one state to another.  `movers` are the threads of these
 * steps, `enabled` those that could move in a state along it. */
#ifndef HD_EXPLORE_STATES_FAIR_CYCLES_H
#define HD_EXPLORE_STATES_FAIR_CYCLES_H

#include "explore/loop/explorer.h"

struct hd_fair_edge {
    uint32_t from, to; /* states, from 0 */
    uint32_t first, n; /* its steps, wherever the caller keeps them */
    uint64_t movers, enabled;
    uint32_t excused; /* a fair cycle through it is no livelock */
};

struct hd_fair_sum {    /* of a component */
    uint64_t can, does; /* threads that can move somewhere; threads that move */
};

struct hd_fair {
    uint32_t most_states, most_edges;
    uint32_t *part;   /* by state: its component; 0: none any longer */
    uint32_t *index;  /* by state: order in which it was met, 0: not yet */
    uint32_t *low;    /* by state */
    uint32_t *stack;  /* of Tarjan's algorithm; the queue of a search for a way */
    uint32_t *calls;  /* of the same: states that are being looked at */
    uint32_t *next;   /* by state: which of its edges comes next; the edge that led to it */
    uint32_t *begin;  /* by state, and one more: where its edges begin in `order` */
    uint32_t *order;  /* edges, by the state they leave */
    uint8_t *dropped; /* by edge: excused, or a thread that never moves is enabled */
    struct hd_fair_sum *sums; /* by component */
    uint32_t *walk;           /* edges: see hd_fair_find */
    uint32_t n_walk, n_stem;
};

bool hd_fair_init(struct hd_fair *f, struct hd_arena *arena, uint32_t states, uint32_t edges);

/* The graph has n states, the first of which is the entry, with the threads that can move in
 * each (`enabled`, by state), and m edges.  If there is a fair cycle: true, and walk[0 ..
 * n_stem) are the edges of a path to it, walk[n_stem .. n_walk) those of the cycle. */
bool hd_fair_find(struct hd_fair *f, const uint64_t *enabled, uint32_t n,
                  const struct hd_fair_edge *edges, uint32_t m);

#endif
