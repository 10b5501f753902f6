/* What the files of the solver share. */
#ifndef HD_ANALYSE_SOLVER_INTERNAL_H
#define HD_ANALYSE_SOLVER_INTERNAL_H

#include "analyse/bits.h"
#include "analyse/solver.h"

enum hd_constraint_kind { HD_LOAD, HD_STORE, HD_MOVE, HD_SMEAR, HD_WATCH };

struct hd_constraint {
    uint32_t next; /* of the same node; 0: none */
    uint32_t other;
    uint32_t extra; /* LOAD, STORE: bytes; MOVE: index of the move */
    enum hd_constraint_kind kind;
};

struct hd_node {
    struct hd_bits set;
    struct hd_bits fresh; /* of the set: what was not passed on yet */
    uint32_t n;           /* size of the set */
    uint32_t limit;       /* the size at which it is looked at again for what can go */
    uint32_t *to;         /* copy edges */
    uint32_t n_to, to_room;
    uint32_t parent; /* itself, or the node that it was merged into */
    uint32_t constraints;
    uint32_t position;      /* in the order in which nodes are handled */
    uint32_t list;          /* of the set's members, in hd_solver.lists */
    uint32_t list_of;       /* the generation that the list is of */
    bool unknown;           /* the unknown is in the set */
    bool large, very_large; /* it does not name escaped objects; nor escaped functions */
};

/* The members of one or more equal sets, one after the other. */
struct hd_members {
    uint32_t *items, n;
    uint32_t node; /* whose set it is */
};

struct hd_solver {
    struct hd_objects *objects;
    struct hd_node *nodes;
    uint32_t n, room;
    struct hd_constraint *constraints;
    uint32_t n_constraints, constraint_room;
    struct hd_offset *moves;
    uint32_t n_moves, move_room;
    struct hd_u64map edges, words;
    uint32_t *order;   /* by position: node */
    uint64_t *pending; /* by position: it has fresh members */
    uint32_t n_order, order_room, n_pending;
    struct hd_bits_row escaped; /* locations of escaped objects */
    struct hd_bits_row unnamed; /* the same without functions */
    uint32_t n_seen;            /* locations that the two rows know of */
    struct hd_bits scratch;
    uint32_t merged, n_edges, edges_at_search;
    uint64_t work, budget;
    struct hd_members *lists;
    uint32_t n_lists, list_room;
    uint32_t generation;      /* of lists: a change of any set begins another */
    struct hd_u64map list_of; /* hash of a set -> list */
    bool coarse;
    hd_solver_watch_fn watch;
    void *context;
};

static inline uint32_t hd_solver_find(struct hd_solver *s, uint32_t node)
{
    while (s->nodes[node].parent != node) {
        s->nodes[node].parent = s->nodes[s->nodes[node].parent].parent;
        node = s->nodes[node].parent;
    }
    return node;
}

/* The node has fresh members. */
void hd_solver_push(struct hd_solver *s, uint32_t node);

/* The set has grown: what the unknown stands for is dropped from large ones. */
void hd_solver_trim(struct hd_solver *s, uint32_t node);

/* Cycles of copy edges become one node, and nodes are put in topological order
 * (solver_cycles.c). */
void hd_solver_order(struct hd_solver *s);

#endif
