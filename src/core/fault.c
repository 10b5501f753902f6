#include "core/fault.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[HD_FAULT_COUNT] = {
#define X(name, text) [HD_FAULT_##name] = text,
    HD_FAULTS(X)
#undef X
};

enum hd_op hd_fault_op(enum hd_fault_kind kind)
{
    return (enum hd_op)((uint32_t)HD_OP_FAULT_MALLOC + (uint32_t)kind);
}

static int kind_of(const char *word, size_t length)
{
    for (int i = 0; i < HD_FAULT_COUNT; i++)
        if (strlen(words[i]) == length && memcmp(words[i], word, length) == 0)
            return i;
    return -1;
}

bool hd_faults_parse(const char *text, struct hd_faults *faults)
{
    *faults = (struct hd_faults){ .most = 1 };
    for (;;) {
        size_t length = strcspn(text, ",:");
        int kind = kind_of(text, length);
        if (kind < 0)
            return false;
        faults->kinds |= 1u << kind;
        text += length;
        if (*text != ',')
            break;
        text++;
    }
    if (*text == 0)
        return true;
    size_t digits = strspn(++text, "0123456789");
    if (digits == 0 || digits > 3 || text[digits] != 0)
        return false;
    faults->most = (uint32_t)strtoul(text, NULL, 10);
    return faults->most >= 1 && faults->most <= HD_MAX_FAULTS;
}

void hd_faults_text(const struct hd_faults *faults, char *text, size_t size)
{
    size_t n = 0;
    text[0] = 0;
    for (int i = 0; i < HD_FAULT_COUNT; i++)
        if (faults->kinds & 1u << i && n < size)
            n += (size_t)snprintf(text + n, size - n, "%s%s", n ? "," : "", words[i]);
    if (n < size)
        snprintf(text + n, size - n, ":%u", faults->most);
}
