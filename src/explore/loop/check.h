/* A check: it looks at what is explored, may find a violation there, and changes nothing of the
 * exploration.  One file in checks/, one table of functions, one row in checks.def. */
#ifndef HD_EXPLORE_LOOP_CHECK_H
#define HD_EXPLORE_LOOP_CHECK_H

#include "core/op.h"

#include <stdbool.h>
#include <stdint.h>

struct hd_explorer;
struct hd_finding;
struct hd_pack;

enum hd_check_index {
#define HD_CHECK(NAME, name) HD_CHECK_##NAME,
#include "explore/loop/checks.def"
#undef HD_CHECK
    HD_N_CHECKS
};

enum hd_judged {
    HD_JUDGED_GOOD,
    HD_JUDGED_BROKEN, /* the finding says how; the execution ends */
    HD_JUDGED_ANEW    /* what was explored rests on something false: all begins anew */
};

/* Every function may be NULL. */
struct hd_check {
    /* What it keeps, in the explorer's arena; NULL: there is nothing to look for.  The filters
     * have been created.  A check without `create` always looks, and keeps nothing. */
    void *(*create)(struct hd_explorer *ex);
    /* Step `depth` is about to be made, and its operation is one that the check wants to hear
     * of (hd_check_hears). */
    void (*ran)(void *self, struct hd_explorer *ex, uint32_t depth);
    /* In every state, while the world has something to be asked there
     * (hd_config.invariants). */
    enum hd_judged (*at_state)(void *self, struct hd_explorer *ex, struct hd_finding *finding);
    /* At a new node of several alternatives, before the filters look at it. */
    void (*at_node)(void *self, struct hd_explorer *ex);
    /* The thread of the last step has come to an operation that it cannot do. */
    void (*waits)(void *self, struct hd_explorer *ex);
    /* An execution is over, in whatever way: its new events can be looked at. */
    void (*look)(void *self, struct hd_explorer *ex);
    /* It is complete, and the filters have heard of it. */
    void (*ended)(void *self, struct hd_explorer *ex, const struct hd_finding *finding);
    /* It has been cut because it does not end. */
    void (*endless)(void *self, struct hd_explorer *ex);
    /* The state is again the one before step `depth`. */
    void (*back)(void *self, struct hd_explorer *ex, uint32_t depth);
    /* Everything has been explored. */
    void (*over)(void *self, struct hd_explorer *ex);
    /* What it keeps across executions, in a work unit (filter.h).  NULL: nothing. */
    void (*pack)(void *self, struct hd_explorer *ex, struct hd_pack *p);
};

extern const struct hd_check *const hd_checks[HD_N_CHECKS];

/* What the explorer keeps of them.  Who has a function is a set of rows, by bit. */
struct hd_check_set {
    void *self[HD_N_CHECKS];
    uint32_t ran[HD_N_SPACES]; /* by the space of the step's operation */
    uint32_t at_state, at_node, waits, look, ended, endless, back, over;
};

#endif
