#include "base/number.h"

#include <stdbool.h>
#include <stdio.h>

/* The number that `text` begins with.  Returns what follows it; NULL: there is none. */
static const char *read_digits(const char *text, uint64_t *value)
{
    const char *c = text;
    *value = 0;
    for (; *c >= '0' && *c <= '9'; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        if (*value > (UINT64_MAX - digit) / 10)
            return NULL;
        *value = *value * 10 + digit;
    }
    return c > text ? c : NULL;
}

int hd_bytes_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                   uint64_t *bytes, struct hd_err *err)
{
    uint64_t value;
    const char *unit = read_digits(text, &value);
    uint32_t shift = !unit ? 0 : *unit == 'K' ? 10 : *unit == 'M' ? 20 : *unit == 'G' ? 30 : 0;
    if (!unit || unit[shift != 0] || value > UINT64_MAX >> shift || value << shift < least ||
        value << shift > most)
        return hd_err_set(err,
                          "%s %.60s: expected %llu to %llu bytes, or a number with K, M or G",
                          option, text, (unsigned long long)least, (unsigned long long)most);
    *bytes = value << shift;
    return 0;
}

int hd_number_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                    uint64_t *number, struct hd_err *err)
{
    uint64_t value;
    const char *end = read_digits(text, &value);
    bool good = end && !*end;
    if (!good || value < least || value > most)
        return hd_err_set(err, "%s %.60s: expected a number from %llu to %llu", option, text,
                          (unsigned long long)least, (unsigned long long)most);
    *number = value;
    return 0;
}

const char *hd_number_grouped(uint64_t number, char text[HD_NUMBER_TEXT])
{
    char digits[HD_NUMBER_TEXT];
    int n = snprintf(digits, sizeof digits, "%llu", (unsigned long long)number), at = 0;
    for (int i = 0; i < n; i++) {
        if (i && (n - i) % 3 == 0)
            text[at++] = ',';
        text[at++] = digits[i];
    }
    text[at] = 0;
    return text;
}
