/* Does what `heddle check --json` says agree with the interpreter? */
#ifndef ORC_JUDGE_H
#define ORC_JUDGE_H

#include "interp.h"

/* A way to run heddle and what it must count as complete executions. */
struct orc_chain {
    const char *reduce; /* argument of --reduce */
    bool traces;        /* executions == traces; otherwise == interleavings */
};

/* Writes every disagreement, a line each, to `why`; true when there is none.  `status` is the exit
 * status of heddle. */
bool orc_judge(const struct orc_chain *chain, const struct orc_program *p,
               const struct orc_result *r, const char *json, int status, FILE *why);

#endif
