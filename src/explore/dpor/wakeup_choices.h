/* Choices of a step (the waiter of a signal, the value of heddle_choose) under optimal.
 *
 * Where no thread sleeps all choices of a thread are opened together.  Where one does, only
 * what a wakeup sequence asks for may be explored: any other choice may lead to a
 * sleep-set-blocked execution, because everything after it has been explored from a node where
 * the sleeping thread ran first.  So a node is pinned: only the choices in its wakeup tree are
 * open.  When an execution through it ends, every other choice is handled as if it raced with
 * the taken one: v is the other choice, followed by the events of the execution that do not
 * happen after the step. v is explored unless a sleeping thread could begin it.
 *
 * A thread is asleep as a whole, so its choices stand together.  Before another thread of the
 * node is taken, all remaining choices are opened, because they would count as explored.
 * Executions that begin with those may be blocked, and so may those of a signal with more than
 * HD_MOST_WAKEUP_CHOICES waiters.
 *
 * Of several workers each pins nodes of its own part.  A node that is pinned, or at which
 * another thread than those begun has choices, is not given away
 * (hd_wakeup_choices_may_be_common). */
#ifndef HD_EXPLORE_DPOR_WAKEUP_CHOICES_H
#define HD_EXPLORE_DPOR_WAKEUP_CHOICES_H

#include "explore/dpor/wakeup.h"
#include "explore/loop/explorer.h"

#define HD_MOST_WAKEUP_CHOICES 64

struct hd_wakeup_choices {
    struct hd_wakeup_choices_node {
        uint32_t depth;
        bool wakes; /* the next step of the thread on the path wakes a thread: */
        uint32_t chosen[HD_MOST_WAKEUP_CHOICES]; /* which one, by choice */
    } *nodes;
    uint32_t n;
};

/* The thread that the choice of the thread's next step wakes, or the choice itself. */
uint32_t hd_wakeup_choices_would_choose(const struct hd_explorer *ex, uint32_t thread,
                                        uint32_t choice);

bool hd_wakeup_choices_init(struct hd_wakeup_choices *p, struct hd_arena *arena);

/* Does the branch, in a tree of this worker, ask for one choice of its step only? */
bool hd_wakeup_choices_asks_one(const struct hd_branch *b, uint32_t choices);

/* May all workers have node `depth` in common? */
bool hd_wakeup_choices_may_be_common(const struct hd_wakeup_choices *p,
                                     const struct hd_explorer *ex, uint32_t depth);

/* The node's open alternatives are not all that their threads have. */
void hd_wakeup_choices_add(struct hd_wakeup_choices *p, uint32_t depth);

/* Bring the alternatives that the tree's branches ask for to the front, in their order, and
 * return their number.  Pins the new node if they are not all.  `some_sleep`: a thread sleeps
 * there. */
uint32_t hd_wakeup_choices_admit(struct hd_wakeup_choices *p, struct hd_explorer *ex,
                                 const struct hd_wakeup *w, bool some_sleep, uint32_t *alts,
                                 uint32_t n);

/* The pinned nodes of the path, in a work unit (filter.h). */
void hd_wakeup_choices_pack(struct hd_wakeup_choices *c, const struct hd_explorer *ex,
                            struct hd_pack *p);

/* A new node replaces what was at that depth. */
void hd_wakeup_choices_replace(struct hd_wakeup_choices *p, uint32_t depth);

/* The step of node `depth` is about to run. */
void hd_wakeup_choices_ran(struct hd_wakeup_choices *p, const struct hd_explorer *ex,
                           uint32_t depth);

/* All choices have been listed at a node, as open: close those that no branch asks for. */
void hd_wakeup_choices_listed(struct hd_explorer *ex, const struct hd_wakeup *w, uint32_t depth);

/* An execution is over.  `wants` is asked whether the step of node `depth` is to be done with
 * another choice; it puts that into the wakeup tree. */
void hd_wakeup_choices_ended(struct hd_wakeup_choices *p, struct hd_explorer *ex, void *self,
                             bool (*wants)(void *self, struct hd_explorer *ex, uint32_t depth,
                                           uint32_t chosen));

#endif
