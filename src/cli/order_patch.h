/* The patch of heddle orders: the sources with other memory orders. */
#ifndef HD_CLI_ORDER_PATCH_H
#define HD_CLI_ORDER_PATCH_H

#include "cli/orders_request.h"

/* Fills r->patch and r->left.  The patched sources have been compiled and explored: they have
 * the orders that were found, and they are verified.  Returns the exit status, with err. */
int hd_order_patch(struct hd_orders_run *r, struct hd_err *err);

#endif
