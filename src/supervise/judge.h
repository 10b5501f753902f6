/* Could a run have happened if some of its accesses had other memory orders?  The judge holds
 * the execution graph of the run against the axioms of RC11 (docs/design/019-graph.md).
 *
 * What each thread did and read stays as it was: if the graph is not consistent any more, this
 * run is impossible with those orders.  (Other runs may still break the program.)
 *
 * Happens-before comes from explore/order/sync_order.h, as everywhere else in heddle. */
#ifndef HD_SUPERVISE_JUDGE_H
#define HD_SUPERVISE_JUDGE_H

#include "supervise/run_graph.h"

struct hd_judge;

/* NULL: the graph is not known, or too large. */
struct hd_judge *hd_judge_create(const struct hd_run *run);
void hd_judge_destroy(struct hd_judge *judge); /* NULL is fine */

const struct hd_run_graph *hd_judge_graph(const struct hd_judge *judge);

/* Orders as they are in the run. */
void hd_judge_reset(struct hd_judge *judge);

/* The step has these bits (core/memory_order.h), too. */
void hd_judge_strengthen(struct hd_judge *judge, uint32_t step, uint32_t bits);

/* There is a seq_cst fence directly before the step. */
void hd_judge_fence(struct hd_judge *judge, uint32_t step);

/* Works out happens-before with the orders that were set.  Must come before what follows. */
void hd_judge_order(struct hd_judge *judge);

/* Does one step happen before the other?  Of n_log: before the thread's next step, `thread`
 * being that of the second access of a data race. */
bool hd_judge_before(const struct hd_judge *judge, uint32_t a, uint32_t b);

/* Does something that happens before the step forbid it to read, or to store, where it does?
 * Returns that step, + 1; 0: nothing does. */
uint32_t hd_judge_forbids(const struct hd_judge *judge, uint32_t step);

/* Is the whole graph consistent? */
bool hd_judge_consistent(struct hd_judge *judge);

#endif
