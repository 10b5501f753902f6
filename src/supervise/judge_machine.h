/* Could a run have happened on a machine with one memory: under sequential consistency, or
 * under the total store order of x86 (docs/design/019-graph.md, "Other models")? */
#ifndef HD_SUPERVISE_JUDGE_MACHINE_H
#define HD_SUPERVISE_JUDGE_MACHINE_H

#include "supervise/run_graph.h"

/* False: the order of the machine has a cycle.  The order is that of the accesses and threads
 * alone, so a cycle that needs a synchronisation object is not seen. */
bool hd_judge_machine(const struct hd_run_graph *g);

#endif
