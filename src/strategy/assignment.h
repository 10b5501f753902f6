/* Assignments of memory orders to the atomic accesses and fences of a program: which orders
 * are stronger than necessary, and which are too weak (docs/design/020-orders.md).
 *
 * What a program does with an assignment is asked of an oracle, which explores it.  The set of
 * verified assignments is upward closed: a stronger order forbids executions and allows no new
 * ones.  So an answer is also one about all assignments above (verified) or below (broken) it.
 * A broken one says more: its failing execution is there under every assignment that is not
 * stronger at the accesses that occur in it. */
#ifndef HD_STRATEGY_ASSIGNMENT_H
#define HD_STRATEGY_ASSIGNMENT_H

#include "core/memory_order.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define HD_ORDER_ACQ_REL (HD_ORDER_ACQUIRE | HD_ORDER_RELEASE)
#define HD_ORDER_TOP (HD_ORDER_ACQ_REL | HD_ORDER_SEQ_CST) /* seq_cst, of whatever kind */

/* What can have an order.  The orders of a kind are some of: relaxed, acquire, release,
 * acq_rel, seq_cst, as bits; one is weaker than another if its bits are a proper subset. */
enum hd_ordered {
    HD_ORDERED_FENCE,   /* relaxed: there is none */
    HD_ORDERED_FAILURE, /* of a compare-exchange; not stronger than its success, as C11 wants */
    HD_ORDERED_STORE,
    HD_ORDERED_RMW, /* also a compare-exchange that succeeds */
    HD_ORDERED_LOAD,
};

struct hd_variable {
    enum hd_ordered kind;
    uint32_t success; /* FAILURE: the variable of the success */
    uint8_t own;      /* what the program has */
    bool fixed;       /* it stays as it is */
};

enum hd_answered {
    HD_ANSWER_VERIFIED,
    HD_ANSWER_BROKEN,
    HD_ANSWER_OPEN, /* the budget did not suffice */
    HD_ANSWER_STOP, /* something went wrong, or somebody does not want to wait */
};

/* What does the program do with orders[0..n)?  Of a broken one, occurs[i] is set for every
 * variable that the failing execution has an event of. */
typedef enum hd_answered hd_assignment_ask(void *context, const uint8_t *orders, bool *occurs);

struct hd_known {
    bool verified;
    uint8_t *orders;
    bool *occurs; /* NULL of one that is verified */
};

enum hd_assigned {
    HD_ASSIGNED_RELAXED,  /* the program is verified, and no order of `found` can be weaker */
    HD_ASSIGNED_REPAIRED, /* it is broken; `found` strengthens as few orders as can be */
    HD_ASSIGNED_NEVER,    /* it is broken with seq_cst everywhere */
    HD_ASSIGNED_OPEN,     /* not even its own orders were decided */
};

struct hd_assignment {
    uint32_t n;
    const struct hd_variable *variables;
    hd_assignment_ask *ask;
    void *context;
    uint8_t *found;      /* by variable: its order */
    bool *undecided;     /* by variable: a weaker order was tried, and nobody knows */
    bool complete;       /* the result is what its name says, not only a step on the way */
    bool stopped;        /* HD_ANSWER_STOP was said */
    uint32_t n_asked;    /* explorations */
    uint32_t n_answered; /* questions that earlier answers have decided */
    struct hd_known *known;
    size_t n_known, room;
};

/* `variables` are borrowed.  Those of a kind should stand in the order of `enum hd_ordered`:
 * what stands first is made weaker first. */
void hd_assignment_init(struct hd_assignment *a, const struct hd_variable *variables, uint32_t n,
                        hd_assignment_ask *ask, void *context);
void hd_assignment_release(struct hd_assignment *a);

/* An answer of an earlier run.  `occurs` is NULL of one that is verified. */
void hd_assignment_learn(struct hd_assignment *a, const uint8_t *orders, const bool *occurs);

/* Fills `found`. */
enum hd_assigned hd_assignment_find(struct hd_assignment *a);

/* Could a variable of that kind have that order? */
bool hd_ordered_has(enum hd_ordered kind, uint32_t order);

#endif
