/* A trace of a program that has changed since: its schedule is followed as far as it goes.
 *
 * A step of the trace and one of the changed program are the same if they are of the same
 * thread, operation and function; per thread, the longest common subsequence of both decides.
 * Steps that are new are done where their thread meets them, steps that are gone are left out.
 * Since other threads may then behave otherwise, that is repeated until nothing changes. */
#ifndef HD_CLI_FOLLOW_H
#define HD_CLI_FOLLOW_H

#include "cli/rerun.h"

struct hd_followed {
    bool changed; /* otherwise there was nothing to do */
    uint32_t n;   /* steps of the trace that were followed */
};

/* Makes the script of `rerun`, which is not bound to the program, one that the program can
 * follow to its end. */
int hd_follow(struct hd_rerun *rerun, const struct hd_trace *trace, struct hd_program *program,
              struct hd_followed *followed, struct hd_err *err);

#endif
