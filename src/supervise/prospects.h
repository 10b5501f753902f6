/* What the first slices of a portfolio tell about its searches: which is likely to finish soon,
 * and which is not.  All of it follows from counters, so it is the same on every machine. */
#ifndef HD_SUPERVISE_PROSPECTS_H
#define HD_SUPERVISE_PROSPECTS_H

#include "supervise/portfolio_turn.h"

/* Threads that are alike: fewer are not worth the trouble; up to SEVERAL, states with the names
 * of threads are cheaper as long as they are few; with more of them a step without names takes
 * longer, in proportion. */
#define HD_ALIKE 3
#define HD_SEVERAL_ALIKE 4

/* Is a search of traces expected to end soon enough to go on before another is tried? */
bool hd_prospects_near(const struct hd_counters *c);

/* Has it explored so little of its tree that it will not end? */
bool hd_prospects_none(const struct hd_counters *c);

/* Its next slice: `least`, or to its end if that is expected soon. */
struct hd_slice hd_prospects_slice(const struct hd_counters *c, struct hd_slice least);

/* Is that one so long that samples are to be taken before? */
bool hd_prospects_is_long(struct hd_slice slice);

/* The first slice of a search of states, by the counters of one of traces, which has met
 * `n_threads`.  No work: there are more states than it could visit. */
struct hd_slice hd_prospects_states(const struct hd_counters *c, uint32_t n_threads);

/* Is a search of states, after that slice, to have a second one soon? */
bool hd_prospects_goes_on(const struct hd_counters *traces, const struct hd_counters *states);

#endif
