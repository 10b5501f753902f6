/* What the judge says of a program under a model. */
#ifndef AX_VERDICT_H
#define AX_VERDICT_H

#include "enumerate.h"
#include "lines.h"

struct ax_verdict {
    uint64_t graphs, deadlocks;
    struct ax_lines finals;
    /* Over the distinct ones: exclusive or of the FNV-1a hashes of their values, as 32-bit
     * integers in the order of the lines. */
    uint64_t finals_hash;
    bool exists;             /* a complete graph ends as the program asks */
    struct ax_lines races;   /* "1:2 2:1": statements that race in some graph */
    struct ax_lines first;   /* those that race in a graph in which nothing raced before them */
    struct ax_lines lines;   /* of complete graphs, if they are wanted */
    struct ax_lines blocked; /* of deadlocks, if they are wanted */
    struct ax_lines misuse;  /* "1:3": unlocks of a mutex that the thread does not hold */
    bool wants_lines;
    bool naive;
    uint64_t most; /* graphs after which the judge gives up; 0: no limit */
    bool gave_up, too_long;
};

/* Fills *v, in which only wants_lines, naive and most have been set.  Release it afterwards. */
void ax_judge(const struct ax_program *p, enum ax_model model, struct ax_verdict *v);
void ax_verdict_release(struct ax_verdict *v);

#endif
