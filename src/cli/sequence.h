/* From a warning to a sequence of places (what Rungta and Mercer leave to future work:
 * "automatically generate the input sequence using control and data dependence analyses"). */
#ifndef HD_CLI_SEQUENCE_H
#define HD_CLI_SEQUENCE_H

#include "base/str.h"
#include "report/claims.h"
#include "supervise/program.h"

/* Adds places to pass on the way to those of the claim, "file:line" each: where other threads
 * write what the way there depends on, and where that is read.  None when the program's code
 * does not say. */
void hd_sequence(struct hd_strs *via, const struct hd_program *program,
                 const struct hd_claim *claim);

#endif
