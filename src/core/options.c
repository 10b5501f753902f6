#include "core/options.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

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
