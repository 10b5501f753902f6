/* Memory orders that replace the program's own (core/site_orders.h): a table with a number for
 * each site, made once before the program runs.  It says which entry of the list is the site's,
 * from 1, or 0. */
#include "runtime/rt.h"

#include "core/site.h"
#include "core/site_orders.h"

#include <sys/mman.h>

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));

void hd_site_orders_prepare(const struct hd_options *options)
{
    uint32_t n_sites = __start_heddle_info->n_sites;
    if (!options->n_site_orders)
        return;
    uint16_t *table = hd_mmap(NULL, n_sites * sizeof *table, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (table == MAP_FAILED)
        hd_fatal("no room for the memory orders of %u sites", n_sites);
    for (uint32_t i = 0; i < options->n_site_orders && i < HD_MAX_SITE_ORDERS; i++) {
        uint32_t site = options->site_orders[i] >> 8;
        if (site >= n_sites)
            hd_fatal("a memory order is given for site %u, but the program has %u", site,
                     n_sites);
        table[site] = (uint16_t)(i + 1);
    }
    rt->site_orders = table;
}

uint32_t hd_site_order_replaced(uint32_t site, uint32_t order)
{
    uint32_t entry = rt->site_orders[site];
    if (!entry--)
        return order;
    rt->shared->cnt.site_orders_used[entry / 64] |= 1ull << entry % 64;
    return rt->shared->options.site_orders[entry] & 0xff;
}
