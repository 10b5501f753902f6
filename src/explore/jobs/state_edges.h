/* The steps between the states that several workers have visited: do they form a cycle?
 *
 * States have numbers.  Every worker notes its steps in memory of its own, and the last one
 * looks at all of them when everything has been explored.  A worker whose path comes back to a
 * state of that path knows before that there is a cycle. */
#ifndef HD_EXPLORE_JOBS_STATE_EDGES_H
#define HD_EXPLORE_JOBS_STATE_EDGES_H

#include "core/arena.h"
#include "core/shared_tree.h"

struct hd_pack;
struct hd_edge_chunk;

struct hd_state_edges {
    struct hd_edge_chunk *newest[HD_MAX_JOBS]; /* by worker */
    bool lost;                                 /* there was no room for one */
};

/* Is there room for an edge of the worker?  Otherwise make some; no other worker may use the
 * arena meanwhile. */
bool hd_state_edges_have_room(const struct hd_state_edges *e, uint32_t worker);
void hd_state_edges_make_room(struct hd_state_edges *e, uint32_t worker, struct hd_arena *arena);

/* Note a step between two states; if there is room. */
void hd_state_edges_add(struct hd_state_edges *e, uint32_t worker, uint32_t from, uint32_t to);

enum hd_cyclic { HD_CYCLIC_NOT, HD_CYCLIC, HD_CYCLIC_UNKNOWN };

/* Do the edges of all workers, between states below n, form a cycle?  All others wait. */
enum hd_cyclic hd_state_edges_cyclic(const struct hd_state_edges *e, uint32_t n,
                                     struct hd_arena *arena);

/* Write them into a work unit, or read them (core/pack.h). */
void hd_state_edges_pack(struct hd_state_edges *e, struct hd_arena *arena, struct hd_pack *p);

#endif
