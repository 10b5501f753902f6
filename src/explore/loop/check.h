/* A check looks at what is explored, may find a violation there, and changes nothing of the
 * exploration.  It is one file in checks/, one table of functions and one row in checks.def. */
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
    HD_JUDGED_ANEW    /* a premise was false: the exploration begins anew */
};

/* Every function may be NULL. */
struct hd_check {
    /* The check's state, in the explorer's arena; NULL if there is nothing to look for.  The
     * filters have been created.  A check without `create` always looks, and has no state. */
    void *(*create)(struct hd_explorer *ex);
    /* Step `depth` is about to run, and its operation is one that the check asked for
     * (hd_check_hears). */
    void (*ran)(void *self, struct hd_explorer *ex, uint32_t depth);
    /* Called in every state while the world has invariants or targets
     * (hd_config.invariants). */
    enum hd_judged (*at_state)(void *self, struct hd_explorer *ex, struct hd_finding *finding);
    /* At a new node of several alternatives, before the filters look at it. */
    void (*at_node)(void *self, struct hd_explorer *ex);
    /* Does the check, with these options, look at no node?  NULL: it does look. */
    bool (*skips_nodes)(const void *self);
    /* The thread of the last step has come to an operation that it cannot do. */
    void (*waits)(void *self, struct hd_explorer *ex);
    /* An execution is over, in any way: its new events can be looked at. */
    void (*look)(void *self, struct hd_explorer *ex);
    /* The execution is complete, and the filters have been told. */
    void (*ended)(void *self, struct hd_explorer *ex, const struct hd_finding *finding);
    /* The execution has been cut because it does not end. */
    void (*endless)(void *self, struct hd_explorer *ex);
    /* The state is again the one before step `depth`. */
    void (*back)(void *self, struct hd_explorer *ex, uint32_t depth);
    /* Everything has been explored. */
    void (*over)(void *self, struct hd_explorer *ex);
    /* Write the state that lasts across executions into a work unit, or read it (filter.h).
     * NULL: there is none. */
    void (*pack)(void *self, struct hd_explorer *ex, struct hd_pack *p);
};

extern const struct hd_check *const hd_checks[HD_N_CHECKS];

/* The checks of an explorer.  Sets of checks that have a certain function are kept by bit. */
struct hd_check_set {
    void *self[HD_N_CHECKS];
    uint32_t ran[HD_N_SPACES]; /* by the space of the step's operation */
    uint32_t at_state, at_node, waits, look, ended, endless, back, over;
};

#endif
