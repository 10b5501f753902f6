#include "core/options.h"

#include <errno.h>
#include <stdlib.h>

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
