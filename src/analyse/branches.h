/* The branches whose conditions decide together whether a block is entered: those of one
 * expression with && and ||. */
#ifndef HD_ANALYSE_BRANCHES_H
#define HD_ANALYSE_BRANCHES_H

#include <llvm-c/Core.h>

#define HD_MOST_BRANCHES 16

struct hd_branches {
    unsigned n;
    LLVMBasicBlockRef blocks[HD_MOST_BRANCHES]; /* that end in them; nearest first */
};

/* The condition by which the block is left; NULL: none. */
LLVMValueRef hd_branches_condition(LLVMBasicBlockRef block);

/* The blocks with a condition that lead to `to`, or to where one of them may lead: of
 * `if (a && (b || c)) to();` all three. */
void hd_branches_find(struct hd_branches *branches, LLVMBasicBlockRef to);

#endif
