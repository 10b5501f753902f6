/* Control flow inside functions: edges between blocks, loops, post-dominators, control
 * dependence.
 *
 * A call that does not return (exit, abort, longjmp, anything declared noreturn, and a function
 * of the program that never returns) ends its block: what follows it is not reached.  Every
 * such end, like a return, leads to a virtual exit of the function; so does a block of a loop
 * without a way out, or nothing in it would have a post-dominator. */
#ifndef HD_ANALYSE_CFG_H
#define HD_ANALYSE_CFG_H

#include "analyse/points_to.h"

#define HD_EXIT_BLOCK UINT32_MAX

struct hd_cfg {
    const struct hd_code *code;
    uint32_t *succ_first, *succ; /* of block b: succ[succ_first[b] .. succ_first[b + 1]) */
    uint32_t *pred_first, *pred;
    bool *in_loop;       /* by block: it lies on a cycle */
    uint32_t *component; /* by block: the same for blocks that reach each other */
    bool *reached;       /* by block: from its function's entry */
    uint32_t *cut;       /* by block: the point after which it does not go on, or HD_NO_POINT */
    bool *returns;       /* by function: it may return */
    uint32_t *post_dominator; /* by block: the nearest, or HD_EXIT_BLOCK */
    /* The blocks on whose branches block b depends: controls[control_first[b] ..). */
    uint32_t *control_first, *controls;
};

void hd_cfg_init(struct hd_cfg *cfg, const struct hd_points_to *p);
void hd_cfg_release(struct hd_cfg *cfg);

/* Fills in post_dominator, control_first and controls (control.c). */
void hd_cfg_find_dependence(struct hd_cfg *cfg);

/* Does the call never return? */
bool hd_cfg_call_ends(const struct hd_cfg *cfg, const struct hd_points_to *p, uint32_t point);

#endif
