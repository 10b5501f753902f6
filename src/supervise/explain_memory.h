/* What a weak memory model has to do with a run: which steps are stale and why, and which
 * stronger memory orders would have made the run impossible.  The answers are tried, by
 * judging the graph of the run with the stronger orders (supervise/judge.h). */
#ifndef HD_SUPERVISE_EXPLAIN_MEMORY_H
#define HD_SUPERVISE_EXPLAIN_MEMORY_H

#include "supervise/program.h"
#include "supervise/result.h"

/* Fills run->stale and run->remedies, and why nothing orders the accesses of a data race.
 * Nothing for a run under sequential consistency. */
void hd_explain_memory(struct hd_run *run, const struct hd_program *program);

/* The first step, + 1, that the memory model does not allow after those before it; 0: the run
 * is allowed.  (A trace from elsewhere may say anything.) */
uint32_t hd_explain_memory_forbidden(const struct hd_run *run);

#endif
