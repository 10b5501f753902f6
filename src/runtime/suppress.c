/* The rules of a suppression file (core/suppress.h) for the program's sites and memory. */
#include "runtime/rt.h"

#include "core/site.h"

#include <sys/mman.h>

extern const struct hd_program_info __start_heddle_info[] __attribute__((weak));
extern const struct hd_site __start_heddle_sites[] __attribute__((weak));
extern const char __start_heddle_strings[] __attribute__((weak));

static uint32_t by_place(enum hd_rule_kind kind, uint32_t site)
{
    if (site == 0 || site >= __start_heddle_info->n_sites)
        return 0;
    const struct hd_site *s = &__start_heddle_sites[site];
    const char *strings = __start_heddle_strings;
    return hd_rule_of_place(&rt->shared->options.suppressions, kind, strings + s->file,
                            strings + s->function, strings + s->variable);
}

uint32_t hd_suppressed(void *self, uint32_t site, uint64_t addr, bool *of_object)
{
    (void)self;
    uint32_t rule = by_place(HD_RULE_RACE, site);
    if (rule)
        return rule;
    rule = hd_rule_of_address(&rt->shared->options.suppressions, HD_RULE_RACE,
                              addr - rt->load_base);
    *of_object = rule != 0;
    return rule;
}

/* A volatile access may be made a million times: what the rules say of its site is kept, as
 * the rule + 2, or 1 if there is none. */
uint32_t hd_volatile_rule(const void *at, uint32_t site)
{
    uint32_t n_sites = __start_heddle_info->n_sites;
    if (!rt->volatile_sites) {
        rt->volatile_sites = hd_mmap(NULL, n_sites * sizeof *rt->volatile_sites,
                                     PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (rt->volatile_sites == MAP_FAILED)
            hd_fatal("no room for the rules of %u sites", n_sites);
    }
    if (site >= n_sites)
        return 0;
    if (!rt->volatile_sites[site])
        rt->volatile_sites[site] = (uint16_t)(by_place(HD_RULE_VOLATILE, site) + 1);
    uint32_t rule = rt->volatile_sites[site] - 1u;
    return rule ? rule
                : hd_rule_of_address(&rt->shared->options.suppressions, HD_RULE_VOLATILE,
                                     (uintptr_t)at - rt->load_base);
}
