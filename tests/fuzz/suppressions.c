/* libFuzzer target: suppression files. */
#include "supervise/suppressions.h"

#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Any bytes are either refused with a line, or are rules that can be shown and asked. */
int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static struct hd_suppressions s;
    struct hd_err err = { "" };
    struct hd_str text;
    memset(&s, 0, sizeof s);
    if (hd_suppressions_parse(&s, "f", (const char *)bytes, n, &err) != 0) {
        if (strncmp(err.text, "f:", 2) != 0 || strpbrk(err.text, "\n\r\033"))
            abort();
        return 0;
    }
    hd_str_init(&text);
    for (uint32_t i = 0; i < s.n; i++) {
        const struct hd_rule *rule = &s.rules[i];
        uint32_t found = hd_rule_of_place(&s, rule->kind, "/a/b.c", "f", "q->head");
        if (!*rule->pattern || !memchr(rule->pattern, 0, sizeof rule->pattern) || found > s.n)
            abort();
        hd_suppressions_rule(&text, rule);
    }
    if (s.n_races + s.n_volatile != s.n || strpbrk(text.text, "\n\r\033"))
        abort();
    hd_str_release(&text);
    return 0;
}
