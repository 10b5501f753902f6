/* heddle replay --turn: the nearest run to a given one in which one of two steps comes before
 * the other.  "9,6" is step 9 before step 6; "T2+1,6" T2's first step after the end of the run
 * before step 6. */
#ifndef HD_CLI_TURN_H
#define HD_CLI_TURN_H

#include "supervise/supervise.h"

struct hd_turns {
    uint32_t n;
    const char *texts[HD_MAX_ORDERS]; /* borrowed */
};

int hd_turns_add(struct hd_turns *turns, const char *text, struct hd_err *err);

/* Run `run` again with all these orders reversed, and replace it by the new run.  Returns
 * HD_EXIT_OK, or another exit status with err; the caller releases the run in any case. */
int hd_turns_run(const struct hd_turns *turns, const struct hd_job *job, struct hd_run *run,
                 struct hd_err *err);

#endif
