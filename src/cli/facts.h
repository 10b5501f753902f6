/* heddle replay --facts: compares the analysis with a run. */
#ifndef HD_CLI_FACTS_H
#define HD_CLI_FACTS_H

#include "supervise/supervise.h"

/* HD_EXIT_OK; HD_EXIT_INTERNAL with err when the run contradicts a fact: the analysis is
 * wrong. */
int hd_facts_check(const struct hd_run *run, struct hd_program *program, struct hd_err *err);

#endif
