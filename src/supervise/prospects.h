/* What the first slices of a portfolio tell about its searches: which is likely to finish soon,
 * and which is not.  All of it follows from counters, so it is the same on every machine. */
#ifndef HD_SUPERVISE_PROSPECTS_H
#define HD_SUPERVISE_PROSPECTS_H

#include "core/work.h"
#include "supervise/portfolio_turn.h"

/* Threads that are alike (HD_ALIKE): up to SEVERAL, states with the names of threads are
 * cheaper as long as they are few; with more of them a step without names takes longer, in
 * proportion. */
#define HD_SEVERAL_ALIKE 4

/* Has a search of traces explored so little of its tree that it will not end? */
bool hd_prospects_none(const struct hd_counters *c);

/* The same by its estimate, if there is one; is so much to be done that samples before it do
 * not matter? */
bool hd_prospects_hopeless(const struct hd_counters *c);
bool hd_prospects_sampled(const struct hd_counters *c);

/* The slice that a search over graphs has before any other, where threads share nothing but
 * variables: to the end that is expected soon, or a short one where no end is in sight, as it
 * comes to other executions first.  No work: another search comes first. */
struct hd_slice hd_prospects_graphs(const struct hd_counters *c);

/* The end has not come where it was expected: the estimate was too high. */
void hd_prospects_missed(struct hd_counters *c);

/* Its next slice: `least`, or to its end if that is expected soon. */
struct hd_slice hd_prospects_slice(const struct hd_counters *c, struct hd_slice least);

/* Is that one so long that a search of states is to go on before? */
bool hd_prospects_is_long(struct hd_slice slice);

/* The first slice of a search of states, by the counters of one of traces, which has met
 * `n_threads`.  `graphs`: the next slice is one of a search over graphs.  No work: there are
 * more states than it could visit. */
struct hd_slice hd_prospects_states(const struct hd_counters *c, uint32_t n_threads, bool graphs);

/* Without that slice: is it to have one as soon as one of traces has not ended? */
bool hd_prospects_states_later(const struct hd_counters *c);

/* Is a search of states, after that slice, to have a second one soon? */
bool hd_prospects_goes_on(const struct hd_counters *traces, const struct hd_counters *states);

#endif
