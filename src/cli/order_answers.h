/* The file in which heddle orders keeps its answers, so that a later run need not explore the
 * same assignments again.  Text, one answer per line:
 *
 *   heddle orders VERSION BUILD ARGUMENTS VARIABLES
 *   verified 7201
 *   broken 7001 1101
 *
 * A digit is the order of a variable (core/memory_order.h).  The second word of a broken
 * assignment says which variables occur in the execution that fails.  The answers are believed
 * only as far as they save work: heddle orders explores what it recommends itself. */
#ifndef HD_CLI_ORDER_ANSWERS_H
#define HD_CLI_ORDER_ANSWERS_H

#include "cli/orders_request.h"

/* Learns what the file has; one that is not there is empty.  Fails when it cannot be read, is
 * of another program, or is no such file. */
int hd_order_answers_read(struct hd_orders_run *r, struct hd_err *err);

/* Writes all that is known. */
int hd_order_answers_write(const struct hd_orders_run *r, struct hd_err *err);

#endif
