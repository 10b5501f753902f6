/* Choices of a step (the waiter of a signal, the value of heddle_choose) under optimal.
 *
 * Where no thread sleeps all choices of a thread are opened together.  Where one does, only
 * what a wakeup sequence asks for may be explored: any other choice may lead to a
 * sleep-set-blocked execution, because everything after it has been explored from a node
 * where the sleeping thread ran first.  So a node is pinned: only the choices in its wakeup
 * tree are open.  When an execution through it is over every other choice is asked about as
 * if it raced with the one taken: v is what of the execution does not happen after the step,
 * with the other choice in front.  Unless a sleeping thread could begin v it is explored.
 *
 * A thread is asleep as a whole, so its choices stand together, and before another thread of
 * the node has its turn all are opened that have been left out: what begins with them would
 * be taken for explored.  (Those may be blocked.  So may the waiters of a signal that has
 * more than HD_MOST_PINNED.)
 *
 * Of several workers each pins nodes of its own part.  A node that is pinned, or at which
 * another thread than those begun has choices, is not given away
 * (hd_wakeup_choices_may_be_common). */
#ifndef HD_EXPLORE_DPOR_WAKEUP_CHOICES_H
#define HD_EXPLORE_DPOR_WAKEUP_CHOICES_H

#include "explore/dpor/wakeup.h"
#include "explore/loop/explorer.h"

#define HD_MOST_PINNED 64

struct hd_wakeup_choices {
    struct hd_wakeup_choices_node {
        uint32_t depth;
        bool wakes; /* the next step of the thread on the path wakes a thread: */
        uint32_t chosen[HD_MOST_PINNED]; /* which one, by choice */
    } *nodes;
    uint32_t n;
};

/* The thread that the choice of the thread's next step wakes, or the choice itself. */
uint32_t hd_wakeup_choices_would_choose(const struct hd_explorer *ex, uint32_t thread,
                                        uint32_t choice);

bool hd_wakeup_choices_init(struct hd_wakeup_choices *p, struct hd_arena *arena);

/* Does the branch, of the tree at a node of our own, ask for one of its step's choices
 * alone? */
bool hd_wakeup_choices_asks_one(const struct hd_branch *b, uint32_t choices);

/* May all workers have node `depth` in common? */
bool hd_wakeup_choices_may_be_common(const struct hd_wakeup_choices *p,
                                     const struct hd_explorer *ex, uint32_t depth);

/* The node's open alternatives are not all that their threads have. */
void hd_wakeup_choices_add(struct hd_wakeup_choices *p, uint32_t depth);

/* Bring what the tree's branches ask for to the front, in their order, and pin the new node if
 * it is not all; how many there are.  `some_sleep`: at the node. */
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
