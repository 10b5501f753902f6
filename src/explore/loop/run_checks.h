/* Asking the checks (check.h). */
#ifndef HD_EXPLORE_LOOP_RUN_CHECKS_H
#define HD_EXPLORE_LOOP_RUN_CHECKS_H

#include "explore/loop/explorer.h"

#define HD_CHECKS_DO(ex, hook, ...)                                                              \
    for (uint32_t w_ = (ex)->checks.hook; w_; w_ &= w_ - 1) {                                    \
        uint32_t i_ = (uint32_t)__builtin_ctz(w_);                                               \
        hd_checks[i_]->hook((ex)->checks.self[i_], (ex), ##__VA_ARGS__);                         \
    }

/* Create every check, and note which of them has which function. */
void hd_checks_create(struct hd_explorer *ex);

/* The check asks to be told of steps whose operation is in that space. */
static inline void hd_check_hears(struct hd_explorer *ex, enum hd_check_index check,
                                  enum hd_space space)
{
    ex->checks.ran[space] |= 1u << check;
}

/* Step `depth` is about to be made.  Most operations are of no interest. */
HD_HOT void hd_checks_ran(struct hd_explorer *ex, uint32_t depth)
{
    uint32_t w = ex->checks.ran[hd_op_table[ex->path.nodes[depth].action.op].space];
    for (; __builtin_expect(w, 0); w &= w - 1) {
        uint32_t i = (uint32_t)__builtin_ctz(w);
        hd_checks[i]->ran(ex->checks.self[i], ex, depth);
    }
}

/* Ask the checks about the current state; the first one with an objection decides. */
enum hd_judged hd_checks_at_state(struct hd_explorer *ex, struct hd_finding *finding);

static inline void hd_checks_at_node(struct hd_explorer *ex) { HD_CHECKS_DO(ex, at_node) }

static inline void hd_checks_waits(struct hd_explorer *ex) { HD_CHECKS_DO(ex, waits) }

#endif
