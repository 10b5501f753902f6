/* The nodes that several workers share: every node whose alternatives may be explored by more
 * than one of them, and all nodes above it.
 *
 * Invariants, with the lock held (shared_tree_check.c):
 *  T1  alternatives [0, n_begun) are explored or being explored, [n_begun, n_open) may be taken
 *      by any worker, in this order; [n_open, n_allowed) a reduction may open
 *  T2  n_running of the begun ones are not over: each has a worker, or a node, below it
 *  T3  at most one is `starting`: it is not known yet whether its first step breaks the
 *      program, which decides the sleep sets of its siblings; none takes the next meanwhile
 *  T4  a node is in the list of open ones iff n_begun < n_open
 *  T5  n_running is 0 and nothing is open: the node is over, and gone
 *  T6  with wakeup trees: a thread asleep in a part that is being explored is so because of an
 *      alternative that is over: what was learnt from it is in the tree of that part */
#ifndef HD_EXPLORE_JOBS_SHARED_TREE_H
#define HD_EXPLORE_JOBS_SHARED_TREE_H

#include "core/shared_tree.h"
#include "explore/jobs/state_edges.h"
#include "explore/jobs/state_table.h"
#include "explore/loop/explorer.h"

struct hd_wakeup;

#define HD_MAX_STOPPED (HD_MAX_JOBS + HD_MAX_UNITS)

struct hd_shared_tree_node {
    struct hd_shared_tree_node *parent;        /* NULL: the root */
    struct hd_shared_tree_node *next, *before; /* in the list of open ones, or of free ones */
    uint64_t serial;                           /* memory is reused, serial numbers are not */
    uint32_t depth;
    uint32_t at; /* which alternative of the parent led here */
    uint32_t n_alts, n_open, n_allowed, n_begun, n_running;
    uint32_t last;
    bool starting;
    uint32_t alts_class; /* size class of alts */
    struct hd_shared_tree_alt {
        uint32_t step; /* HD_STEP_PACK(thread, choice) */
        uint32_t over; /* of those begun */
        struct hd_action action;
    } *alts;
    struct hd_tset wakeful, failed; /* sleep.h */
    uint32_t branches;              /* wakeup.h: what is to be explored, in tree->wakeup */
    uint32_t number;                /* in a work unit, from 1; 0: it is not there yet */
};

/* A set of 128-bit keys that all workers fill. */
struct hd_shared_tree_set {
    uint64_t (*table)[2];
    uint64_t size, n;
};

struct hd_shared_tree {
    struct hd_shared_tree_head head;
    struct hd_arena arena;
    uint64_t serial;
    uint32_t n_nodes; /* that are not over */
    uint32_t loose;   /* parts below no shared node: being explored, or in waiting units */
    struct hd_shared_tree_node *open; /* those that have something open */
    struct hd_shared_tree_node *free;
    struct hd_shared_tree_alts {
        struct hd_shared_tree_alts *next;
    } *free_alts[32];         /* by size class */
    bool in_order;            /* T6 holds */
    bool dropped;             /* iterative bounding: the bound has cut something off */
    uint32_t bound;           /* the same: that is being explored */
    struct hd_wakeup *wakeup; /* the branches of all nodes */
    struct hd_shared_tree_set traces, observations;
    struct hd_state_table states; /* of a search that stores them; n_groups 0: none */
    struct hd_state_edges edges;  /* between these, if livelocks are looked for */
    uint32_t cyclic;              /* states form a cycle; they may */
    uint32_t suspect;
    /* for parts in work units: the lowest node above each; NULL if the entry is free */
    struct hd_shared_tree_node *stopped_at[HD_MAX_STOPPED];
};

/* Called by worker 0 before the others use the tree; `memory` is zeroed except for the head. */
bool hd_shared_tree_init(struct hd_shared_tree *tree, uint64_t bytes);

void hd_shared_tree_lock(struct hd_shared_tree *tree, uint32_t worker);
void hd_shared_tree_unlock(struct hd_shared_tree *tree);

/* The following functions need the lock. */

/* A node with room for n alternatives; NULL when memory is used up. */
struct hd_shared_tree_node *hd_shared_tree_node(struct hd_shared_tree *tree, uint32_t n_alts);

/* Wake the workers that wait for work if something can be taken from the node (NULL: from any
 * node).  A worker that is woken without need disturbs the others. */
void hd_shared_tree_offer(struct hd_shared_tree *tree, const struct hd_shared_tree_node *node);

/* The node has n more open alternatives than before. */
void hd_shared_tree_opened(struct hd_shared_tree *tree, struct hd_shared_tree_node *node,
                           uint32_t n);

/* Take the next open alternative of the node, and return its index. */
uint32_t hd_shared_tree_take(struct hd_shared_tree *tree, struct hd_shared_tree_node *node);

/* A node that something can be taken from: the nearest above `from` (may be NULL), otherwise
 * the one nearest to the root; NULL when there is none. */
struct hd_shared_tree_node *hd_shared_tree_pick(const struct hd_shared_tree *tree,
                                                struct hd_shared_tree_node *from);

/* Alternative `at` of the node has been explored.  Returns the node, or the next above it that
 * is not over; NULL if the whole tree is over. */
struct hd_shared_tree_node *hd_shared_tree_over(struct hd_shared_tree *tree,
                                                struct hd_shared_tree_node *node, uint32_t at);

/* The node belongs to one worker again: it is removed, and its parent has that worker below
 * it. */
void hd_shared_tree_reclaim(struct hd_shared_tree *tree, struct hd_shared_tree_node *node);

/* NULL, or the invariant that does not hold at `from`, at a node of the list, or above one. */
const char *hd_shared_tree_check(const struct hd_shared_tree *tree,
                                 const struct hd_shared_tree_node *from);

/* The same for taking the node's next open alternative now. */
const char *hd_shared_tree_check_turn(const struct hd_shared_tree *tree,
                                      const struct hd_shared_tree_node *node);

/* Add the key.  Returns whether it is new.  When memory is used up nothing is added. */
bool hd_shared_tree_set_add(struct hd_shared_tree *tree, struct hd_shared_tree_set *set,
                            const uint64_t key[2]);

/* These need no lock.  Wake the workers that wait for work; wake all that wait; wait a short
 * time for a change since `seen`. */
void hd_shared_tree_wake(struct hd_shared_tree *tree);
void hd_shared_tree_wake_all(struct hd_shared_tree *tree);
void hd_shared_tree_wait(struct hd_shared_tree *tree, uint32_t seen);

/* Write the tree into a work unit (unit.h), while all workers are stopped; read it into a new
 * tree. */
struct hd_pack;
void hd_shared_tree_pack(struct hd_shared_tree *tree, struct hd_pack *p);

#endif
