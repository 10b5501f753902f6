/* Futures: for every local state of a thread (its stack, registers, next action) everything
 * that the thread, and threads that it created, were seen to be about to touch from there on,
 * over all executions.
 *
 * In a loop over objects, a point of the code tells only that any of them may come; a local
 * state tells which are left.
 *
 * Invariants (hd_futures_check, hd_futures_check_relied):
 *  F1  what a thread is about to touch at a node is in the future of its local state there
 *  F2  where a step has led a thread from one local state to another, whoever made the step,
 *      the future of the second is in that of the first; so is that of a thread in the state in
 *      which its creator made it
 *  F3  a step that was taken alone at a node because no future there conflicts with it is known
 *      to those futures; when one grows by something that does, `broken` is called:
 *      with the node's depth while it is on the path, with HD_FUTURES_LEFT if it has been left
 *
 * So if a thread stands in a local state at a node, and comes to touch something at a node
 * that has been explored after it, that is in the future of the state: what persistent_set.h
 * asks for. */
#ifndef HD_EXPLORE_STATES_FUTURES_H
#define HD_EXPLORE_STATES_FUTURES_H

#include "core/touch.h"
#include "explore/loop/explorer.h"
#include "explore/states/intern.h"

#define HD_FUTURES_LEFT (~0u)
#define HD_FUTURES_MOST 4096u /* different touches; 0 is none */

struct hd_futures_touch { /* a thread is about to touch something */
    struct hd_touch ranges[2];
    uint64_t locks;
    uint32_t thread, n;
};

struct hd_futures_set {
    uint64_t *w;
    uint32_t words;
};

struct hd_futures_local {
    struct hd_futures_set touches; /* its future */
    struct hd_futures_set
        relied;       /* what others did alone at nodes that are no longer on the path */
    uint32_t before;  /* newest edge to it + 1 */
    uint32_t on_path; /* nodes of the path at which a step relied on it */
};

struct hd_futures_edge {
    uint32_t from, next;
};

struct hd_futures_node { /* by depth */
    uint64_t first; /* its local states by thread begin there, in `pool`; 0: no such thread */
    uint32_t n;
    uint32_t relies;   /* on futures, with this touch; 0: not */
    struct hd_tset on; /* the futures of these threads */
};

struct hd_futures {
    struct hd_explorer *ex;
    void (*broken)(void *self, uint32_t depth);
    void *self;
    bool off; /* memory is used up: futures are no longer valid */
    struct hd_intern names, touches, edge_names;
    struct hd_futures_touch *touch; /* by number */
    uint64_t (*conflicts)[HD_FUTURES_MOST / 64];
    struct hd_futures_local *locals; /* by number */
    struct hd_futures_edge *edges;
    uint32_t *work;
    struct hd_futures_node *at;
    uint32_t *pool;
    uint32_t n_edges, n_nodes;
};

bool hd_futures_init(struct hd_futures *f, struct hd_explorer *ex);

/* The search has come to a new node, whose depth is the path's.  Then, for every live thread:
 * what it is about to do, and the locks that it holds or waits for. */
void hd_futures_come_to(struct hd_futures *f);
void hd_futures_stands(struct hd_futures *f, uint32_t thread, const struct hd_action *next,
                       uint64_t locks);

/* May a thread that is not stuck, or one that such a thread creates, touch what the action of
 * `thread`, which holds the locks, touches?  If not, *as is what to rely on. */
bool hd_futures_meet(struct hd_futures *f, uint32_t thread, const struct hd_action *action,
                     uint64_t locks, const struct hd_tset *stuck, uint32_t *as);

/* At the new node a step is taken alone, for that reason. */
void hd_futures_rely(struct hd_futures *f, const struct hd_tset *stuck, uint32_t as);

/* The search leaves the node; `alone`: its step was still taken alone. */
void hd_futures_leave(struct hd_futures *f, uint32_t depth, bool alone);

/* NULL, or the invariant that does not hold at the new node: F1 and F2 for a thread that stands
 * there, for all paths that have led to its state; F3 for steps that were taken alone at a node
 * of the path, or at a node that was left and on which these rely. */
const char *hd_futures_check(struct hd_futures *f, uint32_t thread, const struct hd_action *next,
                             uint64_t locks);
const char *hd_futures_check_relied(const struct hd_futures *f, uint32_t depth);

/* Everything is explored again: forget what was relied on. */
void hd_futures_again(struct hd_futures *f);

/* Write them into a work unit, or read them (loop/filter.h). */
void hd_futures_pack(struct hd_futures *f, struct hd_pack *p);

#endif
