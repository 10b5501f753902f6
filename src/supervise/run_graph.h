/* The execution graph of a run that is over, from its log: which store each atomic load read,
 * and the modification order of every location (docs/design/019-graph.md has the terms).
 *
 * The steps are in an order that keeps program order and reads-from, because a load reads a
 * store that has been executed.  A step's choice is the number of stores that are newer, at
 * that moment, than the one that it reads or makes; runtime/weak.c counts in the same way. */
#ifndef HD_SUPERVISE_RUN_GRAPH_H
#define HD_SUPERVISE_RUN_GRAPH_H

#include "supervise/result.h"

#define HD_NO_STORE (~0u)

/* A store: an atomic one, a plain one into a location that is used atomically, or what the
 * location held when it was first used atomically. */
struct hd_graph_store {
    uint32_t step;     /* in the log, + 1; 0: nobody wrote it in the run */
    uint32_t place;    /* location */
    uint32_t position; /* in the modification order, from 0 */
};

/* An atomic access, or a plain store into a location that is used atomically. */
struct hd_graph_access {
    uint32_t step;
    uint32_t place;
    uint32_t reads;  /* the store that it reads, or HD_NO_STORE */
    uint32_t stores; /* the store that it makes, or HD_NO_STORE */
};

struct hd_graph_place {
    uint64_t object;
    uint32_t size;
    uint32_t *mo; /* its stores, from the oldest to the newest */
    uint32_t n_mo, room;
};

struct hd_run_graph {
    const struct hd_run *run;
    struct hd_graph_place *places;
    struct hd_graph_store *stores;
    struct hd_graph_access *accesses; /* in the order of steps */
    uint32_t n_places, n_stores, n_accesses;
    uint32_t room_places, room_stores, room_accesses;
};

/* False: the log does not say what happened, or it is too long.  Then there is nothing to
 * release. */
bool hd_run_graph_init(struct hd_run_graph *g, const struct hd_run *run);
void hd_run_graph_release(struct hd_run_graph *g);

/* The first access of the step; NULL: it has none. */
const struct hd_graph_access *hd_run_graph_access(const struct hd_run_graph *g, uint32_t step);

/* Positions in the modification order: where the access stands as a load and as a store. */
static inline uint32_t hd_graph_read_at(const struct hd_run_graph *g,
                                        const struct hd_graph_access *a)
{
    return g->stores[a->reads].position;
}

static inline uint32_t hd_graph_store_at(const struct hd_run_graph *g,
                                         const struct hd_graph_access *a)
{
    return g->stores[a->stores].position;
}

/* Of a load where it reads, of a store where it stands. */
static inline uint32_t hd_graph_stands(const struct hd_run_graph *g,
                                       const struct hd_graph_access *a)
{
    return a->reads != HD_NO_STORE ? hd_graph_read_at(g, a) : hd_graph_store_at(g, a);
}

/* Is one access before the other in eco, the order that coherence asks for?  (They are of the
 * same location.) */
bool hd_run_graph_eco(const struct hd_run_graph *g, const struct hd_graph_access *a,
                      const struct hd_graph_access *b);

#endif
