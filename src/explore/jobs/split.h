/* One worker of several: which part of the tree it explores, and how it uses the shared nodes
 * above that part (docs/design/004-jobs.md).
 *
 * The nodes of the path above ex->marks.base are copies of nodes of the tree (shared_tree.h),
 * which belong to all workers.  Below it the explorer works as if it were alone.  In the copies
 * nothing is open, so that the search does not go there.  A filter that opens an alternative
 * there enters the node first (hd_split_enter). */
#ifndef HD_EXPLORE_JOBS_SPLIT_H
#define HD_EXPLORE_JOBS_SPLIT_H

#include "explore/jobs/shared_tree.h"

struct hd_split {
    struct hd_shared_tree *tree;
    uint32_t worker;            /* its number */
    bool working;               /* it has a part of the tree */
    bool starting;              /* the first step of that part may not be over yet */
    uint32_t entered;           /* how often: nested */
    bool waited;                /* for that part, until another worker gave it */
    bool by_units;              /* nothing below a part affects the nodes above it */
    uint64_t taken_at, gave_at; /* executions begun when we last took, and gave, a part */
    uint64_t looked_at;         /* the same for nodes that could be taken back */
    uint64_t changed_hands;     /* steps made when we last took, or gave, a unit */
    void *scratch;              /* a buffer for units */
    uint64_t scratch_bytes;
    uint32_t stopped_at; /* our place in tree->stopped_at, from 1; 0: none */
    struct hd_split_place {
        struct hd_shared_tree_node *node;
        uint64_t serial;
        uint32_t n_begun; /* alternatives of the node that had been begun at our last look */
    } *places;            /* by depth, of the nodes above ex->marks.base */
};

/* Make the explorer one of several.  False when memory is used up. */
bool hd_split_join(struct hd_explorer *ex, struct hd_shared_tree *tree, uint32_t worker);

/* Does this worker take alternatives in the reverse order?  (dfs.c says why.) */
bool hd_split_reverses(const struct hd_explorer *ex);

/* Before the program runs: wait until worker 0 has executed it once.  False if everything is
 * over. */
bool hd_split_await_first(const struct hd_worker_memory *shared, struct hd_shared_tree *tree,
                          uint32_t worker, bool has_unit);

/* At the root: take a part of the tree to explore.  False if there is none left. */
bool hd_split_begin(struct hd_explorer *ex);

/* After an execution: give other workers something if they have nothing to do. */
void hd_split_feed(struct hd_explorer *ex);

/* Our part has been explored, or we were stopped while waiting for one: take another.  Returns
 * the depth to go back to, -1 when there is none left. */
int64_t hd_split_next(struct hd_explorer *ex);

/* Iterative bounding: our part is one of the bound that all are at. */
void hd_split_adopt_bound(struct hd_explorer *ex);

/* The same, with the lock held, when our part is over: note whether the bound cut something
 * off in it; and when it was the last part: if the next bound can have more, its root is our
 * part. */
void hd_split_note_dropped(struct hd_explorer *ex);
bool hd_split_next_bound(struct hd_explorer *ex);

/* The first step of our part has not ended the execution. */
void hd_split_survived(struct hd_explorer *ex);

/* May node `depth` be changed by others? Between enter and leave it is ours, and its copy on
 * the path up to date and open to changes. */
static inline bool hd_split_is_common(const struct hd_explorer *ex, uint32_t depth)
{
    return depth < ex->marks.base;
}
void hd_split_enter(struct hd_explorer *ex, uint32_t depth);
void hd_split_leave(struct hd_explorer *ex, uint32_t depth);

/* Threads whose alternatives other workers have begun at node `depth` after ours: they are
 * asleep in every part that is begun later. */
void hd_split_begun(const struct hd_explorer *ex, uint32_t depth, struct hd_tset *set);

/* The wakeup tree of a common node; entered. */
struct hd_wakeup *hd_split_wakeup(const struct hd_explorer *ex);
uint32_t *hd_split_branches(const struct hd_explorer *ex, uint32_t depth);

/* Does the execution that has ended count, or have all workers together made enough? */
bool hd_split_counts(struct hd_explorer *ex);

/* Is this trace (observation) new to all workers? */
bool hd_split_new_trace(struct hd_explorer *ex, const uint64_t key[2]);
bool hd_split_new_observation(struct hd_explorer *ex, uint64_t key);

/* Worker 0 makes room for the states, if the search stores them. */
bool hd_split_make_states(struct hd_explorer *ex, struct hd_shared_tree *tree);

/* Add the state `key` to those that the workers have visited.  The rank of a state is the
 * number of steps on the path on which it was added, and one. */
enum hd_claim hd_split_claim(struct hd_explorer *ex, const uint64_t key[2],
                             struct hd_state_tag *tag);

/* The size of the table of states; 0 if there is none.  The state will be claimed there. */
uint64_t hd_split_states_bytes(const struct hd_explorer *ex);
void hd_split_prefetch(const struct hd_explorer *ex, const uint64_t key[2]);

/* A step leads from one of these states to another.  Has there been one that may be part of a
 * cycle, while steps are not noted?  Then they have to be, from the begin on. */
void hd_split_note_edge(struct hd_explorer *ex, const struct hd_state_tag *from,
                        const struct hd_state_tag *to);
bool hd_split_lacks_steps(const struct hd_explorer *ex);

/* A step leads to a state of our own path.  Is it known that states form a cycle?  When
 * everything has been explored, it is. */
void hd_split_cyclic(struct hd_explorer *ex);
bool hd_split_is_cyclic(const struct hd_explorer *ex);
void hd_split_find_cycle(struct hd_explorer *ex);

/* The exploration ends for all. */
void hd_split_stop(struct hd_explorer *ex);

/* The approximate number of executions that all workers have begun. */
uint64_t hd_split_executions(const struct hd_explorer *ex);

/* The id of a thread that is new to this worker; HD_MAX_THREADS if there are too many.  Adds it
 * to shared->threads. */
uint32_t hd_split_name(struct hd_explorer *ex, uint32_t parent, uint32_t nth);

/* split_unit.c: do the steps since we took or gave a unit pay for the way to the next one? */
bool hd_split_unit_pays(const struct hd_explorer *ex);

/* Give the open alternatives of node `depth` away as a unit.  False when there is
 * no room for it. */
bool hd_split_give_unit(struct hd_explorer *ex, uint32_t depth);

/* Of a worker that is to stop, between two executions: give all open alternatives of its
 * part away as units, as far as there is room (of a search whose units have no order); and,
 * after the search has turned to the next execution, what is left. */
void hd_split_scatter(struct hd_explorer *ex);
bool hd_split_give_rest(struct hd_explorer *ex);

/* hd_split_fetch, with the lock held: take a unit that waits for a worker; returns its length,
 * 0 if there is none. hd_split_read_unit, without the lock: go on with it; false if it contains
 * nothing to explore, or ex->error says what is wrong with it. */
uint64_t hd_split_fetch(struct hd_explorer *ex);
bool hd_split_read_unit(struct hd_explorer *ex, uint64_t n);

/* Write the place of a worker in the tree into a work unit, or read it (unit.h).  Of several
 * stopped workers the first writes last and reads first: its unit holds the tree. */
void hd_split_pack(struct hd_explorer *ex, struct hd_pack *p);

/* Do the nodes of the path above our part fit those of the tree? */
bool hd_split_fits(const struct hd_explorer *ex);

#endif
