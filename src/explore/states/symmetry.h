/* Symmetry reduction (--symmetric): states up to permutation of interchangeable threads, which
 * are created by one thread with the same function and the same argument.
 *
 * A state is memory, and of every thread its own part: stack, thread-local block, heap arena,
 * what the model knows of it, its next action.  Addresses in a thread's part that point into
 * that part are relative to its beginning, and what the model knows of locks and waits belongs
 * to the part of the thread concerned.  So the parts of two interchangeable threads at the same
 * place are equal.  A state is identified by its memory and by the multiset of the parts of
 * interchangeable threads: it does not matter which thread has which part.
 *
 * A thread whose part is pointed into from elsewhere (a pointer to a variable on its stack, a
 * block of its heap in a list) keeps its name in that state.
 *
 * Soundness: exchanging two interchangeable threads, with all pointers to them, turns runs into
 * runs, as long as the program does the same with both (loop/like_threads.h). */
#ifndef HD_EXPLORE_STATES_SYMMETRY_H
#define HD_EXPLORE_STATES_SYMMETRY_H

#include "explore/loop/explorer.h"
#include "explore/states/fingerprint_set.h"

struct hd_symmetry;

struct hd_symmetry *hd_symmetry_create(struct hd_explorer *ex);

/* At a new node, after every step.  False if the effects of the step are not known.  The
 * exploration ends with an error if threads can be distinguished. */
bool hd_symmetry_at_node(struct hd_symmetry *s, struct hd_explorer *ex);

/* The stored states of the path.  enter: the node's state is one.  leave: nodes from `depth` on
 * are no longer on the path.  met: the state of the node has been visited before; the
 * exploration ends with an error if that was on the path, and livelocks are looked for. */
void hd_symmetry_enter(struct hd_symmetry *s, const struct hd_explorer *ex,
                       struct hd_fingerprint print);
void hd_symmetry_leave(struct hd_symmetry *s, uint32_t depth);
void hd_symmetry_met(struct hd_symmetry *s, struct hd_explorer *ex, struct hd_fingerprint print);

/* Of alternatives that lead to states which count as one, keep the first.  Returns how many are
 * kept; after hd_symmetry_print(). */
uint32_t hd_symmetry_admit(const struct hd_symmetry *s, const struct hd_explorer *ex,
                           uint32_t *alts, uint32_t n);

/* The fingerprint of the state of that node. */
struct hd_fingerprint hd_symmetry_print(struct hd_symmetry *s, const struct hd_explorer *ex);

/* Write the parts at the nodes of the path into a work unit, or read them (loop/filter.h). */
void hd_symmetry_pack(struct hd_symmetry *s, const struct hd_explorer *ex, struct hd_pack *p);

#endif
