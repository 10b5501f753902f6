#include "base/number.h"

#include <stdbool.h>
#include <stdio.h>

int hd_number_parse(const char *option, const char *text, uint64_t least, uint64_t most,
                    uint64_t *number, struct hd_err *err)
{
    uint64_t value = 0;
    bool good = *text != 0;
    for (const char *c = text; *c && good; c++) {
        uint64_t digit = (uint64_t)(*c - '0');
        good = *c >= '0' && *c <= '9' && value <= (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
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
