/* Other memory orders than the program's own, by site, for one exploration or replay.
 *
 * The instrumented code passes an access's order to its hook; where options.site_orders has an
 * entry for the site, the runtime takes the order of that entry instead.  So an exploration
 * answers what a program would do with other orders, and nothing is compiled.  A fence whose
 * order is relaxed is not executed.
 *
 * The sites whose orders the source gives have HD_SITE_ORDERED in hd_site.order
 * (hd_program_order() tells).  One place in the source may have several sites: it was inlined
 * or instantiated more than once. */
#ifndef HD_CORE_SITE_ORDERS_H
#define HD_CORE_SITE_ORDERS_H

#include "core/memory_order.h"
#include "core/options.h"

/* The entry of the list for that site; `order` is as in core/memory_order.h, without fences. */
static inline uint32_t hd_site_order_pack(uint32_t site, uint32_t order)
{
    return site << 8 | order;
}

/* From now on the site has that order; the last call for a site counts.  False: the list is
 * full, or the number of the site is too large for it. */
static inline bool hd_site_order_set(struct hd_options *options, uint32_t site, uint32_t order)
{
    uint32_t i = 0;
    if (site >> 24)
        return false;
    while (i < options->n_site_orders && options->site_orders[i] >> 8 != site)
        i++;
    if (i == HD_MAX_SITE_ORDERS)
        return false;
    options->site_orders[i] = hd_site_order_pack(site, order);
    options->n_site_orders += i == options->n_site_orders;
    return true;
}

#endif
