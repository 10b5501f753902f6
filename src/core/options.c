#include "core/options.h"

#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

void hd_options_copy(struct hd_options *to, const struct hd_options *from)
{
    const struct hd_suppressions *rules = &from->suppressions;
    uint32_t n_sites = from->n_site_orders, n_invariants = from->n_invariants;
    size_t head = offsetof(struct hd_options, suppressions.rules);
    size_t middle = offsetof(struct hd_options, memory);
    size_t tail = offsetof(struct hd_options, no_livelocks);
    memcpy(to, from, head);
    memcpy(to->suppressions.rules, rules->rules, rules->n * sizeof *rules->rules);
    memcpy(to->suppressions.ranges, rules->ranges, rules->n_ranges * sizeof *rules->ranges);
    memcpy(&to->memory, &from->memory, offsetof(struct hd_options, site_orders) - middle);
    memcpy(to->site_orders, from->site_orders, n_sites * sizeof *from->site_orders);
    memcpy(&to->no_livelocks, &from->no_livelocks,
           offsetof(struct hd_options, invariants) - tail);
    memcpy(to->invariants, from->invariants, n_invariants * sizeof *from->invariants);
}

bool hd_nondet_parse(const char *text, struct hd_nondet *nondet)
{
    char *end;
    errno = 0;
    *nondet = (struct hd_nondet){ .given = 1, .low = strtoll(text, &end, 0) };
    if (end == text || end[0] != '.' || end[1] != '.')
        return false;
    text = end + 2;
    nondet->high = strtoll(text, &end, 0);
    return end != text && *end == 0 && errno == 0 && nondet->high >= nondet->low &&
           (uint64_t)nondet->high - (uint64_t)nondet->low < HD_MAX_CHOICES;
}

const char *hd_memory_name(enum hd_memory memory)
{
    static const char *const names[] = {
        [HD_MEMORY_SC] = "sc",
        [HD_MEMORY_RC11] = "rc11",
        [HD_MEMORY_RC11_PLAIN] = "rc11-plain",
        [HD_MEMORY_TSO] = "tso",
        [HD_MEMORY_SC_GRAPH] = "sc",
        [HD_MEMORY_SC_RF] = "sc-rf",
    };
    return names[memory];
}

bool hd_memory_parse(const char *text, uint32_t *memory)
{
    for (uint32_t m = HD_MEMORY_RC11; m <= HD_MEMORY_SC_RF; m++)
        if (strcmp(text, hd_memory_name((enum hd_memory)m)) == 0) {
            *memory = m;
            return true;
        }
    return false;
}
