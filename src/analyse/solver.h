/* Inclusion constraints over sets of locations, and their least solution (Andersen), by
 * propagating differences along copy edges in topological order; cycles of edges become one
 * node (wave propagation; solver_cycles.c).
 *
 * A node is a set.  Every object has nodes for what its words hold, made when they are first
 * used.
 *
 * The unknown (location 0) stands for memory of unknown code and for every escaped
 * object: what such code may do is then that escaped objects hold the unknown, and that all
 * they hold has escaped.  Node HD_ESCAPE holds what escapes.
 *
 * A set that holds the unknown therefore says nothing more by holding an escaped object too,
 * and large sets leave such objects out: two solutions mean the same if their sets agree about
 * the unknown and about objects that have not escaped.
 *
 * Past a budget of work the answer is that everything has escaped and that every pointer may be
 * the unknown, which satisfies all constraints. */
#ifndef HD_ANALYSE_SOLVER_H
#define HD_ANALYSE_SOLVER_H

#include "analyse/objects.h"

enum { HD_NO_NODE = 0, HD_ESCAPE = 1 };

struct hd_solver;

/* Called for every pair of a watched node and a location in it; of some more than once. */
typedef void (*hd_solver_watch_fn)(void *context, uint32_t watch, uint32_t location);

struct hd_solver *hd_solver_create(struct hd_objects *objects);
void hd_solver_destroy(struct hd_solver *solver);

uint32_t hd_solver_node(struct hd_solver *solver); /* a new, empty one */

/* Each of these does nothing when a node is HD_NO_NODE. */
void hd_solver_add(struct hd_solver *solver, uint32_t node, uint32_t location);
void hd_solver_copy(struct hd_solver *solver, uint32_t from, uint32_t to);
/* 0 bytes: an unknown number. */
void hd_solver_load(struct hd_solver *solver, uint32_t pointer, uint32_t to, uint64_t bytes);
void hd_solver_store(struct hd_solver *solver, uint32_t pointer, uint32_t from, uint64_t bytes);
void hd_solver_move(struct hd_solver *solver, uint32_t from, uint32_t to,
                    const struct hd_offset *by);
/* Arithmetic: anywhere in the same objects. */
void hd_solver_smear(struct hd_solver *solver, uint32_t from, uint32_t to);
void hd_solver_watch(struct hd_solver *solver, uint32_t node, uint32_t watch);

/* The node of what a word of the object holds, for initial values. */
void hd_solver_hold(struct hd_solver *solver, uint32_t location, uint64_t bytes, uint32_t from);

void hd_solver_run(struct hd_solver *solver, hd_solver_watch_fn watch, void *context);

/* At most that much work, counted in blocks of 64 locations that were looked at. */
void hd_solver_limit(struct hd_solver *solver, uint64_t budget);

/* Was the budget too small? */
bool hd_solver_is_coarse(const struct hd_solver *solver);

/* The solution: the locations of a node, in no order; valid until the next change. */
const uint32_t *hd_solver_get(struct hd_solver *solver, uint32_t node, uint32_t *n);

/* All that the object may hold. */
const uint32_t *hd_solver_held(struct hd_solver *solver, uint32_t object, uint32_t *n);

struct hd_solver_stats {
    uint32_t nodes, merged, edges;
    uint64_t elements; /* in the sets of all nodes */
    uint64_t work;
    bool coarse;
};
struct hd_solver_stats hd_solver_stats(const struct hd_solver *solver);

#endif
