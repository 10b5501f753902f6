/* Memory orders that replace the program's own (core/site_orders.h): a table with a byte for
 * each site, made once before the program runs. */
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
    uint8_t *table = hd_mmap(NULL, n_sites, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
                             -1, 0);
    if (table == MAP_FAILED)
        hd_fatal("no room for the memory orders of %u sites", n_sites);
    for (uint32_t i = 0; i < options->n_site_orders && i < HD_MAX_SITE_ORDERS; i++) {
        uint32_t site = options->site_orders[i] >> 8;
        if (site >= n_sites)
            hd_fatal("a memory order is given for site %u, but the program has %u", site,
                     n_sites);
        table[site] = (uint8_t)(options->site_orders[i] | HD_SITE_ORDERED);
    }
    rt->site_orders = table;
}
