/* States up to the names of threads that are alike (--symmetric): created by one thread,
 * with the same function and the same argument.
 *
 * A state is memory, and of every thread its own part: stack, thread-local block, heap
 * arena, what the model knows of it, its next action.  Addresses in a thread's part that
 * lead into that part count from its beginning, and what the model knows of locks and waits
 * is counted to the thread that it is about; so the parts of two threads that are alike and
 * stand at the same place are equal.  A state is known by its memory and, of threads that
 * are alike, by the multiset of their parts: it does not matter which thread has which part.
 *
 * A thread into whose part something leads from elsewhere (a pointer to a variable on its
 * stack, a block of its heap in a list) keeps its name in that state.
 *
 * Why that is enough.  Exchanging two threads that are alike, with all that leads to them,
 * turns runs into runs, as long as the program does the same with both.  What it can do with
 * a thread needs its id, which the creator has.  So the creator may keep the ids to itself,
 * create, and join: once it has begun to join it does nothing else until it has joined all
 * of them, and takes no results.  Then which of them it waits for in the meantime makes no
 * difference to others, and it comes out of it in one state.  Everything else is an error
 * (`why`): a thread that asks for its own id, that creates threads, a thread that is
 * detached, cancelled, or joined by somebody else.
 *
 * What this does not see: a program that computes with addresses, or compares them by order,
 * may do something else in one thread than in another.  So the verdict is never `verified`. */
#ifndef HD_EXPLORE_STATES_SYMMETRY_H
#define HD_EXPLORE_STATES_SYMMETRY_H

#include "explore/loop/explorer.h"
#include "explore/states/fingerprint_set.h"

struct hd_symmetry;

struct hd_symmetry *hd_symmetry_create(struct hd_explorer *ex);

/* At a new node, after every step: false if its effects are not known.  The exploration ends
 * with an error if threads can be told apart. */
bool hd_symmetry_at_node(struct hd_symmetry *s, struct hd_explorer *ex);

/* Everything has been explored: the last step may have told threads apart. */
void hd_symmetry_over(struct hd_explorer *ex);

/* What the state of that node is known by. */
struct hd_fingerprint hd_symmetry_print(struct hd_symmetry *s, const struct hd_explorer *ex);

/* The parts at the nodes of the path, in a work unit (loop/filter.h). */
void hd_symmetry_pack(struct hd_symmetry *s, const struct hd_explorer *ex, struct hd_pack *p);

#endif
