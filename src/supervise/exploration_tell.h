/* What the workers of an exploration are told before they start, and what is learnt from
 * them. */
#ifndef HD_SUPERVISE_EXPLORATION_TELL_H
#define HD_SUPERVISE_EXPLORATION_TELL_H

#include "supervise/exploration_state.h"

void hd_exploration_tell(struct hd_exploration *x);
void hd_exploration_take_notes(struct hd_exploration *x);

/* A worker has found out what makes all begin again: what invariants read (core/readset.h), or
 * which critical sections have something in common (core/lock_parts.h). */
void hd_exploration_learn(struct hd_exploration *x, const struct hd_worker_memory *shared);

#endif
