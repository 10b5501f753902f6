/* Fast paths: most new nodes have one alternative, and a filter that knows it may take the step
 * without the general loop (decide.c).
 *
 * A filter that wants this answers the questions of `struct hd_fast_filter` and instantiates
 * the functions of fast_path_for.h with it, which gives a `struct hd_fast_path`.  The explorer
 * calls that table; the filter's answers are inlined into it.  The table is used while no other
 * filter is told of steps and no check is told of accesses to memory.  A watched
 * exploration (digests, --paranoid) takes the same paths, with every step digested or checked.
 *
 * Three things are saved:
 *
 *  - The node lists one alternative.  The others are listed when something is opened there
 *    (path.h).
 *  - The filter is told of the end of a thread, and of a join, only when another step follows:
 *    an execution mostly ends with a lot of both, which race with nothing and order nothing any
 *    more.  (What the filter knows of the last step that it was told of holds after them, too.)
 *    Where a filter keeps nothing but the order of accesses to memory, it is told of them later
 *    as well, but before the execution is over (marks.notify_until).
 *  - For joins in a row even the nodes are made later, when another step follows: nothing
 *    between two of them needs a decision.  The world notes them at the nodes that they would
 *    get; shared->depth counts them, path.depth does not. */
#ifndef HD_EXPLORE_LOOP_FAST_PATH_H
#define HD_EXPLORE_LOOP_FAST_PATH_H

#include <stdbool.h>
#include <stdint.h>

struct hd_action;
struct hd_explorer;
struct hd_node;

struct hd_fast_filter {
    /* As in struct hd_filter.  `single` may also answer HD_STATE_MET: the state of the new node
     * has been visited, so the execution ends there. */
    bool (*goes_on)(void *self, struct hd_explorer *ex, uint32_t thread);
    uint32_t (*single)(void *self, struct hd_explorer *ex);
    /* A filter that keeps nothing of steps has neither this nor what follows, but for
     * `can_wait`. */
    void (*ran)(void *self, struct hd_explorer *ex, uint32_t depth);
    /* `ran` for steps [from, to).  Returns true if steps after `to`, which were left out, must
     * be told as well. */
    bool (*heard)(void *self, struct hd_explorer *ex, uint32_t from, uint32_t to);
    /* May `ran` be called later for the step at the new node, though before the execution is
     * over? */
    bool (*can_wait)(const void *self, const struct hd_explorer *ex, const struct hd_action *a);
    /* The step at the new node is the end of a thread, or joins one: may `ran` be called for it
     * and for others like it later, when something else follows, and not at all when nothing
     * does? If so, no thread sleeps after it. */
    bool (*can_be_left_out)(void *self, struct hd_explorer *ex, const struct hd_action *a);
    /* The same for the end of the running thread, enabled, which may also be taken without a
     * decision.  False if that is not known. */
    bool (*exits)(void *self, const struct hd_explorer *ex, uint32_t thread);
    /* The step before was one that can be left out, and now its thread, enabled, joins another:
     * may it go on, and this step be left out, too? */
    bool (*joins_on)(void *self, const struct hd_explorer *ex);
    /* No thread but that of the last step can move, and it comes to an access to memory, of
     * which the filter need not be told: may it go on?  False is no answer: `goes_on` is
     * asked.  NULL: it always is. */
    bool (*goes_on_alone)(void *self, const struct hd_explorer *ex, uint32_t depth);
};

struct hd_fast_path {
    /* Take the step of the single thread that is admitted at the new node.  HD_NO_SINGLE: all
     * alternatives must be looked at.  HD_STATE_MET: none is admitted. */
    uint32_t (*take_single)(struct hd_explorer *ex);
    /* hd_explorer_fast_path, _exits, _row and _row_over in explorer.h.  `go_on` answers 0 or 1
     * as a number, which may be that of a function that it calls last. */
    uint32_t (*go_on)(struct hd_explorer *ex, uint32_t thread);
    /* The same for up to 64 threads of which no other can move. */
    uint32_t (*go_on_alone)(struct hd_explorer *ex, uint32_t thread);
    bool (*exits)(struct hd_explorer *ex, uint32_t thread);
    bool (*may_row)(struct hd_explorer *ex);
    void (*row_over)(struct hd_explorer *ex);
    /* Tell the filter of the steps that it has not been told of: [notified, to). */
    void (*notify)(struct hd_explorer *ex, uint32_t to);
};

/* The normal table, the one for an exploration that is watched, and the one for more than 64
 * threads, watched or not, which may be empty. */
struct hd_fast_paths {
    struct hd_fast_path plain, watched, many;
};

#endif
