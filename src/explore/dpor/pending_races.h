/* Races between what has happened and what threads are about to do, as Flanagan & Godefroid
 * look for them (POPL 2005, Fig. 3): in every state, for the next action of every thread.
 * Reductions without sleep sets use them: bounded_dpor.c, filters/dpor_plain.c. */
#ifndef HD_EXPLORE_DPOR_PENDING_RACES_H
#define HD_EXPLORE_DPOR_PENDING_RACES_H

#include "explore/dpor/dpor.h"

/* With which of the events that it races with a pending action is reported. */
enum hd_pending { HD_PENDING_ALL, HD_PENDING_NEWEST };

/* The next action of `thread` races with event e.  (Of an event in an atomic section, which no
 * thread can interrupt, e is where that begins.) */
typedef void hd_pending_fn(struct hd_explorer *ex, uint32_t e, uint32_t thread);

/* At a new node: report the races that are new since the last step. */
void hd_pending_races(const struct hd_dpor *d, struct hd_explorer *ex, enum hd_pending which,
                      hd_pending_fn *race);

/* The same when an execution is over: a step that breaks the program, and the end of the
 * process, race with all that is pending. */
void hd_pending_races_of_end(const struct hd_dpor *d, struct hd_explorer *ex,
                             const struct hd_finding *finding, enum hd_pending which,
                             hd_pending_fn *race);

/* Open the thread at the node, or all threads if it could not move there.  Returns whether it
 * could. */
bool hd_pending_open(struct hd_explorer *ex, uint32_t depth, uint32_t thread);

/* At a new node: keep the alternatives of the thread that has just run, or of the first one if
 * that cannot go on, and return their number. */
uint32_t hd_pending_stay(const struct hd_explorer *ex, uint32_t *alts, uint32_t n);

#endif
