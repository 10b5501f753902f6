/* What heddle orders was asked for, and what it has come to. */
#ifndef HD_CLI_ORDERS_REQUEST_H
#define HD_CLI_ORDERS_REQUEST_H

#include "cli/input.h"
#include "cli/live.h"
#include "cli/order_places.h"
#include "strategy/assignment.h"

#include <stdio.h>

enum hd_orders_format { HD_ORDERS_TEXT, HD_ORDERS_JSON, HD_ORDERS_PATCH };

struct hd_orders_request {
    struct hd_strs files, cc_flags;
    const char *json;             /* a file; NULL: none */
    const char *answers;          /* the file in which they are kept; NULL: none */
    enum hd_orders_format format; /* of standard output */
    double seconds;               /* 0: no bound */
    bool quiet, help;
    char **args;
};

struct hd_orders_run {
    const struct hd_orders_request *request;
    struct hd_input input;
    struct hd_strs args; /* of the program, from its name on */
    struct hd_order_places places;
    struct hd_assignment assignment;
    enum hd_assigned outcome;
    double begun, end;  /* end 0: no bound */
    char *broken;       /* what the program's own orders lead to; NULL: nothing */
    char *unverified;   /* why it is not verified although nothing was found; NULL: it is */
    uint8_t *seen;      /* the last assignment that this process has seen verified */
    struct hd_err *err; /* of an exploration that could not be made, with its status */
    int status;
    struct hd_str patch; /* "": there is none */
    const char **left;   /* by place: why the patch does not change it; NULL: it does, or need
                            not */
};

/* Explores the program with these orders; NULL: with its own ones, and without noting what is
 * executed.  VERIFIED and BROKEN: the result is the caller's to release. */
enum hd_answered hd_orders_explore(struct hd_orders_run *r, struct hd_program *program,
                                   const uint8_t *orders, struct hd_result *result);

/* Is the order of a place another one than the program's? */
bool hd_orders_changed(const struct hd_orders_run *r, const struct hd_order_place *place);

/* orders_report.c: for people, and as JSON. */
void hd_orders_print(const struct hd_orders_run *r, FILE *out);
void hd_orders_json(struct hd_str *out, const struct hd_orders_run *r);

#endif
