/* The atomic accesses and fences of a program, by their places in the source.
 *
 * The compiler may have made several sites of one place: a function was inlined, a template
 * instantiated more than once.  A place is a file, a line, a column and an operation. */
#ifndef HD_CLI_ORDER_PLACES_H
#define HD_CLI_ORDER_PLACES_H

#include "base/err.h"
#include "base/str.h"
#include "base/strmap.h"
#include "core/op.h"
#include "core/options.h"
#include "strategy/assignment.h"
#include "supervise/program.h"
#include "supervise/result.h"

#define HD_NO_VARIABLE UINT32_MAX

struct hd_order_place {
    struct hd_place at;
    const char *real; /* the file, however the program names it */
    enum hd_op op;
    uint32_t order;    /* what the source says, as in core/memory_order.h */
    bool varies;       /* its sites have several orders: which one is decided at run time */
    bool executed;     /* by some execution */
    uint32_t variable; /* of its order; of a compare-exchange that succeeds */
    uint32_t failure;  /* of a compare-exchange that fails, or HD_NO_VARIABLE */
};

struct hd_order_places {
    uint32_t n;
    struct hd_order_place *items; /* by file, line and column */
    uint32_t n_sites;
    uint32_t *sites;    /* the sites that have orders, in the order of options.site_orders */
    uint32_t *place_of; /* by site of the program: + 1 */
    uint32_t n_program_sites;
    uint32_t n_variables;
    struct hd_variable *variables;
    uint32_t *variable_place; /* by variable */
    struct hd_strmap files;   /* the program's name of a file -> real, or how it is called */
};

/* Fails when there are more sites than one exploration can have other orders for. */
int hd_order_places_init(struct hd_order_places *places, const struct hd_program *program,
                         struct hd_err *err);
void hd_order_places_release(struct hd_order_places *places);

/* Puts the orders of all variables into the options. */
void hd_order_places_set(const struct hd_order_places *places, const uint8_t *orders,
                         struct hd_options *options);

/* Notes what an exploration with such options has executed.  What no execution comes to keeps
 * its order. */
void hd_order_places_executed(struct hd_order_places *places, const struct hd_counters *counters);

/* The variables that the run, made with these orders, has an event of.  A fence that is not
 * there has none, but one that is made stronger would: it counts. */
void hd_order_places_occur(const struct hd_order_places *places, const uint8_t *orders,
                           const struct hd_run *run, bool *occurs);

/* "relaxed", "acq_rel", of a fence that is relaxed "none". */
const char *hd_order_name(enum hd_ordered kind, uint32_t order);

/* "store ready", "compare-exchange top, failure" */
void hd_order_operation(struct hd_str *out, const struct hd_order_place *place, bool failure);

#endif
