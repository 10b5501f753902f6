#include "core/suppress.h"

#include <stddef.h>

bool hd_glob_matches(const char *pattern, const char *text)
{
    const char *star = NULL, *retry = NULL;
    while (*text) {
        if (*pattern == '*') {
            star = ++pattern;
            retry = text;
        } else if (*pattern == '?' || *pattern == *text) {
            pattern++;
            text++;
        } else if (star) {
            pattern = star;
            text = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == 0;
}

static bool matches_file(const char *pattern, const char *path)
{
    if (hd_glob_matches(pattern, path))
        return true;
    for (; *path; path++)
        if (*path == '/' && hd_glob_matches(pattern, path + 1))
            return true;
    return false;
}

/* Names of C++ are qualified, and each of their ends is a name, too: Queue<int>::push, push. */
static bool matches_function(const char *pattern, const char *name)
{
    int depth = 0;
    if (hd_glob_matches(pattern, name))
        return true;
    for (; *name; name++) {
        depth += *name == '<' || *name == '(' || *name == '{';
        depth -= *name == '>' || *name == ')' || *name == '}';
        if (!depth && name[0] == ':' && name[1] == ':' && hd_glob_matches(pattern, name + 2))
            return true;
    }
    return false;
}

static bool matches(const struct hd_rule *rule, const char *file, const char *function,
                    const char *variable)
{
    switch (rule->by) {
    case HD_RULE_FILE:
        return *file && matches_file(rule->pattern, file);
    case HD_RULE_FUNCTION:
        return *function && matches_function(rule->pattern, function);
    default:
        return *variable && hd_glob_matches(rule->pattern, variable);
    }
}

uint32_t hd_rule_of_place(const struct hd_suppressions *s, enum hd_rule_kind kind,
                          const char *file, const char *function, const char *variable)
{
    for (uint32_t i = 0; i < s->n && i < HD_MAX_RULES; i++)
        if (s->rules[i].kind == kind && matches(&s->rules[i], file, function, variable))
            return i + 1;
    return 0;
}

uint32_t hd_rule_of_address(const struct hd_suppressions *s, enum hd_rule_kind kind,
                            uint64_t address)
{
    for (uint32_t i = 0; i < s->n_ranges && i < HD_MAX_RULE_RANGES; i++) {
        const struct hd_rule_range *range = &s->ranges[i];
        if (address >= range->begin && address < range->end && range->rule < HD_MAX_RULES &&
            s->rules[range->rule].kind == kind)
            return range->rule + 1;
    }
    return 0;
}
